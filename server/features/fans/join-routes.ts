/** Becoming a member, and what follows the payment. */
import * as z from 'zod/mini';
import { findAddress } from '#contract/email-address.ts';
import { ERRORS } from '#contract/errors.ts';
import { AppError } from '#server/errors.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { dayOf } from '#server/features/billing/mails.ts';
import { inAccountOf, needAccounts } from './accounts.ts';
import { findTypo } from './address-changes.ts';
import { BLOCKED, isAddressBlocked } from './blocking.ts';
import { codeProblemInWords, findTyped, lowered, problemOf } from './codes.ts';
import { sendCode, takeCode } from './enter-routes.ts';
import type { Creator } from './entering.ts';
import { type Asked, begunBy, type Fields, type Pages, queryOf } from './fan-page.ts';
import { letPayerIn, startJoining, takePayment } from './joining.ts';
import { findToGoOn } from './moving/going-on.ts';
import { type JoinCode, type JoinTier, joinedPage, joinPage, sayingPage } from './pages.ts';
import { readPlain } from './tiers.ts';

const LONGEST_CODE = 100;

export function registerJoinPages(deps: RouteDeps, pages: Pages): void {
  const { on, send, csp } = pages;

  const showJoin = async (asked: Asked, said: Fields = {}, wrong?: string, status = 200) => {
    const { creator, request, reply } = asked;
    const { tiers, isOpen, isClosed } = await findOnSale(deps, creator);
    const { query: asks } = request as { query: { code?: unknown } };
    const typed = (said.code ?? (typeof asks.code === 'string' ? asks.code : '')).trim().slice(0, LONGEST_CODE);
    const code = await readCode(deps, creator, { typed, tiers, ip: request.ip });
    const query = queryOf(request);
    const { on } = request.query as { on?: unknown };
    const goingOn =
      typeof on === 'string'
        ? await deps.db.withCreator(creator.id, (trx) => findToGoOn(deps, trx, { creatorId: creator.id, on }))
        : null;
    const pictures = tiers.flatMap(({ pictureUrl }) => (pictureUrl === null ? [] : [new URL(pictureUrl).origin]));
    const page = joinPage(creator.handle, {
      ...{ tiers, isOpen, isClosed, code, query, ...(wrong !== undefined && { wrong }) },
      said: { ...(goingOn !== null && { choice: goingOn.choice, email: goingOn.email }), ...said },
      paidUntil: goingOn && dayOf(goingOn.paidUntil),
    });
    return send(
      reply,
      page,
      status,
      [csp, ...(pictures.length > 0 ? [`img-src ${pictures.join(' ')}`] : [])].join('; '),
    );
  };

  on('GET', '', (asked) => showJoin(asked));

  on('POST', '', async (asked) => {
    const { creator, request, reply, fields } = asked;
    // It belongs to a member: they are asked for the code that was mailed.
    if (fields.state !== undefined) return takeCode(deps, pages, asked, begunBy(request));
    if (fields.again !== undefined) return showJoin(asked, { email: fields.typed ?? '' });
    const email = (fields.email ?? '').trim().slice(0, 300);
    const code = (fields.code ?? '').trim().slice(0, LONGEST_CODE);
    if (fields.act === 'code') {
      return showJoin(asked, { email, choice: fields.choice ?? '', code });
    }
    const [tierId = '', interval] = (fields.choice ?? '').split(' ');
    try {
      if (!z.uuid().safeParse(tierId).success || (interval !== 'month' && interval !== 'year')) {
        throw new AppError('invalid_input', 'Choose how you want to pay.');
      }
      const meant = findAddress(email)?.suggestion;
      if (meant != null && fields.sure !== email) {
        const says = `Did you mean ${meant}? Correct it, or press once more if it’s right as it is.`;
        const said = { email, choice: fields.choice ?? '', code, sure: email };
        return await showJoin(asked, said, says, 422);
      }
      const begun = begunBy(request);
      const wish = { email, tierId, interval, code, begun, ip: request.ip } as const;
      const url = await startJoining(needAccounts(deps), creator, wish);
      if (url !== null) return reply.header('cache-control', 'no-store').redirect(url, 303);
      return await sendCode(deps, pages, asked, { email, begun, toWhom: 'present_member' });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const said = { email, choice: fields.choice ?? '', code };
      return showJoin(asked, said, error.message, ERRORS[error.code].status);
    }
  });

  on('GET', '/done', async ({ creator, request, reply }) => {
    const { session_id: sessionId = '', go } = request.query as { session_id?: string; go?: string };
    const { handle } = creator;
    const again = { label: 'Look again', url: request.url };
    const joined = await takePayment(needAccounts(deps), creator.id, sessionId).catch((error) => {
      if (error instanceof AppError && error.code === 'stripe_unreachable') return 'away' as const;
      throw error;
    });
    if (joined === 'away') {
      const says = 'We’re asking Stripe what became of your payment. Nothing is lost. Look again in a moment.';
      return send(reply, sayingPage(handle, 'One moment', says, again));
    }
    if (joined === null) return send(reply, sayingPage(handle, 'Not found', 'There is no such payment.'), 404);
    const back = { label: 'Back', url: `/join/${encodeURIComponent(handle)}` };
    if (joined.state !== 'paid') {
      return send(reply, sayingPage(handle, 'Not paid', 'Nothing was charged. You can try again.', back));
    }
    if (await isAddressBlocked(deps.db.engine, { creatorId: creator.id, email: joined.email })) {
      return send(reply, sayingPage(handle, 'You’re not a member', `${BLOCKED} What is paid meanwhile is given back.`));
    }
    if (go === undefined || joined.begun === null) {
      const url = joined.begun === null ? null : `${request.url}&go=1`;
      const mendUrl = (await findTypo(deps, creator.id, sessionId)) === null ? null : request.url;
      return send(reply, joinedPage(handle, { email: joined.email, url, mendUrl }));
    }
    // Each time another grant: it is good for a minute.
    const url = await letPayerIn(needAccounts(deps), creator.id, joined);
    return reply.header('cache-control', 'no-store').redirect(url ?? back.url, 303);
  });
}

/** What can be bought at a creator's. */
export async function findOnSale(deps: RouteDeps, creator: Creator) {
  const items = await deps.db.withCreator(creator.id, (trx) => readPlain(trx));
  const tiers = items.filter(({ isArchived, month, year }) => !isArchived && (month ?? year) !== null);
  const account = deps.accounts === null ? null : await inAccountOf(needAccounts(deps), creator.id);
  return { tiers, isOpen: account?.takesMoney === true, isClosed: account?.ends === 'close' };
}

async function readCode(
  deps: RouteDeps,
  creator: Creator,
  { typed, tiers, ip }: { typed: string; tiers: JoinTier[]; ip: string },
): Promise<JoinCode> {
  if (typed === '') return { typed, code: null };
  const code = await findTyped(deps, { creatorId: creator.id, typed, ip }).catch((error) => {
    if (error instanceof AppError) return error;
    throw error;
  });
  if (code instanceof AppError) return { typed, code: null, wrong: code.message };
  const fits = tiers.some((tier) => code !== null && lowered(code, tier, 0) !== null);
  const problem = problemOf(code) ?? (fits ? null : 'other_tier');
  return problem === null ? { typed, code } : { typed, code: null, wrong: codeProblemInWords(problem) };
}

/** `/join/{handle}`: where readers become members, come in, and end it. The blog’s buttons lead here. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { amountLabel } from '#contract/amounts.ts';
import { ERRORS } from '#contract/errors.ts';
import { AppError } from '#server/errors.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { dayOf } from '#server/features/billing/mails.ts';
import { hostCookieName, hostCookieOptions } from '#server/http/cookies.ts';
import { openOrNull, seal } from '#server/secrets.ts';
import { inAccountOf, needAccounts } from './accounts.ts';
import { changeTierOf, type Preview, previewTier } from './changing.ts';
import { codeProblemInWords, findCode, lowered, problemOf } from './codes.ts';
import * as ending from './ending.ts';
import { askForCode, type Begun, type Creator, endDevices, enterCode, findEntered, grantKnown } from './entering.ts';
import type { Asked, Fields, On } from './fan-page.ts';
import { registerGiftPages } from './gift-routes.ts';
import { letPayerIn, startJoining, takePayment } from './joining.ts';
import { findToGoOn } from './moving/going-on.ts';
import * as pages from './pages.ts';
import { priceInWords } from './passes.ts';
import { LATE_DAYS } from './project.ts';
import { listAll, readForBlog } from './tiers.ts';

/** Pages that sell. */
const SELLS = ['', '/gift'];
const MAX_BODY_BYTES = 8 * 1024;
const LONGEST_CODE = 100;
const LONGEST_PATH = 500;
const KNOWN_FOR_S = 30 * 86_400;
const DAY_MS = 86_400_000;
const State = z.object({ creatorId: z.string(), entryId: z.string(), email: z.string() });

export function registerFanPages(app: FastifyInstance, deps: RouteDeps): void {
  if (!deps.config.fanMemberships) return;
  const { config } = deps;
  const cookieName = ({ id }: Creator) => hostCookieName(config.baseUrl, `chq_fan_${id.slice(0, 8)}`);
  const stripeOrigin = new URL(config.fanStripe?.url ?? 'https://checkout.stripe.com').origin;
  const policy = pages.pagePolicy(
    `'self' ${stripeOrigin} https://checkout.stripe.com https://billing.stripe.com https://invoice.stripe.com`,
  );

  const send = (reply: FastifyReply, html: string, status = 200) =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-store')
      .header('x-robots-tag', 'noindex')
      .send(html);

  /** @param again the page once more, with what is wrong */
  const orSay = async (reply: FastifyReply, work: () => Promise<FastifyReply>, again: (wrong: string) => string) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return send(reply, again(error.message), ERRORS[error.code].status);
    }
  };

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );
    const on: On = (method, path, answer) =>
      scope.route({
        ...{ method, url: `/join/:handle${path}`, bodyLimit: MAX_BODY_BYTES },
        handler: async (request, reply) => {
          const creator = await findCreator(deps, request);
          if (creator === null) return send(reply, pages.sayingPage('', 'Not found', 'There is no such page.'), 404);
          // Members still enter, cancel and withdraw.
          if (creator.isLeaving && SELLS.includes(path)) {
            const says = 'You can’t become a member here any longer.';
            return send(reply, pages.sayingPage(creator.handle, 'Not open', says), 410);
          }
          return answer({ creator, request, reply, fields: (request.body ?? {}) as Fields });
        },
      });

    const findOnSale = async ({ creator }: Asked) => {
      const { items } = await deps.db.withCreator(creator.id, (trx) =>
        listAll(trx, { now: deps.clock.now(), joinUrl: '' }),
      );
      const tiers = items.filter(({ isArchived, month, year }) => !isArchived && (month ?? year) !== null);
      const account = deps.accounts === null ? null : await inAccountOf(needAccounts(deps), creator.id);
      return { tiers, isOpen: account?.takesMoney === true, isClosed: account?.ends === 'close' };
    };

    const showJoin = async (asked: Asked, said: Fields = {}, wrong?: string) => {
      const { creator, request } = asked;
      const { tiers, isOpen, isClosed } = await findOnSale(asked);
      const { query: asks } = request as { query: { code?: unknown } };
      const typed = (said.code ?? (typeof asks.code === 'string' ? asks.code : '')).trim().slice(0, LONGEST_CODE);
      const code = await readCode(creator, typed, tiers);
      const query = queryOf(request);
      const { on } = request.query as { on?: unknown };
      const goingOn =
        typeof on === 'string'
          ? await deps.db.withCreator(creator.id, (trx) => findToGoOn(deps, trx, { creatorId: creator.id, on }))
          : null;
      return pages.joinPage(creator.handle, {
        ...{ tiers, isOpen, isClosed, code, query, ...(wrong !== undefined && { wrong }) },
        said: { ...(goingOn !== null && { choice: goingOn.choice, email: goingOn.email }), ...said },
        paidUntil: goingOn && dayOf(goingOn.paidUntil),
      });
    };

    registerGiftPages(deps, { on, send, findOnSale, remember });

    on('GET', '', async (asked) => send(asked.reply, await showJoin(asked)));

    on('POST', '', async (asked) => {
      const { creator, request, reply, fields } = asked;
      // It belongs to a member: they are asked for the code that was mailed.
      if (fields.state !== undefined) return takeCode(asked, begunBy(request));
      if (fields.again !== undefined) return send(reply, await showJoin(asked, { email: fields.typed ?? '' }));
      const email = (fields.email ?? '').trim().slice(0, 300);
      const code = (fields.code ?? '').trim().slice(0, LONGEST_CODE);
      if (fields.act === 'code') {
        return send(reply, await showJoin(asked, { email, choice: fields.choice ?? '', code }));
      }
      const [tierId = '', interval] = (fields.choice ?? '').split(' ');
      try {
        if (!z.uuid().safeParse(tierId).success || (interval !== 'month' && interval !== 'year')) {
          throw new AppError('invalid_input', 'Choose how you want to pay.');
        }
        const begun = begunBy(request);
        const wish = { email, tierId, interval, code, begun, ip: request.ip } as const;
        const url = await startJoining(needAccounts(deps), creator, wish);
        if (url !== null) return reply.header('cache-control', 'no-store').redirect(url, 303);
        const entryId = await askForCode(deps, creator, { email, ip: request.ip, begun });
        const state = sealed(creator, entryId, email);
        return send(reply, pages.codePage(creator.handle, { email, state, toWhom: 'present_member' }));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const html = await showJoin(asked, { email, choice: fields.choice ?? '', code }, error.message);
        return send(reply, html, ERRORS[error.code].status);
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
        return send(reply, pages.sayingPage(handle, 'One moment', says, again));
      }
      if (joined === null) return send(reply, pages.sayingPage(handle, 'Not found', 'There is no such payment.'), 404);
      const back = { label: 'Back', url: `/join/${encodeURIComponent(handle)}` };
      if (joined.state !== 'paid') {
        return send(reply, pages.sayingPage(handle, 'Not paid', 'Nothing was charged. You can try again.', back));
      }
      if (joined.begun === null) return send(reply, pages.joinedPage(handle, joined.email, null));
      if (go === undefined) return send(reply, pages.joinedPage(handle, joined.email, `${request.url}&go=1`));
      // Each time another grant: it is good for a minute.
      const url = await letPayerIn(needAccounts(deps), creator.id, joined);
      return reply.header('cache-control', 'no-store').redirect(url ?? back.url, 303);
    });

    on('GET', '/enter', async ({ creator, request, reply }) => {
      if (begunBy(request) === null) return send(reply, beginOnTheBlog(creator));
      return send(reply, pages.emailPage(creator.handle, { forWhat: await enterAs(creator, request) }));
    });

    on('POST', '/enter', async (asked) => {
      const begun = begunBy(asked.request);
      if (begun === null) return send(asked.reply, beginOnTheBlog(asked.creator));
      return ask(asked, begun);
    });

    on('GET', '/account', async (asked) => {
      const { creator, request, reply } = asked;
      const known = await entered(asked);
      if (known === null) return send(reply, pages.emailPage(creator.handle, { forWhat: 'account' }));
      const begun = begunBy(request);
      if (begun !== null && (request.query as { go?: unknown }).go !== undefined) {
        const granted = { creatorId: creator.id, contactId: known.contactId, begun };
        const url = await deps.db.withCreator(creator.id, (trx) => grantKnown(deps, trx, granted));
        if (url !== null) return reply.header('cache-control', 'no-store').redirect(url, 303);
      }
      return send(reply, await account(asked, known, null));
    });

    on('POST', '/account', async (asked) => {
      const { creator, request, reply, fields } = asked;
      const known = await entered(asked);
      if (known === null) return ask(asked, null);
      const whose = { creatorId: creator.id, contactId: known.contactId };
      const here = `${config.baseUrl}/join/${encodeURIComponent(creator.handle)}/account${queryOf(request)}`;
      try {
        switch (fields.act) {
          case 'cancel':
            await ending.cancelMembership(needAccounts(deps), whose);
            break;
          case 'keep':
            await ending.keepMembership(needAccounts(deps), whose);
            break;
          case 'card':
            return reply.redirect(await ending.openFanPortal(needAccounts(deps), whose, here), 303);
          case 'pay':
            return reply.redirect((await ending.findDue(needAccounts(deps), whose)) ?? here, 303);
          case 'preview': {
            const [tierId = '', interval] = (fields.choice ?? '').split(' ');
            if (!z.uuid().safeParse(tierId).success || (interval !== 'month' && interval !== 'year')) break;
            const { handle } = creator;
            return send(reply, changeShown(handle, await previewTier(needAccounts(deps), whose, { tierId, interval })));
          }
          case 'change': {
            const url = await changeTierOf(needAccounts(deps), whose, (fields.token ?? '').slice(0, 2000));
            if (url !== null) return reply.redirect(url, 303);
            break;
          }
          case 'sign_out': {
            const device = z.uuid().safeParse(fields.device);
            if (!device.success) break;
            await deps.db.withCreator(creator.id, (trx) => endDevices(deps, trx, { ...whose, device: device.data }));
            break;
          }
        }
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return send(reply, await account(asked, known, error.message), ERRORS[error.code].status);
      }
      return reply.redirect(here, 303);
    });

    for (const what of ['cancel', 'withdraw'] as const) {
      on('GET', `/${what}`, async ({ creator, reply }) => send(reply, pages.endPage(creator.handle, { what })));
      on('POST', `/${what}`, async ({ creator, request, reply, fields }) => {
        const said = {
          email: (fields.email ?? '').trim().slice(0, 300),
          name: (fields.name ?? '').trim().slice(0, 100),
        };
        return orSay(
          reply,
          async () => {
            await ending.declareEnd(needAccounts(deps), creator, { what, ...said, ip: request.ip });
            return send(reply, pages.endedPage(creator.handle, { what, at: deps.clock.now() }));
          },
          (wrong) => pages.endPage(creator.handle, { what, said, wrong }),
        );
      });
    }

    // Programs open links: only the button keeps it.
    on('GET', '/keep/:passId/:mac', async ({ creator, reply }) => send(reply, pages.keepPage(creator.handle)));
    on('POST', '/keep/:passId/:mac', async ({ creator, request, reply }) => {
      const { passId, mac } = request.params as { passId: string; mac: string };
      const whose = await ending.findToKeep(needAccounts(deps), creator.id, { passId, mac });
      const title = 'Not possible any longer';
      const gone = pages.sayingPage(creator.handle, title, 'This membership has ended. You can join again.');
      if (whose === null) return send(reply, gone, 404);
      return orSay(
        reply,
        async () => {
          await ending.keepMembership(needAccounts(deps), whose);
          return send(
            reply,
            pages.sayingPage(creator.handle, 'It goes on', 'Your membership isn’t canceled any longer.'),
          );
        },
        (wrong) => pages.sayingPage(creator.handle, title, wrong),
      );
    });
  });

  async function readCode(creator: Creator, typed: string, tiers: pages.JoinTier[]): Promise<pages.JoinCode> {
    if (typed === '') return { typed, code: null };
    const now = deps.clock.now();
    const code = await deps.db.withCreator(creator.id, (trx) => findCode(trx, { creatorId: creator.id, typed, now }));
    const fits = tiers.some((tier) => code !== null && lowered(code, tier, 0) !== null);
    const problem = problemOf(code) ?? (fits ? null : 'other_tier');
    return problem === null ? { typed, code } : { typed, code: null, wrong: codeProblemInWords(problem) };
  }

  function sealed({ id: creatorId }: Creator, entryId: string, email: string): string {
    return seal(
      deps.keys.encryptionKeys,
      JSON.stringify({ creatorId, entryId, email } satisfies z.infer<typeof State>),
    );
  }

  async function hasFreeReaders({ id }: Creator): Promise<boolean> {
    return (await deps.db.withCreator(id, readForBlog)).hasFreeReaders;
  }

  /** A blog may not know yet that readers have to pay again. */
  async function enterAs(creator: Creator, { query }: FastifyRequest): Promise<'members' | 'readers'> {
    const asksFor = (query as { for?: unknown }).for;
    return asksFor === 'readers' && (await hasFreeReaders(creator)) ? 'readers' : 'members';
  }

  /** @param begun null: they want to see their membership */
  async function ask(asked: Asked, begun: Begun | null): Promise<FastifyReply> {
    const { creator, request, reply, fields } = asked;
    const forWhat = begun === null ? 'account' : await enterAs(creator, request);
    if (fields.again !== undefined) {
      return send(reply, pages.emailPage(creator.handle, { email: fields.typed ?? '', forWhat }));
    }
    if (fields.state !== undefined) return takeCode(asked, begun);
    const email = (fields.email ?? '').trim().slice(0, 300);
    return orSay(
      reply,
      async () => {
        const entryId = await askForCode(deps, creator, { email, ip: request.ip, begun });
        const toWhom = begun !== null && (await hasFreeReaders(creator)) ? 'anyone' : 'members';
        return send(reply, pages.codePage(creator.handle, { email, state: sealed(creator, entryId, email), toWhom }));
      },
      (wrong) => pages.emailPage(creator.handle, { email, wrong, forWhat }),
    );
  }

  async function takeCode({ creator, request, reply, fields }: Asked, begun: Begun | null): Promise<FastifyReply> {
    const { state = '', code = '' } = fields;
    const text = openOrNull(deps.keys.encryptionKeys, state);
    const read = text?.startsWith('{') ? State.safeParse(JSON.parse(text)) : null;
    if (read?.success !== true || read.data.creatorId !== creator.id) {
      return send(reply, pages.emailPage(creator.handle, { forWhat: begun === null ? 'account' : 'members' }));
    }
    const { entryId, email } = read.data;
    return orSay(
      reply,
      async () => {
        const done = await enterCode(deps, creator, { entryId, code: code.slice(0, 20) });
        if ('url' in done) return send(reply, pages.enteredPage(creator.handle, done.url));
        return remember({ creator, reply }, done.device, queryOf(request));
      },
      (wrong) => pages.codePage(creator.handle, { email, state, wrong }),
    );
  }

  function remember({ creator, reply }: Pick<Asked, 'creator' | 'reply'>, device: string, query = ''): FastifyReply {
    const options = { ...hostCookieOptions(config.baseUrl), maxAge: KNOWN_FOR_S };
    reply.setCookie(cookieName(creator), device, options);
    return reply.redirect(`/join/${encodeURIComponent(creator.handle)}/account${query}`, 303);
  }

  function entered({ creator, request }: Asked) {
    return findEntered(deps, { creatorId: creator.id, cookie: request.cookies[cookieName(creator)] ?? '' });
  }

  async function account(
    { creator: { id: creatorId, handle }, request }: Asked,
    { contactId, device }: { contactId: string; device: string },
    said: string | null,
  ): Promise<string> {
    const paid = await ending.findPaid(deps, { creatorId, contactId });
    const { email, given, devices } = await readAccount(deps, { creatorId, contactId });
    const now = deps.clock.now();
    const isLate = paid?.late_since != null;
    const { items } = await deps.db.withCreator(creatorId, (trx) => listAll(trx, { now, joinUrl: '' }));
    const canChange = paid !== null && paid.cancel_at === null && !isLate && paid.next_at === null;
    const choices = items
      .filter(({ isArchived, currency }) => canChange && !isArchived && currency === paid.currency)
      .flatMap(({ id, name, currency, ...prices }) =>
        (['month', 'year'] as const).flatMap((interval) => {
          const amount = prices[interval];
          if (amount === null || (id === paid?.tier_id && interval === paid.billing_interval)) return [];
          const label = `${name}, ${interval === 'month' ? 'monthly' : 'yearly'}`;
          return [{ value: `${id} ${interval}`, label, price: amountLabel(amount, currency) }];
        }),
      );
    const goes = `/join/${encodeURIComponent(handle)}/account${queryOf(request)}&go=1`;
    return pages.accountPage(
      handle,
      {
        ...{ email, tier: paid?.tier ?? given?.tier ?? null, isLate, isPaid: paid !== null },
        price:
          paid === null
            ? null
            : priceInWords({
                ...{
                  amount: paid.amount ?? 0,
                  currency: paid.currency ?? 'usd',
                  interval: paid.billing_interval ?? '',
                },
                discount: paid.discount,
              }),
        says: accountInWords(paid, given, now),
        canCancel: paid !== null && paid.cancel_at === null,
        canKeep: paid?.cancel_at != null,
        ...{ canUnplan: paid?.next_at != null, choices, backUrl: begunBy(request) === null ? null : goes },
        devices: devices.map(({ id, seen_at, site }) => ({
          ...{ id, isThis: id === device, says: `${site ?? 'This page'}, last used ${dayOf(seen_at)}` },
        })),
      },
      said,
    );
  }
}

function changeShown(handle: string, { when, price, due, lines, nextAt, token }: Preview): string {
  const money = (amount: number) => amountLabel(amount, price.currency);
  const then = `${money(price.amount)} a ${price.interval}`;
  const isNow = when === 'now';
  return pages.changePage(handle, {
    ...{ to: price.tier, token, isNow },
    says: isNow
      ? [`You pay ${money(due)} now.`, `From ${dayOf(nextAt)} on you pay ${then}, until you cancel.`]
      : [`Nothing is charged now. On ${dayOf(nextAt)} it changes, and you pay ${then}, until you cancel.`],
    lines: lines.map(({ says, cents }) => [says, money(cents)]),
  });
}

function queryOf({ url }: FastifyRequest): string {
  return url.includes('?') ? url.slice(url.indexOf('?')) : '';
}

function accountInWords(paid: ending.Paid | null, given: { from: Date; until: Date | null } | null, now: Date): string {
  if (paid !== null) {
    if (paid.withdraws_at !== null) {
      return `You withdrew from the contract: it ends on ${dayOf(paid.withdraws_at)}, and you get your money back.`;
    }
    if (paid.cancel_at !== null) return `It ends on ${dayOf(paid.cancel_at)}. Nothing more is charged.`;
    if (paid.late_since !== null) {
      const until = new Date(paid.late_since.getTime() + LATE_DAYS * DAY_MS);
      return now < until
        ? `Your last payment didn’t go through. You read on until ${dayOf(until)}.`
        : 'Your last payment didn’t go through, so you don’t read on until it’s paid.';
    }
    if (paid.next_at !== null && paid.next_tier !== null) {
      const price = `${amountLabel(paid.next_amount ?? 0, paid.currency ?? 'usd')} a ${paid.next_interval}`;
      return `On ${dayOf(paid.next_at)} it changes to ${paid.next_tier}, ${price}.`;
    }
    const next = [`The next payment is on ${dayOf(paid.renews_at ?? now)}.`, paid.nextPrice].filter(Boolean).join(' ');
    return paid.status === 'trialing' ? `It’s free until ${dayOf(paid.trial_end ?? now)}. ${next}` : next;
  }
  if (given === null) return 'No membership is running for this address.';
  if (given.from > now) return `It was given to you, and begins on ${dayOf(given.from)}.`;
  return given.until === null ? 'It was given to you, for good.' : `It was given to you until ${dayOf(given.until)}.`;
}

async function readAccount(
  { db, clock }: RouteDeps,
  { creatorId, contactId }: { creatorId: string; contactId: string },
) {
  const now = clock.now();
  const contact = await db.engine
    .selectFrom('contacts')
    .select('email')
    .where('creator_id', '=', creatorId)
    .where('id', '=', contactId)
    .executeTakeFirstOrThrow();
  const given = await db.engine
    .selectFrom('passes as p')
    .innerJoin('tiers as t', (join) => join.onRef('t.creator_id', '=', 'p.creator_id').onRef('t.id', '=', 'p.tier_id'))
    .select(['t.name as tier', 'p.begins_at as from', 'p.ends_at as until'])
    .where('p.creator_id', '=', creatorId)
    .where('p.contact_id', '=', contactId)
    .where('p.source', '!=', 'stripe')
    .where('p.ended_at', 'is', null)
    .where((eb) => eb.or([eb('p.ends_at', 'is', null), eb('p.ends_at', '>', now)]))
    .orderBy(sql`p.begins_at > ${now}, p.ends_at desc nulls first`)
    .executeTakeFirst();
  const devices = await db.engine
    .selectFrom('fan_devices as d')
    .leftJoin('sites as s', (join) => join.onRef('s.creator_id', '=', 'd.creator_id').onRef('s.id', '=', 'd.site_id'))
    .select(['d.id', 'd.seen_at', 's.place as site'])
    .where('d.creator_id', '=', creatorId)
    .where('d.contact_id', '=', contactId)
    .where('d.ended_at', 'is', null)
    .orderBy('d.seen_at', 'desc')
    .limit(20)
    .execute();
  return { email: contact.email ?? '', given: given ?? null, devices };
}

function beginOnTheBlog({ handle }: Creator): string {
  return pages.sayingPage(handle, 'Begin on the blog', 'Open the recipe there, and press “Enter as a member”.');
}

/** Null: nobody came from a blog. */
function begunBy({ query }: FastifyRequest): Begun | null {
  const { site, start, to, back } = query as Record<string, unknown>;
  if (!z.uuid().safeParse(site).success || typeof start !== 'string' || !/^[A-Za-z0-9_-]{43}$/.test(start)) return null;
  // Browsers leave control characters out: what is a path with them may be another host without.
  const isPath = typeof to === 'string' && /^\/(?![/\\])\P{Cc}*$/u.test(to) && to.length <= LONGEST_PATH;
  return { siteId: site as string, start, to: isPath ? to : '/', goesByPath: back !== 'query' };
}

/** @returns null: there is none; `isLeaving`: they delete their account */
async function findCreator(
  { db }: RouteDeps,
  { params }: FastifyRequest,
): Promise<(Creator & { isLeaving: boolean }) | null> {
  const { handle } = params as { handle: string };
  const row = await db.engine
    .selectFrom('creators')
    .select(['id', 'handle', sql<boolean>`delete_at is not null`.as('isLeaving')])
    .where((eb) => eb(eb.fn('lower', ['handle']), '=', handle.toLowerCase()))
    .executeTakeFirst();
  return row ?? null;
}

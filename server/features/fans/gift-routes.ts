/** `/join/{handle}/gift`: a membership for somebody else. */
import * as z from 'zod/mini';
import { ERRORS } from '#contract/errors.ts';
import { AppError } from '#server/errors.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { dayOf } from '#server/features/billing/mails.ts';
import { needAccounts } from './accounts.ts';
import { enterHere } from './entering.ts';
import { type Asked, type Pages, remember } from './fan-page.ts';
import { type GiftFields, giftPage, openGiftPage } from './gift-pages.ts';
import { findGift, GIFT_MONTHS, giftDays, MOST_WORDS, startGift, takeGift } from './gifts.ts';
import { findOnSale } from './join-routes.ts';
import { joinPage, sayingPage } from './pages.ts';

const LONGEST_ADDRESS = 300;

export function registerGiftPages(deps: RouteDeps, { on, send }: Pages): void {
  const show = async (asked: Asked, said: GiftFields = {}, wrong?: string) => {
    const { tiers, isOpen, isClosed } = await findOnSale(deps, asked.creator);
    const { handle, id } = asked.creator;
    if (!isOpen || tiers.length === 0)
      return joinPage(handle, { tiers: [], isOpen: false, isClosed, said: {}, query: '' });
    return giftPage(handle, { tiers, days: await giftDays(deps, id), said, ...(wrong !== undefined && { wrong }) });
  };

  on('GET', '/gift', async (asked) => send(asked.reply, await show(asked)));

  on('POST', '/gift', async (asked) => {
    const { creator, request, reply, fields } = asked;
    const said = {
      ...{ to: (fields.to ?? '').trim().slice(0, LONGEST_ADDRESS), day: (fields.day ?? '').slice(0, 10) },
      ...{ from: (fields.from ?? '').trim().slice(0, LONGEST_ADDRESS), choice: fields.choice ?? '' },
      words: (fields.words ?? '').replaceAll('\r\n', '\n').slice(0, 2 * MOST_WORDS),
    };
    const [tierId = '', count] = said.choice.split(' ');
    const months = GIFT_MONTHS.find((one) => String(one) === count);
    try {
      if (!z.uuid().safeParse(tierId).success || months === undefined) {
        throw new AppError('invalid_input', 'Choose for how long.');
      }
      const url = await startGift(needAccounts(deps), creator, { ...said, tierId, months, ip: request.ip });
      return reply.header('cache-control', 'no-store').redirect(url, 303);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return send(reply, await show(asked, said, error.message), ERRORS[error.code].status);
    }
  });

  on('GET', '/gift/done', async ({ creator: { id, handle }, request, reply }) => {
    const { session_id: sessionId = '' } = request.query as { session_id?: string };
    const say = (title: string, says: string, link?: { label: string; url: string }) =>
      send(reply, sayingPage(handle, title, says, link), title === 'Not found' ? 404 : 200);
    const again = { label: 'Look again', url: request.url };
    const bought = await takeGift(needAccounts(deps), id, String(sessionId)).catch((error) => {
      if (error instanceof AppError && error.code === 'stripe_unreachable') return 'away' as const;
      throw error;
    });
    if (bought === 'away') {
      return say('One moment', 'We’re asking Stripe what became of your payment. Nothing is lost.', again);
    }
    if (bought === null) return say('Not found', 'There is no such payment.');
    if (bought.state === 'settling') {
      return say('Thank you', 'Your bank needs some days. The gift is sent once your payment arrives.');
    }
    if (bought.state === 'paid') {
      return say(
        'Thank you',
        `${bought.email} gets your gift on ${dayOf(bought.beginsAt)}. Your receipt is on its way.`,
      );
    }
    const back = { label: 'Back', url: `/join/${encodeURIComponent(handle)}/gift` };
    return say('Not paid', 'Nothing was charged. You can try again.', back);
  });

  // Programs open links: only the button lets in.
  for (const method of ['GET', 'POST'] as const) {
    on(method, '/gift/:giftId/:mac', async (asked) => {
      const { creator, request, reply } = asked;
      const { giftId: id, mac } = request.params as { giftId: string; mac: string };
      const gift = await findGift(deps, creator.id, { id, mac });
      if (gift === null) {
        const says = 'This link isn’t good any longer. On the blog, press “Enter as a member” and type your address.';
        return send(reply, sayingPage(creator.handle, 'Enter on the blog', says), 404);
      }
      const { contactId, tier, until } = gift;
      if (method === 'GET') return send(reply, openGiftPage(creator.handle, { tier, until: dayOf(until) }));
      return remember(deps, asked, await enterHere(deps, { creatorId: creator.id, contactId }));
    });
  }
}

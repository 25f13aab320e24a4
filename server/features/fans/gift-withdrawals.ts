/** Whoever gave a membership withdraws from the contract before it begins: without logging in, confirmed, given back in full once. */
import type { Transaction } from 'kysely';
import * as z from 'zod/mini';
import { amountLabel } from '#contract/amounts.ts';
import { parseEmailAddress } from '#contract/email-address.ts';
import type { Tables } from '#server/db/types.ts';
import { creatorHash } from '#server/features/contacts/creator-secret.ts';
import { inNameOf } from '#server/features/creators/creator-name.ts';
import { findOwners } from '#server/features/notices/owners.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import { changeStripe } from '#server/platforms/stripe/calls.ts';
import { askStripe, isUnreachable } from '#server/platforms/stripe/errors.ts';
import { inAccountOf } from './accounts.ts';
import { isSame } from './entering.ts';
import type { FanDeps } from './fan-deps.ts';
import { openGiftPages, setGiftWithdrawal, takeGift } from './gifts.ts';
import { momentOf } from './mails.ts';
import { monthsInWords, noteChange, setGiftTaken } from './passes.ts';

type Declared = { creatorId: string; emailKey: string; name: string; at: Date; since: Date; due: Date };

/**
 * Of gifts that an address paid for, which have not begun.
 *
 * @param declared.since those paid before are not withdrawn from; `due`: when they are ended and given back
 */
export async function withdrawGifts(
  deps: FanDeps,
  { creatorId, emailKey, name, at, since, due }: Declared,
): Promise<void> {
  await takeGiftsOf(deps, { creatorId, emailKey, since });
  const rows = await openGifts(deps, creatorId)
    .where('g.begins_at', '>', at)
    .where('g.withdraws_at', 'is', null)
    .execute();
  const gifts = rows.filter((gift) => isOf(gift, emailKey) && (gift.thanked_at ?? gift.begun_at) > since);
  const isLeft = gifts.length > 0 && (await inAccountOf(deps, creatorId)) === null;
  for (const gift of gifts) {
    const { id, contactId, tier, months, amount, currency, email } = gift;
    const what = `the gift ${tier} for ${monthsInWords(months)} to ${email}`;
    const said = `On ${momentOf(at)}, ${name === '' ? 'you' : name} declared: withdrawal from the contract of ${what}.`;
    await deps.db.engine.transaction().execute(async (trx) => {
      if (!isLeft && !(await setGiftWithdrawal(trx, { creatorId, id, at: due }))) return;
      await noteChange(deps, trx, { creatorId, contactId, what: 'The person who gave it withdrew.' });
      await mailGiver(deps, trx, gift, {
        subject: 'We received your withdrawal',
        paragraphs: [
          said,
          isLeft
            ? 'The creator takes care of memberships themselves now. We told them at once; they give it back.'
            : `On ${momentOf(due)} it ends, and you get back ${amountLabel(amount, currency)}. Until then it isn’t delivered.`,
        ],
        ...(!isLeft && { button: { label: 'That wasn’t me: keep it', url: await keepUrlOf(deps, gift) } }),
      });
      for (const owner of isLeft ? await findOwners(trx, creatorId) : []) {
        await mailLater(trx, deps, {
          ...{ kind: 'member_ends', to: owner.email, aboutCreatorId: creatorId },
          letter: {
            ...{ subject: 'A gift was withdrawn from: give it back at Stripe', heading: 'A gift was withdrawn from' },
            paragraphs: [
              `${gift.giver_email}: ${said}`,
              `You left with your members, so we can’t give it back. At Stripe, it’s ${gift.payment_intent}.`,
            ],
          },
        });
      }
    });
  }
}

/** At once. */
const MOST_GIVEN_BACK = 100;

function isOf({ giver_email }: { giver_email: string }, emailKey: string): boolean {
  return parseEmailAddress(giver_email)?.key === emailKey;
}

/** Whoever declares it a minute after they paid may not have been heard of yet. */
async function takeGiftsOf(
  deps: FanDeps,
  { creatorId, emailKey, since }: Pick<Declared, 'creatorId' | 'emailKey' | 'since'>,
) {
  for (const gift of await openGiftPages(deps, creatorId)) {
    if (gift.begun_at > since && isOf(gift, emailKey)) await takeGift(deps, creatorId, gift.sessionId);
  }
}

/** Those whose day has come. @param creatorId of this one alone, and without waiting: their account is about to be left @returns false: some are left */
export async function followGiftWithdrawals(deps: FanDeps, creatorId?: string): Promise<boolean> {
  const due = await openGifts(deps, creatorId)
    .where('g.withdraws_at', 'is not', null)
    .$if(creatorId === undefined, (query) => query.where('g.withdraws_at', '<=', deps.clock.now()))
    .limit(MOST_GIVEN_BACK)
    .execute();
  let areDone = due.length < MOST_GIVEN_BACK;
  for (const gift of due) {
    try {
      await giveGiftBack(deps, gift);
    } catch (error) {
      if (isUnreachable(error)) areDone = false;
      deps.log.error({ err: error, creatorId: gift.creator_id }, 'a gift could not be given back yet');
    }
  }
  return areDone;
}

async function giveGiftBack(deps: FanDeps, gift: OpenGift): Promise<void> {
  const { creator_id: creatorId, id, amount, currency } = gift;
  const account = await inAccountOf(deps, creatorId);
  if (account === null) return;
  const charge = await askStripe(account.stripe.chargeOf(gift.payment_intent!));
  if (charge?.refunded !== true) {
    const params = { payment_intent: gift.payment_intent!, reason: 'requested_by_customer' as const };
    await changeStripe(account, { creatorId, verb: 'refund', params, key: `gift_withdrawn:${id}` });
  }
  await deps.db.engine.transaction().execute(async (trx) => {
    await setGiftTaken(deps, trx, { creatorId, id, taken: { isRefunded: true } });
    await setGiftWithdrawal(trx, { creatorId, id, at: null });
    await mailGiver(deps, trx, gift, {
      subject: 'You got your money back',
      paragraphs: [`Your gift has ended. ${amountLabel(amount, currency)} is with you in 5 to 10 days.`],
    });
  });
  deps.live.publish(creatorId, { what: 'account' });
}

/** @param mac of the mail @returns false: the link is not ours, or there is nothing to keep any more */
export async function keepGift(
  deps: FanDeps,
  creatorId: string,
  { id, mac }: { id: string; mac: string },
): Promise<boolean> {
  if (!z.uuid().safeParse(id).success || !isSame(mac, await macOf(deps, creatorId, id))) return false;
  return deps.db.engine.transaction().execute((trx) => setGiftWithdrawal(trx, { creatorId, id, at: null }));
}

/** Paid, and not taken back. */
function openGifts({ db }: FanDeps, creatorId?: string) {
  return db.engine
    .selectFrom('gifts as g')
    .innerJoin('tiers as t', (join) => join.onRef('t.creator_id', '=', 'g.creator_id').onRef('t.id', '=', 'g.tier_id'))
    .innerJoin('passes as p', (join) => join.onRef('p.creator_id', '=', 'g.creator_id').onRef('p.id', '=', 'g.id'))
    .innerJoin('creators as c', 'c.id', 'g.creator_id')
    .selectAll('g')
    .select(['t.name as tier', 'p.contact_id as contactId', 'c.handle'])
    .where('g.state', '=', 'paid')
    .where('p.ended_at', 'is', null)
    .$if(creatorId !== undefined, (query) => query.where('g.creator_id', '=', creatorId!));
}
type OpenGift = Awaited<ReturnType<ReturnType<typeof openGifts>['execute']>>[number];

async function mailGiver(
  deps: FanDeps,
  trx: Transaction<Tables>,
  { creator_id: creatorId, giver_email: to, handle }: OpenGift,
  letter: { subject: string; paragraphs: string[]; button?: { label: string; url: string } },
): Promise<void> {
  await mailLater(trx, deps, {
    ...{ kind: 'fan_gift_withdrawn', to, aboutCreatorId: creatorId, from: inNameOf(creatorId) },
    letter: { ...letter, subject: `@${handle}: ${letter.subject}`, heading: letter.subject },
  });
}

async function keepUrlOf(deps: FanDeps, { creator_id: creatorId, id, handle }: OpenGift): Promise<string> {
  const mac = await macOf(deps, creatorId, id);
  return `${deps.config.baseUrl}/join/${encodeURIComponent(handle)}/keep/${id}/${mac}`;
}

/** Not as that of a membership: this one is the giver's. */
function macOf(deps: FanDeps, creatorId: string, id: string): Promise<string> {
  return creatorHash(deps.db.engine, deps, { creatorId, purpose: 'fan_keep', text: `gift ${id}` }, deps.clock.now());
}

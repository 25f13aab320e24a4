/** A membership ends: at the end of what is paid, by a withdrawal from the contract, or by its creator. */
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { amountLabel } from '#contract/amounts.ts';
import { parseEmailAddress } from '#contract/email-address.ts';
import { movesFrom } from '#contract/price-moves.ts';
import { later, type QueuedJob } from '#server/db/jobs.ts';
import { AppError } from '#server/errors.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { giveBack } from '#server/features/billing/giving-back.ts';
import { makePortal } from '#server/features/billing/invoices.ts';
import { dayOf } from '#server/features/billing/mails.ts';
import { releaseSchedule } from '#server/features/billing/price-changes.ts';
import { creatorHash } from '#server/features/contacts/creator-secret.ts';
import { findOwners } from '#server/features/notices/owners.ts';
import { countNetwork, countTry } from '#server/http/rate-limits.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import { changeStripe } from '#server/platforms/stripe/calls.ts';
import { askStripe, isUnreachable } from '#server/platforms/stripe/errors.ts';
import { inAccountOf, needAccount } from './accounts.ts';
import { BLOCKED, isReaderBlocked } from './blocking.ts';
import { type Creator, isSame } from './entering.ts';
import type { FanDeps } from './fan-deps.ts';
import { followGiftWithdrawals, withdrawGifts } from './gift-withdrawals.ts';
import { takePayments } from './joining.ts';
import { CLOSES, mailFan, momentOf } from './mails.ts';
import { noteChange, setWithdrawal } from './passes.ts';
import { fetchFan } from './sync.ts';

export type Whose = { creatorId: string; contactId: string };

/** Within these, a contract can be withdrawn from (directive 2011/83, article 9). */
export const WITHDRAW_DAYS = 14;
/** At once. */
const MOST_FOLLOWED = 100;
/** A withdrawal that somebody else declared can be called back so long. */
const CALL_BACK_MS = 24 * 3_600_000;
const DAY_MS = 86_400_000;

/** What somebody pays for now. */
export async function findPaid({ db }: Pick<FanDeps, 'db'>, { creatorId, contactId }: Whose) {
  const row = await db.engine
    .selectFrom('passes as p')
    .innerJoin('tiers as t', (join) => join.onRef('t.creator_id', '=', 'p.creator_id').onRef('t.id', '=', 'p.tier_id'))
    .leftJoin('tier_prices as n', (join) =>
      join.onRef('n.creator_id', '=', 'p.creator_id').onRef('n.stripe_price_id', '=', 'p.next_stripe_price_id'),
    )
    .leftJoin('tiers as nt', (join) =>
      join.onRef('nt.creator_id', '=', 'n.creator_id').onRef('nt.id', '=', 'n.tier_id'),
    )
    .selectAll('p')
    .leftJoin('tier_prices as m', (join) =>
      join.onRef('m.creator_id', '=', 'p.creator_id').onRef('m.id', '=', 'p.moves_to').on('m.until', 'is', null),
    )
    .select([
      't.name as tier',
      'nt.name as next_tier',
      'n.amount as next_amount',
      'n.billing_interval as next_interval',
      'm.amount as toAmount',
    ])
    .where('p.creator_id', '=', creatorId)
    .where('p.contact_id', '=', contactId)
    .where('p.source', '=', 'stripe')
    .where('p.ended_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { toAmount, moves_told_at: toldAt, currency } = row;
  const nextPrice =
    toAmount === null || toAmount === row.amount || toldAt === null
      ? null
      : `From the first one on or after ${dayOf(movesFrom(toldAt))}, it’s ${amountLabel(toAmount, currency ?? 'usd')}.`;
  return { ...row, subscription: row.stripe_subscription_id!, nextPrice };
}
export type Paid = NonNullable<Awaited<ReturnType<typeof findPaid>>>;

/** @throws AppError not_possible_now: there is none */
export async function needPaid(deps: FanDeps, whose: Whose): Promise<Paid> {
  const paid = await findPaid(deps, whose);
  if (paid === null) throw new AppError('not_possible_now', 'There is no membership that is paid for.');
  return paid;
}

/** It goes on until the end of what is paid; a change that was planned ends with it. @throws AppError not_possible_now: there is none; stripe_unreachable, payments_off */
export async function cancelMembership(deps: FanDeps, whose: Whose): Promise<void> {
  await change(deps, whose, true);
}

/** It is not canceled any longer, nor withdrawn from, nor changes to another. @throws as `cancelMembership` */
export async function keepMembership(deps: FanDeps, whose: Whose): Promise<void> {
  if ((await inAccountOf(deps, whose.creatorId))?.ends === 'close') {
    throw new AppError('not_possible_now', `${CLOSES} Yours ends with what is paid.`);
  }
  if (await isReaderBlocked(deps.db.engine, whose)) throw new AppError('not_possible_now', BLOCKED);
  await deps.db.engine.transaction().execute((trx) => setWithdrawal(trx, { ...whose, at: null }));
  await change(deps, whose, false);
}

async function change(deps: FanDeps, whose: Whose, ends: boolean): Promise<void> {
  // What they paid a moment ago in another tab is meant, too.
  await takePayments(deps, { creatorId: whose.creatorId, emailKey: await emailKeyOf(deps, whose) });
  const { subscription: id, schedule_id } = await needPaid(deps, whose);
  const account = await needAccount(deps, whose.creatorId);
  await releaseSchedule(account, whose.creatorId, schedule_id);
  // Whatever our copy says: what was wished a moment ago may be on its way yet, and the last wish counts.
  await changeStripe(account, {
    ...{ creatorId: whose.creatorId, verb: 'change_subscription' },
    params: { id, cancel_at_period_end: ends },
    key: `${ends ? 'cancel' : 'keep'}:${deps.ids.uuid(deps.clock.now())}`,
  });
  await askStripe(fetchFan(deps, whose));
}

async function emailKeyOf({ db }: FanDeps, { creatorId, contactId }: Whose): Promise<string> {
  const row = await db.engine
    .selectFrom('contacts')
    .select('email_key')
    .where('creator_id', '=', creatorId)
    .where('id', '=', contactId)
    .executeTakeFirst();
  return row?.email_key ?? '';
}

/** Ends it now, and gives back all that was paid for it. @throws as `cancelMembership` */
export async function refundMembership(deps: FanDeps, whose: Whose): Promise<void> {
  const { subscription: id } = await needPaid(deps, whose);
  const account = await needAccount(deps, whose.creatorId);
  await giveBack(account, { creatorId: whose.creatorId, id, key: 'fan_refund' });
  await askStripe(fetchFan(deps, whose));
}

/** A cancellation is of a membership: a gift does not renew. */
export type Declared = {
  what: 'cancel' | 'withdraw';
  of?: 'membership' | 'gift';
  email: string;
  name: string;
  ip: string;
};

/**
 * Somebody who is not known declares that a membership ends. What follows is the same work for whoever has none.
 *
 * @throws AppError invalid_input: no address; too_many_requests
 */
export async function declareEnd(
  deps: FanDeps,
  creator: Creator,
  { what, of = 'membership', email, name, ip }: Declared,
): Promise<void> {
  const now = deps.clock.now();
  const address = parseEmailAddress(email);
  if (address === null) throw new AppError('invalid_input', 'That isn’t an email address. Check what you typed.');
  await countNetwork(deps.db.engine, now, 'fan_endings_by_network', ip);
  await countTry(deps.db.engine, now, 'fan_endings_by_address', `${creator.id} ${address.key}`);
  const said = { what, of, name: name.slice(0, 100), atMs: now.getTime() };
  const payload = { creatorId: creator.id, emailKey: address.key, ...said };
  await later(deps.db.engine, deps, followDeclaration, payload);
}

/** What was declared takes effect, and is confirmed by a mail with its content, day and time. */
export const followDeclaration: QueuedJob<
  JobDeps,
  { creatorId: string; emailKey: string; name: string; atMs: number } & Required<Pick<Declared, 'what' | 'of'>>
> = {
  name: 'follow-membership-end',
  payload: z.object({
    ...{ creatorId: z.string(), emailKey: z.string(), what: z.enum(['cancel', 'withdraw']), name: z.string() },
    ...{ of: z._default(z.enum(['membership', 'gift']), 'membership'), atMs: z.number() },
  }),
  atOnce: 4,
  run: async (jobDeps, { creatorId, emailKey, what, of, name, atMs }) => {
    if (jobDeps.accounts === null) return;
    const deps = { ...jobDeps, accounts: jobDeps.accounts };
    const at = new Date(atMs);
    if (of === 'gift' && what === 'withdraw') {
      const [since, due] = [new Date(atMs - WITHDRAW_DAYS * DAY_MS), new Date(atMs + CALL_BACK_MS)];
      return withdrawGifts(deps, { creatorId, emailKey, name, at, since, due });
    }
    // Whoever declares it a minute after they paid may not be a member here yet.
    await takePayments(deps, { creatorId, emailKey });
    const contact = await deps.db.engine
      .selectFrom('contacts')
      .select('id')
      .where('creator_id', '=', creatorId)
      .where('email_key', '=', emailKey)
      .executeTakeFirst();
    if (contact === undefined) return;
    const whose = { creatorId, contactId: contact.id };
    await fetchFan(deps, whose);
    const paid = await findPaid(deps, whose);
    if (paid === null) return;
    if ((await inAccountOf(deps, creatorId)) === null) return passOn(deps, whose, { what, name, at, paid });
    const withdraws = what === 'withdraw' && at.getTime() < paid.begins_at.getTime() + WITHDRAW_DAYS * DAY_MS;
    if (withdraws) {
      const due = new Date(at.getTime() + CALL_BACK_MS);
      await deps.db.engine.transaction().execute((trx) => setWithdrawal(trx, { ...whose, at: due }));
    }
    await cancelMembership(deps, whose);
    const keepUrl = await keepUrlOf(deps, whose, paid.id);
    await deps.db.engine.transaction().execute(async (trx) => {
      const declared = withdraws ? 'Withdrawal' : 'Cancellation';
      await noteChange(deps, trx, { ...whose, what: `${declared} declared without logging in.` });
      await mailFan(deps, trx, whose, {
        kind: withdraws ? 'fan_withdrawn' : 'fan_end_declared',
        letter: {
          subject: withdraws ? 'We received your withdrawal' : 'We received your cancellation',
          paragraphs: [
            `On ${momentOf(at)}, ${name === '' ? 'you' : name} declared: ${withdraws ? 'withdrawal from the contract' : 'cancellation'} of the membership ${paid.tier}.`,
            withdraws
              ? `It’s not renewed. On ${momentOf(new Date(at.getTime() + CALL_BACK_MS))} it ends, and you get back all you paid for it.`
              : `It ends on ${dayOf(paid.renews_at ?? paid.ends_at ?? at)}. Until then you read on, and nothing more is charged.`,
          ],
          button: { label: 'That wasn’t me: keep it', url: keepUrl },
        },
      });
    });
  },
};

/** Their creator left with them: it is theirs to end. */
async function passOn(
  deps: FanDeps,
  whose: Whose,
  { what, name, at, paid }: { what: Declared['what']; name: string; at: Date; paid: Paid },
): Promise<void> {
  const declared = what === 'withdraw' ? 'withdrawal from the contract' : 'cancellation';
  const said = `On ${momentOf(at)}, ${name === '' ? 'you' : name} declared: ${declared} of the membership ${paid.tier}.`;
  await deps.db.engine.transaction().execute(async (trx) => {
    const { email } = await trx
      .selectFrom('contacts')
      .select('email')
      .where('creator_id', '=', whose.creatorId)
      .where('id', '=', whose.contactId)
      .executeTakeFirstOrThrow();
    await noteChange(deps, trx, { ...whose, what: `Told the creator: ${declared}.` });
    await mailFan(deps, trx, whose, {
      kind: what === 'withdraw' ? 'fan_withdrawn' : 'fan_end_declared',
      letter: {
        subject: what === 'withdraw' ? 'We received your withdrawal' : 'We received your cancellation',
        paragraphs: [said, 'The creator takes care of memberships themselves now. We told them at once; they end it.'],
      },
    });
    for (const owner of await findOwners(trx, whose.creatorId)) {
      await mailLater(trx, deps, {
        ...{ kind: 'member_ends', to: owner.email, aboutCreatorId: whose.creatorId },
        letter: {
          ...{ subject: 'A member canceled: end it at Stripe', heading: 'A member canceled' },
          paragraphs: [
            `${email ?? 'Someone'}: ${said}`,
            `You left with your members, so we can’t end it. At Stripe, it’s ${paid.subscription}.`,
          ],
        },
      });
    }
  });
}

/** Withdrawals whose day has come. @param creatorId of this one alone, and without waiting: their account is about to be left @returns false: some are left */
export async function followWithdrawals(deps: FanDeps, creatorId?: string): Promise<boolean> {
  const { rows: due } = await sql<Whose>`
    select creator_id as "creatorId", contact_id as "contactId" from passes
    where ended_at is null and withdraws_at is not null
      and ${creatorId === undefined ? sql`withdraws_at <= ${deps.clock.now()}` : sql`creator_id = ${creatorId}`}
    limit ${MOST_FOLLOWED}
  `.execute(deps.db.engine);
  let areDone = due.length < MOST_FOLLOWED;
  for (const whose of due) {
    try {
      await refundMembership(deps, whose);
    } catch (error) {
      if (isUnreachable(error)) areDone = false;
      deps.log.error({ err: error, creatorId: whose.creatorId }, 'a withdrawal could not be followed yet');
    }
  }
  return (await followGiftWithdrawals(deps, creatorId)) && areDone;
}

async function keepUrlOf(deps: FanDeps, { creatorId }: Whose, passId: string): Promise<string> {
  const { handle } = await deps.db.engine
    .selectFrom('creators')
    .select('handle')
    .where('id', '=', creatorId)
    .executeTakeFirstOrThrow();
  const mac = await keepMac(deps, creatorId, passId);
  return `${deps.config.baseUrl}/join/${encodeURIComponent(handle)}/keep/${passId}/${mac}`;
}

function keepMac(deps: FanDeps, creatorId: string, passId: string): Promise<string> {
  return creatorHash(deps.db.engine, deps, { creatorId, purpose: 'fan_keep', text: passId }, deps.clock.now());
}

/** @param mac of the mail @returns whose membership it is; null: the link is not ours */
export async function findToKeep(
  deps: FanDeps,
  creatorId: string,
  { passId, mac }: { passId: string; mac: string },
): Promise<Whose | null> {
  if (!z.uuid().safeParse(passId).success || !isSame(mac, await keepMac(deps, creatorId, passId))) return null;
  const row = await deps.db.engine
    .selectFrom('passes')
    .select('contact_id as contactId')
    .where('creator_id', '=', creatorId)
    .where('id', '=', passId)
    .executeTakeFirst();
  return row === undefined ? null : { creatorId, contactId: row.contactId };
}

/** The last of what they paid or owe at Stripe, and where card and address are changed. */
export async function openFanPortal(deps: FanDeps, whose: Whose, returnUrl: string): Promise<string> {
  const account = await needAccount(deps, whose.creatorId);
  const customer = await customerOf(deps, whose);
  if (customer === null) throw new AppError('not_possible_now', 'There is no membership that is paid for.');
  const configuration = await makePortal(account);
  return askStripe(account.stripe.portalUrl({ customer, configuration, return_url: returnUrl }));
}

/** @returns Stripe's page for what is due; null: nothing is */
export async function findDue(deps: FanDeps, whose: Whose): Promise<string | null> {
  const paid = await findPaid(deps, whose);
  if (paid?.late_since == null) return null;
  const account = await needAccount(deps, whose.creatorId);
  const [due] = await askStripe(account.stripe.openInvoicesOf(paid.subscription));
  return due?.hosted_invoice_url ?? null;
}

async function customerOf({ db }: FanDeps, { creatorId, contactId }: Whose): Promise<string | null> {
  const row = await db.engine
    .selectFrom('fans')
    .select(sql<string | null>`customers[array_length(customers, 1)]`.as('customer'))
    .where('creator_id', '=', creatorId)
    .where('contact_id', '=', contactId)
    .executeTakeFirst();
  return row?.customer ?? null;
}

/** What lets a contact read what is for members: passes, and the story of them; what changes passes is counted. The one writer of `passes`, but for what was told, and of `pass_changes`. */
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { amountLabel } from '#contract/amounts.ts';
import { LEAVING_REASONS, type LeavingReason } from '#contract/members.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { dayOf } from '#server/features/billing/mails.ts';
import { findOrMakeContact } from '#server/features/contacts/address-contacts.ts';
import type { SecretDeps } from '#server/features/contacts/creator-secret.ts';
import { counting } from './pass-counts.ts';
import type { PaidPass } from './project.ts';
import type { Held } from './tokens.ts';
import { askAboutMany, askAgain } from './word-ends.ts';

type Deps = { clock: Clock } & SecretDeps;
type Whose = { creatorId: string; contactId: string };

/**
 * Lets somebody in without paying. What was given before ends.
 *
 * @param given.endsAt null: for good
 * @returns the contact's id
 * @throws AppError invalid_input for what is no address, not_found: no such tier
 */
export async function givePass(
  deps: Deps,
  trx: CreatorTransaction,
  given: { creatorId: string; email: string; tierId: string; endsAt: Date | null; note: string | null },
): Promise<string> {
  const { creatorId, email, tierId, endsAt, note } = given;
  const now = deps.clock.now();
  const tier = await trx
    .selectFrom('tiers')
    .select('name')
    .where('creator_id', '=', creatorId)
    .where('id', '=', tierId)
    .executeTakeFirst();
  if (tier === undefined) throw new AppError('not_found', 'This tier doesn’t exist.');
  const contact = { creatorId, email, name: null, language: null, source: 'team', at: now } as const;
  const { id: contactId } = await findOrMakeContact(trx, deps, contact);
  await endGiven(deps, trx, { creatorId, contactId });
  await counting(trx, { creatorId, contactIds: [contactId] }, () =>
    trx
      .insertInto('passes')
      .values({
        ...{ creator_id: creatorId, id: deps.ids.uuid(now), contact_id: contactId, tier_id: tierId, source: 'given' },
        ...{ begins_at: now, ends_at: endsAt, note },
      })
      .execute(),
  );
  const until = endsAt === null ? 'for good' : `until ${dayOf(endsAt)}`;
  await noteChange(deps, trx, { creatorId, contactId, what: `Given ${tier.name} ${until}.` });
  return contactId;
}

/**
 * Lets somebody in who paid elsewhere, until that is over. What was given before goes on beside it.
 *
 * @param given.from for the story: `at Patreon`
 * @returns the ids of pass and contact
 */
export async function movePass(
  deps: Deps,
  trx: CreatorTransaction,
  given: {
    creatorId: string;
    email: string;
    name: string | null;
    tierId: string;
    endsAt: Date;
    moveId: string;
    from: string;
  },
): Promise<{ passId: string; contactId: string }> {
  const { creatorId, email, name, tierId, endsAt, moveId, from } = given;
  const now = deps.clock.now();
  const contact = { creatorId, email, name, language: null, source: 'file', at: now } as const;
  const { id: contactId } = await findOrMakeContact(trx, deps, contact);
  const id = deps.ids.uuid(now);
  await counting(trx, { creatorId, contactIds: [contactId] }, () =>
    trx
      .insertInto('passes')
      .values({
        ...{ creator_id: creatorId, id, contact_id: contactId, tier_id: tierId, source: 'given', begins_at: now },
        ...{ ends_at: endsAt, move_id: moveId, note: `Moved in: paid ${from} until ${dayOf(endsAt)}.` },
      })
      .execute(),
  );
  await noteChange(deps, trx, { creatorId, contactId, what: `Moved in: paid ${from} until ${dayOf(endsAt)}.` });
  return { passId: id, contactId };
}

/** Ends at once what a file gave. */
export async function endMoved(
  deps: Pick<Deps, 'clock'>,
  trx: CreatorTransaction,
  { creatorId, moveId }: { creatorId: string; moveId: string },
): Promise<void> {
  const moved = await trx
    .selectFrom('passes')
    .select('contact_id')
    .where('creator_id', '=', creatorId)
    .where('move_id', '=', moveId)
    .where('ended_at', 'is', null)
    .execute();
  if (moved.length === 0) return;
  const contactIds = moved.map(({ contact_id }) => contact_id);
  await counting(trx, { creatorId, contactIds }, () =>
    trx
      .updateTable('passes')
      .set({ ended_at: deps.clock.now() })
      .where('creator_id', '=', creatorId)
      .where('move_id', '=', moveId)
      .where('ended_at', 'is', null)
      .execute(),
  );
  await askAboutMany(deps, trx, { creatorId, contactIds });
}

/** Ends at once what was given. @returns whether there was anything */
export async function endGiven(
  deps: Pick<Deps, 'clock'>,
  trx: CreatorTransaction,
  { creatorId, contactId }: Whose,
): Promise<boolean> {
  const now = deps.clock.now();
  const { numUpdatedRows } = await counting(trx, { creatorId, contactIds: [contactId] }, () =>
    trx
      .updateTable('passes')
      .set({ ended_at: now })
      .where('creator_id', '=', creatorId)
      .where('contact_id', '=', contactId)
      .where('source', '=', 'given')
      .where('ended_at', 'is', null)
      .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
      .executeTakeFirst(),
  );
  if (numUpdatedRows > 0n) await askAgain(deps, trx, { creatorId, contactId });
  return numUpdatedRows > 0n;
}

/** @param at when it was canceled because its creator closes memberships; null: it goes on */
export async function setClosed(
  { db }: { db: Pick<Database, 'engine'> },
  { creatorId, subscription, at }: { creatorId: string; subscription: string; at: Date | null },
): Promise<void> {
  await db.engine
    .updateTable('passes')
    .set({ closed_at: at })
    .where('creator_id', '=', creatorId)
    .where('stripe_subscription_id', '=', subscription)
    .execute();
}

/** What somebody else paid for, under the gift's own id. */
export async function writeGift(
  deps: Deps,
  trx: CreatorTransaction,
  gift: Whose & { id: string; tierId: string; tier: string; beginsAt: Date; months: number },
): Promise<void> {
  const { creatorId, contactId, id, tierId, tier, beginsAt, months } = gift;
  const endsAt = sql<Date>`(${beginsAt}::timestamptz at time zone 'UTC' + make_interval(months => ${months})) at time zone 'UTC'`;
  await counting(trx, { creatorId, contactIds: [contactId] }, () =>
    trx
      .insertInto('passes')
      .values({
        ...{ creator_id: creatorId, id, contact_id: contactId, tier_id: tierId, source: 'gift' },
        ...{ begins_at: beginsAt, ends_at: endsAt },
      })
      .execute(),
  );
  const what = `Got ${tier} as a gift, from ${dayOf(beginsAt)}, for ${monthsInWords(months)}.`;
  await noteChange(deps, trx, { creatorId, contactId, what });
}

export function monthsInWords(months: number): string {
  return months === 1 ? '1 month' : `${months} months`;
}

/** @param given.taken what became of its payment; null: it is theirs */
export async function setGiftTaken(
  deps: Pick<Deps, 'clock' | 'ids'>,
  trx: Transaction<Tables>,
  { creatorId, id, taken }: { creatorId: string; id: string; taken: { isRefunded: boolean } | null },
): Promise<void> {
  const found = await trx
    .selectFrom('passes')
    .select('contact_id')
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .where('source', '=', 'gift')
    .executeTakeFirst();
  if (found === undefined) return;
  const contactId = found.contact_id;
  const { numUpdatedRows } = await counting(trx, { creatorId, contactIds: [contactId] }, () =>
    trx
      .updateTable('passes')
      .set({ ended_at: taken === null ? null : deps.clock.now(), is_refunded: taken?.isRefunded ?? false })
      .where('creator_id', '=', creatorId)
      .where('id', '=', id)
      .where('ended_at', taken === null ? 'is not' : 'is', null)
      .executeTakeFirst(),
  );
  if (numUpdatedRows === 0n) return;
  if (taken !== null) await askAgain(deps, trx, { creatorId, contactId });
  const what =
    taken === null
      ? 'The gift goes on.'
      : `The gift ended: its payment was ${taken.isRefunded ? 'given back' : 'disputed'}.`;
  await noteChange(deps, trx, { creatorId, contactId, what });
}

/** @param at when what they pay for is ended and given back; null: it is not any longer */
export async function setWithdrawal(
  trx: Transaction<Tables>,
  { creatorId, contactId, at }: Whose & { at: Date | null },
): Promise<void> {
  await trx
    .updateTable('passes')
    .set({ withdraws_at: at })
    .where('creator_id', '=', creatorId)
    .where('contact_id', '=', contactId)
    .where('source', '=', 'stripe')
    .where('ended_at', 'is', null)
    .where('withdraws_at', at === null ? 'is not' : 'is', null)
    .execute();
}

/** @returns false: nothing they pay for is canceled, or they said why before */
export async function setLeftBecause(
  deps: Deps,
  trx: Transaction<Tables>,
  { creatorId, contactId, reason }: Whose & { reason: LeavingReason },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('passes')
    .set({ left_because: reason })
    .where('creator_id', '=', creatorId)
    .where('contact_id', '=', contactId)
    .where('source', '=', 'stripe')
    .where('ended_at', 'is', null)
    .where('cancel_at', 'is not', null)
    .where('left_because', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await noteChange(deps, trx, { creatorId, contactId, what: `Said why they leave: ${LEAVING_REASONS[reason]}.` });
  return true;
}

/** Before their contacts go. */
export function deletePasses(
  trx: CreatorTransaction,
  { creatorId, contactIds }: { creatorId: string; contactIds: string[] },
): Promise<unknown> {
  return counting(trx, { creatorId, contactIds }, () =>
    trx.deleteFrom('passes').where('creator_id', '=', creatorId).where('contact_id', 'in', contactIds).execute(),
  );
}

export type Priced = {
  tierId: string;
  tier: string;
  interval: string;
  amount: number;
  currency: string;
  /** Of `amount`, what the last payment came to with a code. */
  charged: number;
  /** What a code takes off, in words. */
  discount: string | null;
};

/** What they pay, in words: `$4.00 a month, 50% off the first payment`. */
export function priceInWords({
  amount,
  currency,
  interval,
  discount,
}: Omit<Priced, 'tierId' | 'tier' | 'charged'>): string {
  return [`${amountLabel(amount, currency)} a ${interval}`, discount].filter(Boolean).join(', ');
}

/** What differs from before, for mails and the story. */
export type Turn = {
  kind: 'joined' | 'renewed' | 'late' | 'mended' | 'canceled' | 'kept' | 'changed' | 'refunded' | 'over';
  pass: PaidPass & Priced;
};

/**
 * Writes what is paid for as Stripe has it.
 *
 * @param passes the oldest that is not over, and those that are
 * @returns what turned since the last time
 */
export function writePaid(
  deps: Deps,
  trx: Transaction<Tables>,
  whose: Whose,
  passes: (PaidPass & Priced)[],
): Promise<Turn[]> {
  const { creatorId, contactId } = whose;
  return counting(trx, { creatorId, contactIds: [contactId] }, () => writeEach(deps, trx, whose, passes));
}

async function writeEach(
  deps: Deps,
  trx: Transaction<Tables>,
  { creatorId, contactId }: Whose,
  passes: (PaidPass & Priced)[],
): Promise<Turn[]> {
  const known = await trx
    .selectFrom('passes')
    .select(['id', 'stripe_subscription_id', 'stripe_price_id', 'paid_until', 'ends_at', 'late_since', 'cancel_at'])
    .select(['ended_at', 'is_refunded'])
    .where('creator_id', '=', creatorId)
    .where('contact_id', '=', contactId)
    .where('source', '=', 'stripe')
    .forUpdate()
    .execute();
  const gone = known.filter(
    ({ ended_at, stripe_subscription_id: id }) => ended_at === null && passes.every((one) => one.subscriptionId !== id),
  );
  // At a price that is no tier's any more: it lets nobody in, and another one takes its place.
  if (gone.length > 0 && passes.some(({ endedAt }) => endedAt === null)) {
    await trx
      .updateTable('passes')
      .set({ ended_at: deps.clock.now() })
      .where('creator_id', '=', creatorId)
      .where(
        'id',
        'in',
        gone.map(({ id }) => id),
      )
      .execute();
  }
  const turns: Turn[] = [];
  let isSooner = false;
  // Of a pass that another one takes the place of, the end is written first: only one may go on.
  for (const pass of passes.toSorted((a, b) => Number(b.endedAt !== null) - Number(a.endedAt !== null))) {
    const before = known.find((one) => one.stripe_subscription_id === pass.subscriptionId);
    const values = {
      ...{ tier_id: pass.tierId, begins_at: pass.beganAt, ends_at: pass.readsUntil, ended_at: pass.endedAt },
      ...{ stripe_price_id: pass.stripePriceId, status: pass.status, billing_interval: pass.interval },
      ...{
        amount: pass.amount,
        currency: pass.currency,
        charged: pass.charged,
        discount: pass.discount,
        paid_until: pass.paidUntil,
        renews_at: pass.renewsAt,
      },
      ...{
        cancel_at: pass.cancelAt,
        late_since: pass.lateSince,
        trial_end: pass.trialEnd,
        is_refunded: pass.isRefunded,
      },
      ...{ schedule_id: pass.scheduleId, next_at: pass.next?.at ?? null },
      next_stripe_price_id: pass.next?.stripePriceId ?? null,
      ...(pass.lateSince === null && { late_mails: 0 }),
      // They chose another price since they were told of one, or are moved.
      ...(before !== undefined &&
        before.stripe_price_id !== pass.stripePriceId && { moves_to: null, moves_told_at: null, move_mailed_at: null }),
      ...(pass.endedAt !== null && { withdraws_at: null }),
      ...(pass.endedAt === null && pass.cancelAt === null && { left_because: null }),
    };
    if (before === undefined) {
      const id = deps.ids.uuid(pass.beganAt);
      await trx
        .insertInto('passes')
        .values({
          ...{ creator_id: creatorId, id, contact_id: contactId, source: 'stripe' },
          ...{ stripe_subscription_id: pass.subscriptionId, ...values },
        })
        .execute();
    } else
      await trx
        .updateTable('passes')
        .set(values)
        .where('creator_id', '=', creatorId)
        .where('id', '=', before.id)
        .execute();
    for (const kind of turnsOf(before, pass)) turns.push({ kind, pass });
    // Of a changed tier too: a word names what was held.
    isSooner ||= before !== undefined && before.stripe_price_id !== pass.stripePriceId;
    isSooner ||= before !== undefined && endOf(pass.endedAt, pass.readsUntil) < endOf(before.ended_at, before.ends_at);
  }
  if (isSooner) await askAgain(deps, trx, { creatorId, contactId });
  for (const { kind, pass } of turns) await noteChange(deps, trx, { creatorId, contactId, what: SAYS[kind](pass) });
  return turns;
}

function endOf(...ends: (Date | null)[]): number {
  return Math.min(...ends.map((end) => end?.getTime() ?? Number.POSITIVE_INFINITY));
}

type Before = {
  stripe_price_id: string | null;
  paid_until: Date | null;
  late_since: Date | null;
  cancel_at: Date | null;
  ended_at: Date | null;
  is_refunded: boolean;
};

function turnsOf(before: Before | undefined, pass: PaidPass): Turn['kind'][] {
  if (before === undefined) return pass.endedAt === null ? ['joined'] : [];
  const turns: Turn['kind'][] = [];
  if (pass.isRefunded && !before.is_refunded) turns.push('refunded');
  if (pass.endedAt !== null && before.ended_at === null) return [...turns, 'over'];
  if (pass.stripePriceId !== before.stripe_price_id) turns.push('changed');
  if (pass.lateSince !== null && before.late_since === null) turns.push('late');
  // What Stripe gave up on is not late any more, nor paid.
  if (pass.status === 'active' && pass.lateSince === null && before.late_since !== null) turns.push('mended');
  if (pass.cancelAt !== null && before.cancel_at === null) turns.push('canceled');
  if (pass.cancelAt === null && before.cancel_at !== null) turns.push('kept');
  if ((pass.paidUntil?.getTime() ?? 0) > (before.paid_until?.getTime() ?? 0) && before.late_since === null)
    turns.push('renewed');
  return turns;
}

const SAYS: Record<Turn['kind'], (pass: PaidPass & Priced) => string> = {
  joined: ({ tier, trialEnd, discount }) =>
    trialEnd === null
      ? [`Joined ${tier}`, discount].filter(Boolean).join(', ').concat('.')
      : `Began a trial of ${tier} until ${dayOf(trialEnd)}.`,
  renewed: ({ paidUntil }) => `Paid until ${dayOf(paidUntil!)}.`,
  late: () => 'A payment failed.',
  mended: () => 'The late payment arrived.',
  canceled: ({ cancelAt }) => `Canceled for ${dayOf(cancelAt!)}.`,
  kept: () => 'Kept after all.',
  changed: ({ tier, amount, currency, interval }) =>
    `Changed to ${tier}, ${amountLabel(amount, currency)} a ${interval}.`,
  refunded: () => 'The payment was given back.',
  over: ({ tier }) => `${tier} ended.`,
};

/**
 * Plans another price for those who pay an earlier one and have not canceled.
 *
 * @param to the present price
 * @returns who did not know of it yet
 */
export async function planMove(
  { clock }: Pick<Deps, 'clock'>,
  trx: CreatorTransaction,
  {
    creatorId,
    tierId,
    interval,
    amount,
    to,
  }: { creatorId: string; tierId: string; interval: string; amount: number; to: string },
): Promise<Whose[]> {
  return trx
    .updateTable('passes')
    .set({ moves_to: to, moves_told_at: clock.now(), move_mailed_at: null })
    .where('creator_id', '=', creatorId)
    .where('tier_id', '=', tierId)
    .where('source', '=', 'stripe')
    .where('billing_interval', '=', interval)
    .where('amount', '=', amount)
    .where('ended_at', 'is', null)
    .where('cancel_at', 'is', null)
    .where('moves_to', 'is distinct from', to)
    .returning(['creator_id as creatorId', 'contact_id as contactId'])
    .execute();
}

/** Once. @returns what they pay, and will pay; null: they were mailed, have canceled, or the price is another one by now */
export async function takeMoveMail(
  { clock }: Pick<Deps, 'clock'>,
  trx: Transaction<Tables>,
  { creatorId, contactId }: Whose,
) {
  const row = await trx
    .updateTable('passes as p')
    .from('tier_prices as n')
    .innerJoin('tiers as t', (join) => join.onRef('t.creator_id', '=', 'n.creator_id').onRef('t.id', '=', 'n.tier_id'))
    .set({ move_mailed_at: clock.now() })
    .where('p.creator_id', '=', creatorId)
    .where('p.contact_id', '=', contactId)
    .where('p.ended_at', 'is', null)
    .where('p.cancel_at', 'is', null)
    .where('p.move_mailed_at', 'is', null)
    .whereRef('n.creator_id', '=', 'p.creator_id')
    .whereRef('n.id', '=', 'p.moves_to')
    .where('n.until', 'is', null)
    .returning([
      't.name as tier',
      'p.amount',
      'n.amount as toAmount',
      't.currency',
      'p.moves_told_at',
      'n.billing_interval',
    ])
    .executeTakeFirst();
  return row ?? null;
}

/** A line of their story. */
export async function noteChange(
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  trx: Transaction<Tables>,
  { creatorId, contactId, what }: Whose & { what: string },
): Promise<void> {
  const at = clock.now();
  await trx
    .insertInto('pass_changes')
    .values({ creator_id: creatorId, id: ids.uuid(at), contact_id: contactId, at, what })
    .execute();
}

/** In a statement that has passes as `alias`: this one lets in now. */
export function isGood(alias: string, now: Date): RawBuilder<boolean> {
  const p = (column: string) => sql.ref(`${alias}.${column}`);
  return sql<boolean>`(${p('begins_at')} <= ${now} and ${p('ended_at')} is null and coalesce(${p('ends_at')}, 'infinity') > ${now})`;
}

/** Whether somebody reads on though their payment failed. @param of their contact's id */
export function isLate(of: ReturnType<typeof sql.ref>, now: Date): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from passes p where p.creator_id = current_creator_id() and p.contact_id = ${of} and p.late_since is not null and ${isGood('p', now)}
  )`;
}

/** The tiers that a contact holds, in a statement that has its `contact_id` as `of`; null: none. */
export function heldTiers(of: ReturnType<typeof sql.ref>, now: Date): RawBuilder<Held | null> {
  return sql<Held | null>`(
    select jsonb_object_agg(tier_id, until) from (
      select p.tier_id, case when bool_and(p.ends_at is not null) then floor(extract(epoch from max(p.ends_at))) end as until
      from passes p
      where p.creator_id = current_creator_id() and p.contact_id = ${of} and ${isGood('p', now)}
      group by p.tier_id
    ) held
  )`;
}

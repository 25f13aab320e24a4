/** Codes that take something off a membership. The one writer of `discount_codes`. */
import { sql, type Transaction } from 'kysely';
import { amountLabel } from '#contract/amounts.ts';
import type { CodeState, DiscountCode, DiscountCodeInput, Duration } from '#contract/discount-codes.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { dayOf } from '#server/features/billing/mails.ts';
import { countsTooMany, networksOf, wereTooMany } from '#server/http/rate-limits.ts';
import { changeStripe } from '#server/platforms/stripe/calls.ts';
import type { InAccount } from './accounts.ts';

type Deps = { clock: Clock; ids: Ids };

/** By this a subscription in the creator's account says which code it began with: its id. */
export const CODE_MARK = 'chq_code';
const TAKEN = 'You have this code already. Close it first.';

/** Why a code takes nothing off; each in words for who typed it. */
const PROBLEMS = {
  unknown: 'We don’t know this code. Check what you typed.',
  closed: 'This code isn’t good any longer.',
  over: 'This code is over: its last day has passed.',
  used_up: 'This code is used up.',
  other_tier: 'This code isn’t for what you chose.',
  only_new: 'This code is for new members only.',
} as const;
export type CodeProblem = keyof typeof PROBLEMS;

/** @throws AppError invalid_input */
export function refuseCode(problem: CodeProblem): never {
  throw new AppError('invalid_input', PROBLEMS[problem]);
}

export function codeProblemInWords(problem: CodeProblem): string {
  return PROBLEMS[problem];
}

export type Code = Omit<DiscountCode, 'says' | 'joinUrl' | 'lastDay'> & {
  last_day: string | null;
  stripe_coupon_id: string | null;
};

/** @returns in words, true at any later time */
export function takenOffInWords(
  code: Pick<Code, 'percentOff' | 'amountOff' | 'currency' | 'duration' | 'months'>,
): string {
  const { percentOff, amountOff, currency, duration, months } = code;
  const off = percentOff === null ? amountLabel(amountOff!, currency!) : `${percentOff}%`;
  const spans: Record<Duration, string> = {
    once: 'off the first payment',
    months: `off what is paid in the first ${months === 1 ? 'month' : `${months} months`}`,
    forever: 'off each payment',
  };
  return `${off} ${spans[duration]}`;
}

/** @returns the amount with the code; null: it is not for this tier */
export function lowered(code: Code, tier: { id: string; currency: string }, amount: number): number | null {
  if (code.tierId !== null && code.tierId !== tier.id) return null;
  if (code.percentOff !== null) return amount - Math.round((amount * code.percentOff) / 100);
  return code.currency === tier.currency ? Math.max(0, amount - code.amountOff!) : null;
}

/** In a statement that has codes as `d`: with those who are on Stripe's page with it. */
const uses = (now: Date) => sql`(d.uses + (
  select count(*) from fan_checkouts k where k.creator_id = d.creator_id and k.code_id = d.id and k.state = 'open'
    and (k.session_id is not null or k.begun_at > ${new Date(now.getTime() - 3_600_000)})))::int`;

const columns = (now: Date) => sql`
  d.id, d.code, d.percent_off as "percentOff", d.amount_off as "amountOff", d.currency, d.duration, d.months, d.most_uses as "mostUses",
  d.last_day, d.new_only as "newOnly", d.tier_id as "tierId", d.uses, d.stripe_coupon_id, case
    when d.closed_at is not null then 'closed' when d.over_at <= ${now} then 'over' when ${uses(now)} >= d.most_uses then 'used_up'
    else 'open' end as state`;

/** @param typed as a reader types it @returns null: there is no such code */
export async function findCode(
  trx: CreatorTransaction,
  { creatorId, typed, now }: { creatorId: string; typed: string; now: Date },
): Promise<Code | null> {
  const { rows } = await sql<Code>`
    select ${columns(now)} from discount_codes d
    where d.creator_id = ${creatorId} and lower(d.code) = ${typed.trim().toLowerCase()}
    order by d.closed_at is not null, d.made_at desc limit 1
  `.execute(trx);
  return rows[0] ?? null;
}

/**
 * As `findCode`, for a stranger: whoever guesses too many learns nothing of the next.
 *
 * @throws AppError too_many_requests
 */
export async function findTyped(
  { db, clock }: { db: Database; clock: Clock },
  { creatorId, typed, ip }: { creatorId: string; typed: string; ip: string },
): Promise<Code | null> {
  const now = clock.now();
  const network = networksOf(ip).at(-1)!;
  if (await wereTooMany(db.engine, now, 'fan_discount_guesses_by_network', network)) {
    throw new AppError('too_many_requests', 'Too many codes were tried from here. Try again in an hour.');
  }
  const code = await db.withCreator(creatorId, (trx) => findCode(trx, { creatorId, typed, now }));
  if (code === null) await countsTooMany(db.engine, now, 'fan_discount_guesses_by_network', network);
  return code;
}

/** @returns null: it is good, whatever is chosen */
export function problemOf(code: Code | null): Exclude<CodeState, 'open'> | 'unknown' | null {
  if (code === null) return 'unknown';
  return code.state === 'open' ? null : code.state;
}

/** Of several at the same moment the first has the last use. @throws AppError invalid_input */
export async function holdUse(
  trx: Transaction<Tables>,
  { creatorId, codeId, now }: { creatorId: string; codeId: string; now: Date },
): Promise<void> {
  await sql`select from discount_codes where creator_id = ${creatorId} and id = ${codeId} for update`.execute(trx);
  const { rows } = await sql<{ state: CodeState }>`
    select ${columns(now)} from discount_codes d where d.creator_id = ${creatorId} and d.id = ${codeId}
  `.execute(trx);
  const state = rows[0]?.state ?? 'closed';
  if (state !== 'open') refuseCode(state);
}

export async function countUse(
  trx: CreatorTransaction,
  { creatorId, codeId }: { creatorId: string; codeId: string },
): Promise<void> {
  await trx
    .updateTable('discount_codes')
    .set((eb) => ({ uses: eb('uses', '+', 1) }))
    .where('creator_id', '=', creatorId)
    .where('id', '=', codeId)
    .execute();
}

/** @returns by their ids */
export async function findCodes(
  trx: Transaction<Tables>,
  { creatorId, ids }: { creatorId: string; ids: string[] },
): Promise<Map<string, Code>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Code>`
    select ${columns(new Date(0))} from discount_codes d where d.creator_id = ${creatorId} and d.id = any(${ids}::uuid[])
  `.execute(trx);
  return new Map(rows.map((code) => [code.id, code]));
}

/** Made in the creator's account when it is used for the first time. @throws AppError stripe_unreachable, payments_off */
export async function couponAtStripe(deps: InAccount, creatorId: string, code: Code): Promise<string> {
  if (code.stripe_coupon_id !== null) return code.stripe_coupon_id;
  const { percentOff, amountOff, currency, duration, months } = code;
  const coupon = await changeStripe(deps, {
    ...{ creatorId, verb: 'create_coupon', key: `${deps.account}:code:${code.id}` },
    params: {
      ...(percentOff === null ? { amount_off: amountOff!, currency: currency! } : { percent_off: percentOff }),
      ...(duration === 'months' ? { duration: 'repeating', duration_in_months: months! } : { duration }),
      name: code.code,
    },
  });
  await deps.db.engine
    .updateTable('discount_codes')
    .set({ stripe_coupon_id: coupon })
    .where('creator_id', '=', creatorId)
    .where('id', '=', code.id)
    .execute();
  return coupon;
}

export async function listCodes(
  trx: CreatorTransaction,
  { now, joinUrl }: { now: Date; joinUrl: string },
): Promise<DiscountCode[]> {
  const { rows } = await sql<Code>`
    select ${columns(now)} from discount_codes d where d.creator_id = current_creator_id()
    order by d.closed_at is not null, d.made_at desc, d.id limit 200
  `.execute(trx);
  return rows.map(({ last_day: lastDay, stripe_coupon_id: _, ...code }) => ({
    ...{ ...code, lastDay, says: takenOffInWords(code) },
    joinUrl: `${joinUrl}?code=${encodeURIComponent(code.code)}`,
  }));
}

/** @returns its id @throws AppError invalid_input */
export async function makeCode(
  { clock, ids }: Deps,
  trx: CreatorTransaction,
  { creatorId, ...input }: DiscountCodeInput & { creatorId: string },
): Promise<string> {
  const now = clock.now();
  const { code, percentOff, amountOff, currency, duration, months, mostUses, lastDay, newOnly, tierId } = input;
  const refuse = (path: keyof DiscountCodeInput, message: string) =>
    new AppError('invalid_input', message, { fields: [{ path, message }] });
  if ((percentOff === null) === (amountOff === null)) throw refuse('percentOff', 'Enter a percentage or an amount.');
  if ((amountOff === null) !== (currency === null)) throw refuse('currency', 'An amount has a currency.');
  if ((duration === 'months') !== (months !== null)) throw refuse('months', 'Enter for how many months.');
  const tiers = await trx.selectFrom('tiers').select(['id', 'currency']).where('creator_id', '=', creatorId).execute();
  const meant = tiers.filter(({ id }) => tierId === null || id === tierId);
  if (meant.length === 0) throw refuse('tierId', 'This tier doesn’t exist.');
  if (currency !== null && meant.every((tier) => tier.currency !== currency)) {
    throw refuse('currency', `None of these tiers has a price in ${currency.toUpperCase()}.`);
  }
  const taken = await findCode(trx, { creatorId, typed: code, now });
  if (taken !== null && taken.state !== 'closed') throw refuse('code', TAKEN);
  const { rows } = await sql<{ over: Date | null }>`
    select (${lastDay}::date + 1)::timestamp at time zone coalesce(time_zone, 'UTC') as over from creators where id = ${creatorId}
  `.execute(trx);
  const overAt = rows[0]!.over;
  if (overAt !== null && overAt <= now) throw refuse('lastDay', `That was before ${dayOf(now)}.`);
  const id = ids.uuid(now);
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('discount_codes')
    .values({
      ...{
        creator_id: creatorId,
        id,
        code,
        percent_off: percentOff,
        amount_off: amountOff,
        currency,
        duration,
        months,
      },
      ...{ most_uses: mostUses, last_day: lastDay, over_at: overAt, new_only: newOnly, tier_id: tierId, made_at: now },
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) throw refuse('code', TAKEN);
  return id;
}

/** @throws AppError not_found */
export async function closeCode(
  { clock }: Pick<Deps, 'clock'>,
  trx: CreatorTransaction,
  { creatorId, codeId }: { creatorId: string; codeId: string },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('discount_codes')
    .set({ closed_at: clock.now() })
    .where('creator_id', '=', creatorId)
    .where('id', '=', codeId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('not_found', 'This code is closed, or was never there.');
}

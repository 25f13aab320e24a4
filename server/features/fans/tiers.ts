/** What members pay for: tiers, their order and prices; whether readers enter without paying, and how long late payers read on. The one writer of `tiers`, `tier_prices` and `membership_settings`. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ResponseOf } from '#contract/endpoint.ts';
import { TAKES_MONEY } from '#contract/stripe-account.ts';
import { type listTiers, type Tier, type TierInput, USUAL_LATE_DAYS } from '#contract/tiers.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { changeStripe } from '#server/platforms/stripe/calls.ts';
import type { InAccount } from './accounts.ts';
import { countByTier } from './figures.ts';

type Deps = { clock: Clock; ids: Ids };

export async function listAll(
  trx: CreatorTransaction,
  { now, joinUrl }: { now: Date; joinUrl: string },
): Promise<ResponseOf<typeof listTiers>> {
  const { hasFreeReaders, freeOpens } = await readForBlog(trx);
  const lateDays = await readLateDays(trx);
  return { joinUrl, hasFreeReaders, freeOpens, lateDays, items: await read(trx, now) };
}

/** @returns its id */
export async function makeTier(
  { clock, ids }: Deps,
  trx: CreatorTransaction,
  { creatorId, ...input }: TierInput & { creatorId: string },
): Promise<string> {
  const now = clock.now();
  const id = ids.uuid(now);
  const { name, description, currency, pictureUrl: picture_url, trialDays: trial_days } = input;
  await trx
    .insertInto('tiers')
    .values({
      ...{ creator_id: creatorId, id, name, description, picture_url, currency, trial_days, made_at: now },
      rank: sql`(select coalesce(max(rank), -1) + 1 from tiers where creator_id = ${creatorId})`,
    })
    .execute();
  await setPrices({ clock, ids }, trx, { creatorId, tierId: id, input });
  return id;
}

/** @throws AppError not_found; invalid_input: another currency after somebody has paid */
export async function changeTier(
  deps: Deps,
  trx: CreatorTransaction,
  { creatorId, tierId, ...input }: TierInput & { creatorId: string; tierId: string },
): Promise<void> {
  const before = (await readPlain(trx, tierId))[0];
  if (before === undefined) throw gone();
  if (before.isPaidFor && before.currency !== input.currency) {
    const message = 'Members have paid in this currency: it stays.';
    throw new AppError('invalid_input', message, { fields: [{ path: 'currency', message }] });
  }
  const { name, description, currency, pictureUrl: picture_url, trialDays: trial_days } = input;
  await trx
    .updateTable('tiers')
    .set({ name, description, picture_url, currency, trial_days })
    .where('creator_id', '=', creatorId)
    .where('id', '=', tierId)
    .execute();
  const isOther = before.currency !== currency;
  await setPrices(deps, trx, { creatorId, tierId, input, isOther });
}

/** @throws AppError not_found */
export async function setArchived(
  { clock }: Deps,
  trx: CreatorTransaction,
  { creatorId, tierId, isArchived }: { creatorId: string; tierId: string; isArchived: boolean },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('tiers')
    .set({ archived_at: isArchived ? clock.now() : null })
    .where('creator_id', '=', creatorId)
    .where('id', '=', tierId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw gone();
}

/** Changes places with the next one above or below; the last one there stays. @throws AppError not_found */
export async function moveTier(
  trx: CreatorTransaction,
  { creatorId, tierId, up }: { creatorId: string; tierId: string; up: boolean },
): Promise<void> {
  const ranked = await trx
    .selectFrom('tiers')
    .select('id')
    .where('creator_id', '=', creatorId)
    .orderBy('rank')
    .orderBy('id')
    .forUpdate()
    .execute();
  const order = ranked.map(({ id }) => id);
  const at = order.indexOf(tierId);
  if (at < 0) throw gone();
  const to = Math.min(order.length - 1, Math.max(0, at + (up ? 1 : -1)));
  [order[at], order[to]] = [order[to]!, order[at]!];
  await sql`
    update tiers t set rank = o.rank from unnest(${order}::uuid[]) with ordinality as o (id, rank)
    where t.creator_id = ${creatorId} and t.id = o.id
  `.execute(trx);
}

export async function setFreeReaders(
  trx: CreatorTransaction,
  { creatorId, isOpen }: { creatorId: string; isOpen: boolean },
): Promise<void> {
  await trx
    .insertInto('membership_settings')
    .values({ creator_id: creatorId, free_readers: isOpen })
    .onConflict((conflict) => conflict.column('creator_id').doUpdateSet({ free_readers: isOpen }))
    .execute();
}

/** @param trx of a creator, or with their id @returns how long a late payer reads on */
export async function readLateDays(trx: Kysely<Tables>, creatorId?: string): Promise<number> {
  const row = await trx
    .selectFrom('membership_settings')
    .select('late_days')
    .where('creator_id', '=', creatorId ?? sql<string>`current_creator_id()`)
    .executeTakeFirst();
  return row?.late_days ?? USUAL_LATE_DAYS;
}

export async function setLateDays(
  trx: CreatorTransaction,
  { creatorId, days }: { creatorId: string; days: number },
): Promise<void> {
  await trx
    .insertInto('membership_settings')
    .values({ creator_id: creatorId, late_days: days })
    .onConflict((conflict) => conflict.column('creator_id').doUpdateSet({ late_days: days }))
    .execute();
}

export async function setFreeOpens(
  trx: CreatorTransaction,
  { creatorId, many }: { creatorId: string; many: number },
): Promise<void> {
  await trx
    .insertInto('membership_settings')
    .values({ creator_id: creatorId, free_opens: many })
    .onConflict((conflict) => conflict.column('creator_id').doUpdateSet({ free_opens: many }))
    .execute();
}

/** In a statement that has a creator's id as `of`: whether readers of theirs enter without paying. */
export function takesFreeReaders(of: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from membership_settings m where m.creator_id = ${of} and m.free_readers)`;
}

export type TierName = { id: string; name: string; isOpen: boolean };

/** Of the present creator, the lowest first: what a blog has to know of tiers. */
export const allTiers = sql<TierName[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'isOpen', archived_at is null) order by rank, id), '[]')
  from tiers where creator_id = current_creator_id()
)`;

type ForBlog = { tiers: TierName[]; hasFreeReaders: boolean; freeOpens: number };

/** For the plugin. `freeOpens`: posts a month, where readers enter without paying. */
export async function readForBlog(trx: CreatorTransaction): Promise<ForBlog> {
  const { rows } = await sql<ForBlog>`
    select ${allTiers} as tiers, ${takesFreeReaders(sql`current_creator_id()`)} as "hasFreeReaders",
      coalesce((select free_opens from membership_settings), 0) as "freeOpens"
  `.execute(trx);
  return rows[0]!;
}

/** @throws AppError not_found */
export async function readTier(trx: CreatorTransaction, now: Date, tierId: string): Promise<Tier> {
  const tier = (await read(trx, now, tierId))[0];
  if (tier === undefined) throw gone();
  return tier;
}

/** A price is never changed: another begins, and who pays the one before keeps it. */
async function setPrices(
  { clock, ids }: Deps,
  trx: CreatorTransaction,
  given: { creatorId: string; tierId: string; input: TierInput; isOther?: boolean },
): Promise<void> {
  const { creatorId, tierId, input, isOther = false } = given;
  const now = clock.now();
  for (const interval of ['month', 'year'] as const) {
    const present = await trx
      .selectFrom('tier_prices')
      .select(['id', 'amount'])
      .where('creator_id', '=', creatorId)
      .where('tier_id', '=', tierId)
      .where('billing_interval', '=', interval)
      .where('until', 'is', null)
      .executeTakeFirst();
    const amount = input[interval];
    if ((present?.amount ?? null) === amount && !isOther) continue;
    if (present !== undefined) {
      await trx
        .updateTable('tier_prices')
        .set({ until: now })
        .where('creator_id', '=', creatorId)
        .where('id', '=', present.id)
        .execute();
    }
    if (amount === null) continue;
    await trx
      .insertInto('tier_prices')
      .values({
        ...{
          creator_id: creatorId,
          id: ids.uuid(now),
          tier_id: tierId,
          billing_interval: interval,
          amount,
          since: now,
        },
      })
      .execute();
  }
}

type PlainTier = Omit<Tier, 'members' | 'earlier'>;

/** The lowest first, without how many have them: for pages that anybody opens. */
export async function readPlain(trx: CreatorTransaction, tierId?: string): Promise<PlainTier[]> {
  const price = (interval: 'month' | 'year') => sql<number | null>`(
    select amount from tier_prices p
    where p.creator_id = t.creator_id and p.tier_id = t.id and p.billing_interval = ${interval} and p.until is null
  )`;
  const { rows } = await sql<PlainTier>`
    select t.id, t.name, t.description, t.picture_url as "pictureUrl", t.currency, t.trial_days as "trialDays",
      t.archived_at is not null as "isArchived", ${price('month')} as month, ${price('year')} as year,
      exists (select from passes p where p.creator_id = t.creator_id and p.tier_id = t.id and p.source = 'stripe') as "isPaidFor"
    from tiers t where t.creator_id = current_creator_id() and (${tierId ?? null}::uuid is null or t.id = ${tierId ?? null})
    order by t.rank, t.id
  `.execute(trx);
  return rows;
}

async function read(trx: CreatorTransaction, now: Date, tierId?: string): Promise<Tier[]> {
  const tiers = await readPlain(trx, tierId);
  const { rows } = await sql<Tier['earlier'][number] & { tierId: string }>`
    select b.tier_id as "tierId", b.billing_interval as interval, b.amount, count(*)::int as members,
      count(*) filter (where p.moves_to = n.id)::int as told
    from tier_prices b
    join tier_prices n on n.creator_id = b.creator_id and n.tier_id = b.tier_id and n.billing_interval = b.billing_interval
      and n.until is null and n.amount <> b.amount
    join passes p on p.creator_id = b.creator_id and p.stripe_price_id = b.stripe_price_id and p.source = 'stripe'
      and p.ended_at is null and p.cancel_at is null
    where b.creator_id = current_creator_id() and b.until is not null
    group by 1, 2, 3 order by 1, 2, 3
  `.execute(trx);
  const members = await countByTier(trx, now);
  return tiers.map((tier) => ({
    ...{ ...tier, members: members.get(tier.id) ?? 0 },
    earlier: rows
      .filter((row) => row.tierId === tier.id)
      .slice(0, 200)
      .map(({ tierId: _, ...earlier }) => earlier),
  }));
}

/** Readers can become members: something has a price, and the creator's account takes money. */
export async function isSelling(trx: CreatorTransaction): Promise<boolean> {
  const found = await trx
    .selectFrom('stripe_accounts as a')
    .innerJoin('tiers as t', 't.creator_id', 'a.creator_id')
    .innerJoin('tier_prices as p', (join) =>
      join.onRef('p.creator_id', '=', 't.creator_id').onRef('p.tier_id', '=', 't.id'),
    )
    .select('p.id')
    .where('a.state', 'in', [...TAKES_MONEY])
    .where('t.archived_at', 'is', null)
    .where('p.until', 'is', null)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('membership_ends').select('way').where('called_off_at', 'is', null))))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export type PriceOnSale = {
  id: string;
  tierId: string;
  tier: string;
  interval: 'month' | 'year';
  amount: number;
  currency: string;
  trialDays: number;
};

/** @returns null: it is not for sale */
export async function findPriceOnSale(
  trx: CreatorTransaction,
  { tierId, interval }: { tierId: string; interval: 'month' | 'year' },
): Promise<PriceOnSale | null> {
  const row = await trx
    .selectFrom('tier_prices as p')
    .innerJoin('tiers as t', (join) => join.onRef('t.creator_id', '=', 'p.creator_id').onRef('t.id', '=', 'p.tier_id'))
    .select(['p.id', 't.id as tierId', 't.name as tier', 'p.amount', 't.currency'])
    .select('t.trial_days as trialDays')
    .where('t.id', '=', tierId)
    .where('p.billing_interval', '=', interval)
    .where('p.until', 'is', null)
    .where('t.archived_at', 'is', null)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, interval };
}

/** Made in the creator's account when it is bought for the first time. @throws AppError stripe_unreachable, payments_off */
export async function priceAtStripe(deps: InAccount, creatorId: string, price: PriceOnSale): Promise<string> {
  const known = await deps.db.engine
    .selectFrom('tier_prices')
    .select('stripe_price_id')
    .where('creator_id', '=', creatorId)
    .where('id', '=', price.id)
    .executeTakeFirstOrThrow();
  if (known.stripe_price_id !== null) return known.stripe_price_id;
  const { tierId, tier, interval, amount, currency } = price;
  const product = await changeStripe(deps, {
    ...{ creatorId, verb: 'create_product', key: `${deps.account}:tier:${tierId}` },
    params: { name: tier, metadata: { chq_tier: tierId } },
  });
  const stripePriceId = await changeStripe(deps, {
    ...{ creatorId, verb: 'create_price', key: `${deps.account}:price:${price.id}` },
    params: {
      ...{ product, unit_amount: amount, currency, recurring: { interval } },
      // What consumers read is what they pay.
      ...{ tax_behavior: 'inclusive' as const, lookup_key: `chq_${price.id}`, transfer_lookup_key: true },
    },
  });
  await deps.db.engine
    .updateTable('tier_prices')
    .set({ stripe_price_id: stripePriceId })
    .where('creator_id', '=', creatorId)
    .where('id', '=', price.id)
    .execute();
  return stripePriceId;
}

function gone(): AppError {
  return new AppError('not_found', 'This tier doesn’t exist.');
}

/**
 * How many read, pay, joined and left, as sums by day: each change of a contact's passes adds what it changes of them, so that no figure reads every
 * pass (see `figures.ts`). The one writer of `pass_counts`.
 */
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/db/types.ts';
import { markMembers } from '#server/features/contacts/address-contacts.ts';

/** `of` is a tier for `tier`, a currency for `paying`, and empty else; `amount` is what is paid a year. */
export type Count = {
  counted: 'member' | 'tier' | 'paying' | 'late' | 'joined' | 'left';
  of: string;
  n: number;
  amount: number;
};
type Part = Count & { day: string };

/** What passes add to sums. A contact with several counts once, by the one that ends last. @param which of passes as `p` @param from absent: all */
export const partsOf = (which: RawBuilder<unknown>, from = sql`passes`) => sql`(
  with mine as (
    select p.*, p.ended_at is null as is_open, (coalesce(p.ends_at, 'infinity') at time zone 'UTC')::date as last_day
    from ${from} p where ${which}
  )
  select creator_id, 'member' as counted, '' as of, max(last_day) as day, 1 as n, 0 as amount
    from mine where is_open group by creator_id, contact_id
  union all select creator_id, 'tier', tier_id::text, max(last_day), 1, 0
    from mine where is_open group by creator_id, contact_id, tier_id
  union all select creator_id, 'paying', currency, last_day, 1, coalesce(charged, amount) * case billing_interval when 'year' then 1 else 12 end
    from mine where is_open and source = 'stripe' and status <> 'trialing'
  union all select creator_id, 'late', '', 'infinity', 1, 0 from mine where is_open and late_since is not null
  union all select creator_id, 'joined', '', (begins_at at time zone 'UTC')::date, 1, 0 from mine where source = 'stripe'
  union all select creator_id, 'left', '', (ended_at at time zone 'UTC')::date, 1, 0
    from mine where source = 'stripe' and not is_open
)`;

/** Around everything that changes passes of contacts. */
export async function counting<T>(
  trx: Transaction<Tables>,
  { creatorId, contactIds }: { creatorId: string; contactIds: string[] },
  change: () => Promise<T>,
): Promise<T> {
  const theirs = sql`p.creator_id = ${creatorId} and p.contact_id = any(${contactIds}::uuid[])`;
  const read = async () => {
    const { rows } = await sql<Part>`
      select counted, of, day::text, sum(n)::int as n, sum(amount)::float8 as amount from ${partsOf(theirs)} as parts group by 1, 2, 3
    `.execute(trx);
    return rows;
  };
  await lockContacts(trx, { creatorId, contactIds });
  await markMembers(trx, creatorId, contactIds);
  const before = await read();
  const result = await change();
  await add(trx, creatorId, [
    ...(await read()),
    ...before.map((part) => ({ ...part, n: -part.n, amount: -part.amount })),
  ]);
  return result;
}

/**
 * Two who change passes of one contact at once would each count what the other does not see yet. Before rows of `fans` and
 * `passes`: whoever pays locks in this order too.
 */
export async function lockContacts(
  trx: Transaction<Tables>,
  { creatorId, contactIds }: { creatorId: string; contactIds: string[] },
): Promise<void> {
  await sql`
    select from contacts where creator_id = ${creatorId} and id = any(${contactIds}::uuid[]) order by id for no key update
  `.execute(trx);
}

async function add(trx: Transaction<Tables>, creatorId: string, parts: Part[]): Promise<void> {
  await sql`
    insert into pass_counts as c (creator_id, counted, of, day, n, amount)
    select ${creatorId}, counted, of, day, sum(n), sum(amount)
    from jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) as part (counted text, of text, day date, n int, amount bigint)
    group by counted, of, day having sum(n) <> 0 or sum(amount) <> 0 order by counted, of, day
    on conflict (creator_id, counted, of, day) do update set n = c.n + excluded.n, amount = c.amount + excluded.amount
  `.execute(trx);
}

/** After passes of many creators were changed at once. */
export async function countAgain(trx: Transaction<Tables>): Promise<void> {
  await trx.deleteFrom('pass_counts').execute();
  await sql`
    insert into pass_counts (creator_id, counted, of, day, n, amount)
    select creator_id, counted, of, day, sum(n), sum(amount) from ${partsOf(sql`true`)} as parts group by 1, 2, 3, 4
  `.execute(trx);
}

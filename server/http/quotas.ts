/**
 * Enforces the contract's quotas. Rows are counted before and after the work, in its transaction and with
 * all other work on the same quota shut out; what is made in a time is counted by the statement that limits tries.
 */
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { QUOTAS, type Quota, type QuotaName } from '#contract/quotas.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { countUses } from './rate-limits.ts';

const HOUR_MS = 3_600_000;

type Whose = { creatorId: string; userId: string; now: Date };
type Held = { [Name in QuotaName]: (typeof QUOTAS)[Name] extends { perHours: number } ? never : Name }[QuotaName];

const COUNTS: Record<Held, (whose: Whose) => RawBuilder<unknown>> = {
  automations: ({ creatorId }) =>
    sql`select count(*) from automations where creator_id = ${creatorId} and archived_at is null`,
  deleted_automations: ({ creatorId }) =>
    sql`select count(*) from automations where creator_id = ${creatorId} and archived_at is not null`,
  keywords: ({ creatorId }) => sql`select count(*) from keywords where creator_id = ${creatorId}`,
  replies: ({ creatorId }) => sql`select count(*) from replies where creator_id = ${creatorId}`,
  forms: ({ creatorId }) => sql`select count(*) from forms where creator_id = ${creatorId} and archived_at is null`,
  segments: ({ creatorId }) => sql`select count(*) from segments where creator_id = ${creatorId}`,
  tags: ({ creatorId }) => sql`select count(*) from tags where creator_id = ${creatorId}`,
  broadcasts: ({ creatorId }) =>
    sql`select count(*) from broadcasts where creator_id = ${creatorId} and state = 'draft'`,
  welcome_mails: ({ creatorId }) => sql`select count(*) from welcome_mails where creator_id = ${creatorId}`,
  sending_domains: ({ creatorId }) => sql`select count(*) from sending_domains where creator_id = ${creatorId}`,
  recipes: ({ creatorId }) => sql`select count(*) from recipes where creator_id = ${creatorId}`,
  sponsor_pins: ({ creatorId }) => sql`select count(*) from sponsor_pins where creator_id = ${creatorId}`,
  ingredient_bytes: ({ creatorId }) => sql`select sum(bytes) from recipe_ingredients where creator_id = ${creatorId}`,
  ingredient_words: ({ creatorId }) => sql`select count(*) from ingredient_words where creator_id = ${creatorId}`,
  meal_plans: ({ creatorId }) => sql`select count(*) from meal_plans where creator_id = ${creatorId}`,
  plan_bytes: ({ creatorId }) => sql`
    select sum(bytes) from (
      select bytes from meal_plans where creator_id = ${creatorId}
      union all select bytes from published_meal_plans where creator_id = ${creatorId}
    ) as rows`,
  saved_bytes: ({ creatorId }) => sql`
    select sum(bytes) from (
      select bytes from automations where creator_id = ${creatorId}
      union all select bytes from keywords where creator_id = ${creatorId}
      union all select bytes from replies where creator_id = ${creatorId}
      union all select bytes from recipes where creator_id = ${creatorId}
    ) as rows`,
  links: ({ creatorId }) =>
    sql`select count(*) from links where creator_id = ${creatorId} and automation_id is not null`,
  link_domains: ({ creatorId }) => sql`select count(*) from link_domains where creator_id = ${creatorId}`,
  app_links: ({ creatorId }) => sql`select count(*) from app_links where creator_id = ${creatorId}`,
  connections: ({ creatorId }) => sql`select count(*) from connections where creator_id = ${creatorId}`,
  team: ({ creatorId }) => sql`
    select (select count(*) from memberships where creator_id = ${creatorId}) + (
      select count(*) from invites
      where creator_id = ${creatorId} and accepted_at is null and declined_at is null and revoked_at is null
    )`,
  webhooks: ({ creatorId }) => sql`select count(*) from outgoing_endpoints where creator_id = ${creatorId}`,
  discount_codes: ({ creatorId }) =>
    sql`select count(*) from discount_codes where creator_id = ${creatorId} and closed_at is null`,
  tiers: ({ creatorId }) => sql`select count(*) from tiers where creator_id = ${creatorId} and archived_at is null`,
  tokens: ({ creatorId, userId, now }) => sql`
    select count(*) from api_tokens
    where creator_id = ${creatorId} and user_id = ${userId} and revoked_at is null
      and (expires_at is null or expires_at > ${now})`,
  creators: ({ userId }) => sql`select count(*) from memberships where user_id = ${userId} and role = 'owner'`,
};

/** A creator without room for more of these may still change existing ones. */
const CHANGES_TOO: Held[] = ['ingredient_bytes', 'links', 'plan_bytes', 'saved_bytes'];

function isHeld(name: QuotaName): name is Held {
  return name in COUNTS;
}

/**
 * Counts one more of each of these that is made in a time.
 *
 * @throws AppError quota_reached, with the time to wait
 */
export async function countRates(
  { db, clock }: { db: Database; clock: Clock },
  creatorId: string,
  names: readonly QuotaName[],
): Promise<void> {
  for (const name of names) {
    const quota: Quota = QUOTAS[name];
    if (quota.perHours === undefined) continue;
    const limit = { limit: `quota_${name}`, perMs: quota.perHours * HOUR_MS };
    const waitSeconds = await countUses(db.engine, clock.now(), limit, [{ whom: creatorId, most: quota.most }]);
    if (waitSeconds !== null) throw quotaReached(name, waitSeconds);
  }
}

/**
 * Does `work` and undoes it (by the failure of the transaction) where afterwards there is more than may be. A creator
 * above a quota that came later may still change and delete.
 *
 * @throws AppError quota_reached
 */
export async function withinQuotas<T>(
  trx: Transaction<Tables>,
  whose: Whose,
  names: readonly QuotaName[],
  work: () => Promise<T>,
): Promise<T> {
  const held = names.filter(isHeld);
  if (held.length === 0) return work();
  // Before any row is locked, always in one order.
  for (const name of [...held].sort()) {
    const key = `quota ${name} ${name === 'creators' ? whose.userId : whose.creatorId}`;
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx);
  }
  const before = await count(trx, whose, held);
  const full = held.find((name) => !CHANGES_TOO.includes(name) && before[name]! >= QUOTAS[name].most);
  if (full !== undefined) throw quotaReached(full);
  const result = await work();
  const after = await count(trx, whose, held);
  const passed = held.find((name) => after[name]! > QUOTAS[name].most && after[name]! > before[name]!);
  if (passed !== undefined) throw quotaReached(passed);
  return result;
}

async function count(trx: Transaction<Tables>, whose: Whose, names: Held[]): Promise<Record<string, number>> {
  const columns = names.map((name) => sql`(${COUNTS[name](whose)})::bigint as ${sql.ref(name)}`);
  const { rows } = await sql<Record<string, number>>`select ${sql.join(columns)}`.execute(trx);
  return rows[0]!;
}

function quotaReached(name: QuotaName, retryAfterSeconds?: number): AppError {
  return new AppError('quota_reached', QUOTAS[name].says, {
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

/** The key with which a creator's WordPress plugin calls us: made here, shown once, kept as a hash. */
import type { Transaction } from 'kysely';
import type * as z from 'zod/mini';
import type { ApiKey } from '#contract/settings.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { mailNewAccess } from '#server/features/notices/new-access.ts';
import { lockMembership } from '#server/features/people/memberships.ts';
import * as queries from './queries.ts';
import { hashOfKey } from './read-api-key.ts';

export type MakingDeps = { config: Pick<Config, 'plugin' | 'baseUrl'>; clock: Clock; ids: Ids };
type Shown = z.infer<typeof ApiKey>;

const KEY_STARTS = 'chq_';
/** 238 bits: nobody guesses one, so a hash without salt keeps it as well as a slow one. */
const RANDOM_CHARACTERS = 40;
const PREFIX_CHARACTERS = KEY_STARTS.length + 4;

export async function currentKey(
  deps: Pick<MakingDeps, 'config'>,
  trx: CreatorTransaction,
  creatorId: string,
): Promise<Shown> {
  return show(deps, await queries.findCurrent(trx, creatorId));
}

/**
 * The key before ends at once: a site that still has it must be given the new one. The owners get a mail: the transaction
 * must be the engine role's.
 */
export async function makeKey(
  deps: MakingDeps,
  trx: Transaction<Tables>,
  { creatorId, user }: { creatorId: string; user: { id: string; name: string; email: string } },
): Promise<Shown & { key: string }> {
  const now = deps.clock.now();
  const key = KEY_STARTS + deps.ids.code(RANDOM_CHARACTERS);
  await queries.endCurrent(trx, creatorId, now);
  await lockMembership(trx, { creatorId, userId: user.id });
  const row = await queries.insert(trx, {
    creator_id: creatorId,
    id: deps.ids.uuid(now),
    key_hash: hashOfKey(key),
    prefix: key.slice(0, PREFIX_CHARACTERS),
    created_at: now,
    created_by: user.id,
  });
  await mailNewAccess(trx, deps, { creatorId, by: user, access: { kind: 'API key' } });
  return { ...show(deps, { ...row, made_by: user.name, plugin_version: null }), key };
}

export { handOver } from './queries.ts';

function show({ config }: Pick<MakingDeps, 'config'>, row: queries.ShownRow | undefined): Shown {
  return {
    pluginVersion: row?.plugin_version ?? null,
    // Without a key nothing is expected anywhere.
    expectedPluginVersion: row === undefined ? null : config.plugin.version,
    prefix: row?.prefix ?? null,
    createdAt: row?.created_at.toISOString() ?? null,
    createdBy: row?.made_by ?? null,
    lastUsedAt: row?.last_used_at?.toISOString() ?? null,
  };
}

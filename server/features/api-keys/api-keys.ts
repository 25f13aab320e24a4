/** The key with which a creator's WordPress plugin calls us: made here, shown once, kept as a hash. */
import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import type * as z from 'zod/mini';
import type { ApiKey } from '#contract/settings.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { mailNewAccess } from '#server/features/notices/new-access.ts';
import { lockMembership } from '#server/features/people/memberships.ts';
import * as queries from './queries.ts';

type Deps = { config: Pick<Config, 'plugin' | 'baseUrl'>; db: Database; clock: Clock; ids: Ids };
type Shown = z.infer<typeof ApiKey>;

const KEY_STARTS = 'chq_';
/** 238 bits: nobody guesses one, so a hash without salt keeps it as well as a slow one. */
const RANDOM_CHARACTERS = 40;
const PREFIX_CHARACTERS = KEY_STARTS.length + 4;

export async function currentKey(deps: Deps, trx: CreatorTransaction, creatorId: string): Promise<Shown> {
  return show(deps, await queries.findCurrent(trx, creatorId));
}

/**
 * The key before ends at once: a site that still has it must be given the new one. The owners get a mail: the transaction
 * must be the engine role's.
 */
export async function makeKey(
  deps: Omit<Deps, 'db'>,
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
    key_hash: hash(key),
    prefix: key.slice(0, PREFIX_CHARACTERS),
    created_at: now,
    created_by: user.id,
  });
  await mailNewAccess(trx, deps, { creatorId, by: user, access: { kind: 'API key' } });
  return { ...show(deps, { ...row, made_by: user.name }), key };
}

export { handOver } from './queries.ts';

/**
 * The plugin says which version it is and where it runs.
 *
 * @param authorization the header as it came: `Bearer KEY`
 * @throws AppError not_signed_in for a key that is wrong or has ended
 */
export async function registerPlugin(
  deps: Deps,
  authorization: string | undefined,
  plugin: { pluginVersion: string; siteUrl?: string | undefined },
): Promise<{ handle: string; expectedPluginVersion: string | null }> {
  const key = /^Bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
  const refused = () => new AppError('not_signed_in', 'This API key is wrong or was replaced. Copy the current one.');
  if (key === undefined) throw refused();
  // Looked up by its hash: how long that takes tells nothing about a key.
  const creator = await queries.noteUse(deps.db.engine, hash(key), {
    at: deps.clock.now(),
    pluginVersion: plugin.pluginVersion,
    siteUrl: plugin.siteUrl ?? null,
  });
  if (creator === undefined) throw refused();
  return { handle: creator.handle, expectedPluginVersion: deps.config.plugin.version };
}

function show(
  { config }: Pick<Deps, 'config'>,
  row: (queries.ApiKeyRow & { made_by: string | null }) | undefined,
): Shown {
  return {
    pluginVersion: row?.plugin_version ?? null,
    expectedPluginVersion: config.plugin.version,
    prefix: row?.prefix ?? null,
    createdAt: row?.created_at.toISOString() ?? null,
    createdBy: row?.made_by ?? null,
    lastUsedAt: row?.last_used_at?.toISOString() ?? null,
  };
}

function hash(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

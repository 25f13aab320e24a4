/** Keeping what a sign-in at Meta brought. */
import type { CreatorTransaction } from '#server/db/database.ts';
import { withinQuotas } from '#server/http/quotas.ts';
import { seal } from '#server/secrets.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import { pausedSince } from './paused-webhooks.ts';
import * as queries from './queries.ts';

export type AccountFacts = {
  platform: 'instagram' | 'facebook';
  accountId: string;
  username: string;
  name: string | null;
  avatarUrl: string | null;
  followersCount: number | null;
  accountType?: string | null;
  /** Only what the login at hand tells: connecting the other way must not wipe it. */
  appScopedId?: string;
  pageId?: string;
  facebookUserId?: string;
  missingPermissions: string[];
};

/** Meta names accounts in webhooks, never creators: an account can answer for one creator at a time. */
export class ConnectedElsewhere extends Error {
  override name = 'ConnectedElsewhere';
}

/**
 * Connects or reconnects: the same account keeps its row and with it automations and history.
 *
 * @throws ConnectedElsewhere, AppError quota_reached; the transaction is lost then
 */
export async function storeConnection(
  { clock, ids }: Pick<ConnectionDeps, 'clock' | 'ids'>,
  trx: CreatorTransaction,
  creatorId: string,
  facts: AccountFacts,
  by: string,
): Promise<string> {
  const now = clock.now();
  const known = await queries.findByAccount(trx, creatorId, facts);
  const id = known?.id ?? ids.uuid(now);
  const columns = {
    username: facts.username,
    name: facts.name,
    avatar_url: facts.avatarUrl,
    followers_count: facts.followersCount,
    missing_permissions: facts.missingPermissions,
    figures_refreshed_at: now,
    requires_auth_at: null,
    requires_auth_reason: null,
    connected_at: now,
    connected_by: by,
    disconnected_at: null,
    disconnected_reason: null,
    webhooks_paused_at: await pausedSince(trx, facts.platform),
    ...(facts.accountType !== undefined && { account_type: facts.accountType }),
    ...(facts.appScopedId !== undefined && { app_scoped_id: facts.appScopedId }),
    ...(facts.pageId !== undefined && { page_id: facts.pageId }),
    ...(facts.facebookUserId !== undefined && { facebook_user_id: facts.facebookUserId }),
  };
  try {
    if (known !== undefined) await queries.updateConnection(trx, known, columns);
    else {
      const { platform, accountId } = facts;
      const row = { creator_id: creatorId, id, platform, account_id: accountId, ...columns };
      const whose = { creatorId, userId: by, now };
      await withinQuotas(trx, whose, ['connections'], () => queries.insertConnection(trx, row));
    }
  } catch (error) {
    if (isTaken(error))
      throw new ConnectedElsewhere(`${facts.username} is connected to another creator.`, { cause: error });
    throw error;
  }
  return id;
}

function isTaken(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' && constraint === 'connections_one_creator_each';
}

export async function storeToken(
  { clock, ids, keys }: Pick<ConnectionDeps, 'clock' | 'ids' | 'keys'>,
  trx: CreatorTransaction,
  creatorId: string,
  token: { kind: queries.TokenKind; subjectId: string; token: string; scopes: string[]; expiresAt: Date | null },
): Promise<void> {
  const now = clock.now();
  await queries.upsertToken(trx, {
    creator_id: creatorId,
    id: ids.uuid(now),
    kind: token.kind,
    subject_id: token.subjectId,
    secret: seal(keys.encryptionKeys, token.token),
    scopes: token.scopes,
    issued_at: now,
    expires_at: token.expiresAt,
  });
}

/**
 * After Instagram's dialog: code → token → long token → who is it → connection → webhooks.
 * The dialog documents no PKCE, so none is used; the code is bound by our secret, the state and the redirect address.
 */

import type { ConnectProblem } from '#contract/connections.ts';
import { AppError } from '#server/errors.ts';
import { failureDetail, type ReadResult } from '#server/platforms/meta/client.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import { INSTAGRAM_LOGIN_SCOPES, missingPermissions } from './permissions.ts';
import * as queries from './queries.ts';
import { ConnectedElsewhere, storeConnection, storeToken } from './store-connection.ts';
import { subscribe } from './webhooks.ts';

export type Connected = { creatorId: string; connectionId: string | null; problem: ConnectProblem | null } | Failed;
type Failed = { connectionId: null; problem: ConnectProblem };

export const failed = (problem: ConnectProblem): Failed => ({ connectionId: null, problem });

/** @param attempt.start makes the creator account where there is none yet, and returns its id */
export async function connectInstagram(
  deps: ConnectionDeps,
  attempt: { creatorId: string; userId: string; code: string; redirectUri: string } | StartingAttempt,
): Promise<Connected> {
  const { db, meta, log } = deps;
  const short = await meta.instagramCodeToToken(attempt);
  if (!short.ok) {
    log.warn({ creatorId: attempt.creatorId, detail: failureDetail(short) }, 'Instagram refused the code of a sign-in');
    return failed(problemOfExchange(short));
  }
  // Null: Meta told no scopes, as older answers did. Then a call that is refused will tell.
  const granted = short.data.scopes ?? INSTAGRAM_LOGIN_SCOPES;
  if (!granted.includes('instagram_business_basic')) return failed('missing_permissions');

  const long = await meta.instagramLongToken(short.data.token);
  if (!long.ok) return failedRead(deps, attempt.creatorId, 'a long-lived token', long);
  const me = await meta.instagramMe(long.data.token);
  if (!me.ok) return failedRead(deps, attempt.creatorId, 'who signed in', me);
  const account = me.data;
  // BUSINESS, MEDIA_CREATOR, and CREATOR of old are professional; a personal account has neither webhooks nor messages.
  if (account.account_type === 'PERSONAL') return failed('personal_account');

  // Before anything is started: a creator account with nothing connected would be left behind.
  if (attempt.creatorId === null && (await queries.isConnected(db.engine, account.user_id))) {
    return failed('connected_elsewhere');
  }
  let creatorId: string;
  try {
    creatorId = attempt.creatorId ?? (await attempt.start(account.username));
  } catch (error) {
    if (error instanceof AppError && error.code === 'quota_reached') return failed('too_many_creators');
    throw error;
  }
  let connectionId: string;
  const missing = missingPermissions({ platform: 'instagram', login: 'instagram' }, granted);
  try {
    connectionId = await db.withCreator(creatorId, async (trx) => {
      const facts = {
        platform: 'instagram' as const,
        // Webhooks and sends name `user_id`; deauthorize and data-deletion calls name `id` (reference 1.2).
        accountId: account.user_id,
        appScopedId: account.id,
        username: account.username,
        name: account.name ?? null,
        avatarUrl: account.profile_picture_url ?? null,
        followersCount: account.followers_count ?? null,
        accountType: account.account_type ?? null,
        missingPermissions: missing,
      };
      const id = await storeConnection(deps, trx, creatorId, facts, attempt.userId);
      await storeToken(deps, trx, creatorId, {
        kind: 'INSTAGRAM_BUSINESS_USER',
        subjectId: account.user_id,
        token: long.data.token,
        scopes: granted,
        expiresAt: long.data.expiresAt,
      });
      return id;
    });
  } catch (error) {
    if (error instanceof ConnectedElsewhere) return failed('connected_elsewhere');
    if (error instanceof AppError && error.code === 'quota_reached') return failed('too_many_accounts');
    throw error;
  }
  const webhooks = await subscribe(meta, {
    platform: 'instagram',
    via: 'instagram',
    senderId: account.user_id,
    token: long.data.token,
  });
  if (webhooks.missing.length > 0) log.warn({ connectionId, ...webhooks }, 'webhooks are missing after connecting');
  await db.withCreator(creatorId, (trx) =>
    queries.updateConnection(
      trx,
      { creator_id: creatorId, id: connectionId },
      { missing_webhooks: webhooks.missing, webhooks_checked_at: deps.clock.now(), checked_at: deps.clock.now() },
    ),
  );
  await deps.connectionChanged({ creatorId, connectionId });
  return { creatorId, connectionId, problem: missing.length > 0 ? 'missing_permissions' : null };
}

type StartingAttempt = {
  creatorId: null;
  start: (username: string) => Promise<string>;
  userId: string;
  code: string;
  redirectUri: string;
};

type Failure = Extract<ReadResult<unknown>, { ok: false }>;

/** A code that was used or is too old is the person's to repeat; anything else is the operator's to look at. */
export function problemOfExchange(failure: Failure): ConnectProblem {
  if (failure.status === null || failure.status >= 500) return 'meta_unreachable';
  return /\bcode\b/i.test(failure.error?.message ?? '') ? 'expired' : 'meta_error';
}

export function failedRead(deps: ConnectionDeps, creatorId: string | null, what: string, failure: Failure): Connected {
  deps.log.warn({ creatorId, detail: failureDetail(failure) }, `Meta did not tell ${what}`);
  return failed(problemOfRead(failure));
}

function problemOfRead(failure: Failure): ConnectProblem {
  if (failure.status === null || failure.status >= 500 || failure.verdict.kind === 'rate_limited') {
    return 'meta_unreachable';
  }
  // Login and exchange work for an account without a role on an app in Standard Access; then every call is refused.
  if (failure.error?.code === 100 && failure.error.message.startsWith('Unsupported request')) return 'app_access';
  if (failure.verdict.kind === 'misconfigured' && failure.verdict.reason === 'missing_permission') {
    return 'missing_permissions';
  }
  return 'meta_error';
}

/**
 * Renews the sign-ins that end before long (`renewal-times.ts`). A broken renewal has 17 days to be noticed here, and the
 * creator three to sign in again (`health.ts`).
 */
import { failureDetail } from '#server/platforms/meta/client.ts';
import { openOrNull, seal } from '#server/secrets.ts';
import { check } from './connection-check.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import * as queries from './queries.ts';
import { dueForRenewal, hasEnded } from './renewal-times.ts';

const DAY_MS = 24 * 3600_000;
const TOKENS_PER_RUN = 200;

export async function refreshDueTokens(deps: ConnectionDeps): Promise<void> {
  const now = deps.clock.now();
  await queries.deleteUnusedSignIns(deps.db.engine, new Date(now.getTime() - DAY_MS));
  const due = await queries.findExpiring(deps.db.engine, { ...dueForRenewal(now), limit: TOKENS_PER_RUN });
  for (const token of due) await refresh(deps, token);
}

async function refresh(deps: ConnectionDeps, token: queries.TokenRow): Promise<void> {
  const { db, meta, keys, clock, log } = deps;
  if (hasEnded(token, clock.now())) return end(deps, token, 'expired');
  const secret = openOrNull(keys.encryptionKeys, token.secret);
  if (secret === null) {
    log.error({ tokenId: token.id }, 'a token cannot be decrypted; check ENCRYPTION_KEYS');
    return;
  }
  // Facebook has no renewal; a living token may be exchanged for another (reference section 0).
  const answer =
    token.kind === 'INSTAGRAM_BUSINESS_USER'
      ? await meta.instagramRefresh(secret)
      : await meta.facebookLongToken(secret);
  if (!answer.ok) {
    log.warn({ tokenId: token.id, kind: token.kind, detail: failureDetail(answer) }, 'a sign-in could not be renewed');
    if (answer.verdict.kind === 'reauthenticate') await end(deps, token, answer.verdict.reason);
    return;
  }
  await queries.renewToken(db.engine, token, {
    secret: seal(keys.encryptionKeys, answer.data.token),
    issued_at: clock.now(),
    expires_at: answer.data.expiresAt,
    refreshed_at: clock.now(),
  });
}

/**
 * An Instagram account may still have its Page to speak for it; else the creator is asked to sign in. A Facebook
 * sign-in is only needed to choose Pages: their own tokens live on.
 */
async function end(deps: ConnectionDeps, token: queries.TokenRow, reason: string): Promise<void> {
  const { db, clock } = deps;
  const isStored = await queries.invalidateToken(db.engine, token, reason, clock.now());
  if (!isStored || token.kind !== 'INSTAGRAM_BUSINESS_USER') return;
  const row = await queries.findConnected(db.engine, token.creator_id, token.subject_id);
  if (row !== undefined) await check(deps, row);
}

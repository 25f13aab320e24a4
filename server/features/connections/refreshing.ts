/**
 * Sign-ins end after 60 days. From 20 days before the end each is renewed once a day until it works: that leaves a broken
 * renewal 17 days to be noticed here and three for the creator to sign in again (`health.ts`).
 * Meta renews Instagram's tokens only 24 hours after their making, and never once they have ended (reference 1.2).
 */
import { failureDetail } from '#server/platforms/meta/client.ts';
import { openOrNull, seal } from '#server/platforms/secrets.ts';
import { check } from './checking.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import * as queries from './queries.ts';

const DAY_MS = 24 * 3600_000;
const RENEW_BEFORE_END_MS = 20 * DAY_MS;
const TOKENS_PER_RUN = 200;

export async function refreshDueTokens(deps: ConnectionDeps): Promise<void> {
  const now = deps.clock.now().getTime();
  await queries.deleteUnusedSignIns(deps.db.engine, new Date(now - DAY_MS));
  const due = await queries.findExpiring(deps.db.engine, {
    expiresBefore: new Date(now + RENEW_BEFORE_END_MS),
    issuedBefore: new Date(now - DAY_MS),
    limit: TOKENS_PER_RUN,
  });
  for (const token of due) await refresh(deps, token);
}

async function refresh(deps: ConnectionDeps, token: queries.TokenRow): Promise<void> {
  const { db, meta, keys, clock, log } = deps;
  const ended = token.expires_at !== null && token.expires_at <= clock.now();
  if (ended) return end(deps, token, 'expired');
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

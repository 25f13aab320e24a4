/** The rules of connected accounts: show, check, disconnect. */
import type { Connection } from '#contract/connections.ts';
import { linkIn } from '#contract/link-in.ts';
import { WebLink } from '#contract/shapes.ts';
import type { Database } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { failureDetail, type Speaker } from '#server/platforms/meta/client.ts';
import { speakerWith, tokenFor } from './account-tokens.ts';
import { findCommentsSeen } from './comments-seen.ts';
import { check } from './connection-check.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import { healthOf } from './health.ts';
import * as queries from './queries.ts';

export async function list(deps: ConnectionDeps, creatorId: string): Promise<Connection[]> {
  const now = deps.clock.now();
  const { rows, tokens, comments } = await deps.db.withCreator(creatorId, async (trx) => ({
    rows: await queries.findShown(trx, creatorId),
    tokens: await queries.findAllSpeaking(trx, creatorId),
    comments: await findCommentsSeen(trx, creatorId, now),
  }));
  return rows.map((row) => {
    const token = tokens.find(({ connection_id }) => connection_id === row.id);
    return { ...show(row, token, now), comments: comments.get(row.id)! };
  });
}

/** How the connections of these creators are, by creator, for operators. */
export async function describeForOperators(db: Database, creatorIds: string[], now: Date) {
  if (creatorIds.length === 0) return new Map();
  const rows = await queries.findShownOf(db.engine, creatorIds);
  const tokens = await queries.findAllSpeakingOf(db.engine, creatorIds);
  const described = rows.map((row) => {
    const token = tokens.find(({ connection_id }) => connection_id === row.id);
    const { detail } = healthOf(row, token, now);
    return {
      creatorId: row.creator_id,
      platform: row.platform,
      username: row.username,
      working: detail === null,
      health: detail ?? 'Working.',
    };
  });
  return Map.groupBy(described, ({ creatorId }) => creatorId);
}

function show(
  row: queries.ConnectionRow,
  token: queries.TokenRow | undefined,
  now: Date,
): Omit<Connection, 'comments'> {
  const { health, detail } = healthOf(row, token, now);
  return {
    id: row.id,
    platform: row.platform as Connection['platform'],
    login: (token === undefined ? row.page_id === null : token.kind === 'INSTAGRAM_BUSINESS_USER')
      ? 'instagram'
      : 'facebook',
    username: row.username,
    name: row.name,
    avatarUrl: row.avatar_url,
    followersCount: row.followers_count,
    health,
    healthDetail: detail,
    missingPermissions: row.missing_permissions,
    missingWebhooks: row.missing_webhooks,
    tokenExpiresAt: token?.expires_at?.toISOString() ?? null,
    connectedAt: row.connected_at.toISOString(),
  };
}

/** @throws AppError not_found, platform_unreachable */
export async function checkNow(deps: ConnectionDeps, creatorId: string, id: string): Promise<Connection> {
  const row = await find(deps, creatorId, id);
  if (row.disconnected_at === null && (await check(deps, row)) === 'unreachable') {
    throw new AppError('platform_unreachable', 'Meta didn’t respond. This is from the last check. Try again.');
  }
  const shown = (await list(deps, creatorId)).find((connection) => connection.id === id);
  if (shown === undefined) throw notFound();
  return shown;
}

/**
 * The website of the account's profile, else the first link in its biography.
 *
 * @returns null: there is none, or the profile cannot be read
 * @throws AppError not_found
 */
export async function readProfileLink(deps: ConnectionDeps, creatorId: string, id: string): Promise<string | null> {
  const row = await find(deps, creatorId, id);
  const speaker = await tokenFor(deps.db.engine, deps.keys, { creatorId, id });
  if (speaker === null) return null;
  const profile = await deps.meta.ownProfile({ ...speaker, accountId: row.account_id });
  if (!profile.ok) {
    deps.log.info({ connectionId: id, detail: failureDetail(profile) }, 'a profile could not be read');
    return null;
  }
  const { website, biography } = profile.data;
  const written = WebLink.safeParse(website ?? '');
  return written.success ? written.data : linkIn(biography ?? '');
}

/**
 * Ends a connection; its automations stop firing and its history stays. A second time changes nothing.
 *
 * @throws AppError not_found
 */
export async function disconnect(deps: ConnectionDeps, creatorId: string, id: string): Promise<void> {
  const row = await find(deps, creatorId, id);
  if (row.disconnected_at !== null) return;
  const toSilence = await deps.db.withCreator(creatorId, async (trx) => {
    const others = (await queries.findShown(trx, creatorId)).filter(
      (other) => other.id !== id && other.disconnected_at === null,
    );
    const tokens = await queries.findSpeaking(trx, { creatorId, id });
    await queries.updateConnection(trx, row, {
      disconnected_at: deps.clock.now(),
      disconnected_reason: 'by_creator',
      requires_auth_at: null,
      requires_auth_reason: null,
    });
    await queries.deleteUnusedTokens(trx, creatorId);
    const signIn = { creator_id: creatorId, subject_id: row.facebook_user_id ?? '' };
    if (row.facebook_user_id !== null && !(await queries.servesConnections(trx, signIn))) {
      const kinds: queries.TokenKind[] = ['FACEBOOK_BUSINESS_USER'];
      await queries.deleteTokens(trx, creatorId, { kinds, subjectIds: [row.facebook_user_id] });
    }
    // A Page that still speaks for another account goes on telling us of it.
    const pageIsUsed = others.some((other) => other.page_id !== null && other.page_id === row.page_id);
    return tokens
      .filter((token) => token.invalid_at === null && !(token.kind === 'FACEBOOK_BUSINESS_PAGE' && pageIsUsed))
      .map((token) => speakerWith(token, deps.keys))
      .filter((speaker) => speaker !== null);
  });
  await deps.connectionChanged({ creatorId, connectionId: id });
  for (const speaker of toSilence) await unsubscribe(deps, id, speaker);
}

/** Best effort: webhooks of an account that nobody connected are ignored anyway. */
async function unsubscribe(deps: ConnectionDeps, connectionId: string, speaker: Speaker): Promise<void> {
  const answer = await deps.meta.unsubscribe(speaker);
  if (!answer.ok) deps.log.warn({ connectionId, detail: failureDetail(answer) }, 'Meta goes on sending webhooks');
}

async function find(deps: ConnectionDeps, creatorId: string, id: string): Promise<queries.ConnectionRow> {
  const row = await deps.db.withCreator(creatorId, (trx) => queries.findById(trx, creatorId, id));
  if (row === undefined) throw notFound();
  return row;
}

function notFound(): AppError {
  return new AppError('not_found', 'This account isn’t one of yours.');
}

/**
 * The health check of one connection: does a token still speak for it, what may it do, do webhooks come, how many
 * followers. Faults without a human cause (a Page's token, a lost subscription) are repaired automatically and noted.
 */
import { failureDetail, type ReadResult, type Speaker } from '#server/platforms/meta/client.ts';
import { openOrNull, seal } from '#server/secrets.ts';
import { speakerWith } from './account-tokens.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import { missingPermissions } from './permissions.ts';
import * as queries from './queries.ts';
import { ensureSubscribed, kindOf } from './webhooks.ts';

/** `unreachable`: Meta said nothing of use, the connection is as it was. */
export async function check(deps: ConnectionDeps, row: queries.ConnectionRow): Promise<'checked' | 'unreachable'> {
  const { db, clock } = deps;
  await queries.updateConnection(db.engine, row, { checked_at: clock.now() });
  const tokens = await queries.findSpeaking(db.engine, { creatorId: row.creator_id, id: row.id });
  let deadBecause: string | null = null;
  for (const token of tokens) {
    const tried = await tryToken(deps, row, token);
    if (tried.kind === 'unreachable') return 'unreachable';
    if (tried.kind === 'works') {
      await store(deps, row, tried);
      return 'checked';
    }
    // Who replaced it has just looked at everything.
    if (!(await queries.invalidateToken(db.engine, tried.token, tried.reason, clock.now()))) return 'checked';
    deadBecause ??= token.invalid_reason ?? tried.reason;
  }
  await requireSignIn(deps, row, deadBecause ?? 'no_token');
  return 'checked';
}

type Figures = { username: string; name: string | null; avatarUrl: string | null; followersCount: number | null };
/** `token`: as it is stored now; it may have been renewed. */
type Works = { kind: 'works'; token: queries.TokenOf; speaker: Speaker; figures: Figures };
type Tried = Works | { kind: 'dead'; token: queries.TokenOf; reason: string } | { kind: 'unreachable' };

async function tryToken(deps: ConnectionDeps, row: queries.ConnectionRow, token: queries.TokenOf): Promise<Tried> {
  const speaker = speakerWith(token, deps.keys);
  if (speaker === null) {
    deps.log.error({ connectionId: row.id }, 'a token cannot be decrypted; check ENCRYPTION_KEYS');
    return { kind: 'dead', token, reason: 'no_token' };
  }
  const tried = await trySpeaker(deps, row, token, speaker);
  if (tried.kind !== 'dead' || speaker.via !== 'page') return tried;
  const fresh = await deriveAgain(deps, row, token);
  return fresh === null ? tried : trySpeaker(deps, row, fresh.token, { ...speaker, token: fresh.secret });
}

async function trySpeaker(
  deps: ConnectionDeps,
  row: queries.ConnectionRow,
  token: queries.TokenOf,
  speaker: Speaker,
): Promise<Tried> {
  const answer = await readFigures(deps, row, speaker);
  if (answer.ok) return { kind: 'works', token, speaker, figures: answer.data };
  deps.log.info({ connectionId: row.id, detail: failureDetail(answer) }, 'an account could not be read');
  switch (answer.verdict.kind) {
    case 'reauthenticate':
      return { kind: 'dead', token, reason: answer.verdict.reason };
    case 'misconfigured':
    case 'refused':
      return { kind: 'dead', token, reason: 'no_access' };
    default:
      return { kind: 'unreachable' };
  }
}

async function readFigures(
  { meta }: ConnectionDeps,
  row: queries.ConnectionRow,
  { via, token }: Speaker,
): Promise<ReadResult<Figures>> {
  if (via === 'instagram') {
    const me = await meta.instagramMe(token);
    return me.ok ? { ...me, data: figuresOf(me.data) } : me;
  }
  if (row.platform === 'instagram') {
    const account = await meta.pageInstagram({ token, accountId: row.account_id });
    return account.ok ? { ...account, data: figuresOf(account.data) } : account;
  }
  const page = await meta.page({ token, pageId: row.account_id });
  if (!page.ok) return page;
  const name = page.data.name ?? row.username;
  const figures = {
    username: name,
    name,
    avatarUrl: page.data.picture?.data?.url ?? null,
    followersCount: page.data.followers_count ?? null,
  };
  return { ...page, data: figures };
}

function figuresOf(account: {
  username: string;
  name?: string | null;
  profile_picture_url?: string | null;
  followers_count?: number | null;
}): Figures {
  return {
    username: account.username,
    name: account.name ?? null,
    avatarUrl: account.profile_picture_url ?? null,
    followersCount: account.followers_count ?? null,
  };
}

/** A dead Page token can be renewed while the person's own sign-in lives. */
async function deriveAgain(
  { db, meta, keys, clock, log, connectionChanged }: ConnectionDeps,
  row: queries.ConnectionRow,
  token: queries.TokenOf,
): Promise<{ token: queries.TokenOf; secret: string } | null> {
  if (row.facebook_user_id === null) return null;
  const [login] = await queries.findFacebookUserTokens(db.engine, row.creator_id, row.facebook_user_id);
  const person = login === undefined ? null : openOrNull(keys.encryptionKeys, login.secret);
  if (person === null) return null;
  const page = await meta.pageToken({ token: person, pageId: token.subject_id });
  if (!page.ok || !page.data.access_token) return null;
  const now = clock.now();
  const secret = seal(keys.encryptionKeys, page.data.access_token);
  const renewed = { secret, issued_at: now, expires_at: null, refreshed_at: now };
  if (!(await queries.renewToken(db.engine, token, renewed))) return null;
  log.info({ connectionId: row.id }, "renewed a Page's token");
  // The dead one is remembered.
  await connectionChanged({ creatorId: row.creator_id, connectionId: row.id });
  return { token: { ...token, ...renewed }, secret: page.data.access_token };
}

async function store(deps: ConnectionDeps, row: queries.ConnectionRow, works: Works): Promise<void> {
  const { db, meta, clock, log } = deps;
  const { speaker, token, figures } = works;
  const now = clock.now();
  const missing = missingPermissions(kindOf(speaker), await grantedTo(deps, works));
  const webhooks = await ensureSubscribed(meta, speaker, { completely: isFirstToday(row.webhooks_checked_at, now) });
  if (webhooks?.repaired) log.warn({ connectionId: row.id }, 'Meta had stopped sending webhooks; subscribed again');
  if (webhooks?.detail) log.info({ connectionId: row.id, detail: webhooks.detail }, 'Meta refused to send webhooks');
  if (token.invalid_at !== null) await queries.revalidateToken(db.engine, token);
  await queries.updateConnection(db.engine, row, {
    username: figures.username,
    name: figures.name,
    avatar_url: figures.avatarUrl,
    followers_count: figures.followersCount,
    figures_refreshed_at: now,
    missing_permissions: missing,
    requires_auth_at: null,
    requires_auth_reason: null,
    ...(webhooks !== null && { missing_webhooks: webhooks.missing, webhooks_checked_at: now }),
    ...(webhooks?.repaired && { webhooks_repaired_at: now }),
  });
  if (row.requires_auth_at !== null || row.username !== figures.username) {
    await deps.connectionChanged({ creatorId: row.creator_id, connectionId: row.id });
    return;
  }
  const looksDifferent =
    webhooks?.repaired === true ||
    !sameSet(row.missing_permissions, missing) ||
    (webhooks !== null && !sameSet(row.missing_webhooks, webhooks.missing)) ||
    row.followers_count !== figures.followersCount;
  if (looksDifferent) deps.live.publish(row.creator_id, { what: 'connections' });
}

function isFirstToday(before: Date | null, now: Date): boolean {
  return before?.toISOString().slice(0, 10) !== now.toISOString().slice(0, 10);
}

/** Facebook tells a token's scopes at any time, Instagram only at sign-in (reference 1.2). */
async function grantedTo({ meta }: ConnectionDeps, { speaker, token }: Works): Promise<string[]> {
  if (speaker.via === 'instagram') return token.scopes;
  const described = await meta.debugToken(speaker.token);
  return described.ok && described.data.is_valid === true ? (described.data.scopes ?? token.scopes) : token.scopes;
}

function sameSet(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((one) => b.includes(one));
}

/** Nothing goes out until the creator signs in again; what waits, waits. */
async function requireSignIn(deps: ConnectionDeps, row: queries.ConnectionRow, reason: string): Promise<void> {
  if (row.requires_auth_at !== null && row.requires_auth_reason === reason) return;
  const at = row.requires_auth_at ?? deps.clock.now();
  if (!(await queries.requireSignIn(deps.db.engine, row, { at, reason }))) return;
  deps.log.warn({ connectionId: row.id, reason }, 'an account must be connected again');
  await deps.connectionChanged({ creatorId: row.creator_id, connectionId: row.id });
}

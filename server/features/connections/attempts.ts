/**
 * A sign-in at Meta, or at Kit, under way. Its state is random, works once, for ten minutes, at the callback of its own login (a code
 * from one login is never taken at the other's), in the session that began it, in the browser that holds the cookie.
 */
import { createHash } from 'node:crypto';
import type { ConnectionDeps } from './connection-deps.ts';
import { FACEBOOK_LOGIN_SCOPES, INSTAGRAM_LOGIN_SCOPES } from './permissions.ts';
import * as queries from './queries.ts';

export type Login = 'instagram' | 'facebook';
export type ReturnTo = 'settings' | 'account-setup';

/** Holds the secret of the browser's sign-ins under way. */
export const ATTEMPT_COOKIE = 'creator_hq_connect';
export const ATTEMPT_LASTS_MS = 10 * 60_000;
const SECRET_LENGTH = 43;

export type Attempt = {
  /** Null: one is to be started. */
  creatorId: string | null;
  userId: string;
  codeVerifier: string | null;
  returnTo: ReturnTo;
};

type Opening = {
  login: Login | 'kit';
  creatorId: string | null;
  userId: string;
  sessionId: string;
  returnTo: ReturnTo;
  /** What the browser holds from an earlier attempt: two tabs may sign in side by side. */
  cookieSecret: string | undefined;
};

/** Meta compares it letter by letter with what the operator registered. */
export function redirectUri({ config }: Pick<ConnectionDeps, 'config'>, login: Login): string {
  return `${config.baseUrl}/api/v1/connections/${login}/callback`;
}

/**
 * @returns the dialog's address and the secret for the browser's cookie; null when this login has no app id
 */
export async function begin(
  deps: ConnectionDeps,
  begin: Opening & { login: Login },
): Promise<{ dialogUrl: string; cookieSecret: string } | null> {
  const { config } = deps;
  const clientId = begin.login === 'instagram' ? config.meta.instagramAppId : config.meta.appId;
  if (clientId === null) return null;
  const { state, cookieSecret, codeVerifier } = await open(deps, begin);
  return { dialogUrl: dialogUrl(deps, { login: begin.login, clientId, state, codeVerifier }), cookieSecret };
}

/** @returns what the dialog is given, and the secret for the browser's cookie */
export async function open(
  { db, clock, ids }: Pick<ConnectionDeps, 'db' | 'clock' | 'ids'>,
  begin: Opening,
): Promise<{ state: string; cookieSecret: string; codeVerifier: string | null }> {
  const state = ids.code(SECRET_LENGTH);
  const known = begin.cookieSecret;
  const cookieSecret = known !== undefined && /^[0-9A-Za-z]{43}$/.test(known) ? known : ids.code(SECRET_LENGTH);
  // Instagram's dialog documents no PKCE; sent all the same it would protect nothing.
  const codeVerifier = begin.login === 'instagram' ? null : ids.code(SECRET_LENGTH);
  const now = clock.now();
  await queries.insertAttempt(db.engine, {
    state_hash: stateHash(state, cookieSecret),
    user_id: begin.userId,
    session_id: begin.sessionId,
    creator_id: begin.creatorId,
    login: begin.login,
    code_verifier: codeVerifier,
    return_to: begin.returnTo,
    created_at: now,
    expires_at: new Date(now.getTime() + ATTEMPT_LASTS_MS),
  });
  return { state, cookieSecret, codeVerifier };
}

function dialogUrl(
  deps: ConnectionDeps,
  dialog: { login: Login; clientId: string; state: string; codeVerifier: string | null },
): string {
  const { meta } = deps.config;
  const instagram = dialog.login === 'instagram';
  const url = new URL(
    instagram ? `${meta.instagramDialogUrl}/oauth/authorize` : `${meta.dialogUrl}/${meta.graphVersion}/dialog/oauth`,
  );
  url.searchParams.set('client_id', dialog.clientId);
  url.searchParams.set('redirect_uri', redirectUri(deps, dialog.login));
  url.searchParams.set('response_type', 'code');
  const configId = instagram ? null : meta.loginConfigId;
  if (configId === null) {
    url.searchParams.set('scope', (instagram ? INSTAGRAM_LOGIN_SCOPES : FACEBOOK_LOGIN_SCOPES).join(','));
  } else {
    // Facebook Login for Business refuses lists of permissions [D].
    url.searchParams.set('config_id', configId);
  }
  url.searchParams.set('state', dialog.state);
  if (dialog.codeVerifier !== null) {
    // Boxes unticked the last time are offered again; without it Facebook passes over them. A configuration wants the other word [C].
    url.searchParams.set('auth_type', configId === null ? 'rerequest' : 'reauthorize');
    url.searchParams.set('code_challenge', createHash('sha256').update(dialog.codeVerifier).digest('base64url'));
    url.searchParams.set('code_challenge_method', 'S256');
  }
  return url.href;
}

/** Uses up the attempt that the callback belongs to, right or wrong. */
export async function take(
  { db, clock }: Pick<ConnectionDeps, 'db' | 'clock'>,
  callback: {
    login: Login | 'kit';
    state: string | undefined;
    cookieSecret: string | undefined;
    sessionId: string | undefined;
  },
): Promise<{ attempt: Attempt } | { problem: 'state_mismatch' | 'expired'; returnTo: ReturnTo }> {
  const { state, cookieSecret } = callback;
  const mismatch = { problem: 'state_mismatch' as const, returnTo: 'settings' as const };
  if (state === undefined || cookieSecret === undefined) return mismatch;
  const row = await queries.takeAttempt(db.engine, stateHash(state, cookieSecret));
  if (row === undefined || row.session_id !== callback.sessionId || row.login !== callback.login) return mismatch;
  const returnTo = row.return_to === 'account-setup' ? 'account-setup' : 'settings';
  if (row.expires_at <= clock.now()) return { problem: 'expired', returnTo };
  return { attempt: { creatorId: row.creator_id, userId: row.user_id, codeVerifier: row.code_verifier, returnTo } };
}

function stateHash(state: string, cookieSecret: string): string {
  return createHash('sha256').update(`${state}.${cookieSecret}`).digest('hex');
}

/**
 * Kit's OAuth with PKCE and refresh tokens, for the operator's app. Facts: https://developers.kit.com/api-reference (the two OAuth
 * flows), read in November 2026. [?] Kit describes the secret and PKCE in two flows; we send both.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { askTool, type ToolAnswer, ToolFailure, tellTool } from './tool.ts';

export type KitApp = { url: string; clientId: string; clientSecret: string };
export type KitTokens = { token: string; refreshToken: string; expiresAt: Date };

export const SIGNED_OUT = 'Kit signed us out.';

export function kitAuthorizeUrl(
  { url, clientId }: KitApp,
  { redirectUri, state, codeVerifier }: { redirectUri: string; state: string; codeVerifier: string },
): string {
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    state,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return `${url}/v4/oauth/authorize?${query}`;
}

const Tokens = z.object({ access_token: z.string(), refresh_token: z.string(), expires_in: z.number() });

/** @throws ToolFailure `reconnect` when Kit does not take the code or the refresh token */
export async function kitTokens(
  app: KitApp,
  grant: { code: string; codeVerifier: string; redirectUri: string } | { refreshToken: string },
  now: Date,
): Promise<KitTokens> {
  const given =
    'code' in grant
      ? {
          grant_type: 'authorization_code',
          code: grant.code,
          code_verifier: grant.codeVerifier,
          redirect_uri: grant.redirectUri,
        }
      : { grant_type: 'refresh_token', refresh_token: grant.refreshToken };
  const answer = await askTool(KIT_LOGIN, request(app, 'token', given), Tokens);
  return {
    token: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresAt: new Date(now.getTime() + answer.expires_in * 1000),
  };
}

/** [?] Not in Kit's documentation; its own WordPress plugin ends tokens like this. @throws ToolFailure */
export async function endKitTokens(app: KitApp, tokens: string[]): Promise<void> {
  for (const token of tokens) await tellTool(KIT_LOGIN, request(app, 'revoke', { token }));
}

function request({ url, clientId, clientSecret }: KitApp, what: 'token' | 'revoke', body: object) {
  const app = { client_id: clientId, client_secret: clientSecret };
  return { method: 'POST', url: `${url}/v4/oauth/${what}`, headers: {}, body: { ...app, ...body } };
}

const KIT_LOGIN = { name: 'Kit', failureOf };

function failureOf({ status, json }: ToolAnswer): ToolFailure {
  const error = typeof json?.error === 'string' ? json.error : '';
  if (error === 'invalid_grant') return new ToolFailure('reconnect', SIGNED_OUT);
  if (status === 429 || status >= 500) return new ToolFailure('later', `Kit has a problem (${status}).`);
  return new ToolFailure(
    'ours',
    `Kit didn’t accept our app (${status}${error === '' ? '' : `, ${error.slice(0, 100)}`}).`,
  );
}

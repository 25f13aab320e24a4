import { createHmac } from 'node:crypto';
import type { TokenDeath, TokenKind } from '../control/types.ts';
import type { GraphCall } from '../graph/call.ts';
import { GraphError } from '../graph/errors.ts';
import type { Account, Token } from '../state/records.ts';
import { DAY_MS } from '../state/settings.ts';
import type { World } from '../state/world.ts';

const HOUR_MS = 3_600_000;
/** [D] `expires_in` 5183944: 60 days less some seconds. */
export const LONG_LIFE_MS = 5_183_944_000;

const DEATH_SUBCODE: Record<TokenDeath, number | undefined> = {
  expired: 463,
  app_removed: 458,
  password_changed: 460,
  checkpoint: 459,
  role_lost: 492,
  unconfirmed: 464,
  invalid: undefined,
};

/** Lifetimes: Instagram and Facebook short 1 h, long 60 d; a Page token from a long user token has no expiry [D]. */
export function mintToken(
  world: World,
  input: Pick<Token, 'kind' | 'life' | 'subjectId' | 'userId' | 'scopes'> &
    Partial<Pick<Token, 'issuedAt' | 'pageIds' | 'instagramAccountIds'>>,
): Token {
  const issuedAt = input.issuedAt ?? world.now();
  const token: Token = {
    value: input.kind === 'INSTAGRAM_BUSINESS_USER' ? world.ids.instagramToken() : world.ids.facebookToken(),
    kind: input.kind,
    life: input.life,
    subjectId: input.subjectId,
    userId: input.userId,
    scopes: input.scopes,
    issuedAt,
    expiresAt: expiry(input.kind, input.life, issuedAt),
    death: null,
    pageIds: input.pageIds ?? null,
    instagramAccountIds: input.instagramAccountIds ?? null,
  };
  world.tokens.set(token.value, token);
  world.changed();
  return token;
}

function expiry(kind: TokenKind, life: 'short' | 'long', issuedAt: number): number {
  if (life === 'short') return issuedAt + HOUR_MS;
  return kind === 'FACEBOOK_BUSINESS_PAGE' ? 0 : issuedAt + LONG_LIFE_MS;
}

/** Why a token cannot be used now; null when it can. */
export function tokenDeath(world: World, token: Token): TokenDeath | null {
  if (token.death) return token.death;
  return token.expiresAt !== 0 && token.expiresAt <= world.now() ? 'expired' : null;
}

export function deathError(death: TokenDeath): GraphError {
  return new GraphError(190, DEATH_SUBCODE[death]);
}

/**
 * The living token of a call, of the right family for its host.
 * @throws GraphError 190 (dead, unknown, wrong host), 100 (bad appsecret_proof), 2500 when missing
 */
export function requireToken(world: World, call: GraphCall): Token {
  const value = call.tokenValue();
  if (!value) {
    throw new GraphError(2500, undefined, {
      message: 'An active access token must be used to query information about the current user.',
    });
  }
  const token = world.tokens.get(value);
  if (!token) {
    throw new GraphError(190, undefined, {
      message:
        call.flavour === 'instagram'
          ? 'Invalid OAuth access token - Cannot parse access token'
          : 'Invalid OAuth access token.',
    });
  }
  if ((token.kind === 'INSTAGRAM_BUSINESS_USER') !== (call.flavour === 'instagram')) {
    throw new GraphError(190, undefined, { message: 'Invalid OAuth access token - Cannot parse access token' });
  }
  const death = tokenDeath(world, token);
  if (death) throw deathError(death);
  checkProof(world, call, token);
  call.token = token;
  if (token.kind === 'INSTAGRAM_BUSINESS_USER' && world.accounts.get(token.subjectId)?.appRole === 'no_role_silent') {
    // [C] login works for an account without a role, then every call answers this.
    throw new GraphError(100, undefined, {
      message: `Unsupported request - method type: ${call.method.toLowerCase()}`,
    });
  }
  return token;
}

function checkProof(world: World, call: GraphCall, token: Token): void {
  const proof = call.parameter('appsecret_proof');
  if (proof === undefined) {
    if (world.app.requireAppSecretProof) {
      throw new GraphError(100, undefined, {
        message: 'API calls from the server require an appsecret_proof argument',
      });
    }
    return;
  }
  // [?] On graph.instagram.com nobody has shown that it is checked, or with which secret; here the Instagram app's.
  const secret = call.flavour === 'instagram' ? world.app.instagramAppSecret : world.app.metaAppSecret;
  if (proof !== createHmac('sha256', secret).update(token.value).digest('hex')) {
    throw new GraphError(100, undefined, { message: 'Invalid appsecret_proof provided in the API argument' });
  }
}

/** @throws GraphError 10 (graph.instagram.com) or 200 when none of the scopes was granted */
export function requireScope(token: Token, ...anyOf: string[]): void {
  if (anyOf.some((scope) => token.scopes.includes(scope))) return;
  const code = token.kind === 'INSTAGRAM_BUSINESS_USER' ? 10 : 200;
  throw new GraphError(code, undefined, { message: `(#${code}) Requires ${anyOf.join(' or ')} permission` });
}

/** @throws GraphError 100/33, Meta's answer for what is not there and what is not yours alike */
export function noSuchObject(call: { method: string; node: string }): GraphError {
  return new GraphError(100, 33, {
    message: `Unsupported ${call.method.toLowerCase()} request. Object with ID '${call.node}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`,
  });
}

/**
 * Whether a token may touch an account's things: its own Instagram account, its own Page, the Instagram account linked to its Page, or one
 * that a Facebook user granted.
 */
export function mayTouch(world: World, token: Token, account: Account): boolean {
  switch (token.kind) {
    case 'INSTAGRAM_BUSINESS_USER':
      return token.subjectId === account.id;
    case 'FACEBOOK_BUSINESS_PAGE':
      return (
        token.subjectId === account.id || (account.platform === 'instagram' && account.linkedId === token.subjectId)
      );
    case 'FACEBOOK_BUSINESS_USER': {
      const user = world.users.get(token.subjectId);
      if (!user) return false;
      if (account.platform === 'facebook')
        return account.id in user.tasks && (token.pageIds?.includes(account.id) ?? true);
      return (
        account.linkedId !== null &&
        account.linkedId in user.tasks &&
        (token.instagramAccountIds?.includes(account.id) ?? true)
      );
    }
  }
}

/** A refresh needs a day of age [D]. */
export const REFRESH_AGE_MS = DAY_MS;

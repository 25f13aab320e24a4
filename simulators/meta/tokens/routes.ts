import type { Routes } from '../graph/call.ts';
import { type Answer, type GraphCall, ok } from '../graph/call.ts';
import { GraphError } from '../graph/errors.ts';
import type { MetaPlatform } from '../graph/platform.ts';
import type { AuthorizationCode, Token } from '../state/records.ts';
import { DAY_MS } from '../state/settings.ts';
import type { World } from '../state/world.ts';
import { deathError, mintToken, REFRESH_AGE_MS, requireScope, requireToken, tokenDeath } from './tokens.ts';

const CODE_LIFE_MS = 3_600_000; // [D]

/** Exchanges of codes and tokens, and what tells about a token. */
export function tokenRoutes(platform: MetaPlatform): Routes {
  const { world } = platform;
  return {
    'GET oauth/access_token': { operation: 'code_exchange', handle: (call) => facebookExchange(world, call) },
    'POST oauth/access_token': { operation: 'code_exchange', handle: (call) => facebookExchange(world, call) },
    'GET access_token/': (flavour) =>
      flavour === 'instagram'
        ? { operation: 'token_exchange', handle: (call) => instagramLongLived(world, call) }
        : undefined,
    'GET refresh_access_token/': (flavour) =>
      flavour === 'instagram'
        ? { operation: 'token_refresh', handle: (call) => instagramRefresh(world, call) }
        : undefined,
    'GET debug_token/': { operation: 'debug_token', handle: (call) => debugToken(world, call) },
    'DELETE me/permissions': { operation: 'permission_delete', handle: (call) => removePermissions(world, call) },
  };
}

/** Uses up a code. @returns undefined when it is unknown, used, too old, or asked for with another redirect URI */
export function redeemCode(
  world: World,
  flavour: 'instagram' | 'facebook',
  code: string | undefined,
  redirectUri: string | undefined,
): AuthorizationCode | undefined {
  const found = world.codes.get(code ?? '');
  if (!found || found.flavour !== flavour || found.used || found.redirectUri !== redirectUri) return undefined;
  if (world.now() - found.issuedAt >= CODE_LIFE_MS) return undefined;
  found.used = true;
  world.changed();
  return found;
}

function facebookExchange(world: World, call: GraphCall): Answer {
  if (call.flavour !== 'facebook') throw new GraphError(100, undefined, { message: 'Unsupported request' });
  if (call.parameter('client_id') !== world.app.metaAppId)
    throw new GraphError(101, undefined, {
      message: 'Error validating application. Cannot get application info due to a system error.',
    });
  if (call.parameter('client_secret') !== world.app.metaAppSecret)
    throw new GraphError(1, undefined, { message: 'Error validating client secret.', status: 400 });
  const grant = call.parameter('grant_type');
  if (grant === 'fb_exchange_token') return facebookLongLived(world, call);
  if (grant === 'client_credentials')
    return ok({ access_token: `${world.app.metaAppId}|${world.app.metaAppSecret}`, token_type: 'bearer' });
  const code = redeemCode(world, 'facebook', call.parameter('code'), call.parameter('redirect_uri'));
  if (!code)
    throw new GraphError(100, 36009, {
      message: 'This authorization code has been used, has expired, or was made for another redirect_uri.',
    });
  const token = mintToken(world, {
    kind: 'FACEBOOK_BUSINESS_USER',
    life: 'short',
    subjectId: code.subjectId,
    userId: code.subjectId,
    scopes: code.scopes,
    pageIds: code.pageIds,
    instagramAccountIds: code.instagramAccountIds,
  });
  return ok({ access_token: token.value, token_type: 'bearer', expires_in: secondsLeft(world, token) });
}

/** A still valid token, short or long, for a new long one; an expired one cannot be exchanged [D]. */
function facebookLongLived(world: World, call: GraphCall): Answer {
  call.operation = 'token_exchange';
  const old = world.tokens.get(call.parameter('fb_exchange_token') ?? '');
  if (old?.kind !== 'FACEBOOK_BUSINESS_USER') throw new GraphError(190);
  const death = tokenDeath(world, old);
  if (death) throw deathError(death);
  const { subjectId, userId, scopes, pageIds, instagramAccountIds } = old;
  const token = mintToken(world, {
    kind: old.kind,
    life: 'long',
    subjectId,
    userId,
    scopes,
    pageIds,
    instagramAccountIds,
  });
  return ok({ access_token: token.value, token_type: 'bearer', expires_in: secondsLeft(world, token) });
}

function instagramLongLived(world: World, call: GraphCall): Answer {
  if (call.parameter('grant_type') !== 'ig_exchange_token')
    throw new GraphError(100, undefined, { message: 'Invalid grant_type' });
  if (call.parameter('client_secret') !== world.app.instagramAppSecret)
    throw new GraphError(101, undefined, { message: 'Error validating client secret.' });
  const old = requireToken(world, call);
  if (old.life === 'long')
    throw new GraphError(452, undefined, { message: 'Session key invalid: the token is long-lived already' }); // [R]
  return longInstagram(world, old);
}

/** Needs a long token of at least a day's age, unexpired, with the basic permission still granted [D]. */
function instagramRefresh(world: World, call: GraphCall): Answer {
  if (call.parameter('grant_type') !== 'ig_refresh_token')
    throw new GraphError(100, undefined, { message: 'Invalid grant_type' });
  const old = requireToken(world, call);
  if (old.life !== 'long') throw new GraphError(100, undefined, { message: 'Only long-lived tokens can be refreshed' });
  if (world.now() - old.issuedAt < REFRESH_AGE_MS)
    throw new GraphError(100, undefined, { message: 'The token must be at least 24 hours old to be refreshed' });
  requireScope(old, 'instagram_business_basic');
  return longInstagram(world, old);
}

function longInstagram(world: World, old: Token): Answer {
  const { kind, subjectId, userId, scopes } = old;
  const token = mintToken(world, { kind, life: 'long', subjectId, userId, scopes });
  return ok({
    access_token: token.value,
    token_type: 'bearer',
    expires_in: secondsLeft(world, token),
    permissions: scopes.join(','),
  });
}

function secondsLeft(world: World, token: Token): number {
  return Math.round((token.expiresAt - world.now()) / 1000);
}

/** [?] Whether Meta's accepts Instagram-Login tokens is unknown; here it says that they are invalid. */
function debugToken(world: World, call: GraphCall): Answer {
  const { metaAppId, metaAppSecret, name } = world.app;
  const bearer = call.tokenValue();
  const own = world.tokens.get(bearer ?? '');
  if (bearer !== `${metaAppId}|${metaAppSecret}` && own?.kind !== 'FACEBOOK_BUSINESS_USER') throw new GraphError(190);
  const token = world.tokens.get(call.parameter('input_token') ?? '');
  if (!token || token.kind === 'INSTAGRAM_BUSINESS_USER') {
    return ok({ data: { error: { code: 190, message: 'Invalid OAuth access token.' }, is_valid: false, scopes: [] } });
  }
  const death = tokenDeath(world, token);
  const page = token.kind === 'FACEBOOK_BUSINESS_PAGE';
  const error = death === null ? undefined : deathError(death);
  return ok({
    data: {
      app_id: metaAppId,
      type: page ? 'PAGE' : 'USER',
      application: name,
      data_access_expires_at: Math.floor((token.issuedAt + 90 * DAY_MS) / 1000), // [R]
      ...(error ? { error: { code: error.code, subcode: error.subcode, message: error.message } } : {}),
      expires_at: Math.floor(token.expiresAt / 1000),
      is_valid: death === null,
      issued_at: Math.floor(token.issuedAt / 1000),
      scopes: token.scopes,
      granular_scopes: token.scopes.map((scope) => granular(token, scope)),
      user_id: token.userId,
      ...(page ? { profile_id: token.subjectId } : {}),
    },
  });
}

function granular(token: Token, scope: string): { scope: string; target_ids?: string[] } {
  const targets = scope.startsWith('instagram_')
    ? token.instagramAccountIds
    : scope.startsWith('pages_')
      ? token.pageIds
      : null;
  return targets === null ? { scope } : { scope, target_ids: targets };
}

/** The app gives its permissions back: the same end as removal by the person. */
function removePermissions(world: World, call: GraphCall): Answer {
  const token = requireToken(world, call);
  for (const other of world.tokens.values())
    if (other.userId !== null && other.userId === token.userId) other.death = 'app_removed';
  token.death = 'app_removed';
  world.changed();
  return ok({ success: true });
}

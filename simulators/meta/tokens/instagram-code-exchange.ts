import type { Answer } from '../graph/call.ts';
import type { World } from '../state/world.ts';
import { redeemCode } from './routes.ts';
import { mintToken } from './tokens.ts';

/**
 * `POST https://api.instagram.com/oauth/access_token`, a form. Its errors are not Graph errors [D]. The answer's shape differs between the
 * documentation (`data[]`, text) and what clients read (flat, list), and `user_id` was captured as a number above 2^53 [C]: three switches.
 */
export function exchangeInstagramCode(world: World, form: URLSearchParams): Answer {
  const { instagramAppId, instagramAppSecret } = world.app;
  if (form.get('client_id') !== instagramAppId) return failure('Invalid platform app');
  if (form.get('client_secret') !== instagramAppSecret) return failure('Error validating client secret');
  if (form.get('grant_type') !== 'authorization_code') return failure('Invalid grant_type');
  // Meta strips nothing: a `#_` left on the code makes it unknown.
  const code = redeemCode(world, 'instagram', form.get('code') ?? undefined, form.get('redirect_uri') ?? undefined);
  if (!code) return failure('Matching code was not found or was already used');
  const token = mintToken(world, {
    kind: 'INSTAGRAM_BUSINESS_USER',
    life: 'short',
    subjectId: code.subjectId,
    userId: null,
    scopes: code.scopes,
  });
  const { exchangeShape, exchangeUserId, exchangePermissions } = world.settings.switches;
  // Written by hand: the number must keep all 17 digits, which JSON.stringify of a JavaScript number would not.
  const userId = exchangeUserId === 'number' ? code.subjectId : JSON.stringify(code.subjectId);
  const permissions = JSON.stringify(exchangePermissions === 'array' ? code.scopes : code.scopes.join(','));
  const body = `{"access_token":${JSON.stringify(token.value)},"user_id":${userId},"permissions":${permissions}}`;
  return { status: 200, body: exchangeShape === 'data' ? `{"data":[${body}]}` : body };
}

function failure(message: string): Answer {
  return { status: 400, body: JSON.stringify({ error_type: 'OAuthException', code: 400, error_message: message }) };
}

import type { Routes } from '../graph/call.ts';
import { type Answer, type GraphCall, ok } from '../graph/call.ts';
import { GraphError } from '../graph/errors.ts';
import type { MetaPlatform } from '../graph/platform.ts';
import type { Account, Token } from '../state/records.ts';
import { INSTAGRAM_FIELDS, PAGE_FIELDS } from '../state/settings.ts';
import { mayTouch, noSuchObject, requireScope, requireToken } from '../tokens/tokens.ts';

/** Layer 3 (per asset) and layer 1 (the app's own subscriptions, read with the app token) of the reference's section 2.1. */
export function subscriptionRoutes(platform: MetaPlatform): Routes {
  const { world } = platform;
  const describe = (call: GraphCall) => {
    const node = call.node === 'me' ? world.tokens.get(call.tokenValue() ?? '')?.subjectId : call.node;
    call.account = world.accounts.get(node ?? '') ?? null;
  };
  return {
    'GET */subscribed_apps': { operation: 'subscription_read', describe, handle: (call) => list(platform, call) },
    'POST */subscribed_apps': { operation: 'subscribe', describe, handle: (call) => subscribe(platform, call) },
    'DELETE */subscribed_apps': { operation: 'unsubscribe', describe, handle: (call) => unsubscribe(platform, call) },
    'GET */subscriptions': { operation: 'app_subscription', handle: (call) => listAppSubscriptions(platform, call) },
    'POST */subscriptions': { operation: 'app_subscription', handle: (call) => setAppSubscription(platform, call) },
  };
}

function asset({ world }: MetaPlatform, call: GraphCall): { token: Token; account: Account } {
  const token = requireToken(world, call);
  const account = call.account;
  if (!account || !mayTouch(world, token, account)) throw noSuchObject(call);
  // Instagram behind a Page is subscribed through the Page.
  if (account.platform === 'instagram' && token.kind !== 'INSTAGRAM_BUSINESS_USER') throw noSuchObject(call);
  if (account.platform === 'facebook' && token.kind !== 'FACEBOOK_BUSINESS_PAGE') {
    throw new GraphError(210, undefined, {
      message: '(#210) A page access token is required to request this resource.',
    }); // [R]
  }
  if (account.platform === 'facebook') requireScope(token, 'pages_manage_metadata');
  return { token, account };
}

function list(platform: MetaPlatform, call: GraphCall): Answer {
  const { world } = platform;
  const { account } = asset(platform, call);
  const instagram = account.platform === 'instagram';
  const fields = instagram ? account.instagramLoginFields : account.pageFields;
  if (fields === null) return ok({ data: [] });
  const id = instagram ? world.app.instagramAppId : world.app.metaAppId;
  return ok({ data: [{ category: 'Business', link: world.url, name: world.app.name, id, subscribed_fields: fields }] });
}

function subscribe(platform: MetaPlatform, call: GraphCall): Answer {
  const { world } = platform;
  const { account } = asset(platform, call);
  const raw = call.body.subscribed_fields ?? call.query.get('subscribed_fields');
  const fields = (Array.isArray(raw) ? raw.map(String) : String(raw ?? '').split(','))
    .map((field) => field.trim())
    .filter((field) => field !== '');
  if (fields.length === 0)
    throw new GraphError(100, undefined, { message: '(#100) The parameter subscribed_fields is required.' });
  const known = account.platform === 'instagram' ? INSTAGRAM_FIELDS : PAGE_FIELDS;
  const unknown = fields.findIndex((field) => !known.includes(field));
  if (unknown !== -1) {
    throw new GraphError(100, undefined, {
      message: `(#100) Param subscribed_fields[${unknown}] must be one of {${known.join(', ')}} - got "${fields[unknown]}".`,
    });
  }
  if (account.platform === 'instagram') account.instagramLoginFields = fields;
  else account.pageFields = fields;
  world.changed({ type: 'account', accountId: account.id });
  return ok({ success: true });
}

function unsubscribe(platform: MetaPlatform, call: GraphCall): Answer {
  const { account } = asset(platform, call);
  if (account.platform === 'instagram') account.instagramLoginFields = null;
  else account.pageFields = null;
  platform.world.changed({ type: 'account', accountId: account.id });
  return ok({ success: true });
}

function requireAppToken({ world }: MetaPlatform, call: GraphCall): void {
  const { metaAppId, metaAppSecret } = world.app;
  if (call.tokenValue() !== `${metaAppId}|${metaAppSecret}`) throw new GraphError(190);
  if (call.node !== metaAppId && call.node !== 'app') throw noSuchObject(call);
}

function listAppSubscriptions(platform: MetaPlatform, call: GraphCall): Answer {
  requireAppToken(platform, call);
  const { app } = platform.world;
  if (app.webhookUrl === null) return ok({ data: [] });
  const data = Object.entries(app.fields).map(([object, fields]) => ({
    object,
    callback_url: app.webhookUrl,
    active: true,
    fields: fields.map((name) => ({ name, version: 'v27.0' })),
  }));
  return ok({ data });
}

/** Sets the callback. Meta verifies it within the call; the simulator verifies before the first delivery (see DIFFERENCES.md). */
function setAppSubscription(platform: MetaPlatform, call: GraphCall): Answer {
  requireAppToken(platform, call);
  const { app } = platform.world;
  const object = call.parameter('object');
  if (object !== 'instagram' && object !== 'page' && object !== 'permissions')
    throw new GraphError(100, undefined, { message: '(#100) Invalid object' });
  const callback = call.parameter('callback_url');
  const verifyToken = call.parameter('verify_token');
  const fields = call.parameter('fields');
  if (callback !== undefined) app.webhookUrl = callback;
  if (verifyToken !== undefined) app.verifyToken = verifyToken;
  if (fields !== undefined) app.fields[object] = fields.split(',').map((field) => field.trim());
  platform.world.changed();
  return ok({ success: true });
}

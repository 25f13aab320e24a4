/** Stands in for Kit: one account with a key and an app that may ask for it, its subscribers, tags and webhook endpoints. */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { startToolServer, type ToolReply, type ToolServer } from '#simulators/tool-server.ts';

export type KitSubscriber = {
  id: number;
  email_address: string;
  first_name: string | null;
  state: 'active' | 'inactive' | 'cancelled' | 'bounced' | 'complained';
  tags: number[];
  updated_at: string;
};

export type Kit = ToolServer & {
  apiKey: string;
  /** What `KIT_CLIENT_ID` and `KIT_CLIENT_SECRET` are to be. */
  app: { clientId: string; clientSecret: string };
  subscribers: Map<string, KitSubscriber>;
  hooks: { id: number; url: string; events: string[]; secret: string }[];
  /** Takes the key away. */
  endKey(): void;
  /** Takes back what the app was allowed: its tokens end. */
  endLogin(): void;
  /** The account's owner says no the next time they are asked. */
  sayNo(): void;
  /** Somebody's state changes there; what Kit would deliver to each endpoint, signed at `signedAt`. */
  change(
    email: string,
    state: KitSubscriber['state'],
    signedAt?: Date,
  ): { url: string; body: string; headers: Record<string, string> }[];
};

const TOKEN_LASTS_S = 7200;

type TokenKind = 'code' | 'access' | 'refresh';
type Claims = { kind: TokenKind; ends: number; redirectUri?: string; challenge?: string };

/** @param options.now tells the time of its limits (120 calls in a minute with the key, 600 with a token) and of tokens */
export async function startKit({
  now = () => new Date(),
  port = 0,
}: {
  now?: () => Date;
  port?: number;
} = {}): Promise<Kit> {
  const apiKey = 'kit_simulated_key_000000';
  const subscribers = new Map<string, KitSubscriber>();
  const tags = [
    { id: 11, name: 'Recipes' },
    { id: 12, name: 'Creator HQ' },
  ];
  const hooks: Kit['hooks'] = [];
  const app = { clientId: 'kit_simulated_app', clientSecret: 'kit_simulated_secret' };
  let isKeyGood = true;
  let saysNo = false;
  let lastId = 1000;

  // Tokens and codes say themselves what they are, so that those given before a restart are good after it.
  const ended = new Set<string>();
  const issued: string[] = [];
  const signatureOf = (claims: string) => createHmac('sha256', app.clientSecret).update(claims).digest('base64url');
  const issue = (kind: TokenKind, seconds: number, more: object = {}) => {
    const claims = { kind, id: randomUUID(), ends: now().getTime() + seconds * 1000, ...more };
    const encoded = Buffer.from(JSON.stringify(claims)).toString('base64url');
    const token = `${encoded}.${signatureOf(encoded)}`;
    issued.push(token);
    return token;
  };
  const read = (kind: TokenKind, token: unknown): Claims | null => {
    const [encoded = '', signature] = String(token ?? '').split('.');
    if (signature !== signatureOf(encoded) || ended.has(String(token))) return null;
    const claims = JSON.parse(Buffer.from(encoded, 'base64url').toString()) as Claims;
    return claims.kind === kind && claims.ends > now().getTime() ? claims : null;
  };

  const byId = (id: string | undefined) => [...subscribers.values()].find((one) => String(one.id) === id);
  const touch = (one: KitSubscriber) => {
    one.updated_at = now().toISOString();
  };
  const view = ({ tags: _tags, ...one }: KitSubscriber) => ({ ...one, created_at: one.updated_at, fields: {} });
  const wrong = (status: number, ...errors: string[]): ToolReply => ({ status, json: { errors } });

  const upsert = (body: Record<string, unknown>): ToolReply => {
    const email = String(body.email_address ?? '').toLowerCase();
    if (!/^[^@\s]+@[^@\s]+\.[a-z]{2,}$/.test(email)) return wrong(422, 'Email address is invalid');
    const warnings = Object.keys((body.fields ?? {}) as object).map((name) => `Custom field ${name} does not exist`);
    const known = subscribers.get(email);
    if (known !== undefined) {
      if (typeof body.first_name === 'string') known.first_name = body.first_name;
      touch(known);
      return { status: 200, json: { subscriber: view(known), warnings } };
    }
    const made: KitSubscriber = {
      // The same after a restart.
      id: Number.parseInt(createHash('sha256').update(email).digest('hex').slice(0, 12), 16),
      email_address: email,
      first_name: typeof body.first_name === 'string' ? body.first_name : null,
      state: body.state === 'inactive' ? 'inactive' : 'active',
      tags: [],
      updated_at: now().toISOString(),
    };
    subscribers.set(email, made);
    return { status: 201, json: { subscriber: view(made), warnings } };
  };

  const list = (query: URLSearchParams): ToolReply => {
    const perPage = Math.min(Number(query.get('per_page') ?? 500), 1000);
    const since = query.get('updated_after');
    const rows = [...subscribers.values()]
      .filter(({ updated_at: at }) => since === null || at > since)
      .filter(({ id }) => id > Number(query.get('after') ?? 0))
      .filter(({ state }) => query.get('status') === 'all' || state === 'active')
      .toSorted((one, other) => one.id - other.id);
    const page = rows.slice(0, perPage);
    const last = page.at(-1);
    return {
      status: 200,
      json: {
        subscribers: page.map(view),
        pagination: { has_next_page: rows.length > perPage, end_cursor: last === undefined ? null : String(last.id) },
      },
    };
  };

  const authorize = (query: URLSearchParams): ToolReply => {
    const redirectUri = query.get('redirect_uri') ?? '';
    const isRight =
      query.get('client_id') === app.clientId &&
      query.get('response_type') === 'code' &&
      query.get('code_challenge_method') === 'S256' &&
      URL.canParse(redirectUri);
    if (!isRight) return { status: 400, text: 'The app, its redirect URI or the code challenge is wrong.' };
    const back = new URL(redirectUri);
    back.searchParams.set('state', query.get('state') ?? '');
    if (saysNo) back.searchParams.set('error', 'access_denied');
    else back.searchParams.set('code', issue('code', 600, { redirectUri, challenge: query.get('code_challenge') }));
    saysNo = false;
    return { status: 302, text: '', location: back.href };
  };

  const token = (body: Record<string, unknown>): ToolReply => {
    const isApp = body.client_id === app.clientId && body.client_secret === app.clientSecret;
    if (!isApp) return { status: 401, json: { error: 'invalid_client' } };
    const isFirst = body.grant_type === 'authorization_code';
    const given = isFirst ? body.code : body.refresh_token;
    const claims = read(isFirst ? 'code' : 'refresh', given);
    // Each works once.
    ended.add(String(given));
    const challenge = createHash('sha256')
      .update(String(body.code_verifier ?? ''))
      .digest('base64url');
    if (claims === null || (isFirst && (claims.challenge !== challenge || claims.redirectUri !== body.redirect_uri)))
      return { status: 400, json: { error: 'invalid_grant', error_description: 'The grant is invalid or has ended.' } };
    const tokens = {
      access_token: issue('access', TOKEN_LASTS_S),
      refresh_token: issue('refresh', 10 * 365 * 86_400),
    };
    const createdAt = Math.floor(now().getTime() / 1000);
    return {
      status: 200,
      json: { ...tokens, token_type: 'Bearer', expires_in: TOKEN_LASTS_S, scope: 'public', created_at: createdAt },
    };
  };

  const bulk = (kind: string | undefined, body: Record<string, unknown>): ToolReply => {
    const rows = (body.subscribers ?? body.taggings ?? []) as Record<string, unknown>[];
    if (rows.length > 100) return { status: 202, json: {} };
    if (kind === 'tags') {
      for (const { tag_id: tagId, subscriber_id: id } of rows) byId(String(id))?.tags.push(Number(tagId));
      return { status: 201, json: { subscribers: [], failures: [] } };
    }
    const replies = rows.map((row) => ({ row, reply: upsert(row) }));
    const taken = replies.flatMap(({ reply }) => {
      const { subscriber } = reply.json as { subscriber?: object };
      return subscriber === undefined ? [] : [subscriber];
    });
    const failures = replies.flatMap(({ row, reply }) => {
      const { errors } = reply.json as { errors?: string[] };
      return errors === undefined ? [] : [{ subscriber: row, errors }];
    });
    return { status: 201, json: { subscribers: taken, failures } };
  };

  const server = await startToolServer({
    now,
    port,
    limit: {
      most: ({ headers }) => (headers.authorization === undefined ? 120 : 600),
      reply: { status: 429, text: 'Retry later' },
    },
    handle({ method, path, query, body, headers }) {
      const [, , kind, id, what, other] = path.split('/');
      if (kind === 'oauth' && id === 'authorize') return authorize(query);
      if (kind === 'oauth' && id === 'token') return token(body);
      if (kind === 'oauth' && id === 'revoke') {
        ended.add(String(body.token));
        return { status: 200, json: {} };
      }
      const bearer = headers.authorization?.toString().replace('Bearer ', '');
      const isByToken = bearer !== undefined;
      if (isByToken && read('access', bearer) === null) return wrong(401, 'The access token is invalid');
      if (!isByToken && (!isKeyGood || headers['x-kit-api-key'] !== apiKey))
        return wrong(401, 'The API key is invalid');
      if (kind === 'bulk') return isByToken ? bulk(id, body) : wrong(403, 'This needs an app');
      if (kind === 'account')
        return { status: 200, json: { user: {}, account: { name: 'Anna’s Kitchen', plan_type: 'free' } } };
      if (kind === 'tags' && id === undefined) return { status: 200, json: { tags, pagination: {} } };
      if (kind === 'tags' && what === 'subscribers') {
        const [one, tag] = [byId(other), tags.find((each) => String(each.id) === id)];
        if (one === undefined || tag === undefined) return wrong(404, 'Not Found');
        if (!one.tags.includes(tag.id)) one.tags.push(tag.id);
        return { status: 201, json: { subscriber: view(one) } };
      }
      if (kind === 'subscribers' && id === undefined) return method === 'POST' ? upsert(body) : list(query);
      if (kind === 'subscribers' && what === 'unsubscribe') {
        const one = byId(id);
        if (one === undefined) return wrong(404, 'Not Found');
        if (one.state === 'active' || one.state === 'inactive') one.state = 'cancelled';
        touch(one);
        return { status: 204 };
      }
      if (kind === 'webhook_endpoints' && method === 'POST') {
        const hook = {
          id: ++lastId,
          url: String(body.url),
          events: body.events as string[],
          secret: `whsec_${lastId}`,
        };
        hooks.push(hook);
        return { status: 201, json: { webhook_endpoint: hook } };
      }
      if (kind === 'webhook_endpoints' && method === 'DELETE') {
        const at = hooks.findIndex((hook) => String(hook.id) === id);
        if (at < 0) return wrong(404, 'Not Found');
        hooks.splice(at, 1);
        return { status: 204 };
      }
      return wrong(404, 'Not Found');
    },
  });

  return {
    ...server,
    apiKey,
    app,
    subscribers,
    hooks,
    endKey: () => {
      isKeyGood = false;
    },
    endLogin: () => {
      for (const token of issued) ended.add(token);
    },
    sayNo: () => {
      saysNo = true;
    },
    change(email, state, signedAt = now()) {
      const one = subscribers.get(email);
      if (one === undefined) throw new Error(`Kit does not know ${email}.`);
      one.state = state;
      touch(one);
      const type = `subscriber.${state === 'cancelled' ? 'unsubscribed' : state}`;
      const body = JSON.stringify({
        delivery_id: ++lastId,
        events: [{ id: randomUUID(), type, created: now().toISOString(), data: { subscriber: view(one) } }],
      });
      return hooks
        .filter(({ events }) => events.includes(type))
        .map(({ url, secret }) => ({ url, body, headers: { 'x-kit-signature': signKit(secret, body, signedAt) } }));
    },
  };
}

/** @param secrets one after the other while a secret changes */
export function signKit(secrets: string | string[], body: string, at: Date): string {
  const t = Math.floor(at.getTime() / 1000);
  const signed = [secrets].flat().map((secret) => createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'));
  return [`t=${t}`, ...signed.map((one) => `v1=${one}`)].join(',');
}

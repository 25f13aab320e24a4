/** Stands in for Kit: one account with a key, its subscribers, tags and webhook endpoints. */
import { createHmac, randomUUID } from 'node:crypto';
import { startToolServer, type ToolReply, type ToolServer } from '#simulators/tool-server.ts';

export type KitSubscriber = {
  id: number;
  email_address: string;
  first_name: string | null;
  state: 'active' | 'inactive' | 'cancelled' | 'bounced' | 'complained';
  tags: number[];
  updated_at: string;
};

export type Kit = Omit<ToolServer, 'failNext'> & {
  apiKey: string;
  failNext: ToolServer['failNext'];
  subscribers: Map<string, KitSubscriber>;
  hooks: { id: number; url: string; events: string[]; secret: string }[];
  /** Takes the key away. */
  endKey(): void;
  /** Somebody's state changes there; what Kit would deliver to each endpoint, signed at `signedAt`. */
  change(
    email: string,
    state: KitSubscriber['state'],
    signedAt?: Date,
  ): { url: string; body: string; headers: Record<string, string> }[];
};

/** @param options.now tells the time of its limit: 120 calls in a minute */
export async function startKit({ now = () => new Date() }: { now?: () => Date } = {}): Promise<Kit> {
  const apiKey = 'kit_simulated_key_000000';
  const subscribers = new Map<string, KitSubscriber>();
  const tags = [
    { id: 11, name: 'Recipes' },
    { id: 12, name: 'Creator HQ' },
  ];
  const hooks: Kit['hooks'] = [];
  let isKeyGood = true;
  let lastId = 1000;

  const byId = (id: string | undefined) => [...subscribers.values()].find((one) => String(one.id) === id);
  const touch = (one: KitSubscriber) => {
    one.updated_at = now().toISOString();
  };
  const view = ({ tags: _tags, ...one }: KitSubscriber) => ({ ...one, created_at: one.updated_at, fields: {} });
  const wrong = (status: number, ...errors: string[]): ToolReply => ({ status, json: { errors } });

  const upsert = (body: Record<string, unknown>): ToolReply => {
    const email = String(body.email_address ?? '').toLowerCase();
    if (!/^[^@\s]+@[^@\s]+\.[a-z]{2,}$/.test(email)) return wrong(422, 'Email address is invalid');
    const known = subscribers.get(email);
    if (known !== undefined) {
      if (typeof body.first_name === 'string') known.first_name = body.first_name;
      touch(known);
      return { status: 200, json: { subscriber: view(known), warnings: [] } };
    }
    const made: KitSubscriber = {
      id: ++lastId,
      email_address: email,
      first_name: typeof body.first_name === 'string' ? body.first_name : null,
      state: body.state === 'inactive' ? 'inactive' : 'active',
      tags: [],
      updated_at: now().toISOString(),
    };
    subscribers.set(email, made);
    return { status: 201, json: { subscriber: view(made), warnings: [] } };
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

  const server = await startToolServer({
    now,
    limit: { most: 120, reply: { status: 429, text: 'Retry later' } },
    handle({ method, path, query, body, headers }) {
      if (!isKeyGood || headers['x-kit-api-key'] !== apiKey) return wrong(401, 'The API key is invalid');
      const [, , kind, id, what, other] = path.split('/');
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
    subscribers,
    hooks,
    endKey: () => {
      isKeyGood = false;
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

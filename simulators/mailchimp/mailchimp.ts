/** Stands in for Mailchimp: one account with a key, an audience, its members and webhooks. */
import { createHash } from 'node:crypto';
import { startToolServer, type ToolReply, type ToolServer } from '#simulators/tool-server.ts';

export type Member = {
  id: string;
  email_address: string;
  status: 'subscribed' | 'pending' | 'unsubscribed' | 'cleaned' | 'archived';
  merge_fields: Record<string, unknown>;
  last_changed: string;
};

export type Mailchimp = ToolServer & {
  /** What `MAILCHIMP_URL` is to be. */
  apiKey: string;
  audience: { id: string; name: string };
  members: Map<string, Member>;
  /** Whoever was erased for good is never taken again. */
  forgotten: Set<string>;
  hooks: { id: string; url: string }[];
  endKey(): void;
  /** Somebody's status changes there; what Mailchimp would deliver to each webhook. */
  change(email: string, status: Member['status']): { url: string; body: string; headers: Record<string, string> }[];
};

const idOf = (email: string) => createHash('md5').update(email.toLowerCase()).digest('hex');

export async function startMailchimp({ now = () => new Date() }: { now?: () => Date } = {}): Promise<Mailchimp> {
  const apiKey = '0123456789abcdef0123456789abcdef-us21';
  const audience = { id: 'a1b2c3d4e5', name: 'Anna’s readers' };
  const members = new Map<string, Member>();
  const forgotten = new Set<string>();
  const hooks: Mailchimp['hooks'] = [];
  let isKeyGood = true;

  const problem = (status: number, title: string, detail: string): ToolReply => ({
    status,
    json: { type: 'https://mailchimp.com/developer/marketing/docs/errors/', title, status, detail, instance: '' },
  });
  const put = (id: string, body: Record<string, unknown>): ToolReply => {
    const email = String(body.email_address ?? '');
    if (!/^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i.test(email)) {
      return problem(400, 'Invalid Resource', 'Please provide a valid email address.');
    }
    if (forgotten.has(id)) {
      const detail = `${email} was permanently deleted and cannot be re-imported. The contact must re-subscribe to get back on the list.`;
      return problem(400, 'Forgotten Email Not Subscribed', detail);
    }
    const known = members.get(id);
    if (known !== undefined && body.status === 'subscribed' && known.status !== 'subscribed') {
      const detail = `${email} is in a compliance state due to unsubscribe, bounce, or compliance review and cannot be subscribed.`;
      return problem(400, 'Member In Compliance State', detail);
    }
    const one: Member = known ?? {
      id,
      email_address: email,
      status: (body.status_if_new ?? body.status) as Member['status'],
      merge_fields: {},
      last_changed: '',
    };
    Object.assign(one.merge_fields, body.merge_fields ?? {});
    one.last_changed = now().toISOString();
    members.set(id, one);
    return { status: 200, json: one };
  };

  const server = await startToolServer({
    now,
    limit: { most: 600, reply: { status: 403, text: '<html>Forbidden</html>' } },
    handle({ method, path, query, body, headers }) {
      const [, key] = Buffer.from(String(headers.authorization ?? '').replace('Basic ', ''), 'base64')
        .toString()
        .split(':');
      if (!isKeyGood || key !== apiKey) return problem(401, 'API Key Invalid', 'Your API key may be invalid.');
      const [, , lists, listId, kind, id, actions] = path.split('/');
      if (lists === '') return { status: 200, json: { account_name: 'Anna’s Kitchen' } };
      if (listId === undefined) return { status: 200, json: { lists: [audience] } };
      if (listId !== audience.id) return problem(404, 'Resource Not Found', 'The list is gone.');
      if (kind === 'webhooks' && method === 'POST') {
        const hook = { id: `hook${hooks.length + 1}`, url: String(body.url) };
        hooks.push(hook);
        return { status: 200, json: hook };
      }
      if (kind === 'webhooks') {
        const at = hooks.findIndex((hook) => hook.id === id);
        if (at >= 0) hooks.splice(at, 1);
        return { status: at < 0 ? 404 : 204 };
      }
      if (id === undefined) {
        const [count, offset] = [Number(query.get('count')), Number(query.get('offset'))];
        const rows = [...members.values()].filter((one) => one.last_changed >= (query.get('since_last_changed') ?? ''));
        return { status: 200, json: { members: rows.slice(offset, offset + count), total_items: rows.length } };
      }
      if (method === 'PUT') return put(id, body);
      const one = members.get(id);
      if (one === undefined) return problem(404, 'Resource Not Found', 'The requested resource could not be found.');
      if (actions === 'actions') {
        members.delete(id);
        forgotten.add(id);
        return { status: 204 };
      }
      one.status = body.status as Member['status'];
      one.last_changed = now().toISOString();
      return { status: 200, json: one };
    },
  });

  return {
    ...server,
    apiKey,
    audience,
    members,
    forgotten,
    hooks,
    endKey: () => {
      isKeyGood = false;
    },
    change(email, status) {
      const one = members.get(idOf(email));
      if (one === undefined) throw new Error(`Mailchimp does not know ${email}.`);
      one.status = status;
      one.last_changed = now().toISOString();
      const type = status === 'cleaned' ? 'cleaned' : 'unsubscribe';
      const body = new URLSearchParams({
        type,
        fired_at: now().toISOString().slice(0, 19).replace('T', ' '),
        'data[email]': email,
        'data[list_id]': audience.id,
      }).toString();
      return hooks.map(({ url }) => ({ url, body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }));
    },
  };
}

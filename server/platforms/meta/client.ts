/**
 * Calls to Meta: sends, reads, logins. Every function answers with data, expected failures included; it throws only for
 * defects of ours. Hosts come from the settings, so that any stand-in can be put behind them.
 */
import { createHmac } from 'node:crypto';
import { type Dispatcher, Pool } from 'undici';
import * as z from 'zod/mini';
import type { Clock } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import { classify, describe, type Operation } from './errors.ts';
import { parseMetaJson } from './json.ts';
import { messageBody, type OutgoingMessage } from './message.ts';
import * as types from './types.ts';
import { usageOf } from './usage.ts';
import type { CallResult, Usage, Verdict } from './verdict.ts';

export type MetaSettings = Config['meta'];

/** Whose token speaks: `instagram` calls graph.instagram.com, `page` graph.facebook.com. */
export type Via = 'instagram' | 'page';

/** Everything a call needs to know of a connection. */
export type Speaker = {
  platform: 'instagram' | 'facebook';
  via: Via;
  /** The node that sends: the Instagram account's id, or the Page's, also when it speaks for Instagram. */
  senderId: string;
  token: string;
};

type Failure = Exclude<Verdict, { kind: 'done' }>;

/** What a read or a login call came to. */
export type ReadResult<T> =
  | { ok: true; data: T; usage: Usage | null }
  | {
      ok: false;
      verdict: Failure;
      error: types.GraphError | null;
      /** HTTP status; null when there was no answer. */
      status: number | null;
      usage: Usage | null;
    };

export type PageOf<T> = { items: T[]; after: string | null };

/** A token fresh from Meta. `expiresAt` is null for one without a date. */
export type Grant = { token: string; expiresAt: Date | null; scopes: string[] | null };

export type FoundComment = {
  id: string;
  text: string;
  personId: string | null;
  username: string | null;
  parentId: string | null;
  at: Date | null;
};
export type FoundMessage = { mid: string; personId: string | null; text: string; at: Date | null };

/** Far above any answer we ask for, far below what would hurt. */
const MAX_RESPONSE_BYTES = 1024 * 1024;
const CONNECTIONS_PER_HOST = 128;

export type MetaClient = ReturnType<typeof createMetaClient>;

/**
 * @param deps.agent replaces the connection pools (a proxy, a test)
 * @param deps.timeoutMs how long Meta may take to begin its answer, and between two parts of it; default 10 s
 */
export function createMetaClient(
  settings: MetaSettings,
  deps: { clock: Clock; agent?: Dispatcher; timeoutMs?: number },
) {
  const { clock, timeoutMs = 10_000 } = deps;
  const pools = new Map<string, Pool>();

  const graph = hostOf(settings.graphUrl);
  const instagramGraph = hostOf(settings.instagramGraphUrl);
  const instagramApi = hostOf(settings.instagramApiUrl);
  const version = `/${settings.graphVersion}`;
  const hostVia = (via: Via) => (via === 'page' ? graph : instagramGraph);

  function dispatcherFor(origin: string): Dispatcher {
    if (deps.agent !== undefined) return deps.agent;
    let pool = pools.get(origin);
    if (pool === undefined) {
      pool = new Pool(origin, {
        connections: CONNECTIONS_PER_HOST,
        // `pipelining` is left alone: one call at a time on an HTTP/1.1 connection, because a connection that dies takes
        // every call in it into the unknown; as many as the other side allows on HTTP/2.
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        connectTimeout: Math.min(timeoutMs, 5_000),
        maxResponseSize: MAX_RESPONSE_BYTES,
      });
      pools.set(origin, pool);
    }
    return pool;
  }

  type Request = {
    host: Host;
    method: 'GET' | 'POST' | 'DELETE';
    path: string;
    query?: Record<string, string | undefined>;
    /** Sent as a header: an address ends up in logs. */
    token?: string;
    json?: unknown;
    form?: Record<string, string>;
  };
  type Raw =
    | { status: number; body: unknown; usage: Usage | null }
    | { failure: 'not_sent' | 'no_answer'; detail: string };

  async function call({ host, method, path, query = {}, token, json, form }: Request): Promise<Raw> {
    const search = new URLSearchParams();
    for (const name in query) if (query[name] !== undefined) search.set(name, query[name]);
    if (token !== undefined && host === graph && settings.appSecret !== null) {
      // Only known to work at graph.facebook.com (reference 1.3).
      search.set('appsecret_proof', createHmac('sha256', settings.appSecret).update(token).digest('hex'));
    }
    const headers: Record<string, string> = { accept: 'application/json' };
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (json !== undefined) headers['content-type'] = 'application/json';
    if (form !== undefined) headers['content-type'] = 'application/x-www-form-urlencoded';
    try {
      const response = await dispatcherFor(host.origin).request({
        origin: host.origin,
        method,
        path: search.size > 0 ? `${host.prefix}${path}?${search}` : `${host.prefix}${path}`,
        headers,
        body:
          json !== undefined ? JSON.stringify(json) : form !== undefined ? new URLSearchParams(form).toString() : null,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      const text = await response.body.text();
      return { status: response.statusCode, body: parsed(text), usage: usageOf(response.headers) };
    } catch (error) {
      return { failure: wasSent(error) ? 'no_answer' : 'not_sent', detail: detailOf(error) };
    }
  }

  async function send(operation: Exclude<Operation, 'read'>, request: Request): Promise<CallResult> {
    const raw = await call(request);
    return { verdict: classify({ operation, ...raw }), usage: 'usage' in raw ? raw.usage : null };
  }

  async function read<S extends z.ZodMiniType>(schema: S, request: Request): Promise<ReadResult<z.output<S>>> {
    const raw = await call(request);
    const usage = 'usage' in raw ? raw.usage : null;
    const status = 'status' in raw ? raw.status : null;
    const error = 'body' in raw ? types.graphErrorOf(raw.body) : null;
    if ('body' in raw && error === null && raw.status >= 200 && raw.status < 300) {
      const answer = z.safeParse(schema, raw.body);
      if (answer.success) return { ok: true, data: answer.data, usage };
      const where = answer.error.issues[0]?.path.join('.') || 'the whole';
      const detail = `Meta answered in a shape we do not know (${where}).`;
      return { ok: false, verdict: { kind: 'retry', detail }, error: null, status, usage };
    }
    const verdict = classify({ operation: 'read', ...raw });
    const failure: Failure =
      verdict.kind === 'done' ? { kind: 'retry', detail: 'Meta answered without data.' } : verdict;
    return { ok: false, verdict: failure, error, status, usage };
  }

  async function map<A, B>(result: Promise<ReadResult<A>>, change: (data: A) => B): Promise<ReadResult<B>> {
    const answer = await result;
    return answer.ok ? { ...answer, data: change(answer.data) } : answer;
  }

  function grantOf(answer: z.output<typeof types.TokenAnswer>): Grant {
    const seconds = answer.expires_in;
    return {
      token: answer.access_token,
      expiresAt: seconds ? new Date(clock.now().getTime() + seconds * 1000) : null,
      scopes: null,
    };
  }

  const sendRequest = (speaker: Speaker, recipient: object, message: OutgoingMessage): Request => ({
    host: hostVia(speaker.via),
    method: 'POST',
    path: `${version}/${encodeURIComponent(speaker.senderId)}/messages`,
    token: speaker.token,
    json: { recipient, message: messageBody(message) },
  });

  return {
    /** One per comment, ever, within seven days of it. A second one is refused: `already_replied_elsewhere`. */
    privateReply(call: Speaker & { commentId: string; message: OutgoingMessage }): Promise<CallResult> {
      return send('private_reply', sendRequest(call, { comment_id: call.commentId }, call.message));
    },

    /** To a person who wrote within 24 hours. */
    sendMessage(call: Speaker & { personId: string; message: OutgoingMessage }): Promise<CallResult> {
      return send('message', sendRequest(call, { id: call.personId }, call.message));
    },

    /** Under a top-level comment. Meta keeps no key against doubles: look before a second try. */
    publicReply(call: Speaker & { commentId: string; text: string }): Promise<CallResult> {
      const edge = call.platform === 'facebook' ? 'comments' : 'replies';
      return send('public_reply', {
        host: hostVia(call.via),
        method: 'POST',
        path: `${version}/${encodeURIComponent(call.commentId)}/${edge}`,
        token: call.token,
        json: { message: call.text },
      });
    },

    /** What was answered under a comment; finds a public reply whose result is unknown. */
    commentReplies(call: Speaker & { commentId: string; after?: string }): Promise<ReadResult<PageOf<FoundComment>>> {
      const edge = call.platform === 'facebook' ? 'comments' : 'replies';
      return map(
        read(types.listOf(types.Comment), {
          host: hostVia(call.via),
          method: 'GET',
          path: `${version}/${encodeURIComponent(call.commentId)}/${edge}`,
          query: { fields: commentFields(call.platform), limit: '50', after: call.after },
          token: call.token,
        }),
        (list) => pageOf(list, foundComment),
      );
    },

    /** Top-level comments of a post, newest first in practice, at most 50 a page. */
    comments(call: Speaker & { postId: string; after?: string }): Promise<ReadResult<PageOf<FoundComment>>> {
      return map(
        read(types.listOf(types.Comment), {
          host: hostVia(call.via),
          method: 'GET',
          path: `${version}/${encodeURIComponent(call.postId)}/comments`,
          query: { fields: commentFields(call.platform), limit: '50', after: call.after },
          token: call.token,
        }),
        (list) => pageOf(list, foundComment),
      );
    },

    /** The newest 20 messages with a person, newest first; finds a message whose result is unknown. Empty: no thread. */
    conversationWith(call: Speaker & { personId: string }): Promise<ReadResult<FoundMessage[]>> {
      return map(
        read(types.Conversations, {
          host: hostVia(call.via),
          method: 'GET',
          path: `${version}/${encodeURIComponent(call.senderId)}/conversations`,
          query: {
            platform: call.platform === 'facebook' ? 'messenger' : 'instagram',
            user_id: call.personId,
            fields: 'id,messages.limit(20){id,created_time,from,message}',
          },
          token: call.token,
        }),
        (list) =>
          list.data.flatMap((thread) =>
            (thread.messages?.data ?? []).map((message) => ({
              mid: message.id,
              personId: message.from?.id ?? null,
              text: message.message ?? '',
              at: dateOf(message.created_time),
            })),
          ),
      );
    },

    /** One page of an account's posts and reels, newest first; stories are not among them. */
    media(call: Speaker & { accountId: string; after?: string; limit?: number }) {
      return map(
        read(types.listOf(types.Media), {
          host: hostVia(call.via),
          method: 'GET',
          path: `${version}/${encodeURIComponent(call.accountId)}/media`,
          query: {
            fields:
              'id,caption,media_type,media_product_type,media_url,thumbnail_url,permalink,timestamp,comments_count,like_count',
            limit: String(call.limit ?? 50),
            after: call.after,
          },
          token: call.token,
        }),
        (list) => pageOf(list, (media) => media),
      );
    },

    /** The account that an Instagram-Login token speaks for. `user_id` is the id that webhooks and sends name. */
    instagramMe(token: string) {
      return read(types.InstagramMe, {
        host: instagramGraph,
        method: 'GET',
        path: `${version}/me`,
        query: {
          fields: 'id,user_id,username,name,account_type,profile_picture_url,followers_count,media_count',
        },
        token,
      });
    },

    /** Who signed in with Facebook. */
    facebookMe(token: string) {
      return read(types.FacebookMe, {
        host: graph,
        method: 'GET',
        path: `${version}/me`,
        query: { fields: 'id,name' },
        token,
      });
    },

    /** Scopes that a Facebook login was asked for, with what the person said. Instagram Login has no such call. */
    permissions(token: string) {
      return map(
        read(types.Permissions, { host: graph, method: 'GET', path: `${version}/me/permissions`, token }),
        (answer) => answer.data,
      );
    },

    /** One page of the Pages that the person has a role on and that this login may see. */
    accounts(call: { token: string; after?: string }): Promise<ReadResult<PageOf<types.Page>>> {
      return map(
        read(types.listOf(types.Page), {
          host: graph,
          method: 'GET',
          path: `${version}/me/accounts`,
          query: {
            fields:
              'id,name,access_token,tasks,picture,followers_count,instagram_business_account{id,username,name,profile_picture_url}',
            limit: '100',
            after: call.after,
          },
          token: call.token,
        }),
        (list) => pageOf(list, (page) => page),
      );
    },

    /** A Page with its token, read with the person's token. No `access_token` in the answer: it was not granted. */
    pageToken(call: { token: string; pageId: string }) {
      return read(types.Page, {
        host: graph,
        method: 'GET',
        path: `${version}/${encodeURIComponent(call.pageId)}`,
        query: {
          fields:
            'id,name,access_token,picture,followers_count,instagram_business_account{id,username,name,profile_picture_url}',
        },
        token: call.token,
      });
    },

    /** A Page's figures, read with its own token. */
    page(call: { token: string; pageId: string }) {
      return read(types.Page, {
        host: graph,
        method: 'GET',
        path: `${version}/${encodeURIComponent(call.pageId)}`,
        query: { fields: 'id,name,picture,followers_count,instagram_business_account{id}' },
        token: call.token,
      });
    },

    /** An Instagram account's figures, read through its Page's token. */
    pageInstagram(call: { token: string; accountId: string }) {
      return read(types.PageInstagram, {
        host: graph,
        method: 'GET',
        path: `${version}/${encodeURIComponent(call.accountId)}`,
        query: { fields: 'id,username,name,profile_picture_url,followers_count' },
        token: call.token,
      });
    },

    /** Asks for webhooks of an account or Page. Repeating it is harmless. */
    subscribe(call: Speaker & { fields: string[] }) {
      return read(types.Success, {
        host: hostVia(call.via),
        method: 'POST',
        path: `${version}/${encodeURIComponent(call.senderId)}/subscribed_apps`,
        query: { subscribed_fields: call.fields.join(',') },
        token: call.token,
      });
    },

    /** Fields whose webhooks we get for this account or Page; empty when Meta has unsubscribed us. */
    readSubscriptions(call: Speaker): Promise<ReadResult<string[]>> {
      return map(
        read(types.Subscriptions, {
          host: hostVia(call.via),
          method: 'GET',
          path: `${version}/${encodeURIComponent(call.senderId)}/subscribed_apps`,
          token: call.token,
        }),
        // A Page may have several apps; Meta shows each of them only itself, some stand-ins show all.
        (answer) => [
          ...new Set(
            answer.data
              .filter((app) => app.id === undefined || answer.data.length === 1 || app.id === settings.appId)
              .flatMap((app) => app.subscribed_fields ?? []),
          ),
        ],
      );
    },

    unsubscribe(call: Speaker) {
      return read(types.Success, {
        host: hostVia(call.via),
        method: 'DELETE',
        path: `${version}/${encodeURIComponent(call.senderId)}/subscribed_apps`,
        token: call.token,
      });
    },

    /** Instagram Login: code to short token (1 hour). The code works once, within an hour. */
    instagramCodeToToken(call: { code: string; redirectUri: string }): Promise<ReadResult<Grant>> {
      return map(
        read(types.InstagramCodeAnswer, {
          host: instagramApi,
          method: 'POST',
          path: '/oauth/access_token',
          form: {
            client_id: settings.instagramAppId ?? '',
            client_secret: settings.instagramAppSecret ?? '',
            grant_type: 'authorization_code',
            redirect_uri: call.redirectUri,
            code: call.code,
          },
        }),
        (answer) => ({ token: answer.access_token, expiresAt: null, scopes: answer.permissions }),
      );
    },

    /** Instagram Login: short token to long (60 days). */
    instagramLongToken(token: string): Promise<ReadResult<Grant>> {
      return map(
        read(types.TokenAnswer, {
          host: instagramGraph,
          method: 'GET',
          path: '/access_token',
          query: {
            grant_type: 'ig_exchange_token',
            client_secret: settings.instagramAppSecret ?? '',
            access_token: token,
          },
        }),
        grantOf,
      );
    },

    /** Instagram Login: another 60 days for a token older than 24 hours that still lives. */
    instagramRefresh(token: string): Promise<ReadResult<Grant>> {
      return map(
        read(types.TokenAnswer, {
          host: instagramGraph,
          method: 'GET',
          path: '/refresh_access_token',
          query: { grant_type: 'ig_refresh_token', access_token: token },
        }),
        grantOf,
      );
    },

    /** Facebook Login: code to short token. */
    facebookCodeToToken(call: {
      code: string;
      redirectUri: string;
      codeVerifier: string | null;
    }): Promise<ReadResult<Grant>> {
      return map(
        read(types.TokenAnswer, {
          host: graph,
          method: 'GET',
          path: `${version}/oauth/access_token`,
          query: {
            client_id: settings.appId ?? '',
            client_secret: settings.appSecret ?? '',
            redirect_uri: call.redirectUri,
            code: call.code,
            code_verifier: call.codeVerifier ?? undefined,
          },
        }),
        grantOf,
      );
    },

    /** Facebook Login: a living token, short or long, to a long one (about 60 days). */
    facebookLongToken(token: string): Promise<ReadResult<Grant>> {
      return map(
        read(types.TokenAnswer, {
          host: graph,
          method: 'GET',
          path: `${version}/oauth/access_token`,
          query: {
            grant_type: 'fb_exchange_token',
            client_id: settings.appId ?? '',
            client_secret: settings.appSecret ?? '',
            fb_exchange_token: token,
          },
        }),
        grantOf,
      );
    },

    /** What Meta knows of a token of Facebook Login: life, scopes, and the Pages and accounts each scope was given for. */
    debugToken(token: string) {
      return map(
        read(types.DebugToken, {
          host: graph,
          method: 'GET',
          path: `${version}/debug_token`,
          query: { input_token: token, access_token: `${settings.appId}|${settings.appSecret}` },
        }),
        (answer) => answer.data,
      );
    },

    /** Waits for calls under way, then closes every connection. */
    async close(): Promise<void> {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

type Host = { origin: string; prefix: string };

/** A stand-in may put all hosts under paths of one. */
function hostOf(address: string): Host {
  const url = new URL(address);
  return { origin: url.origin, prefix: url.pathname.replace(/\/$/, '') };
}

function parsed(text: string): unknown {
  try {
    return parseMetaJson(text);
  } catch {
    return undefined;
  }
}

const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_CLOSED',
  'UND_ERR_INVALID_ARG',
]);

/** False only when the request certainly never left: no address, no connection, no valid certificate. */
function wasSent(error: unknown): boolean {
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  return !(
    NOT_SENT.has(code) ||
    syscall === 'connect' ||
    syscall === 'getaddrinfo' ||
    /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code)
  );
}

function detailOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? message : `${code} ${message}`;
}

function commentFields(platform: Speaker['platform']): string {
  return platform === 'facebook'
    ? 'id,message,created_time,from,parent{id}'
    : 'id,text,timestamp,username,from,parent_id';
}

function foundComment(comment: z.output<typeof types.Comment>): FoundComment {
  return {
    id: comment.id,
    text: comment.text ?? comment.message ?? '',
    personId: comment.from?.id ?? null,
    username: comment.username ?? comment.from?.username ?? comment.from?.name ?? null,
    parentId: comment.parent_id ?? null,
    at: dateOf(comment.timestamp ?? comment.created_time),
  };
}

/** `next` says that there is more, `cursors.after` how to get it. `next` itself carries the token and is not followed. */
function pageOf<A, B>(
  list: { data: A[]; paging?: { next?: string; cursors?: { after?: string } } },
  change: (item: A) => B,
): PageOf<B> {
  const more = list.paging?.next !== undefined;
  return { items: list.data.map(change), after: more ? (list.paging?.cursors?.after ?? null) : null };
}

/** Graph writes `2017-05-19T23:27:28+0000`. */
function dateOf(text: string | null | undefined): Date | null {
  if (!text) return null;
  const date = new Date(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return Number.isNaN(date.getTime()) ? null : date;
}

/** One line of a failed read, for logs and for what a screen shows an operator. */
export function failureDetail(result: Extract<ReadResult<unknown>, { ok: false }>): string {
  return result.error === null ? result.verdict.detail : describe(result.error);
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson } from '../graph/call.ts';
import type { MetaPlatform } from '../graph/platform.ts';
import { write } from '../http/write.ts';
import { Acts } from './acts.ts';
import { authorize } from './authorize.ts';
import { dataDeletion, deauthorize } from './callbacks.ts';
import { found, Refusal } from './refusal.ts';
import {
  issueToken,
  link,
  seedCreator,
  seedFacebookUser,
  seedInstagramAccount,
  seedPage,
  seedPerson,
  seedPost,
} from './seeds.ts';
import { testPayload } from './test-payloads.ts';
import type {
  AppView,
  BatchCall,
  CommentInput,
  FaultInput,
  IssueTokenInput,
  LedgerQuery,
  LoginFlavour,
  RelationPatch,
  SettingsPatch,
  StreamEvent,
  TokenDeath,
} from './types.ts';
import { accountView, commentView, messageView, personView, postView, threadView } from './views.ts';

interface Call {
  /** Path parts that the pattern marks with `:`. */
  ids: string[];
  query: URLSearchParams;
  // biome-ignore lint/suspicious/noExplicitAny: bodies come from our own client, whose types are in types.ts; nothing is checked twice
  body: any;
}
type Handler = (call: Call) => unknown;

/** The control API: a table of routes over the parts of the platform. JSON in, JSON out. */
export class ControlApi {
  readonly #platform: MetaPlatform;
  readonly #acts: Acts;
  readonly #routes: { method: string; parts: string[]; handle: Handler }[] = [];
  readonly #streams = new Set<ServerResponse>();

  constructor(platform: MetaPlatform) {
    this.#platform = platform;
    this.#acts = new Acts(platform);
    this.#world();
    this.#access();
    this.#people();
    this.#machinery();
    platform.world.listeners.add((event) => this.#publish(event));
  }

  async handle(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    query: URLSearchParams,
    body: string,
  ): Promise<void> {
    if (path === '/stream' && request.method === 'GET') return this.#stream(response);
    try {
      const given = body === '' ? {} : parseJson(body);
      const result = await this.#run({ method: request.method ?? '', path, body: given }, query);
      write(response, { status: 200, body: result === undefined ? '' : JSON.stringify(result) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      write(response, { status: error.status, body: JSON.stringify({ error: error.message }) });
    }
  }

  /** @throws Refusal */
  async #run({ method, path, body }: BatchCall, query = new URLSearchParams()): Promise<unknown> {
    const parts = path.split('/').slice(1).map(decodeURIComponent);
    const route = this.#routes.find((one) => one.method === method && fits(one.parts, parts));
    if (!route) throw new Refusal(404, `There is no ${method} /control${path}`);
    const ids = parts.filter((_, index) => route.parts[index]!.startsWith(':'));
    return route.handle({ ids, query, body });
  }

  close(): void {
    for (const stream of this.#streams) stream.end();
  }

  #on(method: string, pattern: string, handle: Handler): void {
    this.#routes.push({ method, parts: pattern.split('/').slice(1), handle });
  }

  /** Set-up: who and what exists. */
  #world(): void {
    const { world } = this.#platform;
    this.#on('POST', '/creators', ({ body }) => seedCreator(world, body));
    this.#on('POST', '/instagram-accounts', ({ body }) => {
      const account = seedInstagramAccount(world, body);
      return { ...accountView(world, account), appScopedId: account.appScopedId };
    });
    this.#on('POST', '/pages', ({ body }) => accountView(world, seedPage(world, body)));
    this.#on('POST', '/facebook-users', ({ body }) => seedFacebookUser(world, body));
    this.#on('POST', '/people', ({ body }) => personView(world, seedPerson(world, body)));
    this.#on('POST', '/posts', ({ body }) => postView(world, seedPost(world, body)));
    this.#on('PATCH', '/accounts/:id', ({ ids, body }) => {
      const account = found(world.accounts.get(ids[0]!), 'account', ids[0]!);
      const { pageId, instagramAccountId: _unused, id: _id, ...patch } = body;
      if (pageId !== undefined)
        link(world, account, pageId === null ? null : found(world.accounts.get(pageId), 'Page', pageId));
      Object.assign(account, patch);
      world.changed({ type: 'account', accountId: account.id });
      return accountView(world, account);
    });
    this.#on('PATCH', '/people/:id/relations/:account', ({ ids, body }) => {
      const person = found(world.people.get(ids[0]!), 'person', ids[0]!);
      const account = found(world.accounts.get(ids[1]!), 'account', ids[1]!);
      Object.assign(world.contact(person.id, account), body as RelationPatch);
      world.changed({ type: 'person', personId: person.id, accountId: account.id });
      return personView(world, person);
    });
    this.#on('GET', '/app', () => world.app);
    this.#on('PATCH', '/app', ({ body }) => {
      Object.assign(world.app, body as Partial<AppView>);
      world.changed();
      return world.app;
    });
    this.#on('GET', '/settings', () => world.settings);
    this.#on('PATCH', '/settings', ({ body }) => {
      const patch = body as SettingsPatch;
      const { settings } = world;
      world.settings = {
        ...settings,
        ...patch,
        limits: { ...settings.limits, ...patch.limits },
        switches: { ...settings.switches, ...patch.switches },
        webhooks: { ...settings.webhooks, ...patch.webhooks },
      };
      world.changed();
      return world.settings;
    });
    this.#on('POST', '/reset', () => {
      world.clear();
      this.#platform.ledger.clear();
      this.#platform.faults.clear();
      this.#platform.rates.clear();
      world.changed({ type: 'reset' });
    });
  }

  /** Logins and tokens. */
  #access(): void {
    const { world } = this.#platform;
    this.#on('POST', '/tokens', ({ body }) => issueToken(world, body as IssueTokenInput));
    this.#on('POST', '/tokens/kill', ({ body }) => {
      const { token, subjectId, reason } = body as { token?: string; subjectId?: string; reason: TokenDeath };
      let killed = 0;
      for (const one of world.tokens.values()) {
        if (
          one.value !== token &&
          (subjectId === undefined || (one.subjectId !== subjectId && one.userId !== subjectId))
        )
          continue;
        one.death = reason;
        killed += 1;
        const account = world.accounts.get(one.subjectId);
        // An app that was removed keeps no subscriptions.
        if (reason === 'app_removed' && account) {
          if (one.kind === 'INSTAGRAM_BUSINESS_USER') account.instagramLoginFields = null;
          else account.pageFields = null;
        }
      }
      world.changed();
      return { killed };
    });
    this.#on('POST', '/tokens/remove-scopes', ({ body }) => {
      let changed = 0;
      for (const token of world.tokens.values()) {
        if (token.subjectId !== body.subjectId && token.userId !== body.subjectId) continue;
        token.scopes = token.scopes.filter((scope) => !body.scopes.includes(scope));
        changed += 1;
      }
      const grant = world.users.get(body.subjectId)?.grant;
      if (grant) {
        grant.granted = grant.granted.filter((scope) => !body.scopes.includes(scope));
        grant.declined = [...new Set([...grant.declined, ...body.scopes])];
      }
      world.changed();
      return { changed };
    });
    this.#on('POST', '/tokens/ungrant', ({ body }) => {
      const user = found(world.users.get(body.facebookUserId), 'Facebook user', body.facebookUserId);
      const pages = Object.keys(user.tasks);
      let changed = 0;
      for (const token of world.tokens.values()) {
        if (token.userId !== user.id) continue;
        token.pageIds = (token.pageIds ?? pages).filter((id) => id !== body.assetId);
        token.instagramAccountIds = (
          token.instagramAccountIds ?? pages.map((id) => world.accounts.get(id)?.linkedId).filter((id) => id != null)
        ).filter((id) => id !== body.assetId);
        if (token.kind === 'FACEBOOK_BUSINESS_PAGE' && token.subjectId === body.assetId) token.death = 'role_lost';
        changed += 1;
      }
      world.changed();
      return { changed };
    });
    this.#on('POST', '/authorize', ({ body }) => authorize(world, body));
    this.#on('POST', '/deauthorize', ({ body }) => deauthorize(world, body.subjectId));
    this.#on('POST', '/data-deletion', ({ body }) => dataDeletion(world, body.subjectId));
  }

  /** Acts and views of people. */
  #people(): void {
    const { world } = this.#platform;
    const acts = this.#acts;
    this.#on('POST', '/comments', ({ body }) => commentView(world, acts.comment(body)));
    this.#on('POST', '/comments/many', ({ body }) => ({
      commentIds: (body as CommentInput[]).map((input) => acts.comment(input).id),
    }));
    this.#on('PATCH', '/comments/:id', ({ ids, body }) => commentView(world, acts.editComment(ids[0]!, body)));
    this.#on('DELETE', '/comments/:id', ({ ids }) => acts.deleteComment(ids[0]!));
    this.#on('GET', '/comments/:id/webhook', ({ ids, query }) => {
      const flavour: LoginFlavour = query.get('flavour') === 'facebook' ? 'facebook' : 'instagram';
      return this.#platform.webhooks.render([acts.commentUpdate(ids[0]!, flavour)]);
    });
    this.#on('POST', '/posts/:id/end', ({ ids }) => {
      const media = found(world.media.get(ids[0]!), 'post', ids[0]!);
      media.endedAt = world.now();
      world.changed({ type: 'post', accountId: media.accountId, mediaId: media.id });
    });
    this.#on('DELETE', '/posts/:id', ({ ids }) => {
      const media = found(world.media.get(ids[0]!), 'post', ids[0]!);
      media.deleted = true;
      world.changed({ type: 'post', accountId: media.accountId, mediaId: media.id });
    });
    this.#on('POST', '/messages', ({ body }) => messageView(acts.directMessage(body)));
    this.#on('POST', '/story-replies', ({ body }) => messageView(acts.storyReply(body)));
    this.#on('POST', '/story-mentions', ({ body }) => messageView(acts.storyMention(body)));
    this.#on('POST', '/mentions', ({ body }) => acts.mention(body));
    this.#on('POST', '/taps', ({ body }) => acts.tap(body));
    this.#on('POST', '/reads', ({ body }) => acts.read(body));
    this.#on('POST', '/reactions', ({ body }) => acts.react(body));
    this.#on('POST', '/policy-enforcements', ({ body }) => acts.enforcePolicy(body));
    this.#on('POST', '/unsends', ({ body }) => acts.unsend(body.messageId));
    this.#on('POST', '/message-edits', ({ body }) => acts.editMessage(body.messageId, body.text));
    this.#on('POST', '/owner-messages', ({ body }) => messageView(acts.ownerMessage(body)));
    this.#on('POST', '/owner-private-replies', ({ body }) => messageView(acts.ownerPrivateReply(body)));

    this.#on('GET', '/messages/after/:count', ({ ids }) =>
      [...world.messages.values()]
        .slice(Number(ids[0]))
        .map((message) => ({ ...messageView(message), personId: message.personId })),
    );
    this.#on('GET', '/accounts', () => [...world.accounts.values()].map((account) => accountView(world, account)));
    this.#on('GET', '/people', () => [...world.people.values()].map((person) => personView(world, person)));
    this.#on('GET', '/accounts/:id/posts', ({ ids }) => {
      const account = found(world.accounts.get(ids[0]!), 'account', ids[0]!);
      return account.mediaIds
        .map((id) => world.media.get(id)!)
        .filter((media) => !media.deleted && media.product !== 'AD')
        .sort((one, other) => other.createdAt - one.createdAt)
        .map((media) => postView(world, media));
    });
    this.#on('GET', '/posts/:id/comments', ({ ids }) => {
      const media = found(world.media.get(ids[0]!), 'post', ids[0]!);
      return media.commentIds
        .map((id) => world.comments.get(id)!)
        .filter((comment) => comment.parentId === null && !comment.deleted)
        .map((comment) => commentView(world, comment));
    });
    this.#on('GET', '/people/:id/inbox', ({ ids }) => {
      found(world.people.get(ids[0]!), 'person', ids[0]!);
      return world
        .contactsOfPerson(ids[0]!)
        .filter((contact) => contact.messageIds.length > 0)
        .sort((one, other) => other.updatedAt - one.updatedAt)
        .map((contact) => threadView(world, contact));
    });
    this.#on('GET', '/people/:id/threads/:account', ({ ids }) => {
      const person = found(world.people.get(ids[0]!), 'person', ids[0]!);
      return threadView(world, world.contact(person.id, found(world.accounts.get(ids[1]!), 'account', ids[1]!)));
    });
  }

  /** Clock, faults, webhooks, ledger. */
  #machinery(): void {
    const { world, faults, webhooks, ledger, slowCalls } = this.#platform;
    this.#on('GET', '/clock', () => ({ now: world.now() }));
    this.#on('POST', '/batch', async ({ body }) => {
      const results: unknown[] = [];
      for (const call of body as BatchCall[]) results.push((await this.#run(call)) ?? null);
      return results;
    });
    this.#on('POST', '/clock', async ({ body }) => {
      if (body.holdAt !== undefined) world.clock.holdAt(body.holdAt);
      if (body.letGo) world.clock.letGo();
      if (body.jumpMs !== undefined) {
        world.clock.jumpTo(world.now() + body.jumpMs);
        world.changed({ type: 'clock' });
        return { now: world.now() };
      }
      await webhooks.settle();
      await world.clock.moveTo(body.to ?? world.now() + (body.advanceMs ?? 0));
      await webhooks.settle();
      world.changed({ type: 'clock' });
      return { now: world.now() };
    });
    this.#on('POST', '/settle', async () => {
      await Promise.all([webhooks.settle(), ...slowCalls]);
    });
    this.#on('GET', '/faults', () => faults.list());
    this.#on('POST', '/faults', ({ body }) => faults.add(body as FaultInput));
    this.#on('DELETE', '/faults', () => faults.clear());
    this.#on('DELETE', '/faults/:id', ({ ids }) => {
      if (!faults.remove(ids[0]!)) throw new Refusal(404, `There is no fault ${ids[0]}`);
    });
    this.#on('POST', '/webhooks/test', async ({ body }) => {
      const result = await webhooks.sendRaw(body.flavour ?? 'instagram', testPayload(body.field, world.now()));
      return { status: result.status };
    });
    this.#on('POST', '/webhooks/raw', async ({ body }) => ({
      status: (await webhooks.sendRaw(body.flavour ?? 'instagram', body.body, body.signature)).status,
    }));
    this.#on('GET', '/ledger', ({ query }) => ledger.find(ledgerQuery(query)));
    this.#on('GET', '/ledger/summary', () => ledger.summary());
    this.#on('POST', '/ledger/deliveries', ({ body }) => ledger.deliveries(body.commentIds));
    this.#on('DELETE', '/ledger', () => ledger.clear());
    this.#on('GET', '/unimplemented', () => ledger.unimplementedCalls());
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      connection: 'keep-alive',
    });
    response.write(': connected\n\n');
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
  }

  #publish(event: StreamEvent): void {
    if (this.#streams.size === 0) return;
    const text = `data: ${JSON.stringify(event)}\n\n`;
    for (const stream of this.#streams) stream.write(text);
  }
}

function fits(pattern: readonly string[], parts: readonly string[]): boolean {
  return (
    pattern.length === parts.length && pattern.every((part, index) => part.startsWith(':') || part === parts[index])
  );
}

function ledgerQuery(query: URLSearchParams): LedgerQuery {
  const raw = Object.fromEntries(query) as Record<string, string>;
  const { after, limit, delivered, ...rest } = raw;
  return {
    ...(rest as LedgerQuery),
    ...(after === undefined ? {} : { after: Number(after) }),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(delivered === undefined ? {} : { delivered: delivered === 'true' }),
  };
}

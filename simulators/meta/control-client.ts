import type {
  AccountView,
  AppView,
  AuthorizeInput,
  BatchCall,
  CommentDeliveries,
  CommentInput,
  CommentView,
  DirectMessageInput,
  FaultInput,
  FaultView,
  IssuedToken,
  IssueTokenInput,
  KillTokensInput,
  LedgerEntry,
  LedgerQuery,
  LedgerSummary,
  MessageView,
  PersonView,
  PostView,
  RelationPatch,
  SeedCreatorInput,
  SeededCreator,
  SeedFacebookUserInput,
  SeedInstagramInput,
  SeedPageInput,
  SeedPersonInput,
  SeedPostInput,
  Settings,
  SettingsPatch,
  StreamEvent,
  TapInput,
  TapResult,
  ThreadView,
} from './control/types.ts';

export type * from './control/types.ts';

/**
 * Drives a running simulator over its control API: what the world is (accounts, posts, people), what followers do, what goes wrong, and
 * what the product did. The same class serves tests in the simulator's own process (`simulator.control`) and in another one.
 * A refused call throws an Error with the simulator's reason.
 */
export class MetaSimulatorControl {
  readonly url: string;

  /** @param url the simulator's address, e.g. `http://127.0.0.1:4020` */
  constructor(url: string) {
    this.url = url.replace(/\/$/, '');
  }

  // --- Set-up -----------------------------------------------------------------------------------------------------------------------

  /** A Facebook person with a Page and a linked Instagram account, followers, posts, and ready long-lived tokens. */
  seedCreator(input: SeedCreatorInput = {}): Promise<SeededCreator> {
    return this.#call('POST', '/creators', input);
  }
  seedInstagramAccount(input: SeedInstagramInput = {}): Promise<AccountView & { appScopedId: string }> {
    return this.#call('POST', '/instagram-accounts', input);
  }
  seedPage(input: SeedPageInput = {}): Promise<AccountView> {
    return this.#call('POST', '/pages', input);
  }
  seedFacebookUser(input: SeedFacebookUserInput = {}): Promise<{ facebookUserId: string; name: string }> {
    return this.#call('POST', '/facebook-users', input);
  }
  seedPerson(input: SeedPersonInput = {}): Promise<PersonView> {
    return this.#call('POST', '/people', input);
  }
  seedPost(input: SeedPostInput): Promise<PostView> {
    return this.#call('POST', '/posts', input);
  }
  /** Changes an Instagram account or Page: private flag, message access, role, linked Page (`pageId: null` unlinks), counts … */
  updateAccount(
    accountId: string,
    patch: Partial<Omit<SeedInstagramInput & SeedPageInput, 'id' | 'pageId'>> & { pageId?: string | null },
  ): Promise<AccountView> {
    return this.#call('PATCH', `/accounts/${accountId}`, patch);
  }
  /** Follows, blocked, consent … of one person towards one account. */
  setRelation(personId: string, accountId: string, patch: RelationPatch): Promise<PersonView> {
    return this.#call('PATCH', `/people/${personId}/relations/${accountId}`, patch);
  }
  app(): Promise<AppView> {
    return this.#call('GET', '/app');
  }
  updateApp(patch: Partial<AppView>): Promise<AppView> {
    return this.#call('PATCH', '/app', patch);
  }
  settings(): Promise<Settings> {
    return this.#call('GET', '/settings');
  }
  updateSettings(patch: SettingsPatch): Promise<Settings> {
    return this.#call('PATCH', '/settings', patch);
  }
  /** Forgets everything but the app, its addresses and the settings. */
  reset(): Promise<void> {
    return this.#call('POST', '/reset');
  }

  // --- Logins and tokens --------------------------------------------------------------------------------------------------------------

  issueToken(input: IssueTokenInput): Promise<IssuedToken> {
    return this.#call('POST', '/tokens', input);
  }
  /** Kills tokens as Meta would (190 with the subcode of the reason). Returns how many. */
  killTokens(input: KillTokensInput): Promise<{ killed: number }> {
    return this.#call('POST', '/tokens/kill', input);
  }
  /** Takes scopes away from every token of the subject (the person withdrew them in their settings). */
  removeScopes(subjectId: string, scopes: string[]): Promise<{ changed: number }> {
    return this.#call('POST', '/tokens/remove-scopes', { subjectId, scopes });
  }
  /** Takes a Page or Instagram account out of what a Facebook user granted. */
  ungrantAsset(facebookUserId: string, assetId: string): Promise<{ changed: number }> {
    return this.#call('POST', '/tokens/ungrant', { facebookUserId, assetId });
  }
  /** Walks a consent dialog without a browser; returns the redirect address the browser would be sent to. */
  authorize(input: AuthorizeInput): Promise<{ redirectUrl: string }> {
    return this.#call('POST', '/authorize', input);
  }
  /** The person removes the app: tokens die with 190/458 and the deauthorize callback gets its signed_request. */
  deauthorize(input: { subjectId: string }): Promise<{ status: number | null }> {
    return this.#call('POST', '/deauthorize', input);
  }
  /** The person asks for deletion of their data: calls the data deletion callback; returns its answer. */
  requestDataDeletion(input: { subjectId: string }): Promise<{ status: number | null; body: string }> {
    return this.#call('POST', '/data-deletion', input);
  }

  // --- What followers and the owner do --------------------------------------------------------------------------------------------------

  /** A comment, a reply (`parentId`), or a live comment (on a LIVE medium). Sends the webhook unless `notify` is false. */
  comment(input: CommentInput): Promise<CommentView> {
    return this.#call('POST', '/comments', input);
  }
  /** Many comments in one call (benchmarks, catch-up); returns their ids in order. */
  commentMany(inputs: CommentInput[]): Promise<{ commentIds: string[] }> {
    return this.#call('POST', '/comments/many', inputs);
  }
  editComment(commentId: string, patch: { text?: string; hidden?: boolean }): Promise<CommentView> {
    return this.#call('PATCH', `/comments/${commentId}`, patch);
  }
  deleteComment(commentId: string): Promise<void> {
    return this.#call('DELETE', `/comments/${commentId}`);
  }
  endLive(mediaId: string): Promise<void> {
    return this.#call('POST', `/posts/${mediaId}/end`);
  }
  deletePost(mediaId: string): Promise<void> {
    return this.#call('DELETE', `/posts/${mediaId}`);
  }
  directMessage(input: DirectMessageInput): Promise<MessageView> {
    return this.#call('POST', '/messages', input);
  }
  storyReply(input: { storyId: string; personId: string; text: string }): Promise<MessageView> {
    return this.#call('POST', '/story-replies', input);
  }
  storyMention(input: { accountId: string; personId: string; picture?: string }): Promise<MessageView> {
    return this.#call('POST', '/story-mentions', input);
  }
  /** @mention in somebody's caption or comment (Facebook Login only; ids only in the webhook). */
  mention(input: {
    accountId: string;
    personId: string;
    text?: string;
  }): Promise<{ mediaId: string; commentId: string | null }> {
    return this.#call('POST', '/mentions', input);
  }
  /** Taps a button or quick reply; web_url taps only tell where the phone should go. */
  tap(input: TapInput): Promise<TapResult> {
    return this.#call('POST', '/taps', input);
  }
  /** Opens the thread: marks everything read and sends the read webhook. */
  read(input: { accountId: string; personId: string }): Promise<void> {
    return this.#call('POST', '/reads', input);
  }
  react(input: { messageId: string; personId: string; reaction: string | null }): Promise<void> {
    return this.#call('POST', '/reactions', input);
  }
  /** Meta bars a Page from sending messages because of its policies, or lifts that. */
  enforcePolicy(input: { accountId: string; action: 'block' | 'unblock'; reason?: string }): Promise<void> {
    return this.#call('POST', '/policy-enforcements', input);
  }
  unsend(messageId: string): Promise<void> {
    return this.#call('POST', '/unsends', { messageId });
  }
  editMessage(input: { messageId: string; text: string }): Promise<void> {
    return this.#call('POST', '/message-edits', input);
  }
  /** The owner types in the app themselves: an echo webhook, no window, no API call. */
  ownerMessage(input: { accountId: string; personId: string; text: string }): Promise<MessageView> {
    return this.#call('POST', '/owner-messages', input);
  }
  /** The owner replies privately to a comment by hand: uses up the comment's one private reply. */
  ownerPrivateReply(input: { commentId: string; text: string }): Promise<MessageView> {
    return this.#call('POST', '/owner-private-replies', input);
  }

  // --- What they see ------------------------------------------------------------------------------------------------------------------

  accounts(): Promise<AccountView[]> {
    return this.#call('GET', '/accounts');
  }
  people(): Promise<PersonView[]> {
    return this.#call('GET', '/people');
  }
  /** Newest first; stories and lives included. */
  posts(accountId: string): Promise<PostView[]> {
    return this.#call('GET', `/accounts/${accountId}/posts`);
  }
  /** Top-level comments, oldest first, replies inside. */
  comments(mediaId: string): Promise<CommentView[]> {
    return this.#call('GET', `/posts/${mediaId}/comments`);
  }
  /** All threads of a follower, newest first, message requests included (`folder`). */
  inbox(personId: string): Promise<ThreadView[]> {
    return this.#call('GET', `/people/${personId}/inbox`);
  }
  thread(personId: string, accountId: string): Promise<ThreadView> {
    return this.#call('GET', `/people/${personId}/threads/${accountId}`);
  }

  // --- Clock --------------------------------------------------------------------------------------------------------------------------

  now(): Promise<number> {
    return this.#call<{ now: number }>('GET', '/clock').then((clock) => clock.now);
  }
  /** Moves the clock and runs what falls due on the way (retries, expiries), waiting for each delivery. */
  advance(byMs: number): Promise<number> {
    return this.#call<{ now: number }>('POST', '/clock', { advanceMs: byMs }).then((clock) => clock.now);
  }
  /** Moves the clock and waits for nothing: what fell due on the way runs afterwards. `advance(0)` waits for it. */
  jump(byMs: number): Promise<number> {
    return this.#call<{ now: number }>('POST', '/clock', { jumpMs: byMs }).then((clock) => clock.now);
  }
  advanceTo(instant: number): Promise<number> {
    return this.#call<{ now: number }>('POST', '/clock', { to: instant }).then((clock) => clock.now);
  }
  /** Stops the clock at an instant, also an earlier one. */
  holdClockAt(instant: number): Promise<void> {
    return this.#call('POST', '/clock', { holdAt: instant });
  }
  /** The clock is the machine's again. */
  letClockGo(): Promise<void> {
    return this.#call('POST', '/clock', { letGo: true });
  }
  /** Several calls of this API in one, one after the other; their results. Ends at the first that is refused. */
  batch(calls: BatchCall[]): Promise<unknown[]> {
    return this.#call('POST', '/batch', calls);
  }
  /** Messages of all conversations in the order of their sending, without the first so many. */
  messagesAfter(count: number): Promise<(MessageView & { personId: string })[]> {
    return this.#call('GET', `/messages/after/${count}`);
  }
  /** Resolves when no webhook is under way and none is due at the present instant. */
  settle(): Promise<void> {
    return this.#call('POST', '/settle');
  }

  // --- Faults, webhooks, ledger -----------------------------------------------------------------------------------------------------------

  addFault(input: FaultInput): Promise<FaultView> {
    return this.#call('POST', '/faults', input);
  }
  faults(): Promise<FaultView[]> {
    return this.#call('GET', '/faults');
  }
  removeFault(faultId: string): Promise<void> {
    return this.#call('DELETE', `/faults/${faultId}`);
  }
  clearFaults(): Promise<void> {
    return this.#call('DELETE', '/faults');
  }
  /** The dashboard's test button: sample payloads with ids that nobody knows. Works in dev mode too. */
  sendTestWebhook(field: string, flavour: 'instagram' | 'facebook' = 'instagram'): Promise<{ status: number | null }> {
    return this.#call('POST', '/webhooks/test', { field, flavour });
  }
  /** Posts any body, rightly signed unless `signature` is given: for shapes the simulator does not make by itself. */
  sendRawWebhook(input: {
    body: string;
    flavour?: 'instagram' | 'facebook';
    signature?: string;
  }): Promise<{ status: number | null }> {
    return this.#call('POST', '/webhooks/raw', input);
  }
  /** The webhook of a comment, byte for byte with its headers, without sending it. */
  webhookForComment(
    commentId: string,
    flavour: 'instagram' | 'facebook' = 'instagram',
  ): Promise<{ body: string; headers: Record<string, string> }> {
    return this.#call('GET', `/comments/${commentId}/webhook?flavour=${flavour}`);
  }
  ledger(query: LedgerQuery = {}): Promise<LedgerEntry[]> {
    const search = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value));
    return this.#call('GET', `/ledger?${search}`);
  }
  ledgerSummary(): Promise<LedgerSummary> {
    return this.#call('GET', '/ledger/summary');
  }
  /** Deliveries that really reached people, per comment; all comments with a delivery when no ids are given. */
  deliveries(commentIds?: string[]): Promise<CommentDeliveries[]> {
    return this.#call('POST', '/ledger/deliveries', { commentIds });
  }
  clearLedger(): Promise<void> {
    return this.#call('DELETE', '/ledger');
  }
  /** Calls the simulator had no answer for: each is either our bug or its gap. */
  unimplemented(): Promise<{ method: string; path: string; count: number }[]> {
    return this.#call('GET', '/unimplemented');
  }

  /** Follows the stream of changes until `signal` aborts. */
  async *stream(signal: AbortSignal): AsyncGenerator<StreamEvent> {
    const response = await fetch(`${this.url}/control/stream`, { signal });
    let buffer = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      buffer += chunk;
      let end = buffer.indexOf('\n\n');
      while (end !== -1) {
        const data = buffer
          .slice(0, end)
          .split('\n')
          .find((line) => line.startsWith('data: '));
        if (data) yield JSON.parse(data.slice(6)) as StreamEvent;
        buffer = buffer.slice(end + 2);
        end = buffer.indexOf('\n\n');
      }
    }
  }

  async #call<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    const response = await fetch(`${this.url}/control${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Simulator refused ${method} /control${path}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as Result;
  }
}

import type {
  CommentDeliveries,
  GraphLedgerEntry,
  LedgerEntry,
  LedgerQuery,
  LedgerSummary,
  WebhookLedgerEntry,
} from '../control/types.ts';
import type { GraphCall } from '../graph/call.ts';
import type { World } from '../state/world.ts';

/**
 * Requests and what really happened: the oracle of crash tests. Counters and deliveries per comment are always kept; single entries
 * only in `full` mode.
 */
export class Ledger {
  readonly #world: World;
  #entries: LedgerEntry[] = [];
  #seq = 0;
  #summary = emptySummary();
  readonly #perComment = new Map<string, CommentDeliveries>();
  /** Kept as they come: benchmarks ask for the summary many times a second, whatever happened before. */
  readonly #doubled = { privateReplies: new Set<string>(), publicReplies: new Set<string>() };
  readonly #unimplemented = new Map<string, { method: string; path: string; count: number }>();

  constructor(world: World) {
    this.#world = world;
  }

  graph(
    call: GraphCall,
    status: number,
    error: { code: number; subcode?: number } | null,
    answer: GraphLedgerEntry['answer'],
    fault: string | null,
  ): void {
    const summary = this.#summary;
    summary.graphCalls += 1;
    summary.byOperation[call.operation] = (summary.byOperation[call.operation] ?? 0) + 1;
    if (error) {
      const key = error.subcode === undefined ? String(error.code) : `${error.code}/${error.subcode}`;
      summary.errors[key] = (summary.errors[key] ?? 0) + 1;
    }
    if (call.delivered) this.#countDelivery(call);
    if (this.#world.settings.ledger === 'compact') return;
    this.#entries.push({
      seq: ++this.#seq,
      kind: 'graph',
      at: this.#world.now(),
      operation: call.operation,
      flavour: call.flavour,
      method: call.method,
      path: call.path,
      accountId: call.account?.id ?? null,
      commentId: call.commentId,
      recipientId: call.recipientId,
      personId: call.personId,
      messageId: call.messageId,
      text: call.text,
      status,
      errorCode: error?.code ?? null,
      errorSubcode: error?.subcode ?? null,
      delivered: call.delivered,
      answer,
      fault,
    });
  }

  webhook(entry: Omit<WebhookLedgerEntry, 'seq' | 'kind'>): void {
    if (entry.outcome === 'ok') this.#summary.webhookAcked += 1;
    else if (['status', 'timeout', 'connection', 'handshake_failed'].includes(entry.outcome))
      this.#summary.webhookFailed += 1;
    if (entry.attempt > 0) this.#summary.webhookAttempts += 1;
    if (this.#world.settings.ledger === 'compact') return;
    this.#entries.push({ seq: ++this.#seq, kind: 'webhook', ...entry });
  }

  unimplemented(method: string, path: string): void {
    const key = `${method} ${path}`;
    const known = this.#unimplemented.get(key);
    if (known) known.count += 1;
    else this.#unimplemented.set(key, { method, path, count: 1 });
  }

  unimplementedCalls(): { method: string; path: string; count: number }[] {
    return [...this.#unimplemented.values()];
  }

  find(query: LedgerQuery): LedgerEntry[] {
    const found: LedgerEntry[] = [];
    const limit = query.limit ?? Number.POSITIVE_INFINITY;
    for (const entry of this.#entries) {
      if (found.length >= limit) break;
      if (matches(entry, query)) found.push(entry);
    }
    return found;
  }

  summary(): LedgerSummary {
    return {
      ...this.#summary,
      doubledPrivateReplies: [...this.#doubled.privateReplies],
      doubledCommentReplies: [...this.#doubled.publicReplies],
    };
  }

  deliveries(commentIds?: readonly string[]): CommentDeliveries[] {
    if (!commentIds) return [...this.#perComment.values()];
    return commentIds.map(
      (commentId) =>
        this.#perComment.get(commentId) ?? {
          commentId,
          privateReplies: 0,
          publicReplies: 0,
          firstPrivateReplyAt: null,
        },
    );
  }

  clear(): void {
    this.#entries = [];
    this.#summary = emptySummary();
    this.#perComment.clear();
    this.#doubled.privateReplies.clear();
    this.#doubled.publicReplies.clear();
    this.#unimplemented.clear();
  }

  #countDelivery(call: GraphCall): void {
    if (call.operation === 'message') this.#summary.messagesDelivered += 1;
    if (call.commentId === null || (call.operation !== 'private_reply' && call.operation !== 'comment_reply')) return;
    let deliveries = this.#perComment.get(call.commentId);
    if (!deliveries) {
      deliveries = { commentId: call.commentId, privateReplies: 0, publicReplies: 0, firstPrivateReplyAt: null };
      this.#perComment.set(call.commentId, deliveries);
    }
    if (call.operation === 'comment_reply') {
      this.#summary.commentRepliesDelivered += 1;
      if (++deliveries.publicReplies > 1) this.#doubled.publicReplies.add(call.commentId);
    } else {
      this.#summary.privateRepliesDelivered += 1;
      if (++deliveries.privateReplies > 1) this.#doubled.privateReplies.add(call.commentId);
      deliveries.firstPrivateReplyAt ??= this.#world.now();
    }
  }
}

function matches(entry: LedgerEntry, query: LedgerQuery): boolean {
  if (query.kind !== undefined && entry.kind !== query.kind) return false;
  if (query.after !== undefined && entry.seq <= query.after) return false;
  if (query.accountId !== undefined && entry.accountId !== query.accountId) return false;
  if (entry.kind === 'webhook') {
    return (
      query.operation === undefined &&
      query.recipientId === undefined &&
      query.delivered === undefined &&
      (query.commentId === undefined || entry.subjectId === query.commentId)
    );
  }
  return (
    (query.operation === undefined || entry.operation === query.operation) &&
    (query.commentId === undefined || entry.commentId === query.commentId) &&
    (query.recipientId === undefined || entry.recipientId === query.recipientId) &&
    (query.delivered === undefined || entry.delivered === query.delivered)
  );
}

function emptySummary(): Omit<LedgerSummary, 'doubledPrivateReplies' | 'doubledCommentReplies'> {
  return {
    graphCalls: 0,
    byOperation: {},
    errors: {},
    privateRepliesDelivered: 0,
    messagesDelivered: 0,
    commentRepliesDelivered: 0,
    webhookAttempts: 0,
    webhookAcked: 0,
    webhookFailed: 0,
  };
}

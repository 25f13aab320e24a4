import { Agent, request } from 'undici';
import type { LoginFlavour, WebhookLedgerEntry } from '../control/types.ts';
import type { Faults } from '../faults/faults.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Update } from '../state/records.ts';
import type { World } from '../state/world.ts';
import { escapeBody, signedHeaders } from './signature.ts';
import { envelope } from './updates.ts';

/** A POST that is waiting, under way or being retried; its bytes never change. */
interface Delivery {
  updates: readonly Update[];
  body: string;
  attempt: number;
  firstTriedAt: number;
}

type Result = { outcome: 'ok' | 'status' | 'timeout' | 'connection' | 'handshake_failed'; status: number | null };

/**
 * Sends updates to the app's callback as Meta does:
 *
 *     push → waiting → POST → 200: done
 *                         └→ anything else: again after the next delay of the schedule, on the simulator's clock
 *
 * Two regimes (reference 2.7): comments and the like are dropped after 36 hours; an account whose *messages* fail for an hour is
 * unsubscribed. [?] Which of the two governs Instagram-Login messages is not stated; the harsher is used. The handshake is made before the
 * first delivery to an address.
 */
export class WebhookDelivery {
  readonly #world: World;
  readonly #faults: Faults;
  readonly #ledger: Ledger;
  readonly #agent = new Agent({ keepAliveTimeout: 30_000, connections: 64 });
  #waiting: Update[] = [];
  readonly #held = new Map<string, Update[]>();
  #inFlight = 0;
  #scheduled = false;
  #verifiedUrl: string | null = null;
  readonly #failing = new Map<string, { since: number; alerted: boolean }>();
  #idle: (() => void)[] = [];

  constructor(world: World, faults: Faults, ledger: Ledger) {
    this.#world = world;
    this.#faults = faults;
    this.#ledger = ledger;
  }

  /** Queues updates; they leave after the present answer has been written. */
  push(updates: readonly Update[]): void {
    if (updates.length === 0 || this.#world.app.webhookUrl === null) return;
    for (const update of updates) this.#admit(update);
    this.#wake();
  }

  /** Resolves when nothing is waiting or under way (retries that are not due yet do not count). */
  settle(): Promise<void> {
    if (this.#waiting.length === 0 && this.#inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Sends bytes as they are, once, without retry. */
  async sendRaw(flavour: LoginFlavour, body: string, signature?: string): Promise<Result> {
    const headers = signedHeaders(this.#world, flavour, body);
    if (signature !== undefined) {
      headers['x-hub-signature-256'] = signature;
      delete headers['x-hub-signature'];
    }
    return this.#post(body, headers);
  }

  /** Bytes and headers of updates, as they would be sent. */
  render(updates: readonly Update[]): { body: string; headers: Record<string, string> } {
    const body = escapeBody(envelope(this.#world, updates));
    return { body, headers: signedHeaders(this.#world, updates[0]!.flavour, body) };
  }

  /** The verification GET; true when the callback echoes the challenge. */
  async handshake(url: string, verifyToken: string): Promise<boolean> {
    const challenge = String(1_158_201_444 + (this.#world.ids.counter % 1000));
    const search = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.challenge': challenge,
      'hub.verify_token': verifyToken,
    });
    try {
      const response = await request(`${url}${url.includes('?') ? '&' : '?'}${search}`, {
        dispatcher: this.#agent,
        headersTimeout: this.#timeoutMs(),
      });
      const text = await response.body.text();
      return response.statusCode === 200 && text === challenge;
    } catch {
      // A callback that cannot be reached has not verified: the caller reports it.
      return false;
    }
  }

  async close(): Promise<void> {
    this.#waiting = [];
    await this.#agent.destroy();
  }

  #admit(update: Update): void {
    const fault = this.#faults.forUpdate(update);
    switch (fault?.kind) {
      case 'webhook_drop':
        this.#record(update, 1, 0, 'dropped', null);
        return;
      case 'webhook_delay':
        this.#world.clock.at(this.#world.now() + fault.delayMs, () => {
          this.#waiting.push(update);
          this.#wake();
          return this.settle();
        });
        return;
      case 'webhook_reorder':
        this.#held.set(update.accountId, [...(this.#held.get(update.accountId) ?? []), update]);
        return;
      case 'webhook_duplicate':
        for (let copy = 0; copy < (fault.copies ?? 2); copy += 1) this.#waiting.push(update);
        break;
      default:
        this.#waiting.push(update);
    }
    const held = this.#held.get(update.accountId);
    if (held) {
      this.#held.delete(update.accountId);
      this.#waiting.push(...held);
    }
  }

  #wake(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#drain();
    });
  }

  #drain(): void {
    const { maxBatch, maxInFlight } = this.#world.settings.webhooks;
    let taken = 0;
    while (taken < this.#waiting.length && this.#inFlight < maxInFlight) {
      const first = this.#waiting[taken]!;
      let end = taken + 1;
      while (end < this.#waiting.length && end - taken < maxBatch && fits(first, this.#waiting[end]!)) end += 1;
      const updates = this.#waiting.slice(taken, end);
      taken = end;
      void this.#attempt({
        updates,
        body: escapeBody(envelope(this.#world, updates)),
        attempt: 0,
        firstTriedAt: this.#world.now(),
      });
    }
    if (taken > 0) this.#waiting.splice(0, taken);
    if (this.#waiting.length === 0 && this.#inFlight === 0) {
      const idle = this.#idle;
      this.#idle = [];
      for (const resolve of idle) resolve();
    }
  }

  async #attempt(delivery: Delivery): Promise<void> {
    this.#inFlight += 1;
    delivery.attempt += 1;
    const first = delivery.updates[0]!;
    const result = await this.#postVerified(first.flavour, delivery.body);
    this.#inFlight -= 1;
    this.#record(first, delivery.updates.length, delivery.attempt, result.outcome, result.status);
    const key = `${first.flavour}|${first.accountId}`;
    if (result.outcome === 'ok') this.#failing.delete(key);
    else this.#retryLater(delivery, key);
    if (this.#waiting.length > 0) this.#drain();
    else if (this.#inFlight === 0) this.#wake();
  }

  #retryLater(delivery: Delivery, key: string): void {
    const { retryDelaysMs, unsubscribeAfterMs, alertAfterMs, giveUpAfterMs } = this.#world.settings.webhooks;
    const first = delivery.updates[0]!;
    const now = this.#world.now();
    const failing = this.#failing.get(key) ?? { since: delivery.firstTriedAt, alerted: false };
    this.#failing.set(key, failing);
    if (first.kind === 'messaging') {
      if (now - failing.since >= alertAfterMs && !failing.alerted) {
        failing.alerted = true;
        this.#record(first, delivery.updates.length, delivery.attempt, 'alert', null);
      }
      if (now - failing.since >= unsubscribeAfterMs) {
        this.#unsubscribe(first);
        this.#failing.delete(key);
        this.#record(first, delivery.updates.length, delivery.attempt, 'unsubscribed', null);
        return;
      }
    }
    const delay = retryDelaysMs[delivery.attempt - 1];
    if (delay === undefined || now + delay - delivery.firstTriedAt > giveUpAfterMs) {
      this.#record(first, delivery.updates.length, delivery.attempt, 'gave_up', null);
      return;
    }
    this.#world.clock.at(now + delay, () => {
      // Unsubscribed meanwhile: what was waiting is gone with the subscription.
      if (!this.#subscribed(first)) {
        this.#record(first, delivery.updates.length, delivery.attempt, 'dropped', null);
        return;
      }
      return this.#attempt(delivery);
    });
  }

  #subscribed(update: Update): boolean {
    const account = this.#world.accounts.get(update.accountId);
    if (!account) return false;
    if (update.flavour === 'instagram') return account.instagramLoginFields !== null;
    const page = account.platform === 'facebook' ? account : this.#world.accounts.get(account.linkedId ?? '');
    return page?.pageFields != null;
  }

  #unsubscribe(update: Update): void {
    const account = this.#world.accounts.get(update.accountId);
    if (!account) return;
    if (update.flavour === 'instagram') account.instagramLoginFields = null;
    else {
      const page = account.platform === 'facebook' ? account : this.#world.accounts.get(account.linkedId ?? '');
      if (page) page.pageFields = null;
    }
    this.#world.changed({ type: 'account', accountId: account.id });
  }

  async #postVerified(flavour: LoginFlavour, body: string): Promise<Result> {
    const url = this.#world.app.webhookUrl;
    if (url === null) return { outcome: 'connection', status: null };
    if (this.#verifiedUrl !== url) {
      if (!(await this.handshake(url, this.#world.app.verifyToken)))
        return { outcome: 'handshake_failed', status: null };
      this.#verifiedUrl = url;
    }
    return this.#post(body, signedHeaders(this.#world, flavour, body));
  }

  async #post(body: string, headers: Record<string, string>): Promise<Result> {
    const url = this.#world.app.webhookUrl;
    if (url === null) return { outcome: 'connection', status: null };
    const timeoutMs = this.#timeoutMs();
    try {
      const response = await request(url, {
        method: 'POST',
        headers,
        body,
        dispatcher: this.#agent,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      await response.body.dump();
      return { outcome: response.statusCode === 200 ? 'ok' : 'status', status: response.statusCode };
    } catch (error) {
      // A failed delivery is an expected outcome here: it is recorded and retried.
      const code = (error as { code?: string }).code ?? '';
      return { outcome: code.includes('TIMEOUT') ? 'timeout' : 'connection', status: null };
    }
  }

  #timeoutMs(): number {
    return this.#world.settings.webhooks.timeoutMs;
  }

  #record(
    update: Update,
    updates: number,
    attempt: number,
    outcome: WebhookLedgerEntry['outcome'],
    status: number | null,
  ): void {
    this.#ledger.webhook({
      at: this.#world.now(),
      flavour: update.flavour,
      accountId: update.accountId,
      field: update.field,
      subjectId: update.subjectId,
      updates,
      attempt,
      outcome,
      status,
    });
  }
}

/** Updates share a POST when login and object are the same: one secret, one envelope. Messaging and others keep apart for their regimes. */
function fits(first: Update, next: Update): boolean {
  return next.flavour === first.flavour && next.object === first.object && next.kind === first.kind;
}

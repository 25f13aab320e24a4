import { GraphError } from '../graph/errors.ts';
import type { Account } from '../state/records.ts';
import type { World } from '../state/world.ts';

const SECOND = 1000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Instants of the calls in a sliding window; old ones are dropped as it moves. */
class Window {
  readonly #spanMs: number;
  #instants: number[] = [];
  #head = 0;

  constructor(spanMs: number) {
    this.#spanMs = spanMs;
  }

  count(now: number): number {
    while (this.#head < this.#instants.length && this.#instants[this.#head]! <= now - this.#spanMs) this.#head += 1;
    if (this.#head > 1024) {
      this.#instants = this.#instants.slice(this.#head);
      this.#head = 0;
    }
    return this.#instants.length - this.#head;
  }
  add(now: number): void {
    this.#instants.push(now);
  }
  /** When the oldest call leaves the window. */
  freeAt(): number {
    return (this.#instants[this.#head] ?? 0) + this.#spanMs;
  }
}

type Bucket = 'private_replies' | 'live_replies' | 'text' | 'media' | 'conversations' | 'platform';
const SPAN: Record<Bucket, number> = {
  private_replies: HOUR,
  live_replies: SECOND,
  text: SECOND,
  media: SECOND,
  conversations: SECOND,
  platform: DAY,
};

/**
 * Counts calls per account against the published limits and writes the usage headers. [?] Which error each limit answers is not published:
 * here the hour and day buckets give 80002 / 80006 / 80001 with headers, the per-second ones 613.
 */
export class Rates {
  readonly #world: World;
  #windows = new Map<string, Window>();

  constructor(world: World) {
    this.#world = world;
  }

  clear(): void {
    this.#windows = new Map();
  }

  /** Takes one call from the bucket. @throws GraphError when it is used up */
  take(account: Account, bucket: Bucket): void {
    const { limits, usage } = this.#world.settings;
    if (usage.length > 0) this.#refuseWhenUsedUp(account);
    if (limits.lifted) return;
    const window = this.#window(account, bucket);
    const now = this.#world.now();
    if (window.count(now) >= this.#limit(bucket)) {
      if (SPAN[bucket] === SECOND) throw new GraphError(613, account.platform === 'instagram' ? 2534040 : undefined);
      const regainMinutes = Math.max(1, Math.ceil((window.freeAt() - now) / 60_000));
      throw rateLimited(account, bucket === 'platform' ? 'platform' : 'messaging', 100, regainMinutes);
    }
    window.add(now);
  }

  /** `x-app-usage` and `x-business-use-case-usage` for an answer; undefined when there is nothing to tell. */
  headers(account: Account | null): Record<string, string> | undefined {
    const { limits, usage, appUsagePercent } = this.#world.settings;
    const headers: Record<string, string> = {};
    if (appUsagePercent !== null) headers['x-app-usage'] = usageObject(appUsagePercent);
    if (account) {
      const override = usage.find((one) => one.accountId === account.id);
      if (override)
        Object.assign(headers, businessUsage(account.id, override.type, override.percent, override.regainMinutes ?? 0));
      else if (!limits.lifted) {
        const percent = this.#percent(account);
        // "Appears only after enough calls" [D].
        if (percent >= 1)
          Object.assign(
            headers,
            businessUsage(account.id, account.platform === 'instagram' ? 'instagram' : 'messenger', percent, 0),
          );
      }
    }
    for (const _name in headers) return headers;
    return undefined;
  }

  #percent(account: Account): number {
    const window = this.#windows.get(`${account.id}|private_replies`);
    if (!window) return 0;
    return Math.floor((window.count(this.#world.now()) / this.#world.settings.limits.privateRepliesPerHour) * 100);
  }

  #refuseWhenUsedUp(account: Account): void {
    const override = this.#world.settings.usage.find((one) => one.accountId === account.id);
    if (!override || override.percent < 100) return;
    const code = override.type === 'instagram' ? 80002 : override.type === 'messenger' ? 80006 : 80001;
    throw new GraphError(code, undefined, {
      headers: businessUsage(account.id, override.type, override.percent, override.regainMinutes ?? 1),
    });
  }

  #limit(bucket: Bucket): number {
    const { limits } = this.#world.settings;
    switch (bucket) {
      case 'private_replies':
        return limits.privateRepliesPerHour;
      case 'live_replies':
        return limits.livePrivateRepliesPerSecond;
      case 'text':
        return limits.textSendsPerSecond;
      case 'media':
        return limits.mediaSendsPerSecond;
      case 'conversations':
        return limits.conversationCallsPerSecond;
      case 'platform':
        return limits.platformCallsPerDay;
    }
  }

  #window(account: Account, bucket: Bucket): Window {
    const key = `${account.id}|${bucket}`;
    let window = this.#windows.get(key);
    if (!window) {
      window = new Window(SPAN[bucket]);
      this.#windows.set(key, window);
    }
    return window;
  }
}

/** The refusal of a used-up business use case, with the header that names the wait in minutes. */
export function rateLimited(
  account: Account,
  kind: 'messaging' | 'platform',
  percent: number,
  regainMinutes: number,
): GraphError {
  const type = account.platform === 'instagram' ? 'instagram' : kind === 'messaging' ? 'messenger' : 'pages';
  const code = type === 'instagram' ? 80002 : type === 'messenger' ? 80006 : 80001;
  return new GraphError(code, undefined, { headers: businessUsage(account.id, type, percent, regainMinutes) });
}

export function businessUsage(
  accountId: string,
  type: string,
  percent: number,
  regainMinutes: number,
): Record<string, string> {
  return {
    'x-business-use-case-usage': `{"${accountId}":[{"type":"${type}","call_count":${percent},"total_cputime":${Math.min(percent, 25)},"total_time":${Math.min(percent, 25)},"estimated_time_to_regain_access":${regainMinutes}}]}`,
  };
}

function usageObject(percent: number): string {
  return `{"call_count":${percent},"total_time":${Math.min(percent, 25)},"total_cputime":${Math.min(percent, 25)}}`;
}

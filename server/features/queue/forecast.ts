/**
 * When everybody in a queue gets a turn, and who will be lost before it comes. Plays the lane's window forward, slot
 * by slot, as the lane itself will (server/engine/sending/lanes.ts): at most `perHour` calls in any hour, the calls of the last
 * hour included. Pure.
 */

const HOUR_MS = 3_600_000;

export type LaneOutlook = {
  nowMs: number;
  /** The platform's limit for any hour. */
  perHour: number;
  /** Calls of the last hour, oldest first, in ms since 1970. */
  recentCalls: number[];
  /** When the lane may call again; null: nobody knows. */
  opensAtMs: number | null;
  slowedToPercent: number | null;
  slowedUntilMs: number;
};

/** Some who stand together: of one post, with deadlines within a minute. Listed in the order in which they are called. */
export type Waiting = {
  postId: string | null;
  priority: number;
  expiresFromMs: number;
  expiresToMs: number;
  count: number;
};

/** Of those with these deadlines, the last `count` will be lost. */
export type Lost = {
  postId: string | null;
  priority: number;
  expiresFromMs: number;
  expiresToMs: number;
  count: number;
};

export type PostForecast = { postId: string | null; waiting: number; doneAtMs: number | null; expiring: number };

export type Forecast = {
  waiting: number;
  /** Null when nobody knows when the lane opens. */
  doneAtMs: number | null;
  expiring: number;
  firstExpiryAtMs: number | null;
  /** Most waiting first. */
  posts: PostForecast[];
  lost: Lost[];
};

/** @param queue in the order in which the lane calls them */
export function forecast(lane: LaneOutlook, queue: Waiting[]): Forecast {
  const posts = new Map<string | null, PostForecast>();
  const lost: Lost[] = [];
  const slots = lane.opensAtMs === null ? null : new Slots(lane, lane.opensAtMs);
  let doneAtMs: number | null = null;
  for (const group of queue) {
    const post = posts.get(group.postId) ?? { postId: group.postId, waiting: 0, doneAtMs: null, expiring: 0 };
    posts.set(group.postId, post);
    post.waiting += group.count;
    if (slots === null) continue;
    let served = 0;
    while (served < group.count && slots.next() < group.expiresFromMs) {
      doneAtMs = slots.take();
      post.doneAtMs = Math.max(post.doneAtMs ?? 0, doneAtMs);
      served++;
    }
    if (served === group.count) continue;
    post.expiring += group.count - served;
    lost.push({ ...group, count: group.count - served });
  }
  return {
    waiting: queue.reduce((sum, { count }) => sum + count, 0),
    doneAtMs,
    expiring: lost.reduce((sum, { count }) => sum + count, 0),
    firstExpiryAtMs: lost.length === 0 ? null : Math.min(...lost.map(({ expiresFromMs }) => expiresFromMs)),
    posts: [...posts.values()].sort((a, b) => b.waiting - a.waiting || (a.postId ?? '').localeCompare(b.postId ?? '')),
    lost,
  };
}

/** The instants at which calls can start, one after the other. */
class Slots {
  private readonly lane: LaneOutlook;
  private readonly calls: number[];
  private at: number;

  constructor(lane: LaneOutlook, opensAtMs: number) {
    this.lane = lane;
    this.calls = [...lane.recentCalls];
    this.at = Math.max(lane.nowMs, opensAtMs);
  }

  next(): number {
    const { perHour, slowedToPercent, slowedUntilMs } = this.lane;
    const full = this.freeAt(perHour);
    if (slowedToPercent === null || full >= slowedUntilMs) return full;
    const slowed = this.freeAt(Math.max(1, Math.floor((perHour * slowedToPercent) / 100)));
    return Math.min(slowed, Math.max(full, slowedUntilMs));
  }

  take(): number {
    this.at = this.next();
    this.calls.push(this.at);
    return this.at;
  }

  /** The call before `most` others must be an hour old. */
  private freeAt(most: number): number {
    const before = this.calls[this.calls.length - most];
    return before === undefined ? this.at : Math.max(this.at, before + HOUR_MS);
  }
}

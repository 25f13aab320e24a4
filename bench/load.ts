/** The load: comment webhooks of about 1.5 KB, signed, each by another person on a post of a random account. */
import { cpus, tmpdir } from 'node:os';
import { type Dispatcher, Pool } from 'undici';
import { watchDisk } from './disk-time.ts';
import { stolenTime } from './processor-time.ts';
import type { BenchWorld } from './world.ts';

/** As many webhooks at once: fewer wait for their acknowledgements rather than keep the processors busy. */
const SENDERS = 128;
/** More matching comments than this without their message, and the senders wait: the queue must not grow. */
const MOST_OUTSTANDING = 2000;

/** @property url where to post; the program when left out */
type Shared = { seconds: number; matchShare: number; url?: string };

export type Throughput = {
  eventsPerSecond: number;
  sentPerSecond: number;
  /** Messages sent per second in each quarter of the time: whether the rate holds. */
  quarters: number[];
  /** Matching comments without their message at the end of each quarter: whether the queue grows. */
  outstanding: number[];
  posted: number;
  sent: number;
  /** Until the last message was sent. */
  tookSeconds: number;
};

/** Closed loop: as fast as the program works comments off. */
export async function measureThroughput(
  world: BenchWorld,
  { seconds, matchShare, url = world.url }: Shared,
): Promise<Throughput> {
  const load = new Load(world, url, matchShare);
  const sentBefore = await sentSoFar(world);
  let sent = 0;
  let polling = true;
  const startedAt = performance.now();
  const atQuarters: { sent: number; outstanding: number; seconds: number }[] = [];
  const poll = (async () => {
    while (polling) {
      sent = (await sentSoFar(world)) - sentBefore;
      const elapsed = (performance.now() - startedAt) / 1000;
      if (elapsed >= (seconds / 4) * (atQuarters.length + 1) && atQuarters.length < 4) {
        atQuarters.push({ sent, outstanding: load.matching - sent, seconds: elapsed });
      }
      await pause(50);
    }
  })();
  const until = startedAt + seconds * 1000;
  await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      while (performance.now() < until) {
        while (load.matching - sent > MOST_OUTSTANDING) await pause(5);
        await load.post(load.next());
      }
    }),
  );
  // A minute is far more than the outstanding ones need; whatever is missing then was lost.
  const giveUpAt = performance.now() + 60_000;
  while (sent < load.matching && performance.now() < giveUpAt) await pause(10);
  const tookSeconds = (performance.now() - startedAt) / 1000;
  polling = false;
  await poll;
  await load.close();
  if (sent !== load.matching) throw new Error(`${load.matching} comments matched, ${sent} messages were sent`);
  return {
    eventsPerSecond: load.posted / tookSeconds,
    sentPerSecond: sent / tookSeconds,
    quarters: atQuarters.map((at, index) => {
      const before = atQuarters[index - 1] ?? { sent: 0, seconds: 0 };
      return (at.sent - before.sent) / (at.seconds - before.seconds);
    }),
    outstanding: atQuarters.map((at) => at.outstanding),
    posted: load.posted,
    sent,
    tookSeconds,
  };
}

/** All comments of several slices by all their seconds; their quarters one after the other. */
export function together(slices: Throughput[]): Throughput {
  const sum = (name: 'posted' | 'sent' | 'tookSeconds') => slices.reduce((total, slice) => total + slice[name], 0);
  const [posted, sent, tookSeconds] = [sum('posted'), sum('sent'), sum('tookSeconds')];
  return {
    eventsPerSecond: posted / tookSeconds,
    sentPerSecond: sent / tookSeconds,
    quarters: slices.flatMap((slice) => slice.quarters),
    outstanding: slices.flatMap((slice) => slice.outstanding),
    posted,
    sent,
    tookSeconds,
  };
}

/**
 * @property stolenShare of all processors, taken by the machine's host meanwhile: what no program can answer for
 * @property slowestWriteMs of the disk meanwhile, see disk-time.ts
 */
type Latency = {
  ackP50Ms: number;
  ackP99Ms: number;
  sendP50Ms: number | null;
  sendP99Ms: number | null;
  stolenShare: number;
  slowestWriteMs: number | null;
};

/** Open loop at a fixed rate; a late answer does not slow the next comment down. */
export async function measureLatency(
  world: BenchWorld,
  { seconds, matchShare, perSecond }: Shared & { perSecond: number },
): Promise<Latency> {
  const load = new Load(world, world.url, matchShare);
  const sentBefore = await sentSoFar(world);
  const total = seconds * perSecond;
  // Nothing is kept of each comment but numbers: collecting our garbage would count as the program's delay.
  const acks = new Float64Array(total);
  const stolenBefore = stolenTime();
  const slowestWrite = watchDisk(tmpdir());
  const startedAt = performance.now();
  const dueAt = (index: number) => startedAt + (index / perSecond) * 1000;
  const first = load.nextNumber();
  let acknowledged = 0;
  const all = Promise.withResolvers<void>();
  const post = async (comment: Comment, index: number) => {
    try {
      await load.post(comment);
      // From when it was due, not from when we got round to it.
      acks[index] = performance.now() - dueAt(index);
      if (++acknowledged === total) all.resolve();
    } catch (error) {
      all.reject(error);
    }
  };
  const matching: number[] = [];
  for (let index = 0; index < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * perSecond) + 1);
    for (; index < due; index++) {
      const comment = load.next();
      if (comment.matches) matching.push(index);
      void post(comment, index);
    }
    await pause(1);
  }
  await all.promise;
  const slowestWriteMs = slowestWrite();
  const stolenShare = (stolenTime() - stolenBefore) / (performance.now() - startedAt) / cpus().length;
  await load.close();
  const giveUpAt = performance.now() + 30_000;
  while ((await sentSoFar(world)) - sentBefore < load.matching && performance.now() < giveUpAt) await pause(50);
  const postedAt = new Map(matching.map((index) => [commentId(first + index), performance.timeOrigin + dueAt(index)]));
  const sends = await delaysOf(world, postedAt);
  return {
    ackP50Ms: percentile(acks, 0.5),
    ackP99Ms: percentile(acks, 0.99),
    sendP50Ms: percentile(sends, 0.5),
    sendP99Ms: percentile(sends, 0.99),
    stolenShare,
    slowestWriteMs,
  };
}

/** One comment at a time, with pauses: nothing else is going on. From before the webhook is written to Meta's receipt of the call. */
export async function measureIdle(
  world: BenchWorld,
  { comments }: { comments: number },
): Promise<{ idleP50Ms: number; idleP99Ms: number }> {
  const load = new Load(world, world.url, 1);
  const sentBefore = await sentSoFar(world);
  const postedAt = new Map<string, number>();
  for (let number = 0; number < comments; number++) {
    const comment = load.next();
    postedAt.set(comment.id, performance.timeOrigin + performance.now());
    await load.post(comment);
    // Neither in step with anything that the program does at intervals.
    await pause(60 + ((number * 37) % 80));
  }
  await load.close();
  const giveUpAt = performance.now() + 30_000;
  while ((await sentSoFar(world)) - sentBefore < comments && performance.now() < giveUpAt) await pause(50);
  const delays = await delaysOf(world, postedAt);
  return { idleP50Ms: percentile(delays, 0.5), idleP99Ms: percentile(delays, 0.99) };
}

/** @param postedAt by comment, in ms since 1970 */
async function delaysOf(world: BenchWorld, postedAt: Map<string, number>): Promise<number[]> {
  const delays: number[] = [];
  const ids = [...postedAt.keys()];
  for (let from = 0; from < ids.length; from += 1000) {
    for (const delivery of await world.control.deliveries(ids.slice(from, from + 1000))) {
      if (delivery.firstPrivateReplyAt !== null)
        delays.push(delivery.firstPrivateReplyAt - postedAt.get(delivery.commentId)!);
    }
  }
  if (delays.length !== ids.length)
    throw new Error(`${ids.length} comments matched, ${delays.length} messages were sent`);
  return delays;
}

type Comment = { id: string; body: string; matches: boolean };

class Load {
  posted = 0;
  matching = 0;
  private readonly world: BenchWorld;
  private readonly matchShare: number;
  private readonly pool: Pool;
  private static count = 0;
  private owed = 0;

  constructor(world: BenchWorld, url: string, matchShare: number) {
    this.world = world;
    this.matchShare = matchShare;
    this.pool = new Pool(url, { connections: SENDERS });
  }

  /** Of the comment that `next` makes next; they count up by one. */
  nextNumber(): number {
    return Load.count;
  }

  next(): Comment {
    const number = Load.count++;
    const { accounts } = this.world;
    const account = accounts[number % accounts.length]!;
    this.owed += this.matchShare;
    const matches = this.owed >= 1;
    if (matches) this.owed -= 1;
    const word = matches ? account.words[number % account.words.length]! : 'wonderful';
    const id = commentId(number);
    const body = JSON.stringify({
      object: 'instagram',
      entry: [
        {
          id: account.accountId,
          time: Math.floor(Date.now() / 1000),
          changes: [
            {
              field: 'comments',
              value: {
                id,
                text: `This looks so good, I want to make it tonight, ${word} and my whole family would love it as well, thank you for sharing all of this with us every single week`,
                from: { id: personOf(id), username: `person.${number}` },
                media: {
                  id: account.postIds[(number >> 3) % account.postIds.length],
                  media_product_type: 'REELS',
                  ad_title: FILLER,
                },
              },
            },
          ],
        },
      ],
    });
    return { id, body, matches };
  }

  async post(comment: Comment): Promise<void> {
    const status = await this.statusOf({
      method: 'POST',
      path: '/webhooks/meta',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': this.world.sign(comment.body) },
      body: comment.body,
    });
    if (status !== 200) throw new Error(`a webhook was answered ${status}`);
    this.posted++;
    if (comment.matches) this.matching++;
  }

  /** Without a stream for each answer: the generator shares the processors with what it measures. */
  private statusOf(request: Dispatcher.DispatchOptions): Promise<number> {
    return new Promise((resolve, reject) => {
      let status = 0;
      this.pool.dispatch(request, {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode;
        },
        onResponseData() {},
        onResponseEnd: () => resolve(status),
        onResponseError: (_controller, error) => reject(error),
      });
    });
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

/** A run has its own ids: a second benchmark on the same second would repeat them otherwise. */
function commentId(number: number): string {
  return `18${runId}${String(number).padStart(9, '0')}`;
}

/** As the simulator has it for comments that it was not told of (private-reply.ts). */
function personOf(commentId: string): string {
  return `43${commentId.slice(2)}`;
}

const runId = String(Date.now() % 1_000_000).padStart(6, '0');
/** Of a commenter's id; the comment's number follows in nine digits. */
export const commenterPrefix = `43${runId}`;
/** Brings the body to about 1.5 KB. */
const FILLER = 'and my whole family would love it as well, thank you for sharing all of this with us every single week '
  .repeat(10)
  .trim();

async function sentSoFar(world: BenchWorld): Promise<number> {
  return (await world.control.ledgerSummary()).privateRepliesDelivered;
}

export function percentile(values: number[] | Float64Array, share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

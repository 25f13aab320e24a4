/** Open-loop load of several kinds at once: each at its own rate, on accounts of its own choice, timed apart. */
import { Pool } from 'undici';
import { percentile } from './load.ts';
import type { BenchAccount, BenchWorld } from './world.ts';

export type Stream = {
  name: string;
  perSecond: number;
  /** Share of its comments that match. */
  matchShare: number;
  accountOf(number: number): BenchAccount;
};

export type StreamTimes = {
  posted: number;
  ackP50Ms: number;
  ackP99Ms: number;
  /** From when the comment was due until Meta got its message. */
  sendP50Ms: number;
  sendP99Ms: number;
};

const SOCKETS = 48;
/** Whatever is missing a minute after the last comment was lost. */
const GIVE_UP_AFTER_MS = 60_000;
/** Each run has its own ids; `load.ts` begins its own with 18. */
const RUN = String(Date.now() % 1_000_000).padStart(6, '0');
let comments = 0;

/** Comments keep their times however slow the answers are. */
export async function runStreams(
  world: BenchWorld,
  streams: Stream[],
  seconds: number,
): Promise<Map<string, StreamTimes>> {
  const pool = new Pool(world.url, { connections: SOCKETS });
  const sentBefore = (await world.control.ledgerSummary()).privateRepliesDelivered;
  const runs = streams.map((stream) => ({
    ...stream,
    given: 0,
    owed: 0,
    acks: [] as number[],
    dueAt: new Map<string, number>(),
  }));
  const underWay: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let left = true; left; ) {
    left = false;
    const elapsedSeconds = (performance.now() - startedAt) / 1000;
    for (const run of runs) {
      const total = Math.floor(seconds * run.perSecond);
      const due = Math.min(total, Math.floor(elapsedSeconds * run.perSecond) + 1);
      for (; run.given < due; run.given++) {
        const dueAt = startedAt + (run.given / run.perSecond) * 1000;
        run.owed += run.matchShare;
        const matches = run.owed >= 1;
        if (matches) run.owed -= 1;
        const comment = commentOn(run.accountOf(run.given), matches);
        if (matches) run.dueAt.set(comment.id, performance.timeOrigin + dueAt);
        underWay.push(post(world, pool, comment.body).then(() => void run.acks.push(performance.now() - dueAt)));
      }
      left ||= run.given < total;
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(underWay);
  await pool.close();
  const matching = runs.reduce((sum, { dueAt }) => sum + dueAt.size, 0);
  const giveUpAt = performance.now() + GIVE_UP_AFTER_MS;
  while ((await world.control.ledgerSummary()).privateRepliesDelivered - sentBefore < matching) {
    if (performance.now() > giveUpAt) throw new Error(`${matching} comments matched, and some got no message`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const times = new Map<string, StreamTimes>();
  for (const { name, given, acks, dueAt } of runs) {
    const sends = await sendTimes(world, dueAt);
    times.set(name, {
      posted: given,
      ackP50Ms: percentile(acks, 0.5),
      ackP99Ms: percentile(acks, 0.99),
      sendP50Ms: percentile(sends, 0.5),
      sendP99Ms: percentile(sends, 0.99),
    });
  }
  return times;
}

async function post(world: BenchWorld, pool: Pool, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': world.sign(body) };
  const response = await pool.request({ method: 'POST', path: '/webhooks/meta', headers, body });
  await response.body.dump();
  if (response.statusCode !== 200) throw new Error(`a webhook was answered ${response.statusCode}`);
}

async function sendTimes(world: BenchWorld, dueAt: Map<string, number>): Promise<number[]> {
  const ids = [...dueAt.keys()];
  const times: number[] = [];
  for (let from = 0; from < ids.length; from += 1000) {
    for (const { commentId, firstPrivateReplyAt } of await world.control.deliveries(ids.slice(from, from + 1000))) {
      if (firstPrivateReplyAt === null) throw new Error(`comment ${commentId} matched and got no message`);
      times.push(firstPrivateReplyAt - dueAt.get(commentId)!);
    }
  }
  return times;
}

/** About 1.5 KB, as Meta sends them, each by somebody who never commented before. */
function commentOn(account: BenchAccount, matches: boolean): { id: string; body: string } {
  const number = comments++;
  const id = `19${RUN}${String(number).padStart(9, '0')}`;
  const word = matches ? account.words[number % account.words.length]! : 'wonderful';
  const value = {
    id,
    text: `This looks so good, I want to make it tonight, ${word} and my whole family would love it as well`,
    from: { id: `44${RUN}${number}`, username: `someone.${number}` },
    media: {
      id: account.postIds[number % account.postIds.length],
      media_product_type: 'REELS',
      ad_title: 'thank you for sharing all of this with us every single week '.repeat(18),
    },
  };
  const time = Math.floor(Date.now() / 1000);
  return {
    id,
    body: JSON.stringify({
      object: 'instagram',
      entry: [{ id: account.accountId, time, changes: [{ field: 'comments', value }] }],
    }),
  };
}

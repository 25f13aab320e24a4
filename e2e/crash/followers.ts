/**
 * Followers who comment, and Meta's part in delivering it: signed webhooks, sent again until they are acknowledged, sent
 * twice now and then. Everything posted is remembered with what is known of it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { CrashWorld } from './crash-world.ts';
import { WORD } from './crash-world.ts';
import type { SeededRandom } from './random.ts';

const FOLLOWERS_AT_ONCE = 6;
/** Meta waits five seconds for an answer [D]. */
const ANSWER_WITHIN_MS = 5000;
const TRY_AGAIN_AFTER_MS = 150;

export type Posted = {
  commentId: string;
  matches: boolean;
  /** When the first 200 came, in ms since 1970; null while there was none. */
  ackedAt: number | null;
};

export class Followers {
  readonly comments: Posted[] = [];
  /** Between two acknowledgements. */
  longestGapMs = 0;
  private lastAckAt: number | null = null;
  private readonly world: CrashWorld;
  private readonly random: SeededRandom;
  private stopping = false;
  private givenUp = false;
  private readonly writing: Promise<void>[];
  private ackWaiters: (() => void)[] = [];

  constructor(world: CrashWorld, random: SeededRandom) {
    this.world = world;
    this.random = random;
    this.writing = Array.from({ length: FOLLOWERS_AT_ONCE }, () => this.write());
  }

  /** Resolves with the next acknowledgement. */
  nextAck(): Promise<void> {
    return new Promise((resolve) => this.ackWaiters.push(resolve));
  }

  /** Nobody begins another comment; what is under way is delivered. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.writing);
  }

  /** Ends although not everything was acknowledged. */
  giveUp(): Promise<void> {
    this.givenUp = true;
    return this.stop();
  }

  private async write(): Promise<void> {
    const { random, world } = this;
    const acked: { body: string; headers: Record<string, string> }[] = [];
    while (!this.stopping) {
      const creator = random.pick(world.creators);
      const matches = random.chance(0.5);
      const { commentId } = await world.control.comment({
        mediaId: random.pick(creator.posts).mediaId,
        personId: random.pick(creator.followers).personId,
        text: matches ? `The ${WORD} please, it looks so good` : 'It looks so good',
        notify: false,
      });
      const webhook = await world.control.webhookForComment(commentId);
      const posted: Posted = { commentId, matches, ackedAt: null };
      this.comments.push(posted);
      await this.deliver(posted, webhook);
      acked.push(webhook);
      // Meta repeats itself: soon after, or long after, over a crash or two.
      if (random.chance(0.15)) await this.post(random.pick(acked));
      await pause(random.between(0, 60));
    }
  }

  /** Some webhooks are given up, like Meta's are when an app is away for too long. */
  private async deliver(posted: Posted, webhook: { body: string; headers: Record<string, string> }): Promise<void> {
    const attempts = this.random.chance(0.1) ? 1 : Number.POSITIVE_INFINITY;
    for (let attempt = 1; attempt <= attempts && !this.givenUp; attempt++) {
      if (await this.post(webhook)) {
        posted.ackedAt = Date.now();
        return;
      }
      await pause(TRY_AGAIN_AFTER_MS);
    }
  }

  /** Was it acknowledged? */
  private async post({ body, headers }: { body: string; headers: Record<string, string> }): Promise<boolean> {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    try {
      const response = await fetch(`${this.world.url}/webhooks/meta`, { method: 'POST', headers, body, signal });
      await response.arrayBuffer();
      if (response.status !== 200) return false;
    } catch {
      return false;
    }
    const now = Date.now();
    if (this.lastAckAt !== null) this.longestGapMs = Math.max(this.longestGapMs, now - this.lastAckAt);
    this.lastAckAt = now;
    for (const resolve of this.ackWaiters.splice(0)) resolve();
    return true;
  }
}

/**
 * Comments at a steady rate, as Meta would deliver them: signed, and sent again until they are acknowledged. Everything
 * sent is remembered with what is known of it.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Cluster } from './cluster.ts';
import { type LoadedCreator, WORD } from './creators.ts';

/** Meta waits five seconds for an answer [D]. */
const ANSWER_WITHIN_MS = 5000;
const TRY_AGAIN_AFTER_MS = 150;
const SOCKETS = 64;

export type SentComment = { id: string; matches: boolean; ackedAt: number | null };

export class SteadyLoad {
  readonly comments: SentComment[] = [];
  /** When each was acknowledged, in ms since 1970, in order. */
  readonly acks: number[] = [];
  private readonly cluster: Cluster;
  private readonly creators: LoadedCreator[];
  private readonly perSecond: number;
  private readonly pool: Pool;
  private readonly underWay = new Set<Promise<void>>();
  private readonly runId = String(Date.now() % 1_000_000).padStart(6, '0');
  private stopping = false;
  private givenUp = false;
  private readonly sending: Promise<void>;

  constructor(cluster: Cluster, creators: LoadedCreator[], perSecond: number) {
    this.cluster = cluster;
    this.creators = creators;
    this.perSecond = perSecond;
    this.pool = new Pool(cluster.url, { connections: SOCKETS, headersTimeout: ANSWER_WITHIN_MS });
    this.sending = this.send();
  }

  /** A late answer does not slow the next comment down. */
  private async send(): Promise<void> {
    const startedAt = performance.now();
    for (let number = 0; !this.stopping; await pause(2)) {
      const due = ((performance.now() - startedAt) / 1000) * this.perSecond;
      for (; number < due; number++) {
        const delivered = this.deliver(number).finally(() => this.underWay.delete(delivered));
        this.underWay.add(delivered);
      }
    }
  }

  private async deliver(number: number): Promise<void> {
    const creator = this.creators[number % this.creators.length]!;
    const comment: SentComment = {
      id: `18${this.runId}${String(number).padStart(9, '0')}`,
      matches: (number >> 3) % 2 === 0,
      ackedAt: null,
    };
    this.comments.push(comment);
    const body = JSON.stringify({
      object: 'instagram',
      entry: [
        {
          id: creator.accountId,
          time: Math.floor(Date.now() / 1000),
          changes: [
            {
              field: 'comments',
              value: {
                id: comment.id,
                text: comment.matches ? `The ${WORD} please, it looks so good` : 'It looks so good',
                from: { id: `43${this.runId}${number}`, username: `person.${number}` },
                media: { id: creator.postId, media_product_type: 'REELS' },
              },
            },
          ],
        },
      ],
    });
    while (!this.givenUp && !(await this.post(body))) await pause(TRY_AGAIN_AFTER_MS);
    if (this.givenUp) return;
    comment.ackedAt = Date.now();
    this.acks.push(comment.ackedAt);
  }

  private async post(body: string): Promise<boolean> {
    const signature = createHmac('sha256', this.cluster.meta.META_APP_SECRET!).update(body).digest('hex');
    try {
      const response = await this.pool.request({
        method: 'POST',
        path: '/webhooks/meta',
        headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
        body,
      });
      await response.body.dump();
      return response.statusCode === 200;
    } catch {
      return false;
    }
  }

  /** The longest time without an acknowledgement since `from`, in ms. */
  longestGapMs(from: number, until: number): number {
    let longest = 0;
    let last = from;
    for (const at of [...this.acks.filter((ack) => ack > from && ack < until), until]) {
      longest = Math.max(longest, at - last);
      last = at;
    }
    return longest;
  }

  /** Nobody comments any more; resolves when everything is acknowledged, or after `withinMs`. */
  async stop(withinMs: number): Promise<void> {
    this.stopping = true;
    await this.sending;
    const late = setTimeout(() => {
      this.givenUp = true;
    }, withinMs);
    await Promise.all(this.underWay);
    clearTimeout(late);
    await this.pool.destroy();
  }
}

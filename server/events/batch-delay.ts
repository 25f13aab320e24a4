/** A step that works in batches, and what a batch costs there before its first row. */
export type Gathering = {
  /** From this many rows on, a batch's own cost is a small part of it. */
  worthABatch: number;
  atMostMs: number;
};

/**
 * How long the next batch may gather, in milliseconds: after one that was smaller than it is worth, twice as long as it
 * took. The busier the machine, the longer a batch takes, so its batches become fewer and larger.
 */
export function gatheringMs({ worthABatch, atMostMs }: Gathering, batch: { rows: number; tookMs: number }): number {
  return batch.rows < worthABatch ? Math.min(atMostMs, 2 * batch.tookMs) : 0;
}

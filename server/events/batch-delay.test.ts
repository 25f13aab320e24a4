import { expect, test } from 'vitest';
import { gatheringMs } from './batch-delay.ts';

const SOME = { worthABatch: 100, atMostMs: 50 };

test.each([
  ['after a small batch, twice as long as it took', { rows: 1, tookMs: 10 }, 20],
  ['never for longer than somebody can wait', { rows: 99, tookMs: 30 }, 50],
  ['not after a batch that was worth its cost', { rows: 100, tookMs: 30 }, 0],
])('%s', (_name, batch, ms) => {
  expect(gatheringMs(SOME, batch)).toBe(ms);
});

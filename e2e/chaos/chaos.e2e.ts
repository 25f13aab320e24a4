import { expect, test } from 'vitest';
import type { Mode } from './runs.ts';
import { runSchedules, type ScheduleResult } from './runs.ts';

async function play(mode: Mode, seeds: number[]): Promise<ScheduleResult[]> {
  const results: ScheduleResult[] = [];
  await runSchedules({ mode, seeds, parallel: 1, onResult: (result) => results.push(result) });
  return results;
}

/** As text: whoever reads of it has only this, and it may not come again. */
function failuresOf(results: ScheduleResult[]): string {
  return results
    .filter(({ findings }) => findings.length > 0)
    .map(({ seed, findings, trace }) =>
      [`seed ${seed}`, ...findings.map(({ rule, says }) => `rule ${rule}: ${says}`), ...trace].join('\n  '),
    )
    .join('\n');
}

/**
 * Each of these found a defect once. Fixed ones, not fresh ones: what a schedule does follows from its seed, but real
 * sockets and a real database take their own time, and whoever changes a text must not be stopped by what a thousandth
 * schedule finds. Fresh seeds are for `npm run chaos`.
 */
const TELLING_SEEDS = [41, 145, 166, 180, 320, 357, 559, 757, 5181, 9527, 9600];

test('an engine that dies, sleeps and loses its database at any statement breaks no rule', async () => {
  const results = await play('engine', TELLING_SEEDS);
  expect(failuresOf(results)).toBe('');
  expect(results.some(({ messages }) => messages > 0)).toBe(true);
});

/** Each of these found one where plans are paid for. */
const MONEY_SEEDS = [5, 11, 36, 38, 122, 1381, 1643, 5001, 5081];

test('programs that die, sleep and lose their database or Stripe’s answers charge nobody twice, and let in who pays', async () => {
  expect(failuresOf(await play('money', MONEY_SEEDS))).toBe('');
});

test('a program that is killed around payments charges nobody twice, and lets in who pays', async () => {
  expect(failuresOf(await play('money-program', [100]))).toBe('');
});

/** Each of these found one where readers pay a creator. */
const FANS_SEEDS = [19, 21, 72, 108, 371];

test('readers who pay a creator are charged once, are in when they paid, and get back what they were promised', async () => {
  expect(failuresOf(await play('fans', FANS_SEEDS))).toBe('');
});

test('so are they by a program that is killed meanwhile', async () => {
  expect(failuresOf(await play('fans-program', [1]))).toBe('');
});

/**
 * Between them: downloads that nobody reads, silent sockets while the program is asked to end, guessed passwords, and
 * webhooks a byte short that stay until they are thrown out. The last two fail without the limits against them.
 */
const BAD_CLIENT_SEEDS = [4, 102, 210];

test('processes that are killed, frozen and cut off break no rule, and serve others whatever a client does', {
  timeout: 240_000,
}, async () => {
  const results = await play('one-machine', BAD_CLIENT_SEEDS);
  expect(failuresOf(results)).toBe('');
  expect(results.every(({ comments }) => comments > 0)).toBe(true);
});

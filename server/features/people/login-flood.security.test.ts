import { expect, test } from 'vitest';
import { API_BASE } from '#contract/endpoint.ts';
import { login } from '#contract/session.ts';
import { expectUnharmed, startAttacked } from '#server/testing/attacks.ts';

/** At the same moment; each begins the next try when one is answered, and leaves when it is told to come back later. */
const GUESSERS = 40;

test('a flood of login tries keeps nobody waiting who is signed in, and is refused with a time to come back', {
  // How long two hundred calls take beside the hashing depends on the machine.
  timeout: 120_000,
}, async () => {
  await using program = await startAttacked();
  const answers = new Map<number, number>();
  const refusals: unknown[] = [];
  let going = true;
  async function guess(guesser: number) {
    for (let round = 0; going; round++) {
      const body = { email: `nobody${guesser}-${round}@example.test`, password: 'a guess like any other' };
      const { status, headers } = await program.ask(API_BASE + login.path, { method: 'POST', body });
      answers.set(status, (answers.get(status) ?? 0) + 1);
      if (status === 429) return refusals.push(headers['retry-after']);
    }
  }
  const impact = await program.measure(async () => {
    const guessing = Array.from({ length: GUESSERS }, (_, guesser) => guess(guesser));
    return async () => {
      going = false;
      await Promise.all(guessing);
    };
  });
  expectUnharmed(impact);
  expect([...answers.keys()]).toEqual(expect.arrayContaining([401, 429]));
  for (const time of refusals) expect(time).toMatch(/^\d+$/);
});

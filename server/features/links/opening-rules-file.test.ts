import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { OPENING_RULES } from '#contract/opening-rules.ts';
import { createTestClock } from '#server/testing/test-clock.ts';
import { createOpeningRules } from './opening-rules-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'creator-hq-opening-'));
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
const RULES = [{ apps: ['instagram'], system: 'ios', targets: null, attempts: [] }];

function world() {
  const clock = createTestClock();
  const logged: string[] = [];
  const file = join(folder, `${files++}.json`);
  const source = createOpeningRules(
    { clock, log: { warn: (_facts: unknown, says: string) => void logged.push(says) } as never },
    file,
  );
  return {
    clock,
    logged,
    file,
    source,
    write: (what: unknown) => writeFile(file, typeof what === 'string' ? what : JSON.stringify(what)),
  };
}

test('without a file the built-in rules count, and nothing is said', async () => {
  const source = createOpeningRules({ clock: createTestClock(), log: {} as never }, null);
  expect(await source.current()).toBe(OPENING_RULES);
  expect(source.notes()).toEqual([]);
});

test('a file takes the place of what it names, within a minute of its change', async () => {
  const { clock, source, write, logged } = world();
  await write({ rules: RULES });
  expect(await source.current()).toEqual({ ...OPENING_RULES, rules: RULES });
  await write({ menus: [] });
  expect((await source.current()).rules).toEqual(RULES);
  await clock.advance(60_000);
  expect(await source.current()).toEqual({ ...OPENING_RULES, menus: [] });
  expect(logged).toEqual([]);
});

test.each([
  ['that is gone', null, 'ENOENT'],
  ['that is no JSON', '{"rules":', 'isn’t JSON'],
  [
    'with a script',
    {
      rules: [
        {
          ...RULES[0],
          attempts: [{ to: 'javascript:{address}', start: 'auto', by: 'going', source: 'C', month: '2026-10' }],
        },
      ],
    },
    'rules.0.attempts.0.to',
  ],
  ['with a word too many', { rule: [] }, 'file: '],
  ['that is far too long', ' '.repeat(1_000_001), 'longer'],
])('a file %s keeps the earlier rules, and says so once', async (_what, bad, says) => {
  const { clock, source, write, logged, file } = world();
  await write({ rules: RULES });
  await source.current();
  await (bad === null ? rm(file) : write(bad));
  for (let minutes = 0; minutes < 3; minutes++) {
    await clock.advance(60_000);
    expect((await source.current()).rules).toEqual(RULES);
  }
  expect(source.notes()).toEqual([{ setting: 'OPENING_RULES', says: expect.stringContaining(says) }]);
  expect(logged).toEqual([expect.stringContaining(says)]);
  await write({ rules: [] });
  await clock.advance(60_000);
  expect((await source.current()).rules).toEqual([]);
  expect(source.notes()).toEqual([]);
});

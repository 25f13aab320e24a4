import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Writes because of age, or because somebody is erased, have their own places. */
const FORGETTING = ['server/engine/holds.ts'];

const sources = globSync('server/**/*.ts')
  .filter((file) => !/\.test\.ts$|\/testing\//.test(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** Files outside this folder whose text has it. */
const elsewhere = (pattern: RegExp) =>
  sources
    .filter(({ file, text }) => !file.startsWith('server/engine/outcomes/') && pattern.test(text))
    .map(({ file }) => file)
    .sort();

const writes =
  /\b(insert into|update|delete from)\s+deliveries\b|(insertInto|updateTable|deleteFrom|replaceInto)\('deliveries'/i;

test('deliveries are written here, and where somebody or something old is forgotten', () => {
  expect(elsewhere(writes)).toEqual(FORGETTING);
});

test('tests of features get their deliveries from the engine', () => {
  const byHand = /insert into\s+deliveries\b|insertInto\('deliveries'|testing\/delivery-rows/i;
  const tests = globSync(['server/**/*.test.ts', 'server/**/testing/*.ts', 'e2e/**/*.ts']);
  expect(
    tests.filter((file) => !file.startsWith('server/engine/') && byHand.test(readFileSync(file, 'utf8'))).sort(),
  ).toEqual([]);
});

test('what became of an interaction is written here only', () => {
  const statements = sources.map(({ file, text }) => ({
    file,
    // Conditions may ask for the outcome: only what stands between `set` and `where` or `from` is written.
    writes: [...text.matchAll(/update\s+interactions\b[^`]*?\bset\b([^`]*?)(\bfrom\b|\bwhere\b|`)/gi)].some(([, set]) =>
      /\b(outcome|reason)\s*=/.test(set!),
    ),
  }));
  const writers = statements.filter(({ writes }) => writes).map(({ file }) => file);
  expect(writers.length).toBeGreaterThan(3);
  expect(writers.filter((file) => !file.startsWith('server/engine/outcomes/'))).toEqual([]);
  expect(elsewhere(/updateTable\('interactions'\)/)).toEqual([]);
});

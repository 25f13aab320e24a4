/**
 * Regular expressions that go back over their input again and again (ReDoS). Every one in the code that reads what people
 * send is tried with long texts made of its own letters; what takes time that grows with the square of the text, or worse,
 * does not come to an end.
 */
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createContext, Script } from 'node:vm';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const ROOT = path.dirname(import.meta.dirname);
const CODE = '{contract,server}/**/*.ts';
/** Few bodies are so long; a pattern that is done with this is done with those in a moment. */
const LENGTH = 60_000;
/** A linear one needs a millisecond; a quadratic one several seconds. */
const PATIENCE_MS = 4_000;

/** Their input was cut to so many characters before, so they are tried with that. */
const CUT_TO: Record<string, number> = {
  'contract/email-address.ts': 2000,
  'server/observability/scrub.ts': 2000,
};
/** It reads what PostgreSQL says of our own schema, when a developer asks for it. */
const READS_NO_INPUT = ['server/db/schema-dump.ts'];

type Found = { file: string; source: string; flags: string };

async function findAll(): Promise<Found[]> {
  const found: Found[] = [];
  for await (const file of glob(CODE, { cwd: ROOT })) {
    if (/\.test\.ts$|\/testing\/|node_modules/.test(file)) continue;
    const { program } = parseSync(file, await readFile(path.join(ROOT, file), 'utf8'));
    collect(program, (source, flags) => found.push({ file, source, flags }));
  }
  return found;
}

function collect(node: unknown, onRegex: (source: string, flags: string) => void): void {
  if (Array.isArray(node)) for (const one of node) collect(one, onRegex);
  else if (typeof node === 'object' && node !== null) {
    const { regex } = node as { regex?: { pattern: string; flags: string } };
    if (regex !== undefined) onRegex(regex.pattern, regex.flags);
    for (const child of Object.values(node)) collect(child, onRegex);
  }
}

/** Texts of one letter and of two in turn, from the letters that the pattern itself names and one of each usual kind. */
function textsFor(source: string, length = LENGTH): string[] {
  const letters = [
    ...new Set([...source.replaceAll(/\\./g, '').replaceAll(/[\\^$*+?()[\]{}|]/g, ''), 'a', '0', ' ', '\n']),
  ];
  const pairs = letters.slice(0, 6).flatMap((one) => letters.slice(0, 6).map((other) => one + other));
  return [...letters, ...pairs].map((part) => `${part.repeat(length / part.length)}\u0000`);
}

const TRY = new Script('for (const text of texts) { pattern.lastIndex = 0; pattern.test(text); }');

test('no pattern needs more than time in proportion to its input', { timeout: 600_000 }, async () => {
  const all = await findAll();
  expect(all.length).toBeGreaterThan(100);
  const unbounded = all.filter(({ source }) => /[*+]|\{\d+,\}/.test(source));
  const slow: string[] = [];
  for (const { file, source, flags } of unbounded) {
    if (READS_NO_INPUT.includes(file)) continue;
    const context = createContext({ pattern: new RegExp(source, flags), texts: textsFor(source, CUT_TO[file]) });
    try {
      TRY.runInContext(context, { timeout: PATIENCE_MS });
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      slow.push(`${file}: /${source}/${flags}`);
    }
  }
  expect(slow).toEqual([]);
});

test('finds one that does', () => {
  const context = createContext({ pattern: /^(a+)+$/, texts: textsFor('^(a+)+$') });
  expect(() => TRY.runInContext(context, { timeout: 200 })).toThrow(/timed out/);
});

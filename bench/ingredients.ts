/**
 * How fast ingredient lines are read, beside `parse-ingredient`, in turns; and that hostile lines cost no more than their length.
 * `node bench/ingredients.ts [--json]`
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseIngredient } from 'parse-ingredient';
import { ENGLISH } from '#contract/ingredients/lexicon.en.ts';
import { readLabelled } from '#contract/ingredients/lines/scoring.ts';
import { readLine } from '#contract/ingredients/reading.ts';

const ROUNDS = 7;
/** Long enough to be told from the clock's grain. */
const REPEATS = 40;
const LINES = readLabelled(
  readFileSync(path.join(import.meta.dirname, '../contract/ingredients/lines/en.jsonl'), 'utf8'),
).map(({ text }) => text);

const HOSTILE: Record<string, (length: number) => string> = {
  digits: (length) => '1'.repeat(length),
  fractions: (length) => '1/2 '.repeat(length / 4),
  halves: (length) => '½'.repeat(length),
  brackets: (length) => '('.repeat(length),
  'amounts in brackets': (length) => '(1 cup '.repeat(length / 7),
  commas: (length) => ','.repeat(length),
  dashes: (length) => '1-'.repeat(length / 2),
  or: (length) => 'or a '.repeat(length / 5),
  units: (length) => 'cup '.repeat(length / 4),
  foods: (length) => 'olive oil '.repeat(length / 10),
  'one word': (length) => 'a'.repeat(length),
  'descriptions and commas': (length) => 'large, '.repeat(length / 7),
};

const ours = (line: string) => readLine(line, { lexicon: ENGLISH });
const perLine = (read: (line: string) => unknown, lines: string[]) => {
  const begin = process.hrtime.bigint();
  for (const line of lines) read(line);
  return Number(process.hrtime.bigint() - begin) / 1_000 / lines.length;
};
const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const rounds = Array.from({ length: ROUNDS }, () => [perLine(ours, LINES), perLine(parseIngredient, LINES)] as const);
const [us, them] = [middle(rounds.map(([one]) => one)), middle(rounds.map(([, other]) => other))];
// A line is cut at 500 characters: half of that, and that.
const growth = Object.entries(HOSTILE).map(([name, write]) => {
  const cost = (length: number) =>
    middle(Array.from({ length: ROUNDS }, () => perLine(ours, Array<string>(REPEATS).fill(write(length)))));
  return { name, times: Math.round((cost(480) / cost(240)) * 100) / 100 };
});
const figures = {
  lines: LINES.length,
  microsecondsPerLine: Math.round(us * 10) / 10,
  speedBesideParseIngredient: Math.round((them / us) * 100) / 100,
  hostile: growth,
};
console.log(process.argv.includes('--json') ? JSON.stringify(figures) : figures);

/**
 * How fast ingredient lines are read, beside `parse-ingredient`, in turns; that hostile lines cost no more than their length; and how
 * long a plan of 900 lines is merged beside reading them.
 * `node bench/ingredients.ts [--json]`
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseIngredient } from 'parse-ingredient';
import { languageOf } from '#contract/ingredients/languages.ts';
import { ENGLISH } from '#contract/ingredients/lexicon.en.ts';
import { readLabelled } from '#contract/ingredients/lines/scoring.ts';
import { listPlan, readPlan } from '#contract/ingredients/plan-list.ts';
import { readLine } from '#contract/ingredients/reading.ts';
import { NO_CHANGES } from '#contract/meal-plan-ingredients.ts';

/** The first ones also compile. */
const ROUNDS = 60;
/** Lines that are read in one turn: few, so that some turn of each is not interrupted by what else the machine does. */
const SLICE = 20;
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
const microseconds = (run: () => void) => {
  const begin = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - begin) / 1_000;
};
const read = (parse: (line: string) => unknown, lines: string[]) =>
  microseconds(() => {
    for (const line of lines) parse(line);
  });
const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);

const slices = Array.from({ length: Math.ceil(LINES.length / SLICE) }, (_, at) =>
  LINES.slice(at * SLICE, (at + 1) * SLICE),
);
const fastest = slices.map(() => ({ us: Number.POSITIVE_INFINITY, them: Number.POSITIVE_INFINITY }));
for (let round = 0; round < ROUNDS; round++) {
  slices.forEach((lines, at) => {
    fastest[at] = {
      us: Math.min(fastest[at]!.us, read(ours, lines)),
      them: Math.min(fastest[at]!.them, read(parseIngredient, lines)),
    };
  });
}
const us = sum(fastest.map((one) => one.us)) / LINES.length;
const them = sum(fastest.map((one) => one.them)) / LINES.length;
// A line is cut at 500 characters: half of that, and that.
const growth = Object.entries(HOSTILE).map(([name, write]) => {
  const cost = (length: number) => Math.min(...Array.from({ length: 5 * ROUNDS }, () => read(ours, [write(length)])));
  return { name, times: Math.round((cost(480) / cost(240)) * 100) / 100 };
});
/** Sixty meals of fifteen lines: read, and merged from what was read. */
const meals = Array.from({ length: 60 }, (_, at) => ({
  recipe: {
    ...{ id: `r${at}`, name: `${at}`, servings: 4, measures: 'us' as const, language: 'en' },
    lines: Array.from({ length: 15 }, (__, line) => ({
      ...{ id: `${at} ${line}`, text: LINES[(at * 15 + line) % LINES.length]!, fixes: {}, checked: false },
    })),
  },
  meal: { id: `m${at}`, section: 0, slot: '', recipeId: `r${at}`, text: '', servings: 6 },
}));
const plan = {
  ...{ meals: meals.map(({ meal }) => meal), recipes: meals.map(({ recipe }) => recipe), changes: NO_CHANGES },
};
const language = languageOf({ language: 'en', measures: 'us' });
const planRead = readPlan(plan, () => language);
const merging = () => void listPlan(planRead, plan.changes, { language });
const planLines = plan.recipes.flatMap(({ lines }) => lines.map(({ text }) => text));
const best = { merged: Number.POSITIVE_INFINITY, read: Number.POSITIVE_INFINITY };
for (let round = 0; round < ROUNDS; round++) {
  best.merged = Math.min(best.merged, microseconds(merging));
  best.read = Math.min(best.read, read(ours, planLines));
}
const figures = {
  planOf900LinesMergedBesideRead: Math.round((best.merged / best.read) * 100) / 100,
  lines: LINES.length,
  microsecondsPerLine: Math.round(us * 10) / 10,
  speedBesideParseIngredient: Math.round((them / us) * 100) / 100,
  hostile: growth,
};
console.log(process.argv.includes('--json') ? JSON.stringify(figures) : figures);

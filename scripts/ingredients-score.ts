/**
 * Scores the reader of ingredients on a file of labelled lines: `node scripts/ingredients-score.ts FILE.jsonl [--json] [--wrong]
 * [--folds 10]`. In the language that the file's name begins with, "es.jsonl"; else in English.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { LANGUAGES } from '#contract/ingredients/languages.ts';
import { readLabelled, scoreFolds, scoreLines } from '#contract/ingredients/lines/scoring.ts';
import { languageCode } from '#contract/ingredients/recipe-language.ts';

const [file, ...flags] = process.argv.slice(2);
if (file === undefined || file.startsWith('--')) {
  console.error('Which file? node scripts/ingredients-score.ts FILE.jsonl [--json] [--wrong] [--folds 10]');
  process.exit(1);
}
const language = LANGUAGES[languageCode(path.basename(file).slice(0, 2))];
const lines = readLabelled(readFileSync(file, 'utf8'));
const { figures: whole, wrong } = scoreLines(lines, language);
const folds = Number(flags[flags.indexOf('--folds') + 1]);
const figures = flags.includes('--folds')
  ? { ...whole, certainRightOfFolds: scoreFolds(lines, language, folds) }
  : whole;
if (flags.includes('--wrong')) for (const one of wrong) console.log(JSON.stringify(one));
console.log(flags.includes('--json') ? JSON.stringify(figures) : figures);

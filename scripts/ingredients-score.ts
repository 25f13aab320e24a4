/**
 * Scores the reader of ingredients on a file of labelled lines: `node scripts/ingredients-score.ts FILE.jsonl [--json] [--wrong]`. In the
 * language that the file's name begins with, "es.jsonl"; else in English.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { LANGUAGES } from '#contract/ingredients/languages.ts';
import { readLabelled, scoreLines } from '#contract/ingredients/lines/scoring.ts';
import { languageCode } from '#contract/ingredients/recipe-language.ts';

const [file, ...flags] = process.argv.slice(2);
if (file === undefined || file.startsWith('--')) {
  console.error('Which file? node scripts/ingredients-score.ts FILE.jsonl [--json] [--wrong]');
  process.exit(1);
}
const language = LANGUAGES[languageCode(path.basename(file).slice(0, 2))];
const { figures, wrong } = scoreLines(readLabelled(readFileSync(file, 'utf8')), language);
if (flags.includes('--wrong')) for (const one of wrong) console.log(JSON.stringify(one));
console.log(flags.includes('--json') ? JSON.stringify(figures) : figures);

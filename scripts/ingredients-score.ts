/** Scores the reader of ingredients on a file of labelled lines: `node scripts/ingredients-score.ts FILE.jsonl [--json] [--wrong]`. */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { readLabelled, scoreLines } from '#contract/ingredients/lines/scoring.ts';

const [file, ...flags] = process.argv.slice(2);
if (file === undefined || file.startsWith('--')) {
  console.error('Which file? node scripts/ingredients-score.ts FILE.jsonl [--json] [--wrong]');
  process.exit(1);
}
const { figures, wrong } = scoreLines(readLabelled(readFileSync(file, 'utf8')));
if (flags.includes('--wrong')) for (const one of wrong) console.log(JSON.stringify(one));
console.log(flags.includes('--json') ? JSON.stringify(figures) : figures);

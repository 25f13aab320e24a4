/** Reads one ingredient line: how much of what, and how sure that is. Never throws; every number it gives stands in the line. */
import { doubtOf, maySettle } from './choices.ts';
import { type Doubt, doubtsOf, type Sure, type Sureness, surely, surenessOf } from './doubts.ts';
import { type Draft, draftOf } from './draft.ts';
import { writeFraction } from './fractions.ts';
import type { Lexicon } from './lexicon.ts';
import { type Amount, Line, type Point, type Size, type Span } from './line.ts';
import { kindOf, type LineKind, skipBullets } from './line-kind.ts';
import type { Food } from './names.ts';
import { readIngredient } from './reader.ts';
import { tidy } from './tidy.ts';
import type { Measures } from './units.ts';

export type { Sure } from './doubts.ts';

export type Reading = {
  /** As it was written, without tags, entities and signs that nobody sees; at most 500 characters. */
  text: string;
  kind: LineKind;
  /** The author's first one first; the others say the same in other measures. */
  amounts: Amount[];
  food: Food | null;
  alternatives: Food[];
  /** "large" */
  size: string | null;
  preparation: string[];
  notes: string[];
  brand: string | null;
  /** "for dusting" */
  purpose: string | null;
  optional: boolean;
  toTaste: boolean;
  /** Used in several steps. */
  divided: boolean;
  /** "plus more for dusting" */
  more: boolean;
  spans: Span[];
  /** Of all of it. */
  sure: Sure;
  sureness: Sureness;
  /** Why it is not certain. */
  doubts: Doubt[];
};

export type ReadingOptions = {
  lexicon: Lexicon /** Whose cups and spoons: those of the recipe. */;
  measures?: Measures;
};

const MOST_OTHERS = 4;

/** @param raw one line, as it was written or pasted */
export function readLine(raw: string, options: ReadingOptions): Reading {
  return readingOf(readBest(raw, options));
}

/** @returns other ways to read the line, the likeliest first; at most 4 */
export function otherReadings(raw: string, options: ReadingOptions): Reading[] {
  const best = readBest(raw, options);
  const usual = best.draft.line.way === null ? best : readAgain(best, null);
  const all = [best, usual, ...[...usual.draft.line.reached].map((way) => readAgain(usual, way))];
  const readings = all.toSorted((a, b) => weightOf(a) - weightOf(b)).map(readingOf);
  const known = new Set([meaningOf(readingOf(best))]);
  return readings
    .filter((one) => {
      const meaning = meaningOf(one);
      return known.has(meaning) ? false : known.add(meaning);
    })
    .slice(0, MOST_OTHERS);
}

/** The same for two readings that give a shopper the same. */
export function meaningOf({ kind, amounts, food, alternatives, optional, toTaste }: Reading): string {
  const keys = alternatives.map(({ key }) => key);
  return JSON.stringify([kind, amounts.map(plainAmount), food?.key, keys, optional, toTaste]);
}

/** The same for two amounts that are the same, in whatever order their fields were set. */
export function plainAmount({ isAbout, fill, each, ...size }: Amount): unknown[] {
  return [...plainSize(size), isAbout, fill, ...(each === null ? [] : plainSize(each))];
}

function plainSize({ from, to, unit }: Size): unknown[] {
  return [writeFraction(from), to && writeFraction(to), unit];
}

/** One way to read a line. */
type Try = { kind: LineKind; draft: Draft; doubts: Doubt[] };

function readBest(raw: string, { lexicon, measures = 'us' }: ReadingOptions): Try {
  const usual = readOnce(new Line(tidy(raw), lexicon, measures));
  const { doubts, draft } = usual;
  if (doubts.length === 0) return usual;
  const ways = [...draft.line.reached].filter((way) => maySettle(way, doubts));
  return ways.map((way) => readAgain(usual, way)).reduce(better, usual);
}

function readAgain({ draft }: Try, way: Point | null): Try {
  return readOnce(draft.line.again(way));
}

function readOnce(line: Line): Try {
  const begins = skipBullets(line);
  const kind = kindOf(line, begins);
  const draft = draftOf(line);
  if (kind === 'ingredient') readIngredient(draft, begins);
  else line.mark({ from: 0, to: line.length }, 'note');
  return { kind, draft, doubts: kind === 'ingredient' ? doubtsOf(draft) : [] };
}

function better(one: Try, other: Try): Try {
  return weightOf(other) < weightOf(one) ? other : one;
}

function weightOf({ draft, doubts }: Try): number {
  return doubtOf(doubts, draft.line.way);
}

function readingOf({ kind, draft, doubts }: Try): Reading {
  const { line } = draft;
  return {
    text: line.text,
    kind,
    amounts: line.amounts,
    food: draft.food,
    alternatives: draft.alternatives,
    size: draft.size,
    preparation: draft.preparation,
    notes: draft.notes.map((piece) => line.textOf(piece)),
    brand: draft.brand,
    purpose: draft.purpose,
    optional: draft.optional,
    toTaste: draft.toTaste,
    divided: draft.divided,
    more: draft.more,
    spans: line.spans(),
    sure: surely(doubts),
    sureness: surenessOf(doubts),
    doubts,
  };
}

/** What is known of a line while it is read. */
import type { Line, Piece } from './line.ts';
import type { Food } from './names.ts';

export type Draft = {
  line: Line;
  food: Food | null;
  alternatives: Food[];
  preparation: string[];
  notes: Piece[];
  brand: string | null;
  size: string | null;
  purpose: string | null;
  /** "1 schmear of": what stands where a measure would. */
  unknownMeasure: Piece | null;
  optional: boolean;
  toTaste: boolean;
  divided: boolean;
  more: boolean;
};

const FLAGS = ['optional', 'toTaste', 'divided', 'more'] as const;

export function draftOf(line: Line): Draft {
  return {
    line,
    food: null,
    alternatives: [],
    preparation: [],
    notes: [],
    brand: null,
    size: null,
    purpose: null,
    unknownMeasure: null,
    optional: false,
    toTaste: false,
    divided: false,
    more: false,
  };
}

/** Wherever in the line it stands. */
export function readFlags(draft: Draft): void {
  const { line } = draft;
  for (let at = 0; at < line.length; at++) {
    if (line.anyPhrase(FLAGS, at) === at) continue;
    for (const flag of FLAGS) draft[flag] ||= line.phrase(flag, at) > at;
  }
}

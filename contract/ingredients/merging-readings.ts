/**
 * A recipe that is read again: what stood at the source, what stands there now, and what the creator made of it. A fix of theirs is
 * never lost; what nobody touched follows the source. Pure.
 */
import { likeness } from './likeness.ts';

/** As it is kept. */
export type KeptLine = {
  /** Of the source's own. */
  uid: string | null;
  group: string | null;
  text: string;
  /** As the source had it when it was last taken over; null: written by hand. */
  sourceText: string | null;
  /** What the creator said of it, by field; `group` when they moved it. */
  fixes: Readonly<Record<string, unknown>>;
  /** Groups are the creator's: the line stays in its own, whatever the source calls it. */
  keepsGroup?: boolean;
  /** What the source says since, of one that waits for the creator's word. */
  theirs?: string | null;
};
/** As the source has it now. */
export type SourceLine = Pick<KeptLine, 'uid' | 'group' | 'text'>;

/**
 * `source_changed`, `source_gone`: it has a fix and waits for the creator's word. `settled`: the source says of it what it said at the
 * last reading, so whatever the creator made of that stays, and what waits goes on waiting.
 */
export type LineState = 'same' | 'changed' | 'added' | 'source_changed' | 'source_gone' | 'settled';
export type MergedLine<Line extends KeptLine> = (Line | KeptLine) & { state: LineState; theirs: string | null };
export type Merged<Line extends KeptLine> = {
  lines: MergedLine<Line>[];
  changed: number;
  added: number;
  removed: number;
  waiting: number;
};

const ALIKE = 0.75;

/**
 * @param mine in the recipe's order, which stays
 * @param theirs in the source's order; without any nothing was read, and nothing changes
 * @param last what the source said at the last reading; null where nobody kept it: then lines tell it that have come from there
 */
export function mergeReadings<Line extends KeptLine>(
  mine: readonly Line[],
  theirs: readonly SourceLine[],
  last: readonly SourceLine[] | null = null,
): Merged<Line> {
  const pairs = theirs.length === 0 ? null : pair(mine, theirs);
  const lastPairs = last === null ? null : pair(mine, last);
  const kept = mine.map((line, at) => {
    if (pairs === null) return unchanged(line);
    const now = theirs[pairs.get(at) ?? -1];
    const isSettled = lastPairs !== null && isSame(last?.[lastPairs.get(at) ?? -1], now);
    return isSettled ? { ...line, state: 'settled' as const, theirs: line.theirs ?? null } : merge(line, now);
  });
  const isLeftOut = leftOut(last ?? [], lastPairs);
  const lines = kept.flatMap((line, at) => (line === null ? [] : [{ line, other: pairs?.get(at) ?? null }]));
  const known = new Set(pairs?.values());
  for (const [other, line] of theirs.entries()) {
    if (known.has(other) || isLeftOut(line)) continue;
    const added = { ...line, sourceText: line.text, fixes: {}, state: 'added' as const, theirs: null };
    lines.splice(placeFor(lines, other), 0, { line: added, other });
  }
  const count = (...states: LineState[]) => lines.filter(({ line }) => states.includes(line.state)).length;
  return {
    lines: byGroup(lines.map(({ line }) => line)),
    changed: count('changed'),
    added: count('added'),
    removed: kept.filter((line) => line === null).length,
    waiting: count('source_changed', 'source_gone'),
  };
}

export function isFixed({ text, sourceText, fixes }: KeptLine): boolean {
  return text !== sourceText || Object.keys(fixes).length > 0;
}

function isSame(one: SourceLine | undefined, other: SourceLine | undefined): boolean {
  return one?.text === other?.text && one?.group === other?.group;
}

/** Whether a line was there at the last reading and the creator took it out: each as often as it was there. */
function leftOut(
  last: readonly SourceLine[],
  pairs: ReadonlyMap<number, number> | null,
): (line: SourceLine) => boolean {
  const taken = new Set(pairs?.values());
  const left = last.filter((_, at) => !taken.has(at));
  return ({ uid, text }) => {
    const byName = left.findIndex((line) => uid !== null && line.uid === uid && line.text === text);
    const at = byName >= 0 ? byName : left.findIndex((line) => line.text === text);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
}

function unchanged<Line extends KeptLine>(line: Line): MergedLine<Line> {
  return { ...line, state: 'same', theirs: null };
}

/** @returns null: it goes with the source */
function merge<Line extends KeptLine>(line: Line, theirs: SourceLine | undefined): MergedLine<Line> | null {
  if (line.sourceText === null) return unchanged(line);
  if (theirs === undefined) return isFixed(line) ? { ...line, state: 'source_gone', theirs: null } : null;
  const { uid, text } = theirs;
  const group = line.keepsGroup === true || 'group' in line.fixes ? line.group : theirs.group;
  if (isFixed(line)) {
    // Both wrote the same.
    if (text === line.text) return { ...line, uid, group, sourceText: text, state: 'same', theirs: null };
    const isSame = text === line.sourceText;
    return { ...line, uid, group, state: isSame ? 'same' : 'source_changed', theirs: isSame ? null : text };
  }
  const isSame = text === line.text && group === line.group;
  return { ...line, uid, group, text, sourceText: text, state: isSame ? 'same' : 'changed', theirs: null };
}

/** Places in `theirs` by places in `mine`: by the source's own name, then equal text, then likeness. */
function pair(mine: readonly KeptLine[], theirs: readonly SourceLine[]): Map<number, number> {
  const pairs = new Map<number, number>();
  const taken = new Set<number>();
  const pairBy = (fits: (line: KeptLine, other: SourceLine) => boolean, isInOrder = false) => {
    for (const [at, line] of mine.entries()) {
      if (line.sourceText === null || pairs.has(at)) continue;
      const [from, to] = isInOrder ? between(pairs, at, theirs.length) : [0, theirs.length];
      for (let other = from; other < to; other++) {
        if (taken.has(other) || !fits(line, theirs[other]!)) continue;
        pairs.set(at, other);
        taken.add(other);
        break;
      }
    }
  };
  // A name that two lines have tells neither.
  const [own, told] = [namesOf(mine), namesOf(theirs)];
  pairBy(({ uid }, other) => uid !== null && uid === other.uid && own.get(uid) === 1 && told.get(uid) === 1);
  const isSameText = (line: KeptLine, other: SourceLine) => line.sourceText === other.text || line.text === other.text;
  const wasTold = (line: KeptLine, other: SourceLine) => (line.theirs ?? line.sourceText) === other.text;
  pairBy((line, other) => line.group === other.group && wasTold(line, other));
  pairBy((line, other) => line.group === other.group && isSameText(line, other));
  pairBy(isSameText);
  const isAlike = (line: KeptLine, other: SourceLine) =>
    line.group === other.group && likeness(line.sourceText ?? '', other.text) >= ALIKE;
  pairBy(isAlike, true);
  return pairs;
}

function namesOf(lines: readonly Pick<KeptLine, 'uid'>[]): Map<string | null, number> {
  const names = new Map<string | null, number>();
  for (const { uid } of lines) names.set(uid, (names.get(uid) ?? 0) + 1);
  return names;
}

/** Where a line may be for those around it to be in order. */
function between(pairs: ReadonlyMap<number, number>, at: number, end: number): [number, number] {
  const before = [...pairs].filter(([line]) => line < at).map(([, other]) => other);
  const after = [...pairs].filter(([line]) => line > at).map(([, other]) => other);
  const [from, to] = [Math.max(-1, ...before) + 1, Math.min(end, ...after)];
  // Lines that moved say nothing of the others.
  return from <= to ? [from, to] : [0, end];
}

/** Behind the line that it stands behind at the source. */
function placeFor(lines: readonly { other: number | null }[], other: number): number {
  for (let before = other - 1; before >= 0; before--) {
    const at = lines.findIndex((line) => line.other === before);
    if (at !== -1) return at + 1;
  }
  return 0;
}

/** Lines of a group stand together, groups in the order in which they begin. */
function byGroup<Line extends KeptLine>(lines: readonly Line[]): Line[] {
  const groups = new Map<string | null, Line[]>();
  for (const line of lines) groups.set(line.group, [...(groups.get(line.group) ?? []), line]);
  return [...groups.values()].flat();
}

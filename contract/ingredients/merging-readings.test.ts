import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFixed, type KeptLine, type MergedLine, mergeReadings, type SourceLine } from './merging-readings.ts';

/** The creator's answer to one that waits: the source may say what it wants until it changes again. */
function keepMine<Line extends KeptLine>(line: Line, theirs: string | null): Line {
  return { ...line, sourceText: theirs, theirs: null };
}

function takeTheirs<Line extends KeptLine>(line: Line, theirs: string): Line {
  return { ...line, text: theirs, sourceText: theirs, fixes: {}, theirs: null };
}

/** "Group/text" at the source; `uid#` before it. */
function theirs(written: string): SourceLine {
  const [, uid, group, text = ''] = /^(?:(\w+)#)?(?:([^/]*)\/)?(.*)$/.exec(written)!;
  return { uid: uid ?? null, group: group ?? null, text };
}
/** The same that nobody touched. */
const plain = (written: string): KeptLine => ({ ...theirs(written), sourceText: theirs(written).text, fixes: {} });
const edited = (written: string, text: string): KeptLine => ({ ...plain(written), text });
const fixed = (written: string, fixes: object = { food: 'egg' }): KeptLine => ({
  ...plain(written),
  fixes: { ...fixes },
});
const byHand = (written: string): KeptLine => ({ ...plain(written), sourceText: null });

/** "group/text (state: theirs)" */
function show({ group, text, state, theirs: now }: MergedLine<KeptLine>): string {
  const said = state === 'same' ? '' : ` (${state}${now === null ? '' : `: ${now}`})`;
  return `${group === null ? '' : `${group}/`}${text}${said}`;
}
type Case = [what: string, mine: KeptLine[], theirs: string[], merged: string[]];

const UNTOUCHED: Case[] = [
  ['nothing changed', [plain('2 eggs'), plain('1 lemon')], ['2 eggs', '1 lemon'], ['2 eggs', '1 lemon']],
  ['another amount', [plain('2 large eggs')], ['3 large eggs'], ['3 large eggs (changed)']],
  ['another text under the same name', [plain('a#2 eggs')], ['a#1 banana'], ['1 banana (changed)']],
  ['another name for the same text', [plain('a#2 eggs')], ['b#2 eggs'], ['2 eggs']],
  ['names where there were none', [plain('2 eggs')], ['a#2 eggs'], ['2 eggs']],
  ['names gone', [plain('a#2 eggs')], ['2 eggs'], ['2 eggs']],
  ['one more at the end', [plain('2 eggs')], ['2 eggs', '1 lemon'], ['2 eggs', '1 lemon (added)']],
  ['one more at the start', [plain('2 eggs')], ['1 lemon', '2 eggs'], ['1 lemon (added)', '2 eggs']],
  [
    'one more in the middle',
    [plain('2 eggs'), plain('1 lemon')],
    ['2 eggs', '100 g flour', '1 lemon'],
    ['2 eggs', '100 g flour (added)', '1 lemon'],
  ],
  [
    'two more in their order',
    [plain('2 eggs')],
    ['2 eggs', '1 lemon', '1 lime'],
    ['2 eggs', '1 lemon (added)', '1 lime (added)'],
  ],
  ['one less', [plain('2 eggs'), plain('1 lemon')], ['2 eggs'], ['2 eggs']],
  ['all others', [plain('2 eggs')], ['500 g spaghetti'], ['500 g spaghetti (added)']],
  ['nothing at all, which was not read', [plain('2 eggs'), fixed('1 lemon')], [], ['2 eggs', '1 lemon']],
  ['into an empty recipe', [], ['2 eggs'], ['2 eggs (added)']],
  ['the same line twice', [plain('2 eggs'), plain('2 eggs')], ['2 eggs', '2 eggs'], ['2 eggs', '2 eggs']],
  ['the same line once less', [plain('2 eggs'), plain('2 eggs')], ['2 eggs'], ['2 eggs']],
  ['the same line once more', [plain('2 eggs')], ['2 eggs', '2 eggs'], ['2 eggs', '2 eggs (added)']],
  ['a group got a name', [plain('2 eggs')], ['Cake/2 eggs'], ['Cake/2 eggs (changed)']],
  ['a group lost its name', [plain('Cake/2 eggs')], ['2 eggs'], ['2 eggs (changed)']],
  [
    'a line in another group',
    [plain('Cake/2 eggs'), plain('Icing/1 lemon')],
    ['Cake/2 eggs', 'Cake/1 lemon'],
    ['Cake/2 eggs', 'Cake/1 lemon (changed)'],
  ],
  ['a new group', [plain('Cake/2 eggs')], ['Cake/2 eggs', 'Icing/1 lemon'], ['Cake/2 eggs', 'Icing/1 lemon (added)']],
  [
    'one more in each group',
    [plain('A/2 eggs'), plain('B/1 lemon')],
    ['A/2 eggs', 'A/salt', 'B/1 lemon', 'B/milk'],
    ['A/2 eggs', 'A/salt (added)', 'B/1 lemon', 'B/milk (added)'],
  ],
  ['likeness in another group is none', [plain('A/2 cups sugar')], ['B/3 cups sugar'], ['B/3 cups sugar (added)']],
  [
    'two alike in their order',
    [plain('2 cups white sugar'), plain('1 cup white sugar')],
    ['3 cups white sugar', '4 cups white sugar'],
    ['3 cups white sugar (changed)', '4 cups white sugar (changed)'],
  ],
];
const FIXED: Case[] = [
  ['a fix of the text, and nothing changed', [edited('2 egg', '2 eggs')], ['2 egg'], ['2 eggs']],
  ['a fix of a field, and nothing changed', [fixed('2 eggs')], ['2 eggs'], ['2 eggs']],
  [
    'a fix of the text, and another amount',
    [edited('2 large egg', '2 large eggs')],
    ['3 large egg'],
    ['2 large eggs (source_changed: 3 large egg)'],
  ],
  [
    'a fix of a field, and another amount',
    [fixed('2 large eggs')],
    ['3 large eggs'],
    ['2 large eggs (source_changed: 3 large eggs)'],
  ],
  [
    'a fix, and another text under the same name',
    [edited('a#2 egg', '2 eggs')],
    ['a#1 banana'],
    ['2 eggs (source_changed: 1 banana)'],
  ],
  ['a fix, and the source wrote the same', [edited('2 egg', '2 eggs')], ['2 eggs'], ['2 eggs']],
  [
    'a fix of the text, and gone',
    [edited('2 egg', '2 eggs'), plain('1 lemon')],
    ['1 lemon'],
    ['2 eggs (source_gone)', '1 lemon'],
  ],
  ['a fix of a field, and gone', [plain('1 lemon'), fixed('2 eggs')], ['1 lemon'], ['1 lemon', '2 eggs (source_gone)']],
  [
    'a fix, and all others',
    [fixed('2 eggs')],
    ['500 g spaghetti'],
    ['500 g spaghetti (added)', '2 eggs (source_gone)'],
  ],
  [
    'a fix of one of two that are equal',
    [plain('2 eggs'), fixed('2 eggs')],
    ['2 eggs'],
    ['2 eggs', '2 eggs (source_gone)'],
  ],
  ['a fix, and another group', [fixed('A/2 eggs')], ['B/2 eggs'], ['B/2 eggs']],
  ['moved by hand, and nothing changed', [fixed('B/2 eggs', { group: true })], ['A/2 eggs'], ['B/2 eggs']],
  [
    'moved by hand, and another amount',
    [fixed('B/a#2 eggs', { group: true })].map((line) => ({
      ...line,
      group: 'B',
      uid: 'a',
      text: '2 eggs',
      sourceText: '2 eggs',
    })),
    ['a#A/3 eggs'],
    ['B/2 eggs (source_changed: 3 eggs)'],
  ],
  ['written by hand', [plain('2 eggs'), byHand('1 pinch of love')], ['2 eggs'], ['2 eggs', '1 pinch of love']],
  [
    'written by hand between two',
    [plain('2 eggs'), byHand('love'), plain('1 lemon')],
    ['2 eggs', '1 lemon'],
    ['2 eggs', 'love', '1 lemon'],
  ],
  ['written by hand, and at the source now too', [byHand('1 lemon')], ['1 lemon'], ['1 lemon (added)', '1 lemon']],
  [
    'written by hand, and all others',
    [plain('2 eggs'), byHand('love')],
    ['500 g spaghetti'],
    ['500 g spaghetti (added)', 'love'],
  ],
  ['their own order', [plain('1 lemon'), plain('2 eggs')], ['2 eggs', '1 lemon'], ['1 lemon', '2 eggs']],
  [
    'their own order, and one more',
    [plain('1 lemon'), plain('2 eggs')],
    ['2 eggs', '100 g flour', '1 lemon'],
    ['1 lemon', '2 eggs', '100 g flour (added)'],
  ],
  ['made empty', [edited('2 eggs', '')], ['2 eggs'], ['']],
];

describe('untouched', () => test.each(UNTOUCHED)('%s', check));
describe('with fixes', () => test.each(FIXED)('%s', check));

function check(_what: string, mine: KeptLine[], now: string[], merged: string[]) {
  const before = JSON.stringify(mine);
  const read = now.map(theirs);
  const result = mergeReadings(mine, read);
  expect(result.lines.map(show)).toEqual(merged);
  const count = (state: string) => merged.filter((line) => line.includes(`(${state}`)).length;
  expect(result).toMatchObject({ changed: count('changed'), added: count('added'), waiting: count('source_') });
  expect(result.removed).toBe(mine.length - (merged.length - count('added')));
  expect(JSON.stringify(mine)).toBe(before);
}

test('there are at least forty of them', () => expect(UNTOUCHED.length + FIXED.length).toBeGreaterThanOrEqual(40));

describe('one that waits', () => {
  const [waiting] = mergeReadings([edited('2 large egg', '2 large eggs')], [theirs('3 large egg')]).lines;

  test('waits again with every reading', () => {
    expect(mergeReadings([waiting!], [theirs('3 large egg')]).lines.map(show)).toEqual([
      '2 large eggs (source_changed: 3 large egg)',
    ]);
  });
  test('waits no longer when the source takes it back', () => {
    expect(mergeReadings([waiting!], [theirs('2 large egg')]).lines.map(show)).toEqual(['2 large eggs']);
  });
  test('stays as the creator has it, until the source changes again', () => {
    const kept = keepMine(waiting!, waiting!.theirs);
    expect(mergeReadings([kept], [theirs('3 large egg')]).lines.map(show)).toEqual(['2 large eggs']);
    expect(mergeReadings([kept], [theirs('4 large egg')]).lines.map(show)).toEqual([
      '2 large eggs (source_changed: 4 large egg)',
    ]);
  });
  test('is the source’s, when they say so', () => {
    const taken = takeTheirs(waiting!, waiting!.theirs!);
    expect(isFixed(taken)).toBe(false);
    expect(mergeReadings([taken], [theirs('4 large egg')]).lines.map(show)).toEqual(['4 large egg (changed)']);
  });
  test('that is gone at the source is theirs, when they say so', () => {
    const [gone] = mergeReadings([fixed('2 eggs')], [theirs('1 lemon')]).lines.filter(
      ({ state }) => state === 'source_gone',
    );
    expect(mergeReadings([keepMine(gone!, null)], [theirs('1 lemon')]).lines.map(show)).toEqual([
      '1 lemon (added)',
      '2 eggs',
    ]);
  });
});

describe('whatever is read and fixed in whatever order', () => {
  const line = fc.record({
    uid: fc.constantFrom(null, 'a', 'b', 'c', 'd'),
    group: fc.constantFrom(null, 'Cake', 'Icing'),
    text: fc.constantFrom('2 eggs', '3 eggs', '2 large eggs', '100 g flour', '120 g flour', '1 lemon', 'salt', ''),
  });
  const reading = fc.record({ kind: fc.constant('reading' as const), lines: fc.array(line, { maxLength: 8 }) });
  const fix = fc.record({ kind: fc.constantFrom('text' as const, 'field' as const, 'hand' as const), at: fc.nat(20) });
  const steps = fc.array(fc.oneof(reading, fix), { maxLength: 15 });

  test('no fix is lost, nothing of the source either, and reading twice is reading once', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(steps, (given) => {
        let mine: KeptLine[] = [];
        for (const [number, step] of given.entries()) {
          if (step.kind !== 'reading') {
            mine = withFix(mine, step, `fix ${number}`);
            continue;
          }
          const result = mergeReadings(mine, step.lines);
          const words = (lines: readonly KeptLine[]) =>
            lines
              .filter(isFixed)
              .map(({ text, fixes }) => JSON.stringify([text, fixes]))
              .sort();
          // What the source wrote as well is no fix any more; its words are there.
          const left = result.lines.map(({ text, fixes }) => JSON.stringify([text, fixes]));
          for (const word of words(mine)) expect(left).toContain(word);
          if (step.lines.length > 0) {
            const told = result.lines.flatMap(({ text, sourceText, theirs }) => [text, sourceText, theirs]);
            for (const { text } of step.lines) expect(told).toContain(text);
          }
          const again = mergeReadings(result.lines, step.lines);
          expect(again).toMatchObject({ changed: 0, added: 0, removed: 0, waiting: result.waiting });
          expect(again.lines.map(({ text }) => text)).toEqual(result.lines.map(({ text }) => text));
          mine = result.lines;
        }
      }),
      { numRuns: 1_000, seed: 20261125 },
    );
  });

  function withFix(
    mine: KeptLine[],
    { kind, at }: { kind: 'text' | 'field' | 'hand'; at: number },
    word: string,
  ): KeptLine[] {
    if (kind === 'hand') return [...mine.slice(0, at), byHand(word), ...mine.slice(at)];
    return mine.map((line, place) => {
      if (place !== at % mine.length) return line;
      return kind === 'text' ? { ...line, text: word } : { ...line, fixes: { ...line.fixes, food: word } };
    });
  }
});

test('150 lines that are all alike are paired in little work', () => {
  const many = Array.from({ length: 150 }, (_, at) => `${at + 1} cups of the very same sugar`);
  const { lines } = mergeReadings(
    many.map(plain),
    many.map((text) => theirs(text.replace('very', 'truly very'))),
  );
  expect(lines.every(({ state }) => state === 'changed')).toBe(true);
});

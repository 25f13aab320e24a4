import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TextPart, TextRun } from '#contract/email-templates.ts';
import {
  docOfLine,
  docOfParts,
  LINE,
  lineOfDoc,
  linkOf,
  newField,
  partsOfDoc,
  TEXT,
} from '#web/features/email-templates/rich-text.ts';

const run = (text: string, more: Partial<TextRun> = {}): TextRun => ({
  text,
  bold: false,
  italic: false,
  link: null,
  ...more,
});

describe('text with lists', () => {
  test('comes back as it was, with breaks, marks, links and fields', () => {
    const parts: TextPart[] = [
      { kind: 'paragraph', lines: [[run('Hi {first name|friend}, '), run('eat', { bold: true })], [run('more')]] },
      { kind: 'bullets', lines: [[run('6 eggs')], [run('On '), run('{recipe.title}', { link: '{recipe.url}' })]] },
      { kind: 'paragraph', lines: [[]] },
      { kind: 'numbers', lines: [[run('Stir', { bold: true, italic: true, link: 'https://example.com/' })]] },
    ];
    const doc = docOfParts(parts);
    doc.check();
    expect(partsOfDoc(doc)).toEqual(parts);
    let chips = 0;
    doc.descendants((node) => void (node.type.name === 'field' && chips++));
    expect(chips).toBe(2);
  });

  test('that is empty has no parts', () => {
    expect(partsOfDoc(docOfParts([]))).toEqual([]);
  });

  test('shows a field that does not exist as it is written', () => {
    const parts: TextPart[] = [{ kind: 'paragraph', lines: [[run('{firstname|x} and {toString} {')]] }];
    const doc = docOfParts(parts);
    expect(doc.textContent).toBe('{firstname|x} and {toString} {');
    expect(partsOfDoc(doc)).toEqual(parts);
  });

  test('is a document of the schema whatever it says, and is the same text then', () => {
    const runs = fc.array(
      fc.record({
        text: fc.oneof(
          fc.string({ minLength: 1 }),
          fc.constantFrom('{first name}', '{recipe.title|x}', '{no', 'a{b}c'),
        ),
        bold: fc.boolean(),
        italic: fc.boolean(),
        link: fc.constantFrom(null, 'https://example.com/', '{recipe.url}'),
      }),
      { maxLength: 4 },
    );
    const parts = fc.array(
      fc.record({
        kind: fc.constantFrom<TextPart['kind'][]>('paragraph', 'bullets', 'numbers') as fc.Arbitrary<TextPart['kind']>,
        lines: fc.array(runs, { minLength: 1, maxLength: 4 }),
      }),
      { maxLength: 4 },
    );
    const textOf = (all: readonly TextPart[]) =>
      all.map(({ lines }) => lines.map((line) => line.map(({ text }) => text).join('')).join('\n')).join('\n\n');
    fc.assert(
      fc.property(parts, (written) => {
        const doc = docOfParts(written);
        doc.check();
        const again = partsOfDoc(doc);
        // Spaces inside of braces go.
        const plain = (text: string) => text.replaceAll(/\s/g, '');
        expect(plain(textOf(again))).toBe(plain(textOf(written)));
        expect(partsOfDoc(docOfParts(again))).toEqual(again);
      }),
    );
  });
});

describe('a line', () => {
  test('comes back as it was', () => {
    expect(lineOfDoc(docOfLine('A {recipe.title|recipe} for you'))).toBe('A {recipe.title|recipe} for you');
    expect(lineOfDoc(docOfLine(''))).toBe('');
  });

  test('has no room for a list, a link or a second line', () => {
    expect(Object.keys(LINE.nodes)).toEqual(['doc', 'paragraph', 'field', 'text']);
    expect(Object.keys(LINE.marks)).toEqual([]);
  });

  test('takes a field with its usual words for where there is nothing', () => {
    const { paragraph } = LINE.nodes;
    const doc = LINE.topNodeType.create(null, paragraph!.create(null, newField(LINE, 'first name')));
    expect(lineOfDoc(doc)).toBe('{first name|there}');
    expect(TEXT.nodes.field!.isAtom).toBe(true);
  });
});

test.each([
  [' https://example.com/a ', 'https://example.com/a'],
  ['mailto:anna@example.com', 'mailto:anna@example.com'],
  ['{recipe.url}', '{recipe.url}'],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['//example.com', null],
])('the link %j is kept as %j', (typed, kept) => {
  expect(linkOf(typed)).toBe(kept);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterEdit,
  type Forms,
  fallbacksOf,
  inWords,
  piecesOf,
  toShown,
  toStored,
  withFallback,
} from './variable-chips.ts';

/** Types into a field that holds `stored`: the text between the places is replaced. */
function edit(stored: string, from: number, to: number, text: string) {
  const forms: Forms = [];
  const before = toShown(stored, forms);
  return afterEdit(before, before.slice(0, from) + text + before.slice(to), from + text.length, forms);
}
const shownOf = (stored: string) => toShown(stored, []);
const visible = (shown: string) => shown.replace(/[\u2060\u2063]/g, '').replaceAll('\u00a0', ' ');

describe('a variable', () => {
  it.each([
    ['Hi {{username|there}}!', 'Hi Name!'],
    ['{{ First_Name | friend }}, {{word}}: {{link}}', 'First name, Their word: Link'],
    ['no {{price}} here, {{}} and {{ nor', 'no {{price}} here, {{}} and {{ nor'],
  ])('%s reads %s, and is stored as it was', (stored, reads) => {
    const forms: Forms = [];
    const shown = toShown(stored, forms);
    expect(visible(shown)).toBe(reads);
    expect(inWords(stored).replaceAll('\u00a0', ' ')).toBe(reads);
    expect(toStored(shown, forms)).toBe(stored);
  });

  it('keeps what each says when it is unknown, whichever of them is deleted', () => {
    const stored = '{{username|you}} and {{username|there}}';
    const chip = shownOf(stored).indexOf(' ');
    expect(edit(stored, 0, chip, '').stored).toBe(' and {{username|there}}');
  });

  it.each([
    ['{name}', '{{username|there}}'],
    ['{{name}}', '{{username|there}}'],
    ['{{ Name }}', '{{username|there}}'],
    ['{{name|friend}}', '{{username|friend}}'],
    ['{Their word}', '{{word}}'],
    ['{first name}', '{{first_name|there}}'],
    ['{{username}}', '{{username}}'],
    ['{price}', '{price}'],
    ['{{name}', '{{name}'],
    ['{name}}', '{name}}'],
  ])('typed as %s is stored as %s', (typed, stored) => {
    const edited = edit('Hi !', 3, 3, typed);
    expect(edited.stored).toBe(`Hi ${stored}!`);
    // The caret is behind what was typed.
    expect(edited.shown.slice(edited.caret)).toBe('!');
  });

  it('goes as a whole when a part of it is deleted, and takes no text into itself', () => {
    const stored = 'Hi {{username|there}}!';
    const [start, end] = [3, shownOf(stored).length - 1];
    // Backspace behind it, Delete before it, a selection from within it.
    expect(edit(stored, end - 1, end, '')).toEqual({ stored: 'Hi !', shown: 'Hi !', caret: 3 });
    expect(edit(stored, start, start + 1, '')).toEqual({ stored: 'Hi !', shown: 'Hi !', caret: 3 });
    expect(edit(stored, 1, start + 2, 'o').stored).toBe('Ho!');
    expect(edit(stored, start + 2, start + 2, 'x').stored).toBe('Hi {{username|there}}x!');
    expect(edit(stored, end, end, 'x').stored).toBe('Hi {{username|there}}x!');
    expect(edit(stored, start, start, 'x').stored).toBe('Hi x{{username|there}}!');
  });

  it('says something else when it is unknown', () => {
    const stored = 'Hi {{username|there}}, {{word}}, {{first_name}} and {{username}}';
    expect(fallbacksOf(stored)).toEqual([
      { variable: 'username', label: 'Name', says: 'there' },
      { variable: 'first_name', label: 'First name', says: 'there' },
    ]);
    expect(withFallback(stored, 'username', 'my {fr|iend}')).toBe(
      'Hi {{username|my friend}}, {{word}}, {{first_name}} and {{username|my friend}}',
    );
    expect(fallbacksOf(withFallback(stored, 'username', ''))[0]).toMatchObject({ says: '' });
  });

  it('is told from the text around it', () => {
    expect(piecesOf(shownOf('a {{username|there}}{{word}}')).map(({ isVariable }) => isVariable)).toEqual([
      false,
      true,
      true,
    ]);
    expect(piecesOf('plain')).toEqual([{ text: 'plain', isVariable: false }]);
    expect(piecesOf('')).toEqual([]);
  });
});

it('shows no braces of a variable and leaves no half of one, whatever is edited', () => {
  const text = fc
    .array(fc.constantFrom('Hi ', '{{username|there}}', '{{username|you}}', '{{word}}', '\n', 'name', 'é', '🍋'), {
      maxLength: 8,
    })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), fc.constantFrom('', 'x', 'name', '\n', ' Hi '), (stored, a, b, typed) => {
      const forms: Forms = [];
      const before = toShown(stored, forms);
      const [from, to] = [a % (before.length + 1), b % (before.length + 1)].sort((one, other) => one - other);
      const after = before.slice(0, from) + typed + before.slice(to);
      const edited = afterEdit(before, after, from! + typed.length, forms);
      expect(toShown(edited.stored, forms)).toBe(edited.shown);
      expect(edited.shown).not.toMatch(/[{}]/);
      expect(
        piecesOf(edited.shown)
          .filter(({ isVariable }) => !isVariable)
          .join(''),
      ).not.toMatch(/[\u2060\u2063]/);
      expect(edited.caret).toBeLessThanOrEqual(edited.shown.length);
    }),
  );
});

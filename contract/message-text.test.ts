import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkMessage,
  checkPublicReply,
  cutToBytes,
  MAX_TEXT_BYTES,
  type MessageValues,
  renderMessage,
  utf8Length,
} from './message-text.ts';

describe('rendering a message', () => {
  const anna = { username: 'anna.cooks', first_name: 'Anna', word: 'Recipe', link: 'https://hq.example/l/abc' };

  test.each<[string, string, MessageValues, string]>([
    [
      'fills in what is known',
      'Hi {{first_name}}, {{word}}: {{link}}',
      anna,
      'Hi Anna, Recipe: https://hq.example/l/abc',
    ],
    ['takes spaces and capitals', '{{ Username }}', anna, 'anna.cooks'],
    ['prefers the value to what is said otherwise', 'Hi {{first_name|friend}}', anna, 'Hi Anna'],
    ['says otherwise when it is unknown', 'Hi {{first_name|dear friend}}!', {}, 'Hi dear friend!'],
    ['says otherwise when it is blank', 'Hi {{first_name | friend }}!', { first_name: ' \n' }, 'Hi friend!'],
    ['says nothing where that is wanted', 'Hi{{first_name|}}!', { first_name: null }, 'Hi!'],
    ['has a word of its own for names', 'Hi {{first_name}}, {{username}}', {}, 'Hi there, there'],
    [
      'leaves other braces alone',
      '{{price}} {username} {{}} {{user name}} {{username',
      anna,
      '{{price}} {username} {{}} {{user name}} {{username',
    ],
    [
      'never looks at what it filled in',
      '{{first_name}} {{word}}',
      { first_name: '{{link}}', word: '{{first_name|x}}', link: 'L' },
      '{{link}} {{first_name|x}}',
    ],
    ['fills in no nested variable', '{{first_name|{{link}}}}', { link: 'L' }, '{{first_name|L}}'],
    ['takes dollar signs as they are', '{{first_name}}', { first_name: "$& $1 $'" }, "$& $1 $'"],
    [
      'keeps names on one line and in their direction',
      'Hi {{first_name}}!',
      { first_name: 'An\nna\u202e' },
      'Hi An na!',
    ],
    ['knows no members of objects', '{{constructor}} {{__proto__|x}}', anna, '{{constructor}} {{__proto__|x}}'],
    ['cuts a name of a thousand letters', '{{first_name}}', { first_name: 'é'.repeat(1_000) }, 'é'.repeat(30)],
  ])('%s', (_, text, values, expected) => {
    expect(renderMessage(text, values)).toBe(expected);
  });

  test('leaves a text without variables as it is, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!text.includes('{{'));
        expect(renderMessage(text, anna)).toBe(text);
      }),
    );
  });

  test('is quick with braces without end', () => {
    expect(renderMessage('{{ '.repeat(100_000), anna)).toHaveLength(300_000);
    expect(renderMessage('{{word|'.repeat(100_000), anna)).toHaveLength(700_000);
  });
});

describe('the length in bytes', () => {
  test('is that of UTF-8', () => {
    const encoder = new TextEncoder();
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (codes) => {
        const text = String.fromCharCode(...codes);
        expect(utf8Length(text)).toBe(encoder.encode(text).length);
      }),
    );
    expect(utf8Length('aé€😀')).toBe(1 + 2 + 3 + 4);
  });
});

describe('cutting to bytes', () => {
  test.each([
    ['what fits', 'recipe', 6, 'recipe'],
    ['letters', 'recipe', 3, 'rec'],
    ['an accent as a mark of its own', 'cafe\u0301', 5, 'caf'],
    ['two-byte letters', 'ééé', 5, 'éé'],
    ['a family', 'hi 👨‍👩‍👧', 20, 'hi '],
    ['a flag', '🇮🇹🇫🇷', 9, '🇮🇹'],
    ['to nothing', '😀', 3, ''],
    ['nothing', '', 0, ''],
  ])('%s', (_, text, maxBytes, expected) => {
    expect(cutToBytes(text, maxBytes)).toBe(expected);
  });

  test('gives a beginning that fits, whole graphemes, and no shorter one than needed', () => {
    const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.nat(60), (text, maxBytes) => {
        const cut = cutToBytes(text, maxBytes);
        const all = [...segmenter.segment(text)].map(({ segment }) => segment);
        const kept = [...segmenter.segment(cut)].map(({ segment }) => segment);
        expect(kept).toEqual(all.slice(0, kept.length));
        expect(utf8Length(cut)).toBeLessThanOrEqual(maxBytes);
        if (cut !== text) expect(utf8Length(cut + all[kept.length]!)).toBeGreaterThan(maxBytes);
      }),
    );
  });

  test('is quick with ten megabytes', () => {
    expect(cutToBytes('é'.repeat(5_000_000), MAX_TEXT_BYTES)).toBe('é'.repeat(500));
  });
});

describe('checking a message', () => {
  const button = { title: 'Get the recipe', url: 'https://example.com/recipe' };
  const codes = (text: string, buttons = [] as { title: string; url: string }[]) =>
    checkMessage({ text, buttons }).map(({ severity, code, path }) => `${severity} ${code} ${path}`);

  test.each<[string, string, { title: string; url: string }[], string[]]>([
    ['a good one', 'Hi {{first_name}}, here it is', [button], []],
    ['an empty one', ' \n', [], ['error empty text']],
    ['as long as can be', 'a'.repeat(1_000), [], []],
    ['too long', 'a'.repeat(1_001), [], ['error too_long text']],
    ['too long in Arabic', 'ا'.repeat(501), [], ['error too_long text']],
    ['too long with buttons', 'a'.repeat(641), [button], ['error too_long text']],
    ['long in Arabic with buttons', 'ا'.repeat(640), [button], []],
    ['too long with a long name', `${'a'.repeat(970)} {{first_name}}`, [], ['warning may_be_too_long text']],
    ['five thousand letters', 'a'.repeat(5_000), [button], ['error too_long text']],
    ['an unknown variable', 'Hi {{name}} {{name|you}}', [], ['error unknown_variable text']],
    ['nested variables', 'Hi {{first_name|{{username}}}}', [], ['error broken_variable text']],
    ['a variable left open', 'Hi {{first_name', [], ['error broken_variable text']],
    ['four buttons', 'Hi', [button, button, button, button], ['error too_many_buttons buttons']],
    ['a button without text', 'Hi', [{ ...button, title: ' ' }], ['error empty_button_title buttons.0.title']],
    [
      'a button of 21 letters',
      'Hi',
      [{ ...button, title: 'a'.repeat(21) }],
      ['error long_button_title buttons.0.title'],
    ],
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      '//example.com',
      'example.com',
      'https://',
      'https://a b.com',
      'https://bank.com@evil.com',
      '',
    ].map((url): [string, string, { title: string; url: string }[], string[]] => [
      `the link ${url}`,
      'Hi',
      [button, { ...button, url }],
      ['error bad_button_link buttons.1.url'],
    ]),
  ])('%s', (_, text, buttons, expected) => {
    expect(codes(text, buttons)).toEqual(expected);
  });

  test('says in words what is wrong', () => {
    expect(checkMessage({ text: 'é'.repeat(600), buttons: [] })[0]?.message).toBe(
      'This is 1200 bytes long. The limit is 1000. Emoji and letters with accents count as two to four.',
    );
  });

  test('what passes without a word is sent whole, whatever the names', () => {
    const text = fc.array(
      fc.constantFrom(
        'Hi ',
        '{{first_name}}',
        '{{username|x}}',
        `{{username|${'é'.repeat(80)}}}`,
        '{{word}}',
        'é'.repeat(150),
      ),
    );
    const value = fc.option(fc.string({ unit: 'grapheme', maxLength: 200 }));
    fc.assert(
      fc.property(text, value, value, value, (parts, first_name, username, word) => {
        const whole = parts.join('');
        fc.pre(checkMessage({ text: whole, buttons: [] }).length === 0);
        expect(utf8Length(renderMessage(whole, { first_name, username, word }))).toBeLessThanOrEqual(MAX_TEXT_BYTES);
      }),
    );
  });
});

describe('checking a public reply', () => {
  test.each([
    ['a good one', 'Sent! Look at www.example.com #recipe', []],
    ['an empty one', '', ['empty']],
    ['301 letters', 'a'.repeat(301), ['too_long']],
    ['two links', 'http://a.example and https://b.example', ['too_many_links']],
    ['five hashtags', '#a #b #c #d #é', ['too_many_hashtags']],
    ['an unknown variable', '{{price}}', ['unknown_variable']],
  ])('%s', (_, text, expected) => {
    expect(checkPublicReply(text).map(({ code }) => code)).toEqual(expected);
  });
});

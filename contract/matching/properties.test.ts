import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Candidate, compileMatcher, HOW, type How, normaliseText, type WordRule } from './index.ts';

/*
 * A slow second implementation to compare with, written from the rules in prose and sharing no code: the whole text is
 * normalised at once, cut by one regular expression, and every rule looks at every place.
 */

const DENSE_LETTER = '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}]';
const SLOW_TOKEN = new RegExp(
  [
    '(?<mention>@(?:\\.*[a-z0-9_])+)',
    `(?<dense>(?=\\p{L})${DENSE_LETTER}\\p{M}*)`,
    `(?<word>(?:(?!${DENSE_LETTER})[\\p{L}\\p{N}\\p{M}])+)`,
    '(?<emoji>\\p{RI}{2}|\\p{RI}|(?:(?![\\p{L}\\p{N}\\p{RI}])\\p{ExtPict})(?:\\u200d\\p{ExtPict})*)',
  ].join('|'),
  'gu',
);

function slowTokens(text: string): { kind: string; key: string }[] {
  let folded = text
    // Zero-width joiners matter between emoji only.
    .replace(/(?<!\p{ExtPict}[\ufe0f\p{EMod}]*)\u200d|\u200d(?!\p{ExtPict})/gu, '')
    .replace(/\u200b|\u200c|\ufe0f|\u00ad|\p{EMod}/gu, '')
    .replace(/\u200d[♀♂]/gu, '')
    .normalize('NFKC');
  folded = folded
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u0305\u0307\u0309-\u036f\u064b-\u0652]/gu, '');
  // Breve and diaeresis make letters of their own of и, і and у only.
  folded = folded.replace(/(.)\u0306/gu, (pair, base) => ('иу'.includes(base) ? pair : base));
  folded = folded.replace(/(.)\u0308/gu, (pair, base) => (base === 'і' ? pair : base)).normalize('NFC');
  folded = folded.replace(/ß/g, 'ss').replace(/ς/g, 'σ').replace(/ı/g, 'i').replace(/ة/g, 'ه').replace(/ى/g, 'ي');
  return [...folded.matchAll(SLOW_TOKEN)].map((match) => {
    const [kind, key] = Object.entries(match.groups!).find(([, value]) => value !== undefined)!;
    return { kind, key: key! };
  });
}

function slowEdits(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const changed = table[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      table[i]![j] = Math.min(table[i - 1]![j]! + 1, table[i]![j - 1]! + 1, changed);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        table[i]![j] = Math.min(table[i]![j]!, table[i - 2]![j - 2]! + 1);
      }
    }
  }
  return table[a.length]![b.length]!;
}

function slowIsTypo(key: string, written: string): boolean {
  const digits = (word: string) => word.replace(/\D/g, '');
  if (key === written || digits(key) === key || digits(written) === written) return false;
  if (key.length >= 2 && /(\D)\1\1/.test(written)) {
    // A run of three or more stands for any run from one to its own length.
    const pattern = written.replace(/(\D)\1{2,}/g, (run) => `${run[0]}{1,${run.length}}`);
    if (new RegExp(`^${pattern}$`, 'u').test(key)) return true;
  }
  if (!/(\D)\1\1/.test(written) && slowSingular(key) === slowSingular(written)) return true;
  const shrunk = written.replace(/(\D)\1{2,}/g, '$1');
  if (digits(key) !== digits(shrunk)) return false;
  const allowed = key.length < 4 ? 0 : key.length < 8 ? 1 : 2;
  if (allowed === 0) return false;
  if (key[0] === shrunk[0]) return slowEdits(key, shrunk) <= allowed;
  return key[0] === shrunk[1] && key[1] === shrunk[0] && key.slice(2) === shrunk.slice(2);
}

function slowSingular(word: string): string {
  if (/^recepies?$/.test(word)) return 'recipe';
  if (/^..+ies$/.test(word)) return word.replace(/ies$/, 'y');
  if (/^.{3,}(?<=s|x|z|ch|sh|o)es$/.test(word)) return word.replace(/es$/, '');
  return /^.{3,}(?<![sui])s$/.test(word) ? word.replace(/s$/, '') : word;
}

function slowHow(rule: WordRule, text: string): { how: How; length: number } | null {
  const tokens = slowTokens(text);
  const places = (phrase: { kind: string; key: string }[], same: (wanted: string, at: number) => boolean) =>
    phrase.length === 0
      ? []
      : tokens
          .map((_, at) => at)
          .filter((at) => phrase.every(({ key }, i) => at + i < tokens.length && same(key, at + i)))
          .filter((at) => phrase.filter(({ key }, i) => !straight(key, at + i)).length <= 2);
  const straight = (key: string, at: number) => tokens[at]!.key === key;
  const mistyped = (key: string, at: number) =>
    straight(key, at) || (tokens[at]!.kind === 'word' && slowIsTypo(key, tokens[at]!.key));
  const content = tokens.slice(
    tokens.findIndex((token) => !isMention(token)),
    tokens.findLastIndex((token) => !isMention(token)) + 1,
  );
  const repeated = content[0]?.kind === 'emoji' && content.every(({ key }) => key === content[0]!.key);
  /** The match is the emoji that the text repeats, and not only somebody's name before it. */
  const repeats = (from: number, to: number) =>
    repeated && tokens.slice(from, to).some((token) => content.includes(token));
  const isWhole = (from: number, to: number) =>
    tokens.slice(0, from).every(isMention) &&
    tokens.slice(to).every((token) => isMention(token) || (repeats(from, to) && content.includes(token)));

  if (rule.excludedWords.some((word) => places(slowTokens(word), straight).length > 0)) return null;
  if (rule.mode === 'any_comment') return { how: 'any_comment', length: 0 };

  const found: { how: How; length: number }[] = [];
  let missing = 0;
  const phrases = [...new Map(rule.words.map((word) => [keyOf(slowTokens(word)), slowTokens(word)]))];
  for (const [key, phrase] of phrases.filter(([key]) => key !== '')) {
    const before = found.length;
    const length = key.length;
    const stands = (same: (wanted: string, at: number) => boolean) =>
      places(phrase, same).some((at) => rule.mode !== 'exact' || isWhole(at, at + phrase.length));
    if (rule.mode === 'contains' ? contains(phrase, tokens) : stands(straight)) found.push({ how: rule.mode, length });
    else if (rule.typoTolerance && stands(mistyped)) found.push({ how: 'typo', length });
    if (found.length === before) missing++;
  }
  if (found.length === 0 || (rule.mode === 'all_words' && missing > 0)) return null;
  if (rule.mode === 'all_words') {
    const how = found.some((one) => one.how === 'typo') ? 'typo' : 'all_words';
    return { how, length: Math.max(...found.map((one) => one.length)) };
  }
  return found.toSorted((a, b) => HOW.indexOf(a.how) - HOW.indexOf(b.how) || b.length - a.length)[0]!;
}

const isMention = ({ kind }: { kind: string }) => kind === 'mention';
const keyOf = (tokens: { key: string }[]) => tokens.map(({ key }) => key).join(' ');

/** Emoji and mentions get brackets, so that nothing matches a part of them. */
function contains(phrase: { kind: string; key: string }[], tokens: { kind: string; key: string }[]): boolean {
  const joined = (list: { kind: string; key: string }[]) =>
    list
      .map(({ kind, key }) => (kind === 'emoji' || kind === 'mention' ? [`<${key}>`] : [...key]))
      .map((key) => key.join('\0'));
  const wanted = joined(phrase).join('\0 \0');
  return `\0${joined(tokens).join('\0 \0')}\0`.includes(`\0${wanted}\0`);
}

const PIECES = [
  ...[
    'recipe',
    'recpie',
    'recipes',
    'reciiipe',
    'recepie',
    'recepies',
    'dip',
    'dips',
    'dishes',
    'dish',
    'link',
    'lnik',
    'cake',
    'coffee',
    'cofee',
    'send',
    'ingredients',
    'ingredeints',
  ],
  ...[
    'Crème',
    'STRASSE',
    'straße',
    'TARİF',
    'ılık',
    'recipe1',
    'recipe2',
    '2024',
    '20244',
    'a',
    'no',
    'nooo',
    'ｌｉｎｋ',
  ],
  ...[
    'рецепт',
    'чай',
    'мёд',
    'συνταγές',
    'ΣΥΝΤΑΓΕΣ',
    'وَصْفَة',
    'وصفه',
    'מתכון',
    'रेसिपी',
    '레시피',
    '食谱',
    'レシピ',
    'ﾚｼﾋﾟ',
    'สูตร',
    'น้ำ',
  ],
  ...['🔥', '🙌🏽', '👨‍👩‍👧', '👨', '🇮🇹', '🇫🇷', '❤️', '🙋‍♀️', '@recipe', '@chef.anna', '#recipe', '@'],
];
const GLUE = [' ', ' ', ' ', ', ', '-', '', '_', '.', '! ', '\u200b', "'", '\n'];

const piece = fc.constantFrom(...PIECES);
const phrase = fc.array(fc.tuple(piece, fc.constantFrom(...GLUE)), { minLength: 1, maxLength: 3 }).map(glued);
const comment = fc.array(fc.tuple(piece, fc.constantFrom(...GLUE)), { maxLength: 8 }).map(glued);
const word = fc.oneof(
  { weight: 4, arbitrary: piece },
  { weight: 2, arbitrary: phrase },
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);

function glued(pairs: [string, string][]): string {
  return pairs.map(([one, between]) => one + between).join('');
}

const rule: fc.Arbitrary<WordRule> = fc.record({
  words: fc.array(word, { maxLength: 4 }),
  mode: fc.constantFrom('whole_word', 'contains', 'exact', 'all_words', 'any_comment'),
  excludedWords: fc.array(word, { maxLength: 1 }),
  typoTolerance: fc.boolean(),
});
const candidates: fc.Arbitrary<Candidate<null>[]> = fc
  .array(
    fc.record({
      rule,
      scope: fc.constantFrom('post' as const, 'any_post' as const),
      priority: fc.integer({ min: 0, max: 1 }),
      createdAt: fc.integer({ min: 0, max: 1 }),
    }),
    { maxLength: 6 },
  )
  .map((list) => list.map((one, index) => ({ ...one, id: `id${index}`, value: null })));
const knownRule = rule.map((one) => ({
  ...one,
  words: one.words.filter(isKnown),
  excludedWords: one.excludedWords.filter(isKnown),
}));

/** The slow implementation knows the scripts of the pieces, not signs and what chance makes. */
function isKnown(text: string): boolean {
  return slowTokens(text).length > 0 && PIECES.some((one) => text.includes(one));
}

describe('matching', () => {
  test('agrees with a slow implementation', () => {
    fc.assert(
      fc.property(knownRule, comment, (one, text) => {
        fc.pre(text === '' || slowTokens(text).length > 0);
        const only = compileMatcher([
          { id: 'only', rule: one, scope: 'post', priority: 0, createdAt: 0, value: null },
        ]).match(text);
        expect(only?.how ?? null).toBe(slowHow(one, text)?.how ?? null);
      }),
      { numRuns: 3_000 },
    );
  });

  test('chooses among many as the slow one does, in whatever order they are given', () => {
    fc.assert(
      fc.property(candidates, comment, fc.infiniteStream(fc.nat()), (list, text, shuffle) => {
        const known = list.map((one) => ({
          ...one,
          rule: {
            ...one.rule,
            words: one.rule.words.filter(isKnown),
            excludedWords: one.rule.excludedWords.filter(isKnown),
          },
        }));
        fc.pre(text === '' || slowTokens(text).length > 0);
        const expected = known
          .flatMap((one) => {
            const how = slowHow(one.rule, text);
            return how === null ? [] : [{ one, ...how }];
          })
          .toSorted(
            (a, b) =>
              Number(a.one.scope === 'any_post') - Number(b.one.scope === 'any_post') ||
              b.one.priority - a.one.priority ||
              HOW.indexOf(a.how) - HOW.indexOf(b.how) ||
              b.length - a.length ||
              a.one.createdAt - b.one.createdAt ||
              (a.one.id < b.one.id ? -1 : 1),
          )[0];
        const shuffled = known.map((one) => ({ one, at: shuffle.next().value })).toSorted((a, b) => a.at - b.at);
        for (const order of [known, shuffled.map(({ one }) => one)]) {
          const matcher = compileMatcher(order);
          expect(matcher.match(text)?.candidate.id).toBe(expected?.one.id);
          expect(matcher.explain(text).find((one) => one.verdict === 'wins')?.candidate.id).toBe(expected?.one.id);
        }
      }),
      { numRuns: 1_500 },
    );
  });

  test('words met before are what they were the first time', () => {
    // Large enough to remember words; none of these is met.
    const filling: Candidate<null> = {
      id: 'filling',
      rule: {
        words: Array.from({ length: 64 }, (_, number) => `zz${number}zz`),
        mode: 'whole_word',
        excludedWords: [],
        typoTolerance: false,
      },
      scope: 'any_post',
      priority: 0,
      createdAt: 0,
      value: null,
    };
    fc.assert(
      fc.property(candidates, fc.array(comment, { minLength: 2, maxLength: 12 }), (list, texts) => {
        const all = [...list, filling];
        const remembering = compileMatcher(all);
        for (const text of texts) expect(remembering.explain(text)).toEqual(compileMatcher(all).explain(text));
      }),
      { numRuns: 300 },
    );
  });

  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((codes) => String.fromCharCode(...codes)),
    comment,
  );

  test('normalising twice is normalising once', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { key } = normaliseText(text);
        expect(normaliseText(key).key).toBe(key);
      }),
      { numRuns: 3_000 },
    );
  });

  test('the quick way for plain text and the general one give the same tokens', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 60 }), (text) => {
        const general = normaliseText(`${text}\u200b`).tokens.map(({ kind, key }) => `${kind}:${key}`);
        expect(general).toEqual(normaliseText(text).tokens.map(({ kind, key }) => `${kind}:${key}`));
      }),
      { numRuns: 2_000 },
    );
  });

  test('never throws, and what it finds is in the text', () => {
    fc.assert(
      fc.property(candidates, anyText, (list, text) => {
        for (const { found, excludedBy } of compileMatcher(list).explain(text)) {
          for (const place of [...found, ...excludedBy.map((one) => one.found)]) {
            expect(place.start).toBeGreaterThanOrEqual(0);
            expect(place.end).toBeGreaterThan(place.start);
            expect(place.end).toBeLessThanOrEqual(text.length);
            expect(text.slice(place.start, place.end)).toBe(place.text);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('what is found folds to the word it was found for', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), comment, (words, text) => {
        const wholeWords: WordRule = { words, mode: 'whole_word', excludedWords: [], typoTolerance: false };
        const keys = words.map((one) => normaliseText(one).key);
        const result = compileMatcher([
          { id: 'only', rule: wholeWords, scope: 'post', priority: 0, createdAt: 0, value: null },
        ]).match(text);
        for (const place of result?.found ?? []) expect(keys).toContain(normaliseText(place.text).key);
      }),
      { numRuns: 2_000 },
    );
  });

  test('case, width, accents and invisible characters change nothing', () => {
    const change = fc.constantFrom<(letter: string) => string>(
      (letter) => letter.toUpperCase(),
      (letter) => letter.toLowerCase(),
      (letter) => letter.replace(/[!-~]/, (ascii) => String.fromCharCode(ascii.charCodeAt(0) + 0xfee0)),
      (letter) => (/\p{sc=Latin}|\p{sc=Greek}/u.test(letter) ? `${letter}\u0301` : letter),
      (letter) => `${letter}\u200b`,
      (letter) => letter,
    );
    fc.assert(
      fc.property(candidates, comment, fc.infiniteStream(change), (list, text, changes) => {
        const matcher = compileMatcher(list);
        // Within an emoji an invisible character would part its members, as it would for a reader.
        const graphemes = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)];
        const changed = graphemes.map(({ segment }) => changes.next().value(segment)).join('');
        expect(matcher.match(changed)?.candidate.id).toBe(matcher.match(text)?.candidate.id);
        expect(matcher.match(changed)?.how).toBe(matcher.match(text)?.how);
      }),
      { numRuns: 2_000 },
    );
  });

  test('an excluded word in the text always stops the rule', () => {
    fc.assert(
      fc.property(
        rule,
        fc.constantFrom('recipe', 'got it', 'нет', '🔥'),
        comment,
        comment,
        (one, word, before, after) => {
          const stopped = { ...one, excludedWords: [...one.excludedWords, word] };
          const matcher = compileMatcher([
            { id: 'only', rule: stopped, scope: 'post', priority: 0, createdAt: 0, value: null },
          ]);
          expect(matcher.match(`${before} ${word} ${after}`)).toBeNull();
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

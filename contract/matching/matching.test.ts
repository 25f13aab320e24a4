import { describe, expect, test } from 'vitest';
import {
  type Candidate,
  compileMatcher,
  MAX_FOUND,
  MAX_WORD_LENGTH,
  type MatchMode,
  type WordRule,
} from './matching.ts';

function candidate(id: string, rule: Partial<WordRule>, rest: Partial<Candidate<string>> = {}): Candidate<string> {
  return {
    id,
    rule: { words: [], mode: 'whole_word', excludedWords: [], typoTolerance: false, ...rule },
    scope: 'post',
    priority: 0,
    createdAt: 0,
    value: id,
    ...rest,
  };
}

function matchOne(rule: Partial<WordRule>, text: string) {
  return compileMatcher([candidate('only', rule)]).match(text);
}

describe('a word is found', () => {
  test.each<[string, MatchMode, string, string, string]>([
    ['alone', 'whole_word', 'recipe', 'RECIPE', 'RECIPE'],
    ['in a sentence', 'whole_word', 'recipe', 'Can I have the Recipe, please?', 'Recipe'],
    ['as a hashtag', 'whole_word', 'recipe', 'yum #Recipe!', 'Recipe'],
    ['written as a hashtag by the creator', 'whole_word', '#Recipe', 'recipe', 'recipe'],
    ['next to an emoji', 'whole_word', 'recipe', '😍recipe😍', 'recipe'],
    ['before an apostrophe', 'whole_word', 'mom', "mom's best", 'mom'],
    ['after a French article', 'whole_word', 'ail', 'de l’ail', 'ail'],
    ['in a comment in Turkish capitals', 'whole_word', 'tarif', 'TARİF LÜTFEN', 'TARİF'],
    ['without its accent', 'whole_word', 'délicieux', 'delicieux!', 'delicieux'],
    ['with an accent it has not', 'whole_word', 'receta', 'recéta', 'recéta'],
    ['between words of another script', 'whole_word', 'recipe', '请发recipe谢谢', 'recipe'],
    ['as a phrase', 'whole_word', 'send recipe', 'pls SEND  recipe', 'SEND  recipe'],
    ['as a phrase across punctuation', 'whole_word', 'send recipe', 'send... "recipe"', 'send... "recipe'],
    ['in Chinese', 'whole_word', '食谱', '请发食谱谢谢', '食谱'],
    ['in Japanese compounds', 'whole_word', 'レシピ', 'バナナケーキﾚｼﾋﾟお願い', 'ﾚｼﾋﾟ'],
    ['in Japanese hiragana', 'whole_word', 'つくりかた', 'これのつくりかたは？', 'つくりかた'],
    ['in Thai', 'whole_word', 'สูตร', 'ขอสูตรหน่อยค่ะ', 'สูตร'],
    ['in Khmer', 'whole_word', 'រូបមន្ត', 'សូមរូបមន្តផង', 'រូបមន្ត'],
    ['in Hindi', 'whole_word', 'रेसिपी', 'कृपया रेसिपी भेजें', 'रेसिपी'],
    ['in Tamil', 'whole_word', 'செய்முறை', 'இதன் செய்முறை வேண்டும்', 'செய்முறை'],
    ['in Bengali', 'whole_word', 'রেসিপি', 'রেসিপি দিন', 'রেসিপি'],
    ['in Arabic with vowels', 'whole_word', 'وصفة', 'أريد وَصْفَة الكيك', 'وَصْفَة'],
    ['in Hebrew with points', 'whole_word', 'מתכון', 'אפשר מַתְכּוֹן?', 'מַתְכּוֹן'],
    ['in Persian', 'whole_word', 'دستور', 'دستور پخت لطفا', 'دستور'],
    ['in Korean', 'whole_word', '레시피', '레시피 주세요', '레시피'],
    ['in Korean with a particle, as a part', 'contains', '레시피', '레시피를 주세요', '레시피'],
    ['in Greek capitals', 'whole_word', 'συνταγές', 'ΣΥΝΤΑΓΕΣ παρακαλώ', 'ΣΥΝΤΑΓΕΣ'],
    ['in Russian', 'whole_word', 'рецепт', 'Можно РЕЦЕПТ?', 'РЕЦЕПТ'],
    ['as an emoji', 'whole_word', '🍋', 'yes 🍋🍋', '🍋'],
    ['as an emoji of another skin tone', 'whole_word', '🙌🏻', '🙌🏿', '🙌🏿'],
    ['as a family', 'whole_word', '👨‍👩‍👧', 'we 👨‍👩‍👧!', '👨‍👩‍👧'],
    ['as a flag', 'whole_word', '🇮🇹', '🇫🇷🇮🇹', '🇮🇹'],
    ['as a plus', 'whole_word', '+', ' ++ ', '++'],
    ['as a number', 'whole_word', '1', '1!', '1'],
    ['as a number in Arabic digits', 'whole_word', '1', '١', '١'],
    ['as a mention the creator asked for', 'whole_word', '@chef', 'hi @Chef.', '@Chef'],
    ['inside of a word', 'contains', 'recip', 'myRecipes', 'Recip'],
    ['inside of a word with wide letters', 'contains', 'ass', 'Straße', 'aß'],
    ['inside of a word with marks', 'contains', 'cip', 're\u0301c\u0301i\u0301p\u0301e', 'c\u0301i\u0301p\u0301'],
    ['as parts of two words', 'contains', 'end reci', 'send, recipes', 'end, reci'],
    ['as an emoji after a part', 'contains', 'pe 🔥', 'recipe🔥', 'pe🔥'],
    ['as the whole comment', 'exact', 'recipe', '  Recipe!!! ', 'Recipe'],
    ['as the whole comment but for a mention', 'exact', 'recipe', '@chef recipe', 'recipe'],
    ['as the whole comment of two words', 'exact', 'send recipe', 'SEND RECIPE', 'SEND RECIPE'],
    ['as the whole comment, an emoji repeated', 'exact', '🔥', '🔥🔥🔥', '🔥'],
  ])('%s', (_, mode, word, text, place) => {
    const result = matchOne({ words: [word], mode }, text);
    expect(result?.matchedWords).toEqual([word]);
    expect(result?.found[0]?.text).toBe(place);
    for (const { start, end, text: found } of result!.found) expect(text.slice(start, end)).toBe(found);
  });
});

describe('a word is not found', () => {
  test.each<[string, MatchMode, string, string]>([
    ['inside of another word', 'whole_word', 'price', 'priced'],
    ['inside of a Korean word', 'whole_word', '레시피', '레시피를'],
    ['inside of a mention', 'whole_word', 'recipe', '@recipe'],
    ['as a part of a mention', 'whole_word', 'recipe', 'see @the.recipe.box'],
    ['inside of a mention, as a part', 'contains', 'chef', '@bestchef'],
    ['inside of the domain of an address', 'whole_word', 'gmail', 'anna@gmail.com'],
    ['as a family member', 'whole_word', '👨', '👨‍👩‍👧'],
    ['as a family member, as a part', 'contains', '👨', '👨‍👩‍👧'],
    ['as half a flag', 'contains', '🇮', '🇮🇹'],
    ['across two flags', 'whole_word', '🇹🇫', '🇮🇹🇫🇷'],
    ['with a word between', 'whole_word', 'send recipe', 'send the recipe'],
    ['in the other order', 'whole_word', 'send recipe', 'recipe send'],
    ['with a mention between', 'whole_word', 'send recipe', 'send @anna recipe'],
    ['with other Devanagari vowel signs', 'whole_word', 'की', 'कु'],
    ['with another Thai tone', 'whole_word', 'ข้าว', 'ข่าว'],
    ['among other words, exact', 'exact', 'recipe', 'recipe please'],
    ['with an emoji, exact', 'exact', 'recipe', 'recipe 🔥'],
    ['with emoji around it, exact', 'exact', '🔥 recipe', '🔥 recipe 🔥'],
    ['fewer emoji than asked, exact', 'exact', '🔥🔥', '🔥'],
    ['signs among words', 'whole_word', '+', 'salt + pepper'],
    ['mistyped without tolerance', 'whole_word', 'recipe', 'recpie'],
    ['in an empty comment', 'contains', 'recipe', ''],
    ['in a comment of spaces', 'whole_word', 'recipe', '   '],
  ])('%s', (_, mode, word, text) => {
    expect(matchOne({ words: [word], mode }, text)).toBeNull();
  });
});

describe('a typo', () => {
  const rule = { words: ['recipe', 'send link'], typoTolerance: true };

  test.each<[string, MatchMode, string, string]>([
    ['in a word', 'whole_word', 'plz recpie', 'recpie'],
    ['in one word of a phrase', 'whole_word', 'sned link', 'sned link'],
    ['in both words of a phrase', 'whole_word', 'sned linkk', 'sned linkk'],
    ['in a word to be contained', 'contains', 'the recpie', 'recpie'],
    ['in the whole comment', 'exact', 'Recipie!', 'Recipie'],
    ['a held letter', 'whole_word', 'reciiiipe', 'reciiiipe'],
  ])('is forgiven: %s', (_, mode, text, place) => {
    const result = matchOne({ ...rule, mode }, text);
    expect(result?.how).toBe('typo');
    expect(result?.found.map((found) => found.text)).toEqual([place]);
  });

  test('is forgiven in two words of a phrase, not in three', () => {
    const phrase = { words: ['send banana recipe'], typoTolerance: true };
    expect(matchOne(phrase, 'sned banana recpie')?.how).toBe('typo');
    expect(matchOne(phrase, 'sned bananna recpie')).toBeNull();
  });

  test('is not forgiven inside of a mention', () => {
    expect(matchOne(rule, '@recpie')).toBeNull();
  });

  test('is not forgiven in an excluded word', () => {
    expect(matchOne({ ...rule, excludedWords: ['already'] }, 'recipe alredy')?.how).toBe('whole_word');
  });

  test('of a neighbouring rule that forgives none does not count', () => {
    const matcher = compileMatcher([
      candidate('strict', { words: ['recipe'] }),
      candidate('kind', { words: ['recipe'], typoTolerance: true }, { createdAt: 1 }),
    ]);
    expect(matcher.match('recpie')?.candidate.id).toBe('kind');
    expect(matcher.match('recipe')?.candidate.id).toBe('strict');
  });
});

describe('all words', () => {
  const rule = { words: ['Banana', 'gluten free'], mode: 'all_words' as const };

  test('need not be in order', () => {
    const result = matchOne(rule, 'is it gluten-free, this BANANA bread?');
    expect(result?.how).toBe('all_words');
    expect(result?.matchedWords.toSorted()).toEqual(['Banana', 'gluten free']);
    expect(result?.found.map((found) => found.text)).toEqual(['gluten-free', 'BANANA']);
  });

  test('must all be there', () => {
    expect(matchOne(rule, 'banana bread')).toBeNull();
    expect(matchOne(rule, 'banana gluten')).toBeNull();
  });

  test('may be written twice by the creator', () => {
    expect(matchOne({ ...rule, words: ['banana', 'BANANA', ' '] }, 'banana')?.how).toBe('all_words');
  });

  test('count as a typo when one is mistyped', () => {
    expect(matchOne({ ...rule, typoTolerance: true }, 'bannana gluten free')?.how).toBe('typo');
  });

  test('are never all there when one is too long to be looked for', () => {
    expect(matchOne({ ...rule, words: ['banana', 'x'.repeat(MAX_WORD_LENGTH + 1)] }, 'banana')).toBeNull();
  });
});

describe('excluded words', () => {
  const rule = { words: ['recipe'], excludedWords: ['no recipe', 'got it', '🙅‍♀️'] };

  test.each(['No, recipe needed', 'recipe: GOT IT!', 'recipe 🙅🏿'])('stop %j', (text) => {
    expect(matchOne(rule, text)).toBeNull();
  });

  test.each(['recipe', 'know recipe', 'recipe got, it is'])('do not stop %j', (text) => {
    expect(matchOne({ ...rule, excludedWords: ['no recipe', 'got its'] }, text)).not.toBeNull();
  });

  test('stop a rule for any comment', () => {
    expect(matchOne({ mode: 'any_comment', excludedWords: ['spam'] }, 'buy SPAM')).toBeNull();
    expect(matchOne({ mode: 'any_comment', excludedWords: ['spam'] }, '')?.how).toBe('any_comment');
  });

  test('stop only their own rule', () => {
    const matcher = compileMatcher([
      candidate('a', rule),
      candidate('b', { words: ['recipe'] }, { scope: 'any_post' }),
    ]);
    expect(matcher.match('no recipe')?.candidate.id).toBe('b');
  });
});

describe('the order between automations', () => {
  const rule = { words: ['recipe'] };
  test.each<[string, Candidate<string>, Candidate<string>, string]>([
    [
      'one for this post before one for any, whatever its priority',
      candidate('z', { words: ['recip'], mode: 'contains' }),
      candidate('a', rule, { scope: 'any_post', priority: 9 }),
      'scope',
    ],
    [
      'the larger priority before the better match',
      candidate('z', { mode: 'any_comment' }, { priority: 2 }),
      candidate('a', { ...rule, mode: 'exact' }, { priority: 1 }),
      'priority',
    ],
    ['exact before whole word', candidate('z', { ...rule, mode: 'exact' }), candidate('a', rule), 'how'],
    ['whole word before all words', candidate('z', rule), candidate('a', { ...rule, mode: 'all_words' }), 'how'],
    [
      'all words before a part',
      candidate('z', { words: ['recipe'], mode: 'all_words' }),
      candidate('a', { words: ['recipe'], mode: 'contains' }),
      'how',
    ],
    [
      'a part before a typo',
      candidate('z', { words: ['rec'], mode: 'contains' }),
      candidate('a', { words: ['recipes'], typoTolerance: true }),
      'how',
    ],
    [
      'a typo before any comment',
      candidate('z', { words: ['recipes'], typoTolerance: true }),
      candidate('a', { mode: 'any_comment' }),
      'how',
    ],
    [
      'the longer word',
      candidate('z', { words: ['recipe'], mode: 'contains' }, { createdAt: 9 }),
      candidate('a', { words: ['reci'], mode: 'contains' }),
      'length',
    ],
    ['the older', candidate('z', rule), candidate('a', rule, { createdAt: 1 }), 'age'],
    ['the smaller id', candidate('a', rule), candidate('z', rule), 'id'],
  ])('%s', (_, first, second, by) => {
    for (const list of [
      [first, second],
      [second, first],
    ]) {
      const matcher = compileMatcher(list);
      expect(matcher.match('recipe')?.candidate).toBe(first);
      expect(matcher.explain('recipe').map((one) => [one.candidate.id, one.verdict, one.lostBy])).toEqual([
        [first.id, 'wins', null],
        [second.id, 'loses', by],
      ]);
    }
  });
});

describe('explains', () => {
  const matcher = compileMatcher([
    candidate('words', { words: ['link', 'recipe'] }),
    candidate('all', { words: ['recipe', 'vegan'], mode: 'all_words' }),
    candidate('none', { words: ['price'] }),
    candidate('stopped', { words: ['recipe'], excludedWords: ['please'] }),
  ]);

  test('why each rule matched or not', () => {
    const byId = new Map(matcher.explain('recipe please').map((one) => [one.candidate.id, one]));
    expect(byId.get('words')).toMatchObject({ verdict: 'wins', how: 'whole_word', matchedWords: ['recipe'] });
    expect(byId.get('all')).toMatchObject({ verdict: 'no_match', missingWords: ['vegan'], matchedWords: ['recipe'] });
    expect(byId.get('none')).toMatchObject({ verdict: 'no_match', found: [], matchedWords: [] });
    expect(byId.get('stopped')).toMatchObject({
      verdict: 'excluded',
      excludedBy: [{ word: 'please', found: { start: 7, end: 13, text: 'please' } }],
    });
  });

  test('the same winner as match', () => {
    for (const text of ['recipe', 'vegan recipe', 'nothing', '', 'recipe please']) {
      const winner = matcher.explain(text).find((one) => one.verdict === 'wins');
      expect(winner?.candidate.id).toBe(matcher.match(text)?.candidate.id);
    }
  });
});

describe('what people write cannot hurt', () => {
  test('a regular expression is only words', () => {
    const rule = { words: ['(a+)+$', '.*', '[', '\\', '^(([a-z])+.)+[A-Z]([a-z])+$'], mode: 'contains' as const };
    expect(matchOne(rule, `${'a'.repeat(9_999)}!`)).not.toBeNull();
    expect(matchOne({ ...rule, mode: 'whole_word' }, `${'a'.repeat(9_999)}!`)).toBeNull();
  });

  test('one letter repeated, in keywords and text, gives few places', () => {
    const words = Array.from({ length: MAX_WORD_LENGTH }, (_, i) => 'a'.repeat(i + 1));
    const result = matchOne({ words, mode: 'contains', typoTolerance: true }, 'a'.repeat(100_000));
    expect(result?.found.length).toBeLessThanOrEqual(MAX_FOUND);
    expect(result?.matchedWords[0]).toBe('a'.repeat(MAX_WORD_LENGTH));
  });

  test('phrases of one word repeated', () => {
    const words = Array.from({ length: 50 }, (_, i) => 'a '.repeat(i + 1).trim());
    expect(matchOne({ words, typoTolerance: true }, 'a '.repeat(10_000))?.matchedWords[0]).toBe(words[49]);
  });

  test('two thousand phrases of six words alike, mistyped throughout', () => {
    const alike = ['abcd', 'abce', 'abcf', 'abcg', 'abch', 'abci'];
    const phrase = (seed: number) =>
      Array.from({ length: 15 }, (_, place) => alike[(seed >> (place % 11)) % 6]).join(' ');
    const words = Array.from({ length: 2_000 }, (_, seed) => phrase(seed));
    expect(matchOne({ words, typoTolerance: true }, 'abcz '.repeat(2_000))).toBeNull();
  });

  test('a keyword of 100,000 characters is never found', () => {
    const word = 'a'.repeat(100_000);
    expect(matchOne({ words: [word], mode: 'contains' }, word)).toBeNull();
    expect(matchOne({ words: [word, 'aa'], mode: 'contains' }, word)?.matchedWords).toEqual(['aa']);
  });

  test('a set of a thousand words', () => {
    const words = Array.from({ length: 1_000 }, (_, i) => `word${i}`);
    expect(matchOne({ words, typoTolerance: true }, 'so word999 it is')?.matchedWords).toEqual(['word999']);
  });

  test('a text of ten megabytes is read to its limit', () => {
    expect(matchOne({ words: ['recipe'] }, `recipe ${'x '.repeat(5_000_000)}`)?.how).toBe('whole_word');
    expect(matchOne({ words: ['recipe'] }, `${'x '.repeat(5_000_000)} recipe`)).toBeNull();
  });

  test('names of object members are words like others', () => {
    for (const word of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(matchOne({ words: ['recipe'] }, word)).toBeNull();
      expect(matchOne({ words: [word] }, word)?.matchedWords).toEqual([word]);
    }
  });

  test('no rules, no words, no text', () => {
    expect(compileMatcher([]).match('recipe')).toBeNull();
    expect(compileMatcher([]).explain('recipe')).toEqual([]);
    expect(matchOne({ words: [] }, '')).toBeNull();
    expect(matchOne({ words: ['', '  ', '\u200b'] }, '')).toBeNull();
    expect(matchOne({ words: ['', '  '], mode: 'contains' }, 'recipe')).toBeNull();
    expect(matchOne({ words: [], mode: 'all_words' }, 'recipe')).toBeNull();
  });
});

import { describe, expect, test } from 'vitest';
import {
  type Candidate,
  compileMatcher,
  MAX_WORD_LENGTH,
  MAX_WORDS_PER_RULE,
  type MatchMode,
  type WordRule,
} from './index.ts';

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
    ['one letter inside of a word', 'contains', 'q', 'aqua', 'q'],
    ['two letters inside of a word', 'contains', 'ok', 'token', 'ok'],
    ['two letters at the end of a word', 'contains', 'pe', 'recipe', 'pe'],
    ['as ends of two words', 'contains', 'a b', 'extra butter', 'a b'],
    ['within a word that begins alike', 'contains', 'rere', 'rerere', 'rere'],
    ['as the whole comment', 'exact', 'recipe', '  Recipe!!! ', 'Recipe'],
    ['as the whole comment but for a mention', 'exact', 'recipe', '@chef recipe', 'recipe'],
    ['as the whole comment but for a mention after it', 'exact', 'recipe', 'recipe @chef', 'recipe'],
    ['as the whole comment but for mentions around it', 'exact', '🔥', '@anna 🔥🔥 @chef', '🔥'],
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
    ['after another word, exact', 'exact', 'recipe', 'please recipe'],
    ['with another emoji, exact', 'exact', '🔥', '🔥🍋'],
    ['with another emoji after a part', 'contains', 'pe 🔥', 'recipe 🍋'],
    ['with a word in the place of its emoji', 'contains', 'pe 🔥', 'recipe please'],
    ['cut off by the end of the comment, as a part', 'contains', 'send recipe', 'please send'],
    ['cut off by the end of the comment', 'whole_word', 'send recipe', 'please send'],
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
    ['in the second word of a phrase', 'whole_word', 'please send lnik now', 'send lnik'],
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

  test.each<[string, MatchMode, string]>([
    ['inside of a mention', 'whole_word', '@recpie'],
    ['inside of a mention that is asked for', 'whole_word', '@annna'],
    ['where the words of two phrases follow each other', 'whole_word', 'sned caek'],
    ['in a phrase that ends too soon', 'whole_word', 'please sned'],
    ['among other words, exact', 'exact', 'the recpie'],
    ['before other words, exact', 'exact', 'recpie please'],
  ])('is not forgiven %s', (_, mode, text) => {
    expect(matchOne({ ...rule, words: [...rule.words, '@anna', 'cake pop'], mode }, text)).toBeNull();
  });

  test('is not looked for where a part is there as written', () => {
    expect(matchOne({ ...rule, mode: 'contains' }, 'your recipes')?.how).toBe('contains');
    expect(matchOne({ ...rule, mode: 'contains' }, 'my recipe')?.how).toBe('contains');
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

  test('weigh as much as the longest of them', () => {
    const matcher = compileMatcher([
      candidate('a', { words: ['a', 'soup'], mode: 'all_words' }),
      candidate('z', { words: ['a', 'recipe', 'me'], mode: 'all_words' }),
    ]);
    expect(matcher.matchAll('send me a soup recipe').map((one) => [one.candidate.id, one.lostBy])).toEqual([
      ['z', null],
      ['a', 'length'],
    ]);
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

describe('several rules', () => {
  const ids = (list: { candidate: Candidate<string> }[]) => list.map((one) => one.candidate.id);

  test('with one part are all found', () => {
    const matcher = compileMatcher([
      candidate('a', { words: ['recip'], mode: 'contains' }),
      candidate('b', { words: ['soup', 'recip'], mode: 'contains' }),
    ]);
    expect(ids(matcher.matchAll('myrecipes'))).toEqual(['a', 'b']);
    expect(matcher.matchAll('souprecipes').map((one) => one.matchedWords)).toEqual([['recip'], ['recip', 'soup']]);
  });

  test('for any comment: the larger priority goes first, and an excluded word stops it', () => {
    const matcher = compileMatcher([
      candidate('second', { mode: 'any_comment', words: ['recipe'] }),
      candidate('first', { mode: 'any_comment', excludedWords: ['spam'] }, { priority: 1 }),
    ]);
    expect(matcher.match('recipe')).toMatchObject({ candidate: { id: 'first' }, matchedWords: [], found: [] });
    expect(ids(matcher.matchAll('recipe'))).toEqual(['first', 'second']);
    expect(matcher.match('spam recipe')).toMatchObject({ candidate: { id: 'second' }, matchedWords: [], found: [] });
    expect(matcher.matchAll('spam recipe')).toMatchObject([
      { candidate: { id: 'second' }, how: 'any_comment', matchedWords: [], found: [], lostBy: null },
    ]);
  });

  test('two hundred find each its own word, however often it is asked', () => {
    const ours = Array.from({ length: 200 }, (_, n) => `word${n}x`);
    const matcher = compileMatcher(ours.map((word) => candidate(word, { words: [word] })));
    for (let round = 0; round < 2; round++)
      for (const word of ours) expect(matcher.match(word)?.candidate.id).toBe(word);
    expect(matcher.match('word200x')).toBeNull();
  });

  test('find a word in the hundredth comment as in the first, and twenty times in one', () => {
    const matcher = compileMatcher([candidate('only', { words: ['yum'] })]);
    for (let n = 0; n < 100; n++) expect(matcher.match('yum')?.found).toHaveLength(1);
    expect(matcher.match('yum '.repeat(30))?.found).toHaveLength(20);
  });
});

describe('explains', () => {
  const matcher = compileMatcher([
    candidate('words', { words: ['link', 'recipe'] }),
    candidate('all', { words: ['recipe', 'vegan'], mode: 'all_words' }),
    candidate('none', { words: ['price'] }, { createdAt: 1 }),
    candidate('two', { words: ['recipe', 'soup', 'please'], mode: 'all_words' }),
    candidate('stopped', { words: ['recipe'], excludedWords: ['please'] }),
  ]);

  test('why each rule matched or not', () => {
    const byId = new Map(matcher.explain('recipe please').map((one) => [one.candidate.id, one]));
    expect([...byId.keys()]).toEqual(['words', 'all', 'stopped', 'two', 'none']);
    expect(byId.get('words')).toMatchObject({ verdict: 'wins', how: 'whole_word', matchedWords: ['recipe'] });
    expect(byId.get('words')).toMatchObject({ excludedBy: [], missingWords: [] });
    expect(byId.get('two')).toMatchObject({ verdict: 'no_match', missingWords: ['soup'] });
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
  test.each<[number, MatchMode, boolean]>([
    [MAX_WORD_LENGTH, 'whole_word', true],
    [MAX_WORD_LENGTH + 1, 'whole_word', false],
    [MAX_WORD_LENGTH, 'contains', true],
    [MAX_WORD_LENGTH + 1, 'contains', false],
  ])('a keyword of %i letters, %s, is found: %s', (length, mode, isFound) => {
    const word = 'x'.repeat(length);
    expect(matchOne({ words: [word], mode }, word) !== null).toBe(isFound);
  });

  test('the first two thousand words of a rule are looked for, and no more', () => {
    const words = Array.from({ length: MAX_WORDS_PER_RULE + 1 }, (_, n) => `word${n}`);
    const matcher = compileMatcher([candidate('only', { words })]);
    expect(matcher.match(words.at(-2)!)?.matchedWords).toEqual([words.at(-2)]);
    expect(matcher.match(words.at(-1)!)).toBeNull();
  });

  test('a phrase and the same letters in one word are two keywords', () => {
    for (const text of ['send recipe', 'sendrecipe']) {
      expect(matchOne({ words: ['send recipe', 'sendrecipe'] }, text)?.matchedWords).toEqual([text]);
    }
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

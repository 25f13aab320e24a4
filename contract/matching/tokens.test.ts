import { describe, expect, test } from 'vitest';
import { MAX_TEXT_LENGTH, tokenise } from './tokens.ts';
import { normaliseText } from './word-rule.ts';

describe('two spellings of one word have the same key', () => {
  test.each([
    ['capitals', 'RECIPE', 'recipe'],
    ['full width', 'ｒｅｃｉｐｅ', 'recipe'],
    ['mathematical letters', '𝓻𝓮𝓬𝓲𝓹𝓮', 'recipe'],
    ['letters in circles', 'ⓡⓔⓒⓘⓟⓔ', 'recipe'],
    ['ligature', 'ﬁsh', 'fish'],
    ['long s', 'ſoup', 'soup'],
    ['French accents', 'Crème Brûlée', 'creme brulee'],
    ['an accent as a mark of its own', 're\u0301cipe', 'recipe'],
    ['several marks on one letter', 'r\u0301\u0302\u0303ecipe', 'recipe'],
    ['Spanish ñ', 'PIÑA', 'pina'],
    ['German umlaut', 'KÜCHE', 'kuche'],
    ['sharp s, small', 'straße', 'STRASSE'],
    ['sharp s, capital', 'STRAẞE', 'strasse'],
    ['Czech', 'PŘÍLOHA', 'priloha'],
    ['Vietnamese', 'Công Thức', 'cong thuc'],
    ['Romanian, comma and cedilla', 'rețetă', 'reţeta'],
    ['Turkish, with dot', 'TARİF', 'tarif'],
    ['Turkish, without dot', 'ılık', 'ILIK'],
    ['Turkish, typed on an English keyboard', 'fırın', 'firin'],
    ['Greek final sigma', 'ΣΑΛΤΣΑΣ', 'σαλτσας'],
    ['Greek accents', 'συνταγή', 'ΣΥΝΤΑΓΗ'],
    ['Greek final sigma inside of a run', 'σαλτσας', 'σαλτσασ'],
    ['Russian capitals', 'РЕЦЕПТ', 'рецепт'],
    ['Russian ё', 'мёд', 'мед'],
    ['Russian й as two characters', 'чаи\u0306', 'чай'],
    ['Ukrainian ї as two characters', 'і\u0308жа', 'їжа'],
    ['Armenian', 'ԲԱՂԱԴՐԱՏՈՄՍ', 'բաղադրատոմս'],
    ['Georgian capitals', 'ᲠᲔᲪᲔᲞᲢᲘ', 'რეცეპტი'],
    ['Hebrew points', 'מַתְכּוֹן', 'מתכון'],
    ['Arabic vowels', 'وَصْفَة', 'وصفة'],
    ['Arabic tatweel', 'وصـــفة', 'وصفة'],
    ['Arabic ta marbuta as typed', 'وصفه', 'وصفة'],
    ['Arabic alef with hamza', 'أكل', 'اكل'],
    ['Arabic presentation forms', 'ﻭﺻﻔﺔ', 'وصفة'],
    ['Persian letters on an Arabic keyboard', 'كيك', 'کیک'],
    ['Persian with zero-width non-joiner', 'می\u200cخواهم', 'میخواهم'],
    ['Korean in parts', '레시피'.normalize('NFD'), '레시피'],
    ['Korean with a final typed apart', '조ㄳ', '졳'],
    ['Japanese half width', 'ﾚｼﾋﾟ', 'レシピ'],
    ['Japanese voicing as a mark', 'レシヒ\u309a', 'レシピ'],
    ['Devanagari with a joiner', 'रेसि\u200dपी', 'रेसिपी'],
    ['Thai sara am in parts', 'น\u0e49\u0e4d\u0e32', 'น้ำ'],
    ['Arabic digits', '٢٠٢٤', '2024'],
    ['Devanagari digits', '१२', '12'],
    ['a keycap', '1️⃣', '1'],
    ['a soft hyphen', 're\u00adcipe', 'recipe'],
    ['zero-width spaces', 're\u200bci\ufeffpe', 'recipe'],
    ['direction marks', '\u202erecipe\u202c', 'recipe'],
    ['apostrophes', 'don’t', "don't"],
    ['a modifier letter as apostrophe', 'donʼt', "don't"],
    ['a hyphen', 'gluten-free', 'gluten free'],
    ['a hashtag', '#recipe', 'recipe'],
    ['underscores in a hashtag', '#banana_bread', 'banana bread'],
    ['white space', ' send\n\u00a0\u3000recipe\t', 'send recipe'],
    ['an emoji stuck to it', 'recipe😍', 'recipe 😍'],
    ['skin tone', '🙌🏾', '🙌'],
    ['the sign of the hand’s owner', '🙋🏽‍♀️', '🙋'],
    ['emoji with and without variation selector', '❤️', '❤'],
    ['heart on fire', '❤️‍🔥', '❤‍🔥'],
    ['family with skin tones', '👨🏽‍👩🏽‍👧', '👨‍👩‍👧'],
    ['signs', '+++', '+'],
    ['signs apart', '! ! !', '!!!'],
    ['full-width sign', '＋', '+'],
  ])('%s', (_, one, other) => {
    expect(normaliseText(one).key).toBe(normaliseText(other).key);
  });
});

describe('letters of their own stay different', () => {
  test.each([
    ['Danish ø', 'smørrebrød', 'smorrebrod'],
    ['Polish ł', 'masło', 'maslo'],
    ['Vietnamese đ', 'đậu', 'dau'],
    ['æ', 'æble', 'aeble'],
    ['Russian й', 'чай', 'чаи'],
    ['Ukrainian ї', 'їжа', 'іжа'],
    ['Japanese voicing', 'ガ', 'カ'],
    ['Devanagari vowel signs', 'की', 'कु'],
    ['a Devanagari vowel sign and none', 'की', 'क'],
    ['Thai tone marks', 'ข่าว', 'ข้าว'],
    ['Korean vowels', '고기', '거기'],
    ['Greek and Latin', 'α', 'a'],
    ['flags', '🇮🇹', '🇫🇷'],
    ['family and one of its members', '👨‍👩‍👧', '👨'],
    ['heart and heart on fire', '❤️', '❤️‍🔥'],
    ['Scotland and England', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['mention and word', '@recipe', 'recipe'],
  ])('%s', (_, one, other) => {
    expect(normaliseText(one).key).not.toBe(normaliseText(other).key);
  });
});

describe('a text is cut into tokens', () => {
  const cut = (text: string) => tokenise(text).map(({ kind, key }) => `${kind}:${key}`);

  test.each([
    ['', []],
    ['   \n', []],
    ['\u200b\ufe0f\u0301', []],
    ['Send recipe, please!', ['word:send', 'word:recipe', 'word:please']],
    ['@chef.anna recipe', ['mention:@chef.anna', 'word:recipe']],
    ['thanks @chef.', ['word:thanks', 'mention:@chef']],
    ['@Chéf', ['mention:@chef']],
    ['＠chef', ['mention:@chef']],
    ['@chef_anna recipe', ['mention:@chef_anna', 'word:recipe']],
    ['thanks @chef.. for é', ['word:thanks', 'mention:@chef', 'word:for', 'word:e']],
    ['é thanks @chef_a. or @b', ['word:e', 'word:thanks', 'mention:@chef_a', 'word:or', 'mention:@b']],
    ['é @ @. recipe', ['word:e', 'word:recipe']],
    ['anna@gmail.com', ['word:anna', 'mention:@gmail.com']],
    ['é@gmail.com', ['word:e', 'mention:@gmail.com']],
    ['@ recipe', ['word:recipe']],
    ['@рецепт', ['word:рецепт']],
    ['@chefさん', ['mention:@chef', 'dense:さ', 'dense:ん']],
    ['👩‍🍳🔥🔥', ['emoji:👩‍🍳', 'emoji:🔥', 'emoji:🔥']],
    ['🇮🇹🇫🇷', ['emoji:🇮🇹', 'emoji:🇫🇷']],
    ['🇮', ['emoji:🇮']],
    ['🇮🇹🇫', ['emoji:🇮🇹', 'emoji:🇫']],
    ['🔥🇮🇹', ['emoji:🔥', 'emoji:🇮🇹']],
    ['🇮recipe', ['emoji:🇮', 'word:recipe']],
    ['👩\u200d', ['emoji:👩']],
    ['👩\u200drecipe', ['emoji:👩', 'word:recipe']],
    ['👩\u200d🇮🇹', ['emoji:👩', 'emoji:🇮🇹']],
    ['👩\u200d⚕recipe', ['emoji:👩\u200d⚕', 'word:recipe']],
    ['👩\u200d🍳recipe', ['emoji:👩\u200d🍳', 'word:recipe']],
    ['🙋\u200d♂️ 🙋\u200d♀️', ['emoji:🙋', 'emoji:🙋']],
    ['recipe❤️recipe', ['word:recipe', 'emoji:❤', 'word:recipe']],
    ['𝓻ecipe 𐌰𐌱', ['word:recipe', 'word:𐌰𐌱']],
    ['ข้าว', ['dense:ข้', 'dense:า', 'dense:ว']],
    ['a่', ['word:a', 'dense:่']],
    ['请recipe', ['dense:请', 'word:recipe']],
    ['½ cup', ['word:1', 'word:2', 'word:cup']],
    ['© 2024™', ['word:2024tm']],
    ['...', ['signs:.']],
    ['?!?', ['signs:?!?']],
    ['+ please', ['word:please']],
    ['@↮', ['signs:@']],
    ['\ud83d', []],
    ['\ud83drecipe', ['word:recipe']],
    ['recipe\ude0d', ['word:recipe']],
    ['+-'.repeat(40), [`signs:${'+-'.repeat(16)}`]],
  ])('%j', (text, tokens) => {
    expect(cut(text)).toEqual(tokens);
  });

  test('places are those of the original text', () => {
    const text = '¡Crème 👨‍👩‍👧 @chef. ﾚｼﾋﾟ!';
    const places = tokenise(text).map(({ start, end }) => text.slice(start, end));
    expect(places).toEqual(['Crème', '👨‍👩‍👧', '@chef', 'ﾚ', 'ｼ', 'ﾋﾟ']);
  });

  test.each([
    ['+ -!', '+ -!'],
    [' + ', '+'],
    ['@chef.. é', '@chef'],
    ['\u200brecipe\u0301 é', 'recipe\u0301'],
    ['👩\u200d⚕️é', '👩\u200d⚕️'],
  ])('the first token of %j stands at %j', (text, place) => {
    const [first] = tokenise(text);
    expect(text.slice(first!.start, first!.end)).toBe(place);
  });

  test('reads only the beginning of a text of ten megabytes', () => {
    const tokens = tokenise('é '.repeat(5_000_000));
    expect(tokens).toHaveLength(MAX_TEXT_LENGTH / 2);
  });

  test('a letter under ten thousand marks is still that letter', () => {
    expect(normaliseText(`e${'\u0301\u0316'.repeat(4_000)}`).key).toBe('e');
  });
});

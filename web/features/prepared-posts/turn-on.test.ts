import { expect, it } from 'vitest';
import { inputFor, siteOf } from '#web/features/prepared-posts/turn-on.ts';

const post = { id: 'p', connectionId: 'c', caption: 'Comment CURRY', asksFor: 'CURRY' };
const recipe = {
  id: 'r',
  name: 'Green curry',
  url: 'https://example.com/curry',
  leadsTo: 'https://example.com/curry',
  keywordIdeas: ['curry'],
  messageText: 'Here is my curry.',
};
const automation = (word: string, url: string) => ({
  trigger: 'comment' as const,
  words: [word],
  buttons: [{ title: 'Open', url }],
  publicReplies: ['It is in your inbox 🥄'],
  replyId: null,
});
const linkFor = (...given: Parameters<typeof inputFor>) => inputFor(...given).buttons[0]!.url;

it('sends the recipe that has the word as a keyword, with its message', () => {
  expect(inputFor(post, [{ ...recipe, id: 'other', keywordIdeas: ['soup'] }, recipe], [])).toMatchObject({
    postId: 'p',
    words: ['CURRY'],
    messageText: 'Here is my curry.',
    buttons: [{ title: 'Get the recipe', url: 'https://example.com/curry', recipeId: 'r' }],
  });
});

it('prefers the recipe that the caption links to', () => {
  const linked = { ...post, caption: 'Comment CURRY, or see www.example.com/red-curry/?utm_source=ig.' };
  const page = 'https://example.com/red-curry';
  const red = { ...recipe, id: 'red', url: page, leadsTo: page, keywordIdeas: [] };
  expect(inputFor(linked, [recipe, red], []).buttons[0]).toMatchObject({ url: red.url, recipeId: 'red' });
});

it('sends the recipe that the caption names when the word would do for any', () => {
  const asking = { ...post, caption: 'My creamy Coconut Curry. Comment RECIPE!', asksFor: 'RECIPE' };
  const known = [
    { ...recipe, id: 'any', name: 'Lemon cake', keywordIdeas: ['recipe'], url: 'https://example.com/lemon' },
    { ...recipe, id: 'coconut', name: 'Coconut curry', keywordIdeas: ['recipe'], url: 'https://example.com/coconut' },
  ];
  expect(inputFor(asking, known, []).buttons[0]).toMatchObject({ recipeId: 'coconut' });
  expect(linkFor({ ...asking, caption: 'Comment RECIPE!' }, known, [])).toBe('');
});

it('takes the link of the caption where no recipe fits, with https:// or without', () => {
  for (const written of ['https://example.com/green-curry', 'example.com/green-curry']) {
    const linked = { ...post, caption: `Comment CURRY, or see ${written}.` };
    expect(inputFor(linked, [], []).buttons).toEqual([
      { title: 'Get the recipe', url: 'https://example.com/green-curry' },
    ]);
  }
});

it('leads where the other automations with this word lead, when they agree', () => {
  const own = automation('curry', 'https://example.com/from-automation');
  expect(linkFor(post, [], [automation('soup', 'https://example.com/soup'), own, own])).toBe(own.buttons[0]!.url);
  expect(linkFor(post, [], [own, automation('curry', 'https://example.com/another')])).toBe('');
  // Another post's RECIPE is another recipe.
  expect(linkFor({ ...post, asksFor: 'RECIPE' }, [], [automation('recipe', 'https://example.com/soup')])).toBe('');
});

it('knows no link where nothing tells of one', () => {
  expect(linkFor(post, [], [])).toBe('');
});

it('names the button as the caption does', () => {
  const shop = { ...post, caption: 'Comment PAN and shop the link', asksFor: 'PAN' };
  expect(inputFor(shop, [], []).buttons[0]!.title).toBe('Shop the link');
});

it('replies in public as the creator usually does', () => {
  const usual = automation('soup', 'https://example.com/soup');
  expect(inputFor(post, [], [{ ...usual, trigger: 'live_comment', publicReplies: [] }, usual]).publicReplies).toEqual([
    'It is in your inbox 🥄',
  ]);
});

it('takes for the creator’s own site what most of their links lead to', () => {
  expect(siteOf([], [])).toBeNull();
  const others = [automation('pan', 'https://www.amazon.com/pan'), automation('knife', 'https://amzn.to/knife')];
  expect(siteOf([recipe], others)).toBe('https://example.com/');
});

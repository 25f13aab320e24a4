import { expect, it } from 'vitest';
import { inputFor } from '#web/features/prepared-posts/turn-on.ts';

const post = { id: 'p', connectionId: 'c', caption: 'Comment CURRY', asksFor: 'CURRY' };
const recipe = { id: 'r', url: 'https://example.com/curry', keywordIdeas: ['curry'], messageText: 'Here is my curry.' };

it('sends the recipe that has the word as a keyword, with its message', () => {
  expect(inputFor(post, [{ ...recipe, id: 'other', keywordIdeas: ['soup'] }, recipe], null)).toMatchObject({
    postId: 'p',
    words: ['CURRY'],
    messageText: 'Here is my curry.',
    buttons: [{ title: 'Get the recipe', url: 'https://example.com/curry', recipeId: 'r' }],
  });
});

it('takes the link of the caption where no recipe fits, and none where there is none', () => {
  const linked = { ...post, caption: 'Comment CURRY, or see https://example.com/green-curry.' };
  expect(inputFor(linked, [], null).buttons).toEqual([
    { title: 'Get the recipe', url: 'https://example.com/green-curry' },
  ]);
  expect(inputFor(post, [], null).buttons[0]!.url).toBe('');
});

it('replies in public as the creator usually does', () => {
  const usual = { publicReplies: ['It is in your inbox 🥄'], replyId: null };
  expect(inputFor(post, [], usual).publicReplies).toEqual(['It is in your inbox 🥄']);
});

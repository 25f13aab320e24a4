import { expect, it } from 'vitest';
import {
  AutomationForm,
  buttonTitleFor,
  differences,
  newInput,
  sameInput,
  trimRows,
  withTrigger,
} from '#web/features/automations/automation-form.ts';

const place = { connectionId: '0197a0aa-0000-7000-8000-000000000001', postId: '17', suggestedWords: ['PASTA', 'X'] };
const input = { ...newInput(place), buttons: [{ title: 'Get it', url: 'https://example.com' }] };

const problemsOf = (value: unknown) => {
  const result = AutomationForm.safeParse(value);
  return result.success ? [] : [...new Set(result.error.issues.map((issue) => issue.path.join('.')))];
};

it('names the field of every objection, as the server would', () => {
  expect(problemsOf({ ...input, words: [] })).toEqual(['words']);
  expect(problemsOf({ ...input, buttons: [{ title: 'Get it', url: 'example' }] })).toEqual(['buttons.0.url']);
  expect(problemsOf({ ...input, messageText: 'Hi {{nobody}}' })).toEqual(['messageText']);
  expect(problemsOf({ ...input, publicReplies: ['ok', '#a #b #c #d #e'] })).toEqual(['publicReplies.1']);
});

it('starts with the word that the caption asks for, and lacks only the link', () => {
  expect(newInput(place).words).toEqual(['PASTA']);
  expect(problemsOf(newInput(place))).toEqual(['buttons.0.url']);
  expect(problemsOf(input)).toEqual([]);
});

it('forgets empty rows at the end, not between', () => {
  const rows = [
    { title: '', url: '' },
    { title: 'a', url: 'b' },
    { title: ' ', url: '' },
  ];
  const trimmed = trimRows({ ...input, buttons: rows, publicReplies: ['', 'x', '', ' '] });
  expect(trimmed.buttons).toEqual(rows.slice(0, 2));
  expect(trimmed.publicReplies).toEqual(['', 'x']);
  expect(trimRows({ ...input, publicReplies: ['', ''] }).publicReplies).toEqual([]);
});

it('tells what two people made differently, and ignores empty rows', () => {
  expect(sameInput(input, { ...input, publicReplies: [...input.publicReplies, ''] })).toBe(true);
  const theirs = { ...input, words: ['RECIPE'], repeatAfterMinutes: null };
  expect(differences(input, theirs).map(({ field, mine, theirs: other }) => [field, mine, other])).toEqual([
    ['words', 'PASTA', 'RECIPE'],
    ['repeatAfterMinutes', 'At most once a day', 'Every time they write the keyword'],
  ]);
});

it('changes the door with the texts that nobody touched, and keeps what was typed', () => {
  const thanks = withTrigger(newInput(place), 'story_mention', '17');
  expect(thanks).toMatchObject({ mode: 'any_comment', scope: 'any', postId: null, buttons: [], publicReplies: [] });
  expect(thanks.messageText).toContain('thanks so much for sharing');
  expect(withTrigger(thanks, 'comment', '17')).toMatchObject({ scope: 'one', postId: '17', mode: 'whole_word' });
  const typed = { ...newInput(place), messageText: 'Mine' };
  expect(withTrigger(typed, 'direct_message', null)).toMatchObject({ messageText: 'Mine', publicReplies: [] });
});

it.each([
  ['Comment LINK and I send it', 'LINK', 'Shop the link'],
  ['My favorite pans, shop them in my bio', '', 'Shop the link'],
  ['Lemon pasta. Comment LEMON for the recipe, link in bio', 'LEMON', 'Get the recipe'],
  ['Comment PLAN', 'PLAN', 'Get the plan'],
  ['Comment PLAN for the recipe', 'PLAN', 'Get the plan'],
  ['Soup of the week', '', 'Get the recipe'],
])('for “%s” the button says what is promised', (caption, word, title) => {
  expect(buttonTitleFor(caption, word)).toBe(title);
  const made = newInput({ ...place, caption, suggestedWords: word === '' ? [] : [word] });
  expect(made.buttons).toEqual([{ title, url: '' }]);
  expect(withTrigger(made, 'story_mention', null).buttons).toEqual([]);
});

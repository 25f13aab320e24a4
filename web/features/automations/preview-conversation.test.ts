import { expect, it } from 'vitest';
import { newInput } from '#web/features/automations/automation-form.ts';
import { kindOfMessage, playConversation, versionsOf } from '#web/features/automations/preview-conversation.ts';

const simple = newInput({ connectionId: 'c', postId: '17', suggestedWords: ['PASTA'] });
const whole = {
  ...simple,
  opening: { text: 'Shall I?', buttonTitle: 'Send it' },
  followAsk: { text: 'Follow me', buttonTitle: 'I do' },
  emailAsk: { text: 'Your address?', consent: 'Letters' },
  followUp: { text: 'Seen it?', afterMinutes: 60 },
};
const her = { follower: 'anna', version: 'a', follows: false, libraryReply: null };
const textsOf = (input: typeof simple, options: Partial<typeof her> = {}) =>
  playConversation(input, { ...her, ...options }).acts.map(({ bubbles }) => bubbles.map(({ text }) => text));

it('is a single message in the simple case', () => {
  expect(textsOf(simple)).toEqual([["Hey anna! Here's what you asked for. Enjoy!"]]);
});

it('goes tap by tap through every step', () => {
  expect(textsOf(whole)).toEqual([
    ['Shall I?'],
    ['Send it', 'Follow me'],
    ['I do', 'Your address?'],
    ['anna@example.com', "Hey anna! Here's what you asked for. Enjoy!"],
    ['Seen it?'],
  ]);
  expect(playConversation(whole, her).acts.map(({ begins }) => begins)).toEqual([
    '',
    'They tap “Send it”',
    'They tap “I do”',
    'They reply with their email',
    '1 hour later, no tap on the link',
  ]);
});

it('asks nobody to follow who does already', () => {
  expect(textsOf(whole, { follows: true })[1]).toEqual(['Send it', 'Your address?']);
});

it('shows no follow-up where the platform allows none', () => {
  const { followUp } = whole;
  expect(textsOf({ ...simple, followUp })).toHaveLength(1);
  expect(textsOf({ ...simple, followUp, trigger: 'direct_message' })).toHaveLength(2);
});

it('shows the wording and the language that is looked at', () => {
  const input = {
    ...simple,
    variants: [{ id: 'b', text: 'B' }],
    translations: [{ language: 'es', words: ['receta'], messageText: 'Toma {{word}}', publicReplies: ['¡Listo!'] }],
  };
  expect(versionsOf(input)).toEqual(['a', 'b', 'es']);
  expect(textsOf(input, { version: 'b' })).toEqual([['B']]);
  expect(textsOf(input, { version: 'es' })).toEqual([['Toma receta']]);
  expect(playConversation(input, { ...her, version: 'es' })).toMatchObject({ said: 'receta', publicReply: '¡Listo!' });
});

it('answers in public under comments only, from the library when there is nothing else', () => {
  expect(playConversation(simple, her).publicReply).toContain('Just sent it!');
  const bare = { ...simple, publicReplies: [] };
  expect(playConversation(bare, { ...her, libraryReply: 'Look {{username}}' }).publicReply).toBe('Look anna');
  expect(playConversation({ ...simple, trigger: 'story_reply' }, her).publicReply).toBeNull();
});

it('puts the beginning of the message on a card without a second line', () => {
  const card = { title: 'Pan', subtitle: '', imageUrl: null };
  const deliveryOf = (input: typeof simple) => playConversation(input, her).acts[0]!.bubbles[0];
  expect(deliveryOf({ ...simple, card })).toMatchObject({
    text: '',
    card: { title: 'Pan', subtitle: "Hey anna! Here's what you asked for. Enjoy!" },
  });
  expect(deliveryOf({ ...simple, card: { ...card, subtitle: 'Iron' } })).toMatchObject({ card: { subtitle: 'Iron' } });
});

it('counts bytes only for a bare text', () => {
  expect(kindOfMessage({ buttons: [], card: null })).toBe('plain');
  expect(kindOfMessage({ buttons: [{ title: ' ', url: '' }], card: null })).toBe('plain');
  expect(kindOfMessage({ buttons: [], card: { title: 'Pan', subtitle: '', imageUrl: null } })).toBe('with_buttons');
});

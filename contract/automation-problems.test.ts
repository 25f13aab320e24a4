import { expect, it } from 'vitest';
import { checkAutomation } from '#contract/automation-problems.ts';
import { AutomationInput } from '#contract/automations.ts';

const whole = (over: object = {}) =>
  AutomationInput.parse({
    connectionId: '0197a0aa-0000-7000-8000-000000000001',
    name: '',
    postId: null,
    words: ['recipe'],
    mode: 'whole_word',
    excludedWords: [],
    typoTolerance: true,
    priority: 0,
    messageText: 'Here it is',
    buttons: [{ title: 'Open', url: 'https://example.com' }],
    publicReplies: [],
    repeatAfterMinutes: null,
    ...over,
  });

const errors = (over: object = {}) =>
  checkAutomation(whole(over))
    .filter(({ severity }) => severity === 'error')
    .map(({ path }) => path);

it('says nothing of one that can be saved', () => {
  expect(checkAutomation(whole())).toEqual([]);
});

it('needs words of its own or Custom Keywords, except for mentions', () => {
  expect(errors({ words: [] })).toEqual(['words']);
  expect(errors({ words: [], keywordIds: ['0197a0aa-0000-7000-8000-000000000002'] })).toEqual([]);
  expect(errors({ words: [], trigger: 'story_mention' })).toEqual([]);
});

it('keeps the place and what it listens to together', () => {
  expect(errors({ scope: 'one' })).toEqual(['postId']);
  expect(errors({ scope: 'any', postId: '17' })).toEqual(['postId']);
  expect(errors({ scope: 'caption' })).toEqual(['captionWords']);
  expect(errors({ scope: 'caption', captionWords: ['PASTA'] })).toEqual([]);
  expect(errors({ scope: 'next', trigger: 'direct_message' })).toEqual(['scope']);
});

it('measures every text as it is sent: with a button in characters, without in bytes', () => {
  const long = 'x'.repeat(641);
  expect(errors({ messageText: long })).toEqual(['messageText']);
  expect(errors({ variants: [{ id: 'b', text: long }] })).toEqual(['variants.0.text']);
  expect(errors({ opening: { text: long, buttonTitle: 'Yes' } })).toEqual(['opening.text']);
  expect(errors({ emailAsk: { text: long, consent: 'My newsletter' } })).toEqual([]);
  expect(errors({ emailAsk: { text: 'é'.repeat(501), consent: 'My newsletter' } })).toEqual(['emailAsk.text']);
  expect(errors({ followUp: { text: 'x'.repeat(1001), afterMinutes: 60 } })).toEqual(['followUp.text']);
});

it('names the place of what is wrong in another language', () => {
  const es = { language: 'es', words: ['receta'], messageText: 'Hola {{nombre}}', publicReplies: ['#a #b #c #d #e'] };
  expect(errors({ translations: [es, { ...es, messageText: 'Hola', publicReplies: [] }] })).toEqual([
    'translations.0.messageText',
    'translations.0.publicReplies.0',
    'translations.1.language',
  ]);
});

it('refuses variables inside of variables everywhere', () => {
  const nested = 'Hi {{username|{{word}}}}';
  expect(errors({ messageText: nested, followAsk: { text: nested, buttonTitle: 'I do' } })).toEqual([
    'messageText',
    'followAsk.text',
  ]);
});

it('takes no link that runs a script', () => {
  const parsed = AutomationInput.safeParse({ ...whole(), buttons: [{ title: 'Open', url: 'javascript:alert(1)' }] });
  expect(parsed.success).toBe(false);
});

import { describe, expect, test } from 'vitest';
import { automation } from '#server/engine/testing/deciding-examples.ts';
import { hasSteps, linkMessage, type Plan, planOf, readPayload, sequenceOf, stepContent } from './message-plan.ts';

const opening = { text: 'Hi {{first_name}}', buttonTitle: 'Go' };
const followAsk = { text: 'Follow me?', buttonTitle: 'I do' };
const emailAsk = { text: 'Your address?', consent: 'I agree.' };
const followUp = { afterMinutes: 60, text: 'Did you see it, {{username}}?' };

function plan(more: Partial<Plan> = {}): Plan {
  const told = { username: 'ana', word: 'recipe', language: null };
  return { ...planOf(automation({ messageText: 'Hi {{first_name}}, {{word}}' }), told, 'a'), ...more };
}
const composing = {
  baseUrl: 'https://hq.example.com',
  deliveryId: '01890000-1234-7000-8000-00000000abcd',
  conversationId: 'talk',
  name: 'Ana Lima',
};
const buttons = [{ title: 'Open', url: 'https://hq.example.com/l/abc1234/AYkAABI0cACAAAAAAACrzQ' }];

describe('a plan', () => {
  const given = automation({
    messageText: 'Own',
    variants: [{ id: 'b', text: 'Second' }],
    translations: [
      { language: 'es', words: ['receta'], messageText: 'Aquí', publicReplies: [] },
      { language: 'de', words: ['rezept'], messageText: 'Hier', publicReplies: [] },
    ],
  });
  test.each([
    ['has the own wording', null, 'a', { text: 'Own', variant: 'a', language: null }],
    ['has the other wording', null, 'b', { text: 'Second', variant: 'b', language: null }],
    ['has the own wording for one that is gone', null, 'c', { text: 'Own', variant: 'a', language: null }],
    ['has the translation, without a wording', 'de', 'b', { text: 'Hier', variant: null, language: 'de' }],
    ['has the own wording in a language without one', 'fr', 'a', { text: 'Own', variant: 'a', language: null }],
  ])('%s', (_name, language, variant, expected) => {
    expect(planOf(given, { username: 'ana', word: null, language }, variant)).toMatchObject(expected);
  });

  test.each([
    ['none', {}, false, [false, false, false, null]],
    ['an opening', { opening }, true, [true, false, false, null]],
    ['the question to follow', { followAsk }, true, [false, true, false, null]],
    ['the question for an address', { emailAsk }, true, [false, false, true, null]],
    ['a follow-up', { followUp }, true, [false, false, false, 60]],
  ])('of steps: %s', (_name, steps, has, [o, f, e, minutes]) => {
    expect(hasSteps(plan(steps))).toBe(has);
    expect(sequenceOf(plan(steps))).toEqual({ opening: o, followAsk: f, emailAsk: e, followUpAfterMinutes: minutes });
  });
});

describe('the link', () => {
  test('stands in buttons, with what is known filled in', () => {
    const message = linkMessage(plan(), composing);
    expect(message).toEqual({ text: 'Hi Ana, recipe', buttons });
    expect(message).not.toHaveProperty('card');
  });

  test('in a card has the beginning of the text where the card says nothing', () => {
    const card = { title: 'Pan', subtitle: '', imageUrl: null };
    const long = `${'x'.repeat(79)}🔥 and more`;
    expect(linkMessage(plan({ card, text: long }), composing).card).toEqual({
      ...card,
      subtitle: `${'x'.repeat(79)}\ufffd`,
    });
    const own = { ...card, subtitle: 'Own' };
    expect(linkMessage(plan({ card: own }), composing).card).toEqual(own);
  });

  test.each([
    [' Ana  Lima', 'Ana'],
    ['Anne-Marie', 'Anne-Marie'],
    ['O’Neil X', 'O’Neil'],
    ['Zoe\u0308 X', 'Zoë'],
    ['نور الدين', 'نور'],
    ['🔥 Ana', 'there'],
    ['4ever', 'there'],
    ['a1', 'there'],
    ['A!', 'there'],
    ['x'.repeat(30), 'x'.repeat(30)],
    ['x'.repeat(31), 'there'],
    ['', 'there'],
    [null, 'there'],
  ])('names %j as %s', (name, first) => {
    expect(linkMessage(plan({ text: '{{first_name}}' }), { ...composing, name }).text).toBe(first);
  });
});

describe('a step', () => {
  const all = plan({ opening, followAsk, emailAsk, followUp });
  const link = { text: 'Hi Ana, recipe', buttons };
  const asked = { text: 'Follow me?', buttons: [], tap: { title: 'I do', payload: 'follows:talk' } };

  test.each([
    ['opening', { text: 'Hi Ana', buttons: [], tap: { title: 'Go', payload: 'go:talk' } }],
    ['follow_ask', asked],
    ['email_ask', { text: 'Your address?\n\nI agree.', buttons: [] }],
    ['email_hint', { text: expect.stringContaining('name@example.com'), buttons: [] }],
    [
      'email_suggestion',
      {
        text: 'Did you mean a@b.de?',
        buttons: [],
        quickReplies: [
          { title: "Yes, that's it", payload: 'email:talk:yes' },
          { title: 'No, keep mine', payload: 'email:talk:no' },
        ],
      },
    ],
    ['delivery', link],
    ['follow_up', { text: 'Did you see it, ana?', buttons }],
    [
      'next',
      {
        ...link,
        branches: { followAsk: asked, emailAsk: { text: 'Your address?\n\nI agree.', buttons: [] }, delivery: link },
      },
    ],
  ] as const)('%s', (step, content) => {
    const made = stepContent(all, step, { ...composing, suggestedEmail: 'a@b.de' });
    expect(made).toEqual({ step, ...content });
  });

  test('has only what it says', () => {
    expect(stepContent(plan(), 'next', composing).branches).toEqual({
      followAsk: null,
      emailAsk: null,
      delivery: link,
    });
    const { branches } = stepContent(all, 'next', composing);
    expect(branches!.emailAsk).not.toHaveProperty('tap');
    expect(stepContent(all, 'email_suggestion', composing).text).toBe('Did you mean ?');
  });
});

describe('a button', () => {
  const id = '01890000-1234-7000-8000-00000000abcd';
  test.each([
    [`go:${id}`, { kind: 'tapped', conversationId: id }],
    [`follows:${id}`, { kind: 'tapped', conversationId: id }],
    [`email:${id}:yes`, { kind: 'confirmed', conversationId: id, suggestion: true }],
    [`email:${id}:no`, { kind: 'confirmed', conversationId: id, suggestion: false }],
    [`email:${id}`, { kind: 'confirmed', conversationId: id, suggestion: false }],
    [` go:${id}`, null],
    [`go:${id} `, null],
    [`went:${id}`, null],
    [`email:${id}:maybe`, null],
    [`go:${id.slice(1)}`, null],
    [`go:${id.toUpperCase()}`, null],
    ['', null],
    [null, null],
  ])('%j', (payload, read) => {
    expect(readPayload(payload)).toEqual(read);
  });
});

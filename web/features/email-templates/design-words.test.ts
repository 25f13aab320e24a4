import { expect, test } from 'vitest';
import type { EmailBlock, EmailDesign } from '#contract/email-templates.ts';
import {
  differencesOf,
  inWords,
  problemsOfAnswer,
  sameDesign,
  summaryOf,
} from '#web/features/email-templates/design-words.ts';

const heading: EmailBlock = { id: 'a', hideWhen: null, kind: 'heading', text: 'Hi {first name|you}', size: 'large' };
const button: EmailBlock = { id: 'b', hideWhen: null, kind: 'button', label: 'Open', link: '{recipe.url}' };
const footer: EmailBlock = { id: 'f', hideWhen: null, kind: 'footer' };
const design: EmailDesign = {
  subject: '{recipe.title}',
  preheader: '',
  language: 'en',
  look: { button: '#1e6b4a', buttonText: '#ffffff', font: 'system' },
  blocks: [heading, button, footer],
};

test('fields read as their labels, and unknown ones as they are written', () => {
  expect(inWords('Hi {first name|you}, {nope}')).toBe('Hi [First name], {nope}');
});

test('a block says in a line what it says in the mail', () => {
  const line = [{ text: '6 eggs', bold: true, italic: false, link: null }];
  const text: EmailBlock = { id: 't', hideWhen: null, kind: 'text', parts: [{ kind: 'bullets', lines: [line, line] }] };
  expect([heading, button, footer, text].map(summaryOf)).toEqual(['Hi [First name]', 'Open', '', '6 eggs 6 eggs']);
});

test('two versions differ by mail, by block and by order', () => {
  expect(differencesOf(design, structuredClone(design))).toEqual([]);
  const theirs: EmailDesign = {
    ...design,
    subject: 'Yours',
    blocks: [{ ...button, link: 'https://example.com/', hideWhen: 'no_picture' }, { ...heading }, footer],
  };
  const changed = differencesOf(design, theirs);
  expect(changed.map(({ label, mine, theirs: other }) => [label, mine, other])).toEqual([
    ['Subject', '[Recipe title]', 'Yours'],
    [
      'Button',
      'Open\nLink: the recipe’s page',
      'Open\nLink: https://example.com/\nHidden when the recipe has no picture',
    ],
    ['Order', 'Heading, Button, Footer', 'Button, Heading, Footer'],
  ]);
  expect(differencesOf(design, { ...design, blocks: [heading, footer] })).toMatchObject([
    { label: 'Button', theirs: 'Not there' },
  ]);
});

test('every difference is one in words, also of what a block only sets', () => {
  for (const other of [
    { ...heading, size: 'small' },
    { ...heading, hideWhen: 'confirmed' },
  ] as EmailBlock[]) {
    const theirs = { ...design, blocks: [other, button, footer] };
    expect(sameDesign(design, theirs)).toBe(false);
    expect(differencesOf(design, theirs)).toHaveLength(1);
  }
});

test('an objection of the server finds its block in the design that was sent', () => {
  const fields = [
    { path: 'design.blocks.1.link', message: 'Enter a link.' },
    { path: 'blocks.0.text', message: 'Enter the heading.' },
    { path: 'subject', message: 'Enter a subject.' },
    { path: 'design.blocks.9', message: 'Gone' },
  ];
  expect(problemsOfAnswer(fields, design).map(({ blockId, path }) => [blockId, path])).toEqual([
    ['b', 'blocks.1.link'],
    ['a', 'blocks.0.text'],
    [null, 'subject'],
    [null, 'blocks.9'],
  ]);
});

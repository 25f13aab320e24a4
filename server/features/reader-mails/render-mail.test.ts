import { expect, test } from 'vitest';
import { type MailContent, renderMail } from './render-mail.ts';

const bread = {
  url: 'https://anna.example/banana-bread?x=1&y=2#old',
  title: 'Anna’s Banana Bread | Anna’s Kitchen',
  pictureUrl: 'https://anna.example/bread.jpg',
  recipe: {
    name: 'Banana Bread',
    anchor: 'wprm-recipe-12',
    ingredients: ['3 bananas', '1 tsp salt'],
    totalMinutes: 75,
    yield: '1 loaf',
  },
};
const save: MailContent = {
  kind: 'save',
  creatorName: 'Anna’s Kitchen',
  about: bread,
  question: null,
  notMeUrl: 'https://hq.example.test/e/not-me/token',
};
const question = {
  wording: 'Yes, Anna may send me new recipes.',
  confirmUrl: 'https://hq.example.test/e/confirm/token',
  tripwireUrl: 'https://hq.example.test/e/more/token',
};
const withRecipe = (recipe: Partial<typeof bread.recipe>, more: Partial<typeof bread> = {}): MailContent => ({
  ...save,
  about: { ...bread, ...more, recipe: { ...bread.recipe, ...recipe } },
});
const ARABIC = 'خبز الموز';

const HARD: [string, MailContent][] = [
  ['an everyday recipe', save],
  ['with the newsletter question', { ...save, question }],
  ['a confirmation', { ...save, kind: 'confirmation', about: null, question }],
  [
    'with others that waited',
    { ...save, about: { ...bread, others: [{ url: 'https://a.test/?x=1', title: '<b>Soup' }] } },
  ],
  ['no picture', withRecipe({}, { pictureUrl: null as never })],
  ['no recipe', { ...save, about: { ...bread, recipe: null } }],
  ['no ingredients', withRecipe({ ingredients: [], totalMinutes: null as never, yield: null as never })],
  ['60 ingredients', withRecipe({ ingredients: Array.from({ length: 60 }, (_, n) => `${n + 1} g flour`) })],
  ['a title of 120 letters', withRecipe({ name: 'Bread '.repeat(20) })],
  ['Arabic', withRecipe({ name: ARABIC, ingredients: ['٣ موز'] })],
  ['markup', withRecipe({ name: '<script>alert(1)</script>', ingredients: ['<img src=x onerror=alert(1)>', '"><b>'] })],
  ['line breaks and bidi', withRecipe({ name: 'Bread\r\nBcc: spy@example.test\u202e\u2066', yield: '1\r\nX: y' })],
  ['half an emoji', withRecipe({ name: 'Bread \ud83c' })],
  [
    'addresses that run',
    withRecipe({}, { url: 'javascript:alert(1)', pictureUrl: 'data:image/svg+xml,<svg onload=alert(1)>' }),
  ],
  [
    'all of it too long',
    {
      ...withRecipe(
        { name: '\'"&'.repeat(500), ingredients: Array(500).fill('\'"&😀'.repeat(200)), yield: '&'.repeat(999) },
        { url: `https://anna.example/?${'&'.repeat(1400)}`, pictureUrl: `https://anna.example/?${'&'.repeat(1400)}` },
      ),
      question: { ...question, wording: '&'.repeat(2000) },
    },
  ],
];

test.each(HARD)(
  '%s: small, harmless HTML without anything that runs, tracks or is loaded, and a plain text',
  (_what, content) => {
    const { subject, html, text } = renderMail(content);
    expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/v);
    expect(subject).not.toBe('');
    expect(Array.from(subject).length).toBeLessThanOrEqual(150);
    expect(html.isWellFormed() && text.isWellFormed()).toBe(true);
    expect(Buffer.byteLength(html)).toBeLessThan(100_000);
    expect(html).not.toMatch(/<(script|form|link|iframe|object|svg|base)|@import|@font-face|"javascript:|"data:/i);
    expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    // One picture at most, and that is the recipe's own.
    const pictures = [...html.matchAll(/<img src="([^"]*)"/g)].map(([, src]) => src!.replaceAll('&amp;', '&'));
    expect(pictures).toEqual(content.about?.pictureUrl?.startsWith('https:') ? [content.about.pictureUrl] : []);
    for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^https?:\/\//);
    expect(html.match(/<(table|tr|td|ul|li|p|a|h1|h2)\b/g)!.length).toBe(
      html.match(/<\/(table|tr|td|ul|li|p|a|h1|h2)>/g)!.length,
    );
    expect(text).toContain(content.notMeUrl);
    expect(html).toContain('Stop emails to this address');
  },
);

test('has picture, title, times, yield, ingredients and one button to the card, in HTML and in plain text', () => {
  const { subject, html, text } = renderMail(save);
  expect(subject).toBe('Banana Bread');
  const card = 'https://anna.example/banana-bread?x=1&y=2#wprm-recipe-12';
  expect(html).toContain(`href="${card.replaceAll('&', '&amp;')}"`);
  for (const part of [
    'Banana Bread',
    '1 hr 15 min · 1 loaf',
    '3 bananas',
    '1 tsp salt',
    'anna.example',
    'It’s not a subscription.',
  ]) {
    expect(html).toContain(part);
    expect(text).toContain(part);
  }
  expect(text).toContain(card);
  expect(html.match(/bgcolor=/g)).toHaveLength(1);
  expect(html).toContain('max-width:640px');
  expect(html).toContain('prefers-color-scheme:dark');
  expect(html).not.toContain('/e/confirm/');
});

test('a question is asked in the same mail, with a tripwire that no person aims at', () => {
  const { html, text } = renderMail({ ...save, question });
  expect(html).toContain('Yes, Anna may send me new recipes.');
  expect(html).toContain(`href="${question.confirmUrl}"`);
  expect(html).toMatch(new RegExp(`<a href="${question.tripwireUrl}" aria-hidden="true" tabindex="-1"[^>]*>·</a>`));
  expect(text).toContain(question.confirmUrl);
  expect(text).not.toContain(question.tripwireUrl);
});

test('all 60 ingredients are there, and beyond that the page has the rest', () => {
  const list = Array.from({ length: 61 }, (_, n) => `${n + 1} g flour`);
  const all = renderMail(withRecipe({ ingredients: list.slice(0, 60) }));
  expect(all.html.match(/<li/g)).toHaveLength(60);
  expect(all.text).toContain('60 g flour');
  expect(renderMail(withRecipe({ ingredients: list })).html).toContain('…and 1 more on the page');
});

test('others that waited are links in the same mail; addresses that are none are left out', () => {
  const others = [
    { url: 'https://anna.example/soup?a=1&b=2', title: '<script>Soup' },
    { url: 'javascript:alert(1)', title: 'Bad' },
  ];
  const { html, text } = renderMail({ ...save, about: { ...bread, others } });
  expect(html).toContain('<a href="https://anna.example/soup?a=1&amp;b=2"');
  expect(html).toContain('&lt;script&gt;Soup');
  expect(text).toContain('Also saved\n- <script>Soup\n  https://anna.example/soup?a=1&b=2');
  expect(html + text).not.toContain('alert(1)');
});

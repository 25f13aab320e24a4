import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkEmailDesign } from '#contract/email-template-problems.ts';
import {
  EMAIL_TYPES,
  type EmailBlock,
  type EmailDesign,
  type EmailType,
  RECIPE_LINK,
} from '#contract/email-templates.ts';
import { defaultDesign } from '../default-designs.ts';
import { checkSize, sizeWarning } from '../size.ts';
import type { MailData, SavedPage } from './facts.ts';
import { FIXED_WORDS, type SpokenLanguage } from './fixed-words.ts';
import { compileTemplate, preheaderOf, renderMail } from './render-mail.ts';

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
} satisfies SavedPage;
const question = {
  wording: 'Yes, Anna may send me new recipes.',
  confirmUrl: 'https://hq.example.test/e/confirm/token',
  tripwireUrl: 'https://hq.example.test/e/more/token',
};
const data: MailData = {
  creatorName: 'Anna’s Kitchen',
  postalAddress: null,
  name: 'Maria Lopez',
  about: bread,
  listed: new Map([['recipes', [{ title: 'Soup', url: 'https://anna.example/soup', pictureUrl: null }]]]),
  question: null,
  isConfirmed: false,
  cookbookUrl: 'https://hq.example.test/e/cookbook/token',
  notMeUrl: 'https://hq.example.test/e/not-me/token',
  unsubscribeUrl: 'https://hq.example.test/e/unsubscribe/token',
};
const withRecipe = (recipe: Partial<SavedPage['recipe']>, more: Partial<SavedPage> = {}): MailData => ({
  ...data,
  about: { ...bread, ...more, recipe: { ...bread.recipe, ...recipe } },
});
const LONG_URL = `https://anna.example/?${'&'.repeat(1400)}`;

const HARD: Record<string, MailData> = {
  'an everyday recipe': data,
  'the newsletter question': { ...data, question },
  'no page': { ...data, about: null, name: null, question },
  'others that waited': { ...data, about: { ...bread, others: [{ url: 'https://a.test/?x=1', title: '<b>Soup' }] } },
  'no picture': withRecipe({}, { pictureUrl: null }),
  'no recipe': { ...data, about: { ...bread, recipe: null } },
  'shopping lists': { ...data, shopUrlOf: () => 'https://hq.example.test/l/abcd1234' },
  'no ingredients': withRecipe({ ingredients: [], totalMinutes: null, yield: null }),
  '60 ingredients': withRecipe({ ingredients: Array.from({ length: 60 }, (_, n) => `${n + 1} g flour`) }),
  'a title of 120 letters': withRecipe({ name: 'Bread '.repeat(20) }),
  Arabic: withRecipe({ name: 'خبز الموز', ingredients: ['٣ موز'] }),
  markup: {
    ...withRecipe({ name: '<script>alert(1)</script>', ingredients: ['<img src=x onerror=alert(1)>', '"><b>'] }),
    name: '<script>alert(2)</script>',
    creatorName: '"><script src=//evil.example></script>',
    question: { ...question, wording: '<form action="//evil.example">' },
  },
  'line breaks and bidi': {
    ...withRecipe({ name: 'Bread\r\nBcc: spy@example.test\u202e\u2066', yield: '1\r\nX: y' }),
    name: 'A\r\nBcc: spy@example.test\u202e',
    creatorName: 'Anna\r\nX: y\u2067',
  },
  'half an emoji': withRecipe({ name: 'Bread \ud83c' }),
  'fields in what fills fields': withRecipe({ name: '{first name}{creator}' }),
  'addresses that run': withRecipe(
    {},
    { url: 'javascript:alert(1)', pictureUrl: 'data:image/svg+xml,<svg onload=alert(1)>' },
  ),
  'all of it too long': {
    ...withRecipe(
      { name: '\'"&'.repeat(500), ingredients: Array(500).fill('\'"&😀'.repeat(200)), yield: '&'.repeat(999) },
      { url: LONG_URL, pictureUrl: LONG_URL },
    ),
    name: '&'.repeat(999),
    creatorName: '&'.repeat(999),
    question: { ...question, wording: '&'.repeat(2000) },
  },
};

const base = (id: string) => ({ id, hideWhen: null });
const run = (text: string, more: object = {}) => ({ text, bold: false, italic: false, link: null, ...more });

/** Every kind of block, and of text. */
const everything: EmailDesign = {
  ...defaultDesign('save-to-email', null),
  subject: 'For {first name|you}: {recipe.title}',
  blocks: [
    { ...base('h'), kind: 'heading', text: 'Hi {first name|friend}', size: 'small' },
    {
      ...base('t'),
      kind: 'text',
      parts: [
        {
          kind: 'paragraph',
          lines: [
            [run('Bold', { bold: true }), run(' and '), run('both', { bold: true, italic: true })],
            [run('second')],
          ],
        },
        { kind: 'bullets', lines: [[run('one')], [run('two', { link: 'https://anna.example/two' })]] },
        { kind: 'numbers', lines: [[run('first')], [run('mail', { link: 'mailto:anna@anna.example' })]] },
        { kind: 'paragraph', lines: [[run('page', { link: RECIPE_LINK })]] },
      ],
    },
    { ...base('p'), kind: 'picture', url: null, alt: 'The {recipe.title}', link: RECIPE_LINK },
    { ...base('p2'), kind: 'picture', url: 'https://anna.example/me.jpg', alt: 'Anna', link: null },
    { ...base('recipes'), kind: 'recipes', recipeIds: [], count: 3 },
    { ...base('d'), kind: 'divider' },
    ...defaultDesign('save-to-email', null).blocks,
  ] as EmailBlock[],
};

const TEMPLATES = [
  ...(Object.keys(EMAIL_TYPES) as EmailType[]).map((type) => ({ what: type, type, design: defaultDesign(type, null) })),
  { what: 'every kind of block', type: 'save-to-email' as const, design: everything },
  { what: 'from the right', type: 'save-to-email' as const, design: { ...everything, language: 'ar' } },
];
const CASES = TEMPLATES.flatMap((template) =>
  Object.entries(HARD).map(([hard, filling]) => ({ ...template, hard, filling })),
);

const INVISIBLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/v;

function expectHarmless({ subject, html, text }: ReturnType<typeof renderMail>) {
  expect(subject).not.toMatch(INVISIBLE);
  expect(subject).not.toBe('');
  expect(Array.from(subject).length).toBeLessThanOrEqual(150);
  expect(html.isWellFormed() && text.isWellFormed()).toBe(true);
  expect(Buffer.byteLength(html)).toBeLessThan(100_000);
  expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  expect(text.replaceAll('\n', '')).not.toMatch(INVISIBLE);
  expectSupported(html);
}

/**
 * What Gmail, Apple Mail, Outlook and Yahoo print, by caniemail.com (read 2026-11); `color-scheme`, `border-radius`, `max-width`,
 * `word-break` and the style sheet are enhancement: where they lack, nothing is lost.
 */
const ELEMENTS = new Set(
  'html head meta title style body div table tr td h1 h2 p ul ol li a img strong em br'.split(' '),
);
const ATTRIBUTES = new Set(
  'lang dir charset name content class style role width cellpadding cellspacing align valign bgcolor href src alt aria-hidden tabindex'.split(
    ' ',
  ),
);
const PROPERTIES = new Set([
  ...[
    'margin',
    'padding',
    'background',
    'color',
    'border',
    'border-top',
    'border-radius',
    'display',
    'width',
    'max-width',
  ],
  ...['height', 'max-height', 'overflow', 'font-family', 'font-size', 'font-weight', 'line-height', 'text-decoration'],
  ...['word-break', 'mso-hide', 'mso-padding-alt'],
]);

function expectSupported(html: string) {
  const body = html.replace(/<style>.*?<\/style>/s, '').replace(/<!--\[if mso\]>|<!\[endif\]-->|<!doctype html>/g, '');
  const open: string[] = [];
  const wrong: string[] = [];
  for (const [tag, close, name, attributes] of body.matchAll(/<(\/?)([^\s>/]+)([^>]*)>/g)) {
    if (!ELEMENTS.has(name!)) wrong.push(tag);
    if (close) wrong.push(...(open.pop() === name ? [] : [tag]));
    else if (!['meta', 'img', 'br'].includes(name!)) open.push(name!);
    for (const [all, attribute, value] of attributes!.matchAll(/([^\s=]+)="([^"]*)"/g)) {
      const isFine =
        attribute === 'href'
          ? /^(https?:\/\/|mailto:)/.test(value!)
          : attribute === 'src'
            ? value!.startsWith('https://anna.example/')
            : attribute !== 'style' || value!.split(';').every((one) => PROPERTIES.has(one.split(':')[0]!));
      if (!ATTRIBUTES.has(attribute!) || !isFine) wrong.push(all);
    }
    if (attributes!.replaceAll(/\s[^\s=]+="[^"]*"/g, '') !== '') wrong.push(tag);
    if (name === 'img' && !attributes!.includes(' alt="')) wrong.push(tag);
  }
  expect([...wrong, ...open]).toEqual([]);
  expect(html).not.toMatch(/@import|@font-face|url\(/i);
}

test.each(CASES)(
  '$what with $hard: small and harmless, and mail programs print all of it',
  ({ type, design, filling }) => {
    const mail = renderMail(compileTemplate(type, design), filling);
    expectHarmless(mail);
    const isSubscription = !['save-to-email', 'confirmation', 'correction'].includes(type);
    const stop = isSubscription ? filling.unsubscribeUrl : filling.notMeUrl;
    expect(mail.html).toContain(`href="${stop}"`);
    expect(mail.text).toContain(stop);
    expect(mail.html).toContain(`dir="${design.language === 'ar' ? 'rtl' : 'ltr'}"`);
  },
);

test('whatever names, titles and texts are, the mail is harmless and its size has a bound', () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string({
      unit: fc.constantFrom('<', '>', '"', "'", '&', '{', '}', '|', '\r', '\n', '\u202e', '\ud83c', 'a'),
      maxLength: 400,
    }),
  );
  const template = compileTemplate('save-to-email', everything);
  fc.assert(
    fc.property(nasty, nasty, nasty, fc.array(nasty, { maxLength: 70 }), (name, title, wording, ingredients) => {
      const filling = { ...withRecipe({ name: title, ingredients, yield: wording }), name, creatorName: title };
      expectHarmless(renderMail(template, { ...filling, question: { ...question, wording } }));
      const design = { ...everything, subject: title, preheader: wording, blocks: everything.blocks.map(spoilt(name)) };
      expectHarmless(renderMail(compileTemplate('save-to-email', design), data));
    }),
    { numRuns: 100 },
  );
});

const spoilt =
  (text: string) =>
  (block: EmailBlock): EmailBlock => {
    if (block.kind === 'heading') return { ...block, text };
    if (block.kind === 'button' || block.kind === 'confirm') return { ...block, label: text };
    if (block.kind === 'picture') return { ...block, alt: text };
    return block.kind === 'text' ? { ...block, parts: [{ kind: 'bullets', lines: [[run(text)]] }] } : block;
  };

const save = compileTemplate('save-to-email', defaultDesign('save-to-email', null));

test('a saved recipe has picture, title, times, yield, ingredients and one button to the card, also as plain text', () => {
  const { subject, html, text } = renderMail(save, data);
  expect(subject).toBe('Banana Bread');
  const card = 'https://anna.example/banana-bread?x=1&y=2#wprm-recipe-12';
  expect(html).toContain(`href="${card.replaceAll('&', '&amp;')}"`);
  expect(html).toContain('src="https://anna.example/bread.jpg" alt="Banana Bread"');
  for (const part of [
    'Banana Bread',
    '1 hr 15 min · 1 loaf',
    'Here’s the recipe you saved from Anna’s Kitchen.',
    '3 bananas',
    '1 tsp salt',
    'save this recipe on anna.example. It’s not a subscription.',
  ]) {
    expect(html).toContain(part);
    expect(text).toContain(part);
  }
  expect(text).toContain(card);
  expect(html.match(/bgcolor=/g)).toHaveLength(1);
  expect(html).toContain('max-width:640px');
  expect(html).toContain('prefers-color-scheme:dark');
  expect(html).not.toContain('/e/confirm/');
  expect(preheaderOf(save, data)).toBe('Here’s the recipe you saved from Anna’s Kitchen.');
});

test('a question is asked in the same mail, with a tripwire that no person aims at', () => {
  const { html, text } = renderMail(save, { ...data, question });
  expect(html).toContain('Yes, Anna may send me new recipes.');
  expect(html).toContain(`href="${question.confirmUrl}"`);
  expect(html).toMatch(new RegExp(`<a href="${question.tripwireUrl}" aria-hidden="true" tabindex="-1"[^>]*>·</a>`));
  expect(text).toContain(question.confirmUrl);
  expect(text).not.toContain(question.tripwireUrl);
});

test('all 60 ingredients are there; beyond that, and beyond what Gmail shows, the page has the rest', () => {
  const list = Array.from({ length: 61 }, (_, n) => `${n + 1} g flour`);
  const all = renderMail(save, withRecipe({ ingredients: list.slice(0, 60) }));
  expect(all.html.match(/<li/g)).toHaveLength(60);
  expect(all.text).toContain('60 g flour');
  expect(renderMail(save, withRecipe({ ingredients: list })).html).toContain('…and 1 more on the page');
  const wordy = defaultDesign('save-to-email', null);
  const long: EmailBlock = {
    ...base('long'),
    kind: 'text',
    parts: [{ kind: 'paragraph', lines: [[run('x'.repeat(80_000))]] }],
  };
  const near = compileTemplate('save-to-email', { ...wordy, blocks: [long, ...wordy.blocks] });
  const cut = renderMail(near, withRecipe({ ingredients: Array(60).fill('&'.repeat(160)) }));
  expect(Buffer.byteLength(cut.html)).toBeLessThan(100_000);
  expect(cut.html).toMatch(/…and \d\d more on the page/);
  expect(cut.text).toMatch(/…and \d\d more on the page/);
});

test('blocks hide when there are no ingredients, no picture, or the newsletter is confirmed', () => {
  const heading = (hideWhen: EmailBlock['hideWhen']): EmailBlock => ({
    ...{ id: `${hideWhen}`, hideWhen, kind: 'heading', text: `Without ${hideWhen}`, size: 'large' },
  });
  const blocks = (['no_ingredients', 'no_picture', 'confirmed'] as const).map(heading);
  const template = compileTemplate('save-to-email', { ...everything, blocks });
  const shown = (filling: MailData) => {
    const { html, text } = renderMail(template, filling);
    const found = text.match(/Without \w+/g) ?? [];
    expect(html.match(/Without \w+/g) ?? []).toEqual(found);
    return found.map((words) => words.slice('Without '.length));
  };
  expect(shown(data)).toEqual(['no_ingredients', 'no_picture', 'confirmed']);
  expect(shown(withRecipe({ ingredients: [' '] }))).toEqual(['no_picture', 'confirmed']);
  expect(shown(withRecipe({}, { pictureUrl: null }))).toEqual(['no_ingredients', 'confirmed']);
  expect(shown({ ...data, isConfirmed: true })).toEqual(['no_ingredients', 'no_picture']);
});

test('fields are filled once, with something instead where there is nothing', () => {
  const template = compileTemplate('save-to-email', everything);
  expect(renderMail(template, withRecipe({ name: '{first name}' })).subject).toBe('For Maria: {first name}');
  expect(renderMail(template, { ...data, name: ' ' }).subject).toBe('For you: Banana Bread');
  expect(renderMail(template, { ...data, name: null }).text).toContain('Hi friend');
  expect(renderMail(save, { ...data, about: null }).subject).toBe('Your recipe');
});

test('lists, links and lines by hand are there in both', () => {
  const { html, text } = renderMail(compileTemplate('save-to-email', everything), data);
  expect(html).toContain('<strong>Bold</strong> and <strong><em>both</em></strong><br>second</p>');
  expect(html).toMatch(/<ol [^>]*><li[^>]*>first<\/li>/);
  expect(text).toContain(
    'Bold and both\nsecond\n\n- one\n- two (https://anna.example/two)\n\n1. first\n2. mail (anna@anna.example)',
  );
  expect(text).toContain('Soup:\nhttps://anna.example/soup');
});

test('a link to a recipe that has no page leaves its words', () => {
  const { html } = renderMail(compileTemplate('save-to-email', everything), { ...data, about: null });
  expect(html).toContain('>page</p>');
  expect(html).not.toContain('Open the recipe');
});

test('a postal address is in the footer of both', () => {
  const { html, text } = renderMail(save, { ...data, postalAddress: '1 Baker\nStreet' });
  expect(html).toContain('Anna’s Kitchen, 1 Baker Street');
  expect(text).toContain('Anna’s Kitchen, 1 Baker Street');
});

const text = (length: number): EmailBlock => ({
  ...{ ...base('x'), kind: 'text', parts: [{ kind: 'paragraph', lines: [[run('x'.repeat(length))]] }] },
});

test.each(TEMPLATES)(
  '$what has the link to the reader’s cookbook in both, and none where there is no reader',
  (one) => {
    const template = compileTemplate(one.type, one.design);
    const real = renderMail(template, data);
    for (const body of [real.html, real.text]) {
      expect(body).toContain('Your cookbook');
      expect(body).toContain(data.cookbookUrl);
    }
    const test = renderMail(template, { ...data, cookbookUrl: null });
    expect(test.html + test.text).not.toContain('cookbook');
  },
);

test('near 80 KB is warned of, 100 KB are refused', () => {
  const design = defaultDesign('save-to-email', null);
  const sized = (length: number): EmailDesign => ({ ...design, blocks: [text(length), ...design.blocks] });
  expect(checkSize('save-to-email', sized(80_000))).toEqual([]);
  expect(checkSize('save-to-email', sized(100_000))).toMatchObject([{ path: 'blocks', message: /too long: 1\d\d KB/ }]);
  expect([79_999, 80_000].map(sizeWarning)).toEqual([null, 'This email is long: 80 KB. Gmail cuts emails at 100 KB.']);
});

const problemsOf = (change: Partial<EmailDesign>, type: EmailType = 'save-to-email') =>
  checkEmailDesign(type, { ...defaultDesign(type, null), ...change }).map(({ path, message }) => `${path}: ${message}`);
const [footer] = defaultDesign('broadcast', null).blocks.slice(-1) as [EmailBlock];
const [confirm] = defaultDesign('confirmation', null).blocks.slice(-2) as [EmailBlock];
const heading = (words: string): EmailBlock => ({ ...base('h'), kind: 'heading', text: words, size: 'large' });
const list: EmailBlock = { ...base('l'), kind: 'recipes', recipeIds: [], count: 1 };

test.each<[string, string[], string[]]>([
  ['nothing in the subject', problemsOf({ subject: ' ' }), ['subject: Enter a subject.']],
  ['an unknown field', problemsOf({ subject: 'Hi {nick}' }), ['subject: There is no field {nick}.']],
  [
    'a recipe where there is none',
    problemsOf({ preheader: '{recipe.title}' }, 'confirmation'),
    ['preheader: There is no field {recipe.title} in this email.'],
  ],
  [
    'a button nobody can read',
    problemsOf({ look: { button: '#ffcc00', buttonText: '#ffffff', font: 'serif' } }),
    [expect.stringMatching(/^look.buttonText: Too hard to read here/) as never],
  ],
  ['no footer', problemsOf({ blocks: [confirm] }), ['blocks: The footer must be the last block.']],
  ['no question', problemsOf({ blocks: [footer] }), ['blocks: The newsletter question must be there once.']],
  [
    'an empty heading',
    problemsOf({ blocks: [heading(' '), footer] }, 'broadcast'),
    ['blocks.0.text: Block 1 (Heading): Enter the heading.'],
  ],
  [
    'a recipe list in what somebody asked for',
    problemsOf({ blocks: [list, confirm, footer] }),
    ['blocks.0: Block 1 (Recipe list): It can’t be used in “Saved recipe” emails.'],
  ],
  [
    'a question that hides',
    problemsOf({ blocks: [{ ...confirm, hideWhen: 'no_picture' }, footer] }),
    ['blocks.0.hideWhen: Block 1 (Newsletter question): It can’t be hidden.'],
  ],
  [
    'a link to no recipe',
    problemsOf({ blocks: [{ ...base('b'), kind: 'button', label: 'Go', link: RECIPE_LINK }, footer] }, 'broadcast'),
    ['blocks.0.link: Block 1 (Button): This email is about no recipe. Enter a link.'],
  ],
  [
    'two of one id',
    problemsOf({ blocks: [heading('A'), heading('B'), footer] }, 'broadcast'),
    ['blocks: Two blocks have the same id.'],
  ],
])('%s keeps a template from being published', (_what, found, expected) => {
  expect(found).toEqual(expected);
});

test('others that waited are links in the same mail; addresses that are none are left out', () => {
  const others = [
    { url: 'https://anna.example/soup?a=1&b=2', title: '<script>Soup' },
    { url: 'javascript:alert(1)', title: 'Bad' },
  ];
  const { html, text } = renderMail(save, { ...data, about: { ...bread, others } });
  expect(html).toContain('<a href="https://anna.example/soup?a=1&amp;b=2"');
  expect(html).toContain('&lt;script&gt;Soup');
  expect(text).toContain('Also saved\n- <script>Soup\n  https://anna.example/soup?a=1&b=2');
  expect(html + text).not.toContain('alert(1)');
});

describe('fixed words', () => {
  const said = (language: SpokenLanguage): Record<string, string> =>
    Object.fromEntries(
      Object.entries(FIXED_WORDS[language]).map(([key, words]) => [
        key,
        typeof words === 'string' ? words : (words as (given: string) => string)('7'),
      ]),
    );

  test.each(Object.keys(FIXED_WORDS) as SpokenLanguage[])(
    '%s: each is there, and is no other language’s',
    (language) => {
      const words = said(language);
      expect(Object.keys(words)).toEqual(Object.keys(said('en')));
      for (const [key, text] of Object.entries(words)) {
        expect(text.trim()).not.toBe('');
        if (language !== 'en') expect(text).not.toBe(said('en')[key]);
      }
    },
  );

  test('a German mail of any type has the German ones and no English one; a language we lack has the English ones', () => {
    const many = { ...data, about: { ...data.about!, others: [{ url: 'https://anna.example/b', title: 'B' }] } };
    for (const type of Object.keys(EMAIL_TYPES) as EmailType[]) {
      const blocks = [...everything.blocks];
      const mailOf = (language: string) => renderMail(compileTemplate(type, { ...everything, blocks, language }), many);
      const { html, text } = mailOf('de-AT');
      for (const part of [html, text]) {
        expect(part).toContain('Du bekommst diese Mail, weil');
        expect(part).toMatch(/Auch gespeichert/);
        expect(part).not.toMatch(/You got|Not you|Stop emails|Unsubscribe|Also saved|View on|more on the page|\bhr\b/);
      }
      expect(html).toMatch(/Abmelden|Keine Mails mehr an diese Adresse/);
      expect(html).toContain('1 Std. 15 Min.');
      expect(mailOf('nl').html).toContain('You got this email because');
    }
  });
});

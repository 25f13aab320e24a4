import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { FormDesign, type FormTexts } from '#contract/forms.ts';
import { MADE_FORMS } from '#contract/made-forms.ts';
import { FORM_FIELDS, FORM_PLACEHOLDERS } from '#contract/plugin.ts';
import { printForm, printPlain } from './print-form.ts';

const KIB = 1024;
const [{ design }] = MADE_FORMS as [(typeof MADE_FORMS)[number]];
const KEY = 'AbCdEfGhIjKlMnOpQrStUv';
const print = (changed: Partial<FormDesign> = {}, texts: Partial<FormTexts> = {}, key = KEY) => {
  const all = (changed.texts ?? design.texts).map((one) => ({ ...one, ...texts }));
  const form = { key, kind: 'save' as const, name: 'A', version: 3, design: { ...design, ...changed, texts: all } };
  return printForm(form).languages as [{ language: string; html: string }];
};
const bytes = (html: string) => gzipSync(html).length;

/** Everything a form may have, as long as it may be. */
const FULL: FormDesign = FormDesign.parse({
  ...design,
  firstName: true,
  ads: true,
  pictureUrl: `https://blog.example/${'a'.repeat(100)}.jpg`,
  privacyUrl: 'https://blog.example/privacy',
  texts: [
    {
      ...design.texts[0]!,
      heading: 'Save this recipe and find it again when it is time to cook for your family and all your friends',
      description: 'We will email it to you with everything that you need to buy. '.repeat(4).trim(),
      newsletter: 'Yes, send me new recipes too, about once a week, and a small gift for my birthday. '
        .repeat(3)
        .trim(),
    },
  ],
});

describe('a printed form', () => {
  test('has at most 5 KiB, and a second one on the page at most 2 KiB more (gzip)', () => {
    const [{ html: one }] = print(FULL);
    const [{ html: other }] = print(MADE_FORMS[1]!.design, {}, 'ZyXwVuTsRqPoNmLkJiHgFe');
    console.log(`form ${bytes(one)} bytes, second ${bytes(one + other) - bytes(one)} bytes (gzip)`);
    expect(bytes(one)).toBeLessThanOrEqual(5 * KIB);
    expect(bytes(one + other) - bytes(one)).toBeLessThanOrEqual(2 * KIB);
  });

  test('has the agreed fields and every placeholder once', () => {
    const [{ html }] = print({ firstName: true, ads: true });
    for (const name of FORM_FIELDS) expect(html.split(` name="${name}"`), name).toHaveLength(2);
    for (const placeholder of Object.values(FORM_PLACEHOLDERS)) expect(html.split(`"${placeholder}"`)).toHaveLength(2);
    expect(html).toContain(`name="form" value="${KEY}"`);
    expect(html).toMatch(/^<creator-hq-form [^>]*><template shadowrootmode="open">.*<\/template><\/creator-hq-form>$/s);
    expect(html).not.toContain('\n');
    expect(html).not.toMatch(/<script|\son[a-z]+=/);
  });

  test('escapes every text, and leaves nothing for the blog to fill in or to run', () => {
    const nasty = `"><script>alert(1)</script>'&%%chq-stamp%%[gallery]`;
    const texts = Object.fromEntries(Object.keys(design.texts[0]!).map((name) => [name, nasty])) as FormTexts;
    const [{ html }] = print({ ...FULL, pictureUrl: `https://x.test/?"onerror=alert(1)`, texts: [texts] });
    expect(html).not.toContain('<script');
    expect(html).not.toContain('"onerror');
    expect(html).not.toContain('[gallery]');
    expect(html.split(FORM_PLACEHOLDERS.stamp)).toHaveLength(2);
    expect(html.match(/<\/?[a-z-]+/g)!.filter((tag) => /script|gallery/.test(tag))).toEqual([]);
  });

  test('is written from right to left where the language is', () => {
    for (const [language, dir] of [
      ['ar', 'rtl'],
      ['he-IL', 'rtl'],
      ['de', 'ltr'],
    ]) {
      expect(print({}, { language: language! })[0]!.html).toContain(`lang="${language}" dir="${dir}"`);
    }
  });

  test('has no box where it asks for the newsletter itself, or the creator wants none', () => {
    const signup = printForm({ key: KEY, kind: 'signup', name: 'A', version: 1, design });
    expect(signup.languages[0]!.html).not.toContain('name="newsletter"');
    const gate = printForm({
      key: KEY,
      kind: 'gate',
      name: 'A',
      version: 1,
      design: { ...design, newsletter: 'ticked' },
    });
    expect(gate.languages[0]!.html).toContain('name="newsletter" value="1" required>');
    expect(print({ newsletter: 'off' })[0]!.html).not.toContain('name="newsletter"');
    expect(print({ newsletter: 'ticked' })[0]!.html).toContain('name="newsletter" value="1" checked');
    expect(print()[0]!.html).toContain('name="newsletter" value="1">');
  });

  test('has a box for the ad network only where the creator wants one, never checked, and none on a page of ours', () => {
    expect(print()[0]!.html).not.toContain('name="ads"');
    expect(print({ ads: true, newsletter: 'ticked' })[0]!.html).toContain(
      'name="ads" value="1"> <span>Let my ad partner recognize me<',
    );
    expect(print({ ads: true }, { ads: 'For <ads>' })[0]!.html).toContain('<span>For &lt;ads&gt;<');
    const places = { action: '', post: '', recipe: '', stamp: '', attempt: '' };
    const { html } = printPlain(
      { key: KEY, kind: 'save', design: { ...design, ads: true } },
      design.texts[0]!,
      places,
      null,
    );
    expect(html).not.toContain('name="ads"');
  });
});

test('the three made forms pass their own rules', () => {
  for (const form of MADE_FORMS) expect(FormDesign.safeParse(form.design).success, form.name).toBe(true);
});

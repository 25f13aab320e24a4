import { describe, expect, test } from 'vitest';
import { checkEmailDesign } from '#contract/email-template-problems.ts';
import { EMAIL_TYPES, type EmailType } from '#contract/email-templates.ts';
import { defaultDesign } from './default-designs.ts';
import { DEFAULT_WORDS } from './default-words.ts';

const types = Object.keys(EMAIL_TYPES) as EmailType[];
const languages = Object.keys(DEFAULT_WORDS);
const inLanguage = (type: EmailType, language: string) => defaultDesign(type, { look: null, language });

describe.each(types)('%s', (type) => {
  test.each(languages)('can be published in %s as it is', (language) => {
    expect(checkEmailDesign(type, inLanguage(type, language))).toEqual([]);
  });

  test('says the same thing in no two languages', () => {
    const said = languages.map((language) => JSON.stringify({ ...inLanguage(type, language), language: '' }));
    expect(new Set(said).size).toBe(languages.length);
  });
});

test.each([
  ['de-AT', 'de', 'Hier ist das Rezept, das du bei {creator} gespeichert hast.'],
  ['pl', 'en', 'Here’s the recipe you saved from {creator}.'],
])('forms in %s: emails in %s', (language, spoken, preheader) => {
  expect(inLanguage('save-to-email', language)).toMatchObject({ language: spoken, preheader });
});

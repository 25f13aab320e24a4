/** The template of each type that everybody begins with, in the colors and the language of the creator's own forms. */
import type { EmailBlock, EmailDesign, EmailType, TextPart } from '#contract/email-templates.ts';
import { RECIPE_LINK } from '#contract/email-templates.ts';
import { DEFAULT_WORDS, type DefaultWords } from './default-words.ts';
import { spokenLanguage } from './rendering/fixed-words.ts';

type Look = EmailDesign['look'];
/** What forms say of their creator; no look: they have that of the blog. */
export type OwnForms = { look: Look | null; language: string };

const LOOK: Look = { button: '#1e6b4a', buttonText: '#ffffff', font: 'system' };

type Made = { subject: string; preheader: string; blocks: EmailBlock[] };

/** @param own null: ours, in English, as for a language that we do not have */
export function defaultDesign(type: EmailType, own: OwnForms | null): EmailDesign {
  const language = spokenLanguage(own?.language ?? 'en');
  const { blocks, ...texts } = MADE[type](DEFAULT_WORDS[language]);
  const footer: EmailBlock = { ...block('footer'), kind: 'footer' };
  return { ...texts, language, look: own?.look ?? LOOK, blocks: [...blocks, footer] };
}

const block = (id: string) => ({ id, hideWhen: null });
const line = (text: string) => [{ text, bold: false, italic: false, link: null }];
const paragraph = (...lines: string[]): TextPart => ({ kind: 'paragraph', lines: lines.map(line) });
const text = (words: string): EmailBlock => ({ ...block('text'), kind: 'text', parts: [paragraph(words)] });
const heading = (words: string): EmailBlock => ({ ...block('heading'), kind: 'heading', text: words, size: 'large' });
const confirm = (label: string): EmailBlock => ({ ...block('confirm'), kind: 'confirm', label });
const newest: EmailBlock = { ...block('recipes'), kind: 'recipes', recipeIds: [], count: 3 };
const toRecipe = (label: string): EmailBlock => ({ ...block('button'), kind: 'button', label, link: RECIPE_LINK });

const MADE: Record<EmailType, (words: DefaultWords) => Made> = {
  'save-to-email': ({ saved, ingredients, open, yes }) => ({
    subject: '{recipe.title}',
    preheader: saved,
    blocks: [
      { ...block('recipe'), kind: 'recipe', picture: true, facts: true },
      text(saved),
      { ...block('ingredients'), kind: 'ingredients', heading: ingredients },
      toRecipe(open),
      confirm(yes),
    ],
  }),
  confirmation: ({ confirmation: { subject, preheader, ...words }, yes }) => ({
    ...{ subject, preheader },
    blocks: [heading(words.heading), text(words.text), confirm(yes)],
  }),
  welcome: ({ welcome: { subject, preheader, ...words } }) => ({
    ...{ subject, preheader },
    blocks: [heading(words.heading), text(words.text), newest],
  }),
  broadcast: ({ broadcast: { subject, ...words } }) => ({
    ...{ subject, preheader: '' },
    blocks: [heading(words.heading), text(words.text)],
  }),
  sequence: ({ sequence: { subject, ...words } }) => ({
    ...{ subject, preheader: '' },
    blocks: [heading(words.heading), text(words.text), newest],
  }),
  digest: ({ digest: { subject, preheader, ...words } }) => ({
    ...{ subject, preheader },
    blocks: [heading(words.heading), newest],
  }),
  correction: ({ correction: { subject, preheader, ...words }, open }) => ({
    ...{ subject, preheader },
    blocks: [heading(words.heading), text(words.text), toRecipe(open)],
  }),
};

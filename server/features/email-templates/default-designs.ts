/** The template of each type that everybody begins with, in the colors of the creator's own forms. */
import type { EmailBlock, EmailDesign, EmailType, TextPart } from '#contract/email-templates.ts';
import { RECIPE_LINK } from '#contract/email-templates.ts';

export type Look = EmailDesign['look'];

const LOOK: Look = { button: '#1e6b4a', buttonText: '#ffffff', font: 'system' };

type Made = { subject: string; preheader: string; blocks: EmailBlock[] };

/** @param look null: ours */
export function defaultDesign(type: EmailType, look: Look | null): EmailDesign {
  const { blocks, ...texts } = MADE[type];
  return { ...texts, language: 'en', look: look ?? LOOK, blocks: [...blocks, { ...block('footer'), kind: 'footer' }] };
}

const block = (id: string) => ({ id, hideWhen: null });
const line = (text: string) => [{ text, bold: false, italic: false, link: null }];
const paragraph = (...lines: string[]): TextPart => ({ kind: 'paragraph', lines: lines.map(line) });
const text = (...parts: TextPart[]): EmailBlock => ({ ...block('text'), kind: 'text', parts });
const heading = (words: string): EmailBlock => ({ ...block('heading'), kind: 'heading', text: words, size: 'large' });
const confirm: EmailBlock = { ...block('confirm'), kind: 'confirm', label: 'Yes, send me new recipes' };
const newest: EmailBlock = { ...block('recipes'), kind: 'recipes', recipeIds: [], count: 3 };
const toRecipe: EmailBlock = { ...block('button'), kind: 'button', label: 'Open the recipe', link: RECIPE_LINK };

const MADE: Record<EmailType, Made> = {
  'save-to-email': {
    subject: '{recipe.title}',
    preheader: 'Here’s the recipe you saved from {creator}.',
    blocks: [
      { ...block('recipe'), kind: 'recipe', picture: true, facts: true },
      text(paragraph('Here’s the recipe you saved from {creator}.')),
      { ...block('ingredients'), kind: 'ingredients', heading: 'Ingredients' },
      toRecipe,
      confirm,
    ],
  },
  confirmation: {
    subject: 'Confirm your sign-up for {creator}',
    preheader: 'One tap, and new recipes come to your inbox.',
    blocks: [
      heading('One tap and you’re signed up'),
      text(paragraph('Confirm that you want new recipes from {creator} by email.')),
      confirm,
    ],
  },
  welcome: {
    subject: 'Welcome to {creator}',
    preheader: 'New recipes will come to your inbox.',
    blocks: [
      heading('Welcome, {first name|friend}'),
      text(
        paragraph('Thanks for signing up. New recipes from {creator} will come to your inbox. Here are the latest:'),
      ),
      newest,
    ],
  },
  broadcast: {
    subject: 'News from {creator}',
    preheader: '',
    blocks: [heading('Hi {first name|friend}'), text(paragraph('Write what’s new in your kitchen.'))],
  },
  sequence: {
    subject: 'A few favorites from {creator}',
    preheader: '',
    blocks: [heading('Hi {first name|friend}'), text(paragraph('Here are recipes that readers love:')), newest],
  },
  digest: {
    subject: 'New recipes from {creator}',
    preheader: 'What’s new this week.',
    blocks: [heading('New this week'), newest],
  },
  correction: {
    subject: 'A correction to {recipe.title}',
    preheader: 'The recipe you saved has changed.',
    blocks: [
      heading('A correction to {recipe.title}'),
      text(paragraph('You saved this recipe, and there was a mistake in it. The page has the right version now.')),
      toRecipe,
    ],
  },
};

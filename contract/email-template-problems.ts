/** Everything that keeps a template from being published but its size, for the server and for the editor alike. */
import {
  EMAIL_FIELDS,
  EMAIL_TYPES,
  type EmailBlock,
  type EmailBlockKind,
  type EmailDesign,
  type EmailField,
  type EmailProblem,
  type EmailType,
  RECIPE_LINK,
} from '#contract/email-templates.ts';
import { contrastOf, LEAST_CONTRAST, readableOn } from '#contract/forms.ts';

export const BLOCK_NAMES: Record<EmailBlockKind, string> = {
  heading: 'Heading',
  text: 'Text',
  picture: 'Picture',
  button: 'Button',
  recipe: 'Recipe card',
  ingredients: 'Ingredients',
  recipes: 'Recipe list',
  confirm: 'Newsletter question',
  divider: 'Divider',
  footer: 'Footer',
};

/** A piece of a text: as written, or a field of the closed list, or something in braces that is none. */
export type FieldPiece = string | { name: string; instead: string | null };

export function readFields(text: string): FieldPiece[] {
  const pieces: FieldPiece[] = [];
  let end = 0;
  for (const found of text.matchAll(/\{([^{}|]{1,60})(?:\|([^{}]{0,100}))?\}/g)) {
    if (found.index > end) pieces.push(text.slice(end, found.index));
    pieces.push({ name: found[1]!.trim(), instead: found[2]?.trim() ?? null });
    end = found.index + found[0].length;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return pieces;
}

/** Fields that a mail of this type may have. */
export function fieldsOf(type: EmailType): EmailField[] {
  const { about } = EMAIL_TYPES[type];
  return (Object.keys(EMAIL_FIELDS) as EmailField[]).filter((name) => {
    const { of } = EMAIL_FIELDS[name];
    return of === null || of === about;
  });
}

/** Kinds that a creator may add to a mail of this type. What readers asked for carries no advertising. */
export function blocksOf(type: EmailType): EmailBlockKind[] {
  const { about, asks } = EMAIL_TYPES[type];
  return [
    ...(['heading', 'text', 'picture', 'button', 'divider'] as const),
    ...(about === 'recipe' ? (['recipe', 'ingredients'] as const) : []),
    ...(asks ? (['confirm'] as const) : (['recipes'] as const)),
  ];
}

/** Empty when it can be published. */
export function checkEmailDesign(type: EmailType, design: EmailDesign): EmailProblem[] {
  const { subject, preheader, look, blocks } = design;
  const ofMail = (path: string, message: string) => ({ blockId: null, path, message });
  return [
    ...(subject.trim() === '' ? [ofMail('subject', 'Enter a subject.')] : []),
    ...unknownFields(type, subject).map((message) => ofMail('subject', message)),
    ...unknownFields(type, preheader).map((message) => ofMail('preheader', message)),
    ...(contrastOf(look.button, look.buttonText) < LEAST_CONTRAST
      ? [
          ofMail(
            'look.buttonText',
            `Too hard to read here. The nearest color that works is ${readableOn(look.button, look.buttonText)}.`,
          ),
        ]
      : []),
    ...blocks.flatMap((block, at) =>
      checkBlock(type, block).map(({ path, message }) => ({
        blockId: block.id,
        path: `blocks.${at}${path === '' ? '' : `.${path}`}`,
        message: `Block ${at + 1} (${BLOCK_NAMES[block.kind]}): ${message}`,
      })),
    ),
    ...checkOrder(type, blocks).map((message) => ofMail('blocks', message)),
  ];
}

type Found = { path: string; message: string };

function checkBlock(type: EmailType, block: EmailBlock): Found[] {
  const found: Found[] = [];
  const refuse = (path: string, message: string) => found.push({ path, message });
  if (block.kind !== 'footer' && !blocksOf(type).includes(block.kind)) {
    refuse('', `It can’t be used in “${EMAIL_TYPES[type].name}” emails.`);
  }
  if (block.hideWhen !== null && (block.kind === 'footer' || block.kind === 'confirm')) {
    refuse('hideWhen', 'It can’t be hidden.');
  }
  for (const { path, text, needed } of textsOf(block)) {
    if (needed !== undefined && text.trim() === '') refuse(path, needed);
    for (const message of unknownFields(type, text)) refuse(path, message);
  }
  for (const { path, link } of linksOf(block)) {
    if (link === RECIPE_LINK && EMAIL_TYPES[type].about !== 'recipe')
      refuse(path, 'This email is about no recipe. Enter a link.');
  }
  if (block.kind === 'picture' && block.url === null && EMAIL_TYPES[type].about !== 'recipe')
    refuse('url', 'Choose a picture.');
  return found;
}

function textsOf(block: EmailBlock): { path: string; text: string; needed?: string }[] {
  switch (block.kind) {
    case 'heading':
      return [{ path: 'text', text: block.text, needed: 'Enter the heading.' }];
    case 'text':
      return runsOf(block).map(({ path, run }) => ({ path: `${path}.text`, text: run.text }));
    case 'picture':
      return [{ path: 'alt', text: block.alt }];
    case 'button':
    case 'confirm':
      return [{ path: 'label', text: block.label, needed: 'Enter what the button says.' }];
    case 'ingredients':
      return [{ path: 'heading', text: block.heading }];
    default:
      return [];
  }
}

function linksOf(block: EmailBlock): { path: string; link: string | null }[] {
  if (block.kind === 'text') return runsOf(block).map(({ path, run }) => ({ path: `${path}.link`, link: run.link }));
  return block.kind === 'button' || block.kind === 'picture' ? [{ path: 'link', link: block.link }] : [];
}

function runsOf({ parts }: EmailBlock & { kind: 'text' }) {
  return parts.flatMap(({ lines }, part) =>
    lines.flatMap((runs, line) => runs.map((run, at) => ({ path: `parts.${part}.lines.${line}.${at}`, run }))),
  );
}

function unknownFields(type: EmailType, text: string): string[] {
  return readFields(text).flatMap((piece) => {
    if (typeof piece === 'string' || fieldsOf(type).includes(piece.name as EmailField)) return [];
    return [`There is no field {${piece.name}}${piece.name in EMAIL_FIELDS ? ' in this email' : ''}.`];
  });
}

function checkOrder(type: EmailType, blocks: EmailBlock[]): string[] {
  const count = (kind: EmailBlockKind) => blocks.filter((block) => block.kind === kind).length;
  const ids = new Set(blocks.map(({ id }) => id));
  return [
    ...(ids.size < blocks.length ? ['Two blocks have the same id.'] : []),
    ...(count('footer') === 1 && blocks.at(-1)!.kind === 'footer' ? [] : ['The footer must be the last block.']),
    ...(EMAIL_TYPES[type].asks && count('confirm') !== 1 ? ['The newsletter question must be there once.'] : []),
  ];
}

/** Blocks and designs in words: for the list of blocks, and for two versions side by side. */
import { BLOCK_NAMES, readFields } from '#contract/email-template-problems.ts';
import {
  EMAIL_FIELDS,
  type EmailBlock,
  type EmailDesign,
  type EmailField,
  type EmailProblem,
  type HideWhen,
  RECIPE_LINK,
  type TextPart,
} from '#contract/email-templates.ts';
import { LANGUAGES } from '#contract/suggestions.ts';
import { FONTS } from '#web/features/save-to-email/words.ts';
import type { FieldProblem } from '#web/shell/api-error.ts';
import type { Difference } from '#web/ui/Differences.tsx';

export const HIDE_WHEN: Record<HideWhen, string> = {
  no_ingredients: 'the recipe has no ingredients',
  no_picture: 'the recipe has no picture',
  confirmed: 'they already confirmed',
};

/** Field labels in the place of fields. */
export function inWords(text: string): string {
  return readFields(text)
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      return Object.hasOwn(EMAIL_FIELDS, piece.name)
        ? `[${EMAIL_FIELDS[piece.name as EmailField].label}]`
        : `{${piece.name}}`;
    })
    .join('');
}

/** One line of what a block says; empty where its name says it all. */
export function summaryOf(block: EmailBlock): string {
  switch (block.kind) {
    case 'heading':
      return inWords(block.text);
    case 'text':
      return block.parts
        .flatMap(({ lines }) => lines.map((line) => line.map(({ text }) => inWords(text)).join('')))
        .join(' ');
    case 'picture':
      return inWords(block.alt) || (block.url ?? 'The recipe’s picture');
    case 'button':
    case 'confirm':
      return inWords(block.label);
    case 'ingredients':
      return inWords(block.heading);
    case 'recipes':
      return block.recipeIds.length > 0 ? `${block.recipeIds.length} chosen` : `The newest ${block.count}`;
    default:
      return '';
  }
}

function wordsOfParts(parts: readonly TextPart[]): string {
  const marked = { paragraph: '', bullets: '• ', numbers: '# ' };
  return parts
    .flatMap(({ kind, lines }) =>
      lines.map((line) => {
        const said = line.map(({ text, bold, italic, link }) => {
          const words = inWords(text);
          const loud = bold ? `**${words}**` : words;
          const told = italic ? `_${loud}_` : loud;
          return link === null ? told : `${told} (${linkWords(link)})`;
        });
        return marked[kind] + said.join('');
      }),
    )
    .join('\n');
}

function linkWords(link: string): string {
  return link === RECIPE_LINK ? 'the recipe’s page' : link;
}

const NOTHING = '(nothing)';

/** Everything that can be set of a block. */
function describe(block: EmailBlock): string {
  const said = block.kind === 'text' ? wordsOfParts(block.parts) : summaryOf(block);
  const more = [
    block.kind === 'heading' ? `Size: ${block.size}` : '',
    block.kind === 'picture' && block.url !== null ? block.url : '',
    'link' in block && block.link !== null ? `Link: ${linkWords(block.link)}` : '',
    block.kind === 'recipe' ? `Picture: ${yesNo(block.picture)}. Time and yield: ${yesNo(block.facts)}` : '',
    block.kind === 'recipes' && block.recipeIds.length > 0 ? block.recipeIds.join(', ') : '',
    block.hideWhen === null ? '' : `Hidden when ${HIDE_WHEN[block.hideWhen]}`,
  ];
  return [said, ...more].filter((line) => line !== '').join('\n') || NOTHING;
}

const yesNo = (is: boolean) => (is ? 'yes' : 'no');

/** The differences between two designs: mail first, then block by block, then their order. */
export function differencesOf(mine: EmailDesign, theirs: EmailDesign): Difference[] {
  const pair = (field: string, label: string, say: (design: EmailDesign) => string): Difference => ({
    ...{ field, label, mine: say(mine) || NOTHING, theirs: say(theirs) || NOTHING },
  });
  const ofMail = [
    pair('subject', 'Subject', ({ subject }) => inWords(subject)),
    pair('preheader', 'Preview text', ({ preheader }) => inWords(preheader)),
    pair('language', 'Language', ({ language }) => LANGUAGES[language] ?? language),
    pair('look', 'Look', ({ look }) => `${FONTS[look.font]}, button ${look.button} with ${look.buttonText}`),
  ];
  const find = ({ blocks }: EmailDesign, id: string) => blocks.find((block) => block.id === id);
  const ids = new Set([...mine.blocks, ...theirs.blocks].map(({ id }) => id));
  const ofBlocks = [...ids].map((id) => {
    const say = (design: EmailDesign) => {
      const block = find(design, id);
      return block === undefined ? 'Not there' : describe(block);
    };
    return pair(id, BLOCK_NAMES[(find(mine, id) ?? find(theirs, id))!.kind], say);
  });
  const order = (design: EmailDesign, other: EmailDesign) =>
    design.blocks.filter(({ id }) => find(other, id) !== undefined);
  const names = (blocks: EmailBlock[]) => blocks.map((block) => BLOCK_NAMES[block.kind]).join(', ');
  const idsOf = (blocks: EmailBlock[]) => blocks.map(({ id }) => id).join();
  const [ours, others] = [order(mine, theirs), order(theirs, mine)];
  return [
    ...[...ofMail, ...ofBlocks].filter((one) => one.mine !== one.theirs),
    ...(idsOf(ours) === idsOf(others)
      ? []
      : [{ field: 'order', label: 'Order', mine: names(ours), theirs: names(others) }]),
  ];
}

export function sameDesign(one: EmailDesign, other: EmailDesign): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** What the server objected to, with the blocks of the design that it was sent. */
export function problemsOfAnswer(fields: readonly FieldProblem[], { blocks }: EmailDesign): EmailProblem[] {
  return fields.map(({ path, message }) => {
    const ofDesign = path.replace(/^design\./, '');
    const at = /^blocks\.(\d+)/.exec(ofDesign)?.[1];
    return { blockId: at === undefined ? null : (blocks[Number(at)]?.id ?? null), path: ofDesign, message };
  });
}

/** Beside its own block the number and name of the block say nothing new. */
export function atItsBlock(message: string): string {
  return message.replace(/^Block \d+ \([^)]*\): /, '');
}

/** What the editor does to a design, each step of which can be undone. The footer stays the last block, whatever is done. */
import type { EmailBlock, EmailBlockKind, EmailDesign } from '#contract/email-templates.ts';
import { EMAIL_LIMITS, EMAIL_TYPES, type EmailType, RECIPE_LINK } from '#contract/email-templates.ts';

/** A block to begin with. */
export function newBlock(kind: Exclude<EmailBlockKind, 'footer'>, id: string, type: EmailType): EmailBlock {
  const isOfRecipe = EMAIL_TYPES[type].about === 'recipe';
  const base = { id, hideWhen: null };
  switch (kind) {
    case 'heading':
      return { ...base, kind, text: 'New heading', size: 'small' };
    case 'text':
      return { ...base, kind, parts: [] };
    case 'picture':
      return { ...base, kind, url: null, alt: '', link: isOfRecipe ? RECIPE_LINK : null };
    case 'button':
      return {
        ...base,
        kind,
        label: isOfRecipe ? 'Open the recipe' : 'Read more',
        link: isOfRecipe ? RECIPE_LINK : '',
      };
    case 'recipe':
      return { ...base, kind, picture: true, facts: true };
    case 'ingredients':
      return { ...base, kind, heading: 'Ingredients' };
    case 'recipes':
      return { ...base, kind, recipeIds: [], count: 3 };
    case 'confirm':
      return { ...base, kind, label: 'Yes, send me new recipes' };
    case 'divider':
      return { ...base, kind };
  }
}

export function isFull({ blocks }: EmailDesign): boolean {
  return blocks.length >= EMAIL_LIMITS.blocks;
}

/** Behind a block; at the end where none is named, and never behind the footer. */
export function addBlock(design: EmailDesign, block: EmailBlock, afterId: string | null): EmailDesign {
  if (isFull(design)) return design;
  const { blocks } = design;
  const found = blocks.findIndex(({ id }) => id === afterId);
  const at = Math.min(found < 0 ? blocks.length : found + 1, lastPlace(blocks));
  return { ...design, blocks: blocks.toSpliced(at, 0, block) };
}

/** To a place counted from 0, as near as it gets. */
export function moveBlock(design: EmailDesign, id: string, to: number): EmailDesign {
  const { blocks } = design;
  const from = blocks.findIndex((block) => block.id === id);
  const block = blocks[from];
  if (block === undefined || block.kind === 'footer') return design;
  const place = Math.max(0, Math.min(to, lastPlace(blocks) - 1));
  if (place === from) return design;
  return { ...design, blocks: blocks.toSpliced(from, 1).toSpliced(place, 0, block) };
}

export function doubleBlock(design: EmailDesign, id: string, newId: string): EmailDesign {
  const block = design.blocks.find((one) => one.id === id);
  if (block === undefined || block.kind === 'footer') return design;
  return addBlock(design, { ...block, id: newId }, id);
}

export function removeBlock(design: EmailDesign, id: string): EmailDesign {
  const blocks = design.blocks.filter((block) => block.id !== id || block.kind === 'footer');
  return blocks.length === design.blocks.length ? design : { ...design, blocks };
}

export function changeBlock(design: EmailDesign, changed: EmailBlock): EmailDesign {
  return { ...design, blocks: design.blocks.map((block) => (block.id === changed.id ? changed : block)) };
}

/** Where the footer stands. */
function lastPlace(blocks: readonly EmailBlock[]): number {
  return blocks.at(-1)?.kind === 'footer' ? blocks.length - 1 : blocks.length;
}

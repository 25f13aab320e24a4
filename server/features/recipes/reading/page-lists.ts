/** Lists of a page under a heading that says "Ingredients", and how headings, paragraphs and lines are told apart. */
import { tidy } from '#contract/ingredients/tidy.ts';
import { asEntry, lineOf } from './json-ld.ts';
import { type Element, type PartReader, Piece } from './page-parts.ts';
import { INGREDIENTS, METHOD } from './text.ts';

export type PageLine = { text: string; uid: string | null };
export type PageList = ({ heading: string } | { line: PageLine })[];

const MOST_LISTS = 20;
/** More than a recipe may have: what is left out is counted. */
export const MOST_ENTRIES = 400;
/** A paragraph in bold is a heading below all others. */
const BELOW_ALL = 7;

type Kind = 'heading' | 'paragraph' | 'line';
/** A heading, a paragraph or a line of a list that is over. `level`: 1 to 7, of headings. `uid`: of the card's plugin. */
type Block = { kind: Kind; level: number; text: string; uid: string | null };

/** Those within one another are told apart: the innermost line counts. */
export class BlockReader implements PartReader {
  private block: OpenBlock | null = null;
  private readonly told: (block: Block) => void;

  constructor(told: (block: Block) => void) {
    this.told = told;
  }

  open(element: Element): void {
    const begun = blockAt(element, this.block);
    // A line with a list in it was the heading of that list.
    if (begun !== null && this.block !== null) this.tell(this.block, 'heading');
    this.block = begun ?? this.block;
    this.block?.opens(element);
  }

  text(text: string): void {
    this.block?.add(text);
  }

  close(depth: number): void {
    const block = this.block;
    block?.closes(depth);
    if (block?.depth !== depth) return;
    this.tell(block, block.kind === 'paragraph' && block.isBold ? 'heading' : block.kind);
    this.block = block.around;
  }

  private tell(block: OpenBlock, kind: Kind): void {
    const { level, text, uid } = block;
    block.text = '';
    if (tidy(text) !== '') this.told({ kind, level, text, uid });
  }
}

class OpenBlock extends Piece {
  readonly kind: Kind;
  readonly level: number;
  readonly uid: string | null;
  readonly around: OpenBlock | null;
  private boldDepth: number | null = null;
  private bold = 0;
  private seen = 0;

  constructor(depth: number, kind: Kind, level: number, uid: string | null, around: OpenBlock | null) {
    super(depth);
    this.kind = kind;
    this.level = level;
    this.uid = uid;
    this.around = around;
  }

  get isBold(): boolean {
    return this.bold === this.seen;
  }

  opens({ name, depth }: Element): void {
    if (name === 'br') super.add('\n');
    if (name === 'strong' || name === 'b') this.boldDepth ??= depth;
  }

  closes(depth: number): void {
    if (this.boldDepth === depth) this.boldDepth = null;
  }

  override add(text: string): void {
    super.add(text);
    const count = text.trim().length;
    this.seen += count;
    if (this.boldDepth !== null) this.bold += count;
  }
}

/** Null: this element begins none. */
function blockAt({ name, classes, attributes, depth }: Element, around: OpenBlock | null): OpenBlock | null {
  if (name === 'li' || classes.has('wprm-recipe-ingredient')) {
    return new OpenBlock(depth, 'line', BELOW_ALL, attributes['data-uid'] ?? null, around);
  }
  if (around !== null) return null;
  const level = /^h([1-6])$/.exec(name)?.[1];
  if (level !== undefined || classes.has('wprm-recipe-ingredient-group-name')) {
    return new OpenBlock(depth, 'heading', Number(level ?? BELOW_ALL), null, null);
  }
  return /^(?:p|strong|b)$/.test(name) ? new OpenBlock(depth, 'paragraph', BELOW_ALL, null, null) : null;
}

/** Adds what a block says. @param hasParagraphs whether paragraphs are lines too */
export function addTo(list: PageList, { kind, text, uid }: Block, hasParagraphs: boolean): void {
  if (list.length >= MOST_ENTRIES) return;
  if (kind === 'heading') {
    if (!isBare(tidy(text))) list.push({ heading: tidy(text) });
  } else if (kind === 'line' || hasParagraphs) {
    for (const line of text.split('\n').map(lineOf)) {
      if (line === '') continue;
      const entry = asEntry(line);
      list.push('heading' in entry ? entry : { line: { text: line, uid } });
    }
  }
}

/** "Ingredients:" and no more. */
function isBare(heading: string): boolean {
  return INGREDIENTS.test(heading) && !/[\p{L}\p{N}]/u.test(heading.replace(INGREDIENTS, ''));
}

export class ListReader implements PartReader {
  private list: PageList | null = null;
  private level = 0;
  private readonly lists: PageList[];
  private readonly isElsewhere: () => boolean;
  private readonly blocks = new BlockReader((block) => {
    if (!this.isElsewhere()) this.take(block);
  });

  /** @param isElsewhere whether the page is in a part that another reader reads */
  constructor(lists: PageList[], isElsewhere: () => boolean) {
    this.lists = lists;
    this.isElsewhere = isElsewhere;
  }

  open(element: Element): void {
    this.blocks.open(element);
  }

  text(text: string): void {
    this.blocks.text(text);
  }

  close(depth: number): void {
    this.blocks.close(depth);
  }

  private take(block: Block): void {
    const text = tidy(block.text);
    const isHeading = block.kind === 'heading';
    if (isHeading && INGREDIENTS.test(text) && (this.list === null || isBare(text))) this.begin(block.level);
    else if (isHeading && this.endsAt(block.level, text)) this.list = null;
    else if (this.list !== null) addTo(this.list, block, false);
  }

  private begin(level: number): void {
    if (this.lists.length >= MOST_LISTS) return;
    this.list = [];
    this.level = level;
    this.lists.push(this.list);
  }

  private endsAt(level: number, text: string): boolean {
    if (METHOD.test(text)) return true;
    // "Ingredients for the sauce" after those for the cake.
    if (INGREDIENTS.test(text)) return false;
    const hasLines = this.list?.some((entry) => 'line' in entry) === true;
    return level < this.level || (level === this.level && level < BELOW_ALL && hasLines);
  }
}

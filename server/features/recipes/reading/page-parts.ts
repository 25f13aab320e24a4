/** What those who read along a page have in common: page.ts tells each of the same elements and texts. */
import { tidy } from '#contract/ingredients/tidy.ts';

export type Element = {
  name: string;
  classes: ReadonlySet<string>;
  attributes: Readonly<Record<string, string>>;
  /** How many are open, this one included. */
  depth: number;
};

/** `text` is told of what people see only. */
export type PartReader = { open(element: Element): void; text(text: string): void; close(depth: number): void };

const LONGEST_PIECE = 2_000;

/** A text that grows with its element, up to a length that nothing we look for has. */
export class Piece {
  text = '';
  readonly depth: number;

  constructor(depth: number) {
    this.depth = depth;
  }

  add(text: string): void {
    if (this.text.length < LONGEST_PIECE) this.text += text.slice(0, LONGEST_PIECE);
  }

  /** In one line, as people see it; null: nothing. */
  get tidied(): string | null {
    return tidy(this.text) || null;
  }
}

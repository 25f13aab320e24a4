/** Parts of a mail that are the same in each, and parts that are filled in. */
import { readFields } from '#contract/email-template-problems.ts';
import { EMAIL_FIELDS, type EmailField, RECIPE_LINK } from '#contract/email-templates.ts';
import { escapeHtml } from '#server/platforms/email/letter.ts';
import { harmless } from '#server/platforms/email/one-line.ts';
import type { Facts } from './facts.ts';

export type Piece = string | ((facts: Facts) => string);
type Escape = (text: string) => string;

/** Joins pieces in a text of HTML, or plain: nothing is escaped here. What is the same in every mail becomes one string. */
export function joined(strings: TemplateStringsArray, ...values: (Piece | Piece[])[]): Piece {
  const pieces: Piece[] = [];
  const add = (piece: Piece) => {
    const last = pieces.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') pieces[pieces.length - 1] = last + piece;
    else pieces.push(piece);
  };
  for (const [at, text] of strings.entries()) {
    add(text);
    for (const piece of [values[at] ?? []].flat()) add(piece);
  }
  if (pieces.length === 1 && typeof pieces[0] === 'string') return pieces[0];
  return (facts) => pieces.map((piece) => fill(piece, facts)).join('');
}

export function fill(piece: Piece, facts: Facts): string {
  return typeof piece === 'string' ? piece : piece(facts);
}

/** Printed under this condition alone. */
export function only(holds: (facts: Facts) => boolean, piece: Piece): Piece {
  return (facts) => (holds(facts) ? fill(piece, facts) : '');
}

/** A creator's text with its fields. A field stays where it is named, whatever stands in what fills it. */
export function textPieces(text: string, escaped: Escape): Piece[] {
  return readFields(text).map((piece) => {
    if (typeof piece === 'string') return escaped(harmless(piece));
    const field = EMAIL_FIELDS[piece.name as EmailField];
    if (field === undefined) return '';
    const instead = harmless(piece.instead ?? field.instead);
    return ({ fields }) => escaped(fields[piece.name as EmailField] || instead);
  });
}

/** Null where the mail is about no recipe that has a page. */
export function linkOf(link: string): (facts: Facts) => string | null {
  if (link !== RECIPE_LINK) return ({ follow }) => follow(link);
  return ({ recipeUrl, follow }) => (recipeUrl === null ? null : follow(recipeUrl));
}

export const asHtml: Escape = escapeHtml;
export const asText: Escape = (text) => text;

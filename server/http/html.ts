/** HTML of pages that the server draws: whatever is put into it is escaped, but what was made by it. */
import { createHash } from 'node:crypto';
import { escapeHtml } from '#server/platforms/email/letter.ts';

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
type Piece = string | number | Html | null | false | readonly Piece[];

/** A tag for templates; of what is null or false nothing is printed. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(strings.reduce((text, part, at) => text + print(pieces[at - 1]!) + part));
}

function print(piece: Piece): string {
  if (piece === null || piece === false) return '';
  if (piece instanceof Html) return piece.text;
  return Array.isArray(piece) ? piece.map(print).join('') : escapeHtml(String(piece));
}

/** For a Content-Security-Policy that lets in this script or style and no other. */
export function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** A piece of a text; `marked` ones are what matched. Joined, the pieces are the text. */
export type Piece = { text: string; marked: boolean };

/** Cuts a text at places that must not overlap; places outside of it are left out. */
export function piecesOf(text: string, places: readonly { start: number; end: number }[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end } of [...places].sort((a, b) => a.start - b.start)) {
    if (start < at || end <= start || end > text.length) continue;
    if (start > at) pieces.push({ text: text.slice(at, start), marked: false });
    pieces.push({ text: text.slice(start, end), marked: true });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), marked: false });
  return pieces;
}

/** Letters that nobody writes in two ways, one space between the words of a phrase. */
const PLAIN_WORD = /^[a-z0-9]+(?: [a-z0-9]+)*$/i;
/** Nothing is marked inside of a mention, and no letter without its mark. */
const NEEDS_CARE = /[@\uff20]|[\u0300-\u036f]/;

/**
 * `markWords` for the common case, without the matcher: every word stands in the comment just as the creator wrote it.
 * Null where it takes more: typos, accents, mentions, places that overlap.
 */
export function markPlainly(text: string, words: readonly string[]): Piece[] | null {
  if (words.length === 0) return piecesOf(text, []);
  const small = text.toLowerCase();
  // Some letters grow when they are made small, and places would be off.
  if (NEEDS_CARE.test(text) || small.length !== text.length) return null;
  const places: { start: number; end: number }[] = [];
  for (const word of words) {
    if (!PLAIN_WORD.test(word)) return null;
    const found = placesOf(small, word.toLowerCase());
    if (found.length === 0) return null;
    places.push(...found);
  }
  places.sort((a, b) => a.start - b.start);
  const overlap = places.some(({ start }, at) => at > 0 && start < places[at - 1]!.end);
  return overlap ? null : piecesOf(text, places);
}

function placesOf(text: string, word: string): { start: number; end: number }[] {
  const places: { start: number; end: number }[] = [];
  for (let start = text.indexOf(word); start !== -1; start = text.indexOf(word, start + word.length)) {
    places.push({ start, end: start + word.length });
  }
  return places;
}

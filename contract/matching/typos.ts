/**
 * The rules for typos.
 *
 * - Edits allowed by the length of the keyword: none below 4 letters, one from 4 to 7, two from 8 on. An edit is a
 *   letter too many, too few, wrong, or two neighbours swapped.
 * - The first letter must be right, unless the first two are swapped: people rarely mistype it, and `cake` is not `make`.
 *   So `recpie` is `recipe`; `recipient` is three edits away and is not.
 * - A plural is its singular, whatever its length: `dips`, `dishes` and `berries` are `dip`, `dish` and `berry`, and the other
 *   way round. Well-known misspellings of `recipe` are `recipe`, however far away: `recepie`, `recepies`.
 * - Digits are never forgiven: `recipe1` is not `recipe2`, and a word of digits only must be exact.
 * - A letter held down (three times or more) is the letter once, twice or as written: `reciiiipe`, `coffeeeee`, `yesss`.
 *   This holds for short words also, from two letters on.
 * - In a phrase, two words may be mistyped.
 * - Letters written without spaces between words (Chinese, Thai …), emoji and mentions have no typos.
 */

/** Number of edits forgiven in a keyword of so many letters. */
export function editsAllowed(letters: number): number {
  if (letters < 4) return 0;
  return letters < 8 ? 1 : 2;
}

export const MAX_MISTYPED_WORDS = 2;

const HAS_DIGIT = /\d/;
const NO_DIGIT = /\D/g;
const ONLY_DIGITS = /^\d+$/;
const SURROGATE = /[\ud800-\udfff]/;
const LONG_RUN = /(\D)\1{2,}/g;
const RUN = /(\D)\1+/g;
const ES_PLURAL = /(?:s|x|z|ch|sh|o)es$/;
/** These end in `s` in the singular: glass, hummus, couscous, tennis. */
const NO_PLURAL = /[sui]s$/;
const SHORTEST_SINGULAR = 3;

/** How people write "recipe" again and again. Some are more edits away than are forgiven. */
export const RECIPE_MISSPELLINGS = [
  'recepie',
  'recipie',
  'receipe',
  'reciepe',
  'recepi',
  'recipee',
  'resipe',
  'recipy',
  'recepe',
  'receipie',
  'reciepie',
  'resipie',
  'resepi',
  'ricipe',
  'recipi',
] as const;
const MEANS_RECIPE = new Set<string>(RECIPE_MISSPELLINGS.flatMap((written) => [written, `${written}s`]));

/** Whether typos can be forgiven in this word at all. Words beyond the basic plane are rare scripts: left exact. */
export function canHaveTypos(key: string): boolean {
  return key.length >= 2 && !SURROGATE.test(key) && !ONLY_DIGITS.test(key);
}

/** Keywords of one length. */
type Bucket<W> = { length: number; words: W[]; letters: number[] };

/**
 * Finds the keywords a written word may be a slip of. Keywords are grouped by first letter, digits and length: a creator with
 * `recipe1` to `recipe300` pays for one of them.
 */
export class TypoIndex<W extends { key: string }> {
  /** By `placeOf`. */
  readonly #buckets = new Map<Place, Bucket<W>[]>();
  /** By the word with doubled letters once, and by its singular: what is found is compared in full. */
  readonly #alike = new Map<string, W[]>();
  readonly #known = new Set<W>();

  add(word: W): void {
    if (this.#known.has(word) || !canHaveTypos(word.key)) return;
    this.#known.add(word);
    const squeezed = word.key.replace(RUN, '$1');
    const singular = singularOf(word.key);
    this.#addAlike(squeezed, word);
    if (singular !== squeezed) this.#addAlike(singular, word);
    if (editsAllowed(word.key.length) === 0) return;
    const place = placeOf(word.key.charCodeAt(0), digitsOf(word.key));
    const buckets = this.#buckets.get(place);
    const bucket = buckets && ofLength(buckets, word.key.length);
    const letters = lettersOf(word.key);
    if (bucket !== undefined) {
      bucket.words.push(word);
      bucket.letters.push(letters);
      return;
    }
    // Lists begin with what is in them: an empty one that grows takes room for seventeen.
    const first = { length: word.key.length, words: [word], letters: [letters] };
    if (buckets === undefined) this.#buckets.set(place, [first]);
    else buckets.push(first);
  }

  get isEmpty(): boolean {
    return this.#alike.size === 0;
  }

  /** Keywords which `written` may be meant as, each once and itself never among them; null when there are none. */
  find(written: string): W[] | null {
    if (ONLY_DIGITS.test(written)) return null;
    const isHeld = hasLongRun(written);
    const slips = this.#slips(isHeld ? written.replace(LONG_RUN, '$1') : written, written);
    const alike = isHeld
      ? this.#alike.get(written.replace(RUN, '$1'))?.filter(({ key }) => isStretched(key, written))
      : this.#alike.get(singularOf(written))?.filter(({ key }) => isSameWord(key, written));
    if (alike === undefined || alike.length === 0) return slips;
    return [...new Set([...alike, ...(slips ?? [])])];
  }

  #addAlike(form: string, word: W): void {
    const same = this.#alike.get(form);
    if (same === undefined) this.#alike.set(form, [word]);
    else same.push(word);
  }

  /** Keywords a few edits from `shrunk`, which is `written` with held letters once. */
  #slips(shrunk: string, written: string): W[] | null {
    const length = shrunk.length;
    if (length < 3) return null;
    const first = shrunk.charCodeAt(0);
    const second = shrunk.charCodeAt(1);
    const digits = digitsOf(shrunk);
    const alike = this.#buckets.get(placeOf(first, digits));
    const swappedAlike = second === first ? undefined : this.#buckets.get(placeOf(second, digits));
    const swapped = swappedAlike && ofLength(swappedAlike, length);

    let found: W[] | null = null;
    const letters = lettersOf(shrunk);
    for (let place = 0; alike !== undefined && place < alike.length; place++) {
      const bucket = alike[place]!;
      const allowed = editsAllowed(bucket.length);
      const longer = Math.abs(bucket.length - length);
      if (longer > allowed) continue;
      // A letter too many or too few changes one of those that occur, a wrong one two: most words are set aside by this.
      const differing = 2 * allowed - longer;
      for (let i = 0; i < bucket.letters.length; i++) {
        if (countBits(bucket.letters[i]! ^ letters) > differing) continue;
        const word = bucket.words[i]!;
        if (word.key === written || !withinEdits(word.key, 0, shrunk, 0, allowed)) continue;
        if (found === null) found = [word];
        else found.push(word);
      }
    }
    // The first two letters swapped: the word stands under its second letter as written.
    if (swapped === undefined) return found;
    for (let i = 0; i < swapped.letters.length; i++) {
      if (swapped.letters[i] !== letters || !isSwappedStart(swapped.words[i]!.key, shrunk)) continue;
      if (found === null) found = [swapped.words[i]!];
      else found.push(swapped.words[i]!);
    }
    return found;
  }
}

function ofLength<W>(buckets: Bucket<W>[], length: number): Bucket<W> | undefined {
  for (let place = 0; place < buckets.length; place++) if (buckets[place]!.length === length) return buckets[place];
  return undefined;
}

/** One bit for each letter that occurs (letters 32 apart share a bit, which only makes the filter less strict). */
function lettersOf(word: string): number {
  let bits = 0;
  for (let i = 0; i < word.length; i++) bits |= 1 << (word.charCodeAt(i) & 31);
  return bits;
}

/** Adds neighbours up: single bits, then pairs, fours, and the four bytes by one multiplication. */
function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

function hasLongRun(word: string): boolean {
  for (let i = 2; i < word.length; i++) {
    const letter = word.charCodeAt(i);
    if (letter === word.charCodeAt(i - 1) && letter === word.charCodeAt(i - 2)) return true;
  }
  return false;
}

/** One is the plural of the other, or a known misspelling of it; a word is not the same as itself. */
function isSameWord(key: string, written: string): boolean {
  return key !== written && singularOf(key) === singularOf(written);
}

/** The singular, well spelled; a word that is none we know of stays as it is. */
function singularOf(word: string): string {
  if (MEANS_RECIPE.has(word)) return 'recipe';
  if (word.length <= SHORTEST_SINGULAR || !word.endsWith('s') || NO_PLURAL.test(word)) return word;
  if (word.endsWith('ies') && word.length >= SHORTEST_SINGULAR + 2) return `${word.slice(0, -3)}y`;
  return ES_PLURAL.test(word) && word.length >= SHORTEST_SINGULAR + 2 ? word.slice(0, -2) : word.slice(0, -1);
}

/** The same letters in the same order, each run as long as in the keyword, or at least three and not shorter. */
function isStretched(key: string, written: string): boolean {
  if (key === written || key.replace(RUN, '$1') !== written.replace(RUN, '$1')) return false;
  let k = 0;
  let w = 0;
  while (k < key.length) {
    const keyRun = runLength(key, k);
    const writtenRun = runLength(written, w);
    if (writtenRun < keyRun || (writtenRun > keyRun && writtenRun < 3)) return false;
    k += keyRun;
    w += writtenRun;
  }
  return true;
}

function runLength(word: string, from: number): number {
  let to = from + 1;
  while (word[to] === word[from]) to++;
  return to - from;
}

/** The first letter of the keyword is known to be the second as written. */
function isSwappedStart(key: string, written: string): boolean {
  return key.charCodeAt(1) === written.charCodeAt(0) && key.slice(2) === written.slice(2);
}

/** The first letter's code, and the digits where there are some: most words have none, and numbers are looked up quicker. */
type Place = number | string;

function placeOf(letter: number, digits: string): Place {
  return digits === '' ? letter : `${letter} ${digits}`;
}

/** They are never forgiven: whatever is a slip of a word has the same. */
function digitsOf(word: string): string {
  return HAS_DIGIT.test(word) ? word.replace(NO_DIGIT, '') : '';
}

/**
 * Whether the rest of `a` from `i` can become the rest of `b` from `j` with so many edits, two neighbours swapped
 * counting as one and no letter edited twice. Where letters agree, going on is never worse; where they do not, each kind of edit is
 * tried. With at most two edits that is a handful of straight walks, and no table.
 */
function withinEdits(a: string, i: number, b: string, j: number, edits: number): boolean {
  let x = i;
  let y = j;
  while (x < a.length && y < b.length && a.charCodeAt(x) === b.charCodeAt(y)) {
    x++;
    y++;
  }
  const leftOfA = a.length - x;
  const leftOfB = b.length - y;
  if (Math.abs(leftOfA - leftOfB) > edits) return false;
  if (leftOfA === 0 || leftOfB === 0) return true;
  if (edits === 0) return false;
  const rest = edits - 1;
  if (withinEdits(a, x + 1, b, y + 1, rest)) return true;
  if (withinEdits(a, x + 1, b, y, rest) || withinEdits(a, x, b, y + 1, rest)) return true;
  const swapped = a.charCodeAt(x) === b.charCodeAt(y + 1) && a.charCodeAt(x + 1) === b.charCodeAt(y);
  return swapped && withinEdits(a, x + 2, b, y + 2, rest);
}

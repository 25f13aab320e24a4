import { factsOf, foldCluster, isRegionalIndicator } from './folded-text.ts';

/**
 * Cutting a text into tokens, the units in which words are compared.
 *
 * - **word**: a run of letters, digits and marks. Every other character ends it: `gluten-free`, `#banana_bread` and
 *   `don't` are two words each; `#recipe` is the word `recipe`.
 * - **dense**: one letter of a script written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese). A
 *   keyword in such a script is thus a phrase of letters, found anywhere in a text: whole word falls back to containment.
 *   No dictionary is used: `Intl.Segmenter` costs 100 times the rest, differs between browsers, and would cut
 *   `バナナケーキレシピ` where its dictionary, not the follower, says.
 * - **emoji**: one visible emoji with all its parts (family, flag), without skin tone, variation selector and gender sign.
 * - **mention**: `@` and the handle after it (Latin letters, digits, `.`, `_`), one unit: no word inside is ever found.
 * - **signs**: a text with no token at all but with punctuation or symbols (`+`, `!!!`, `…`) is one token of
 *   these, repeats written once. "Write + for the recipe" is common in Russian; inside other text signs mean nothing.
 */
export type Token = {
  kind: 'word' | 'dense' | 'emoji' | 'mention' | 'signs';
  /** The folded form; two tokens are the same when their keys are. */
  key: string;
  /** Place in the original text, in UTF-16 units, end exclusive. Several tokens of one character share a place. */
  start: number;
  end: number;
};

/** Of a longer text only this many UTF-16 units are read. Platforms allow 2,200 (Instagram) to 8,000 (Facebook) [R]. */
export const MAX_TEXT_LENGTH = 10_000;
/** Marks beyond this many units on one letter are decoration and are not looked at. */
const MAX_CLUSTER_LENGTH = 32;
const MAX_SIGNS_LENGTH = 32;
/** A language has some hundred letters with marks; folding one takes a microsecond, looking it up a twentieth. */
const MAX_REMEMBERED_CLUSTERS = 4_096;
const foldedClusters = new Map<string, string>();
const ZERO_WIDTH_JOINER = 0x200d;
const FEMALE_SIGN = 0x2640;
const MALE_SIGN = 0x2642;
const AT_SIGN = 0x40;

const BEYOND_ASCII = /[\u0080-\uffff]/;

/** 1 for ASCII letters and digits, 2 for what may stand in a handle besides them, 0 for the rest. */
const ASCII_CLASS = new Uint8Array(128);
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789') {
  ASCII_CLASS[character.charCodeAt(0)] = 1;
}
ASCII_CLASS['_'.charCodeAt(0)] = 2;
ASCII_CLASS['.'.charCodeAt(0)] = 2;

/** Cuts a text into tokens, in the order of the text. Linear in the length; never throws. */
export function tokenise(text: string): Token[] {
  const read = text.length > MAX_TEXT_LENGTH ? text.slice(0, MAX_TEXT_LENGTH) : text;
  const tokens = BEYOND_ASCII.test(read) ? new Tokeniser(read).run() : tokeniseAscii(read);
  if (tokens.length === 0 && read.length > 0) {
    const signs = signsOf(read);
    if (signs !== null) tokens.push(signs);
  }
  return tokens;
}

/** Most comments are plain ASCII: no folding but lower case, and places stay the same. */
function tokeniseAscii(text: string): Token[] {
  const tokens: Token[] = [];
  const lower = text.toLowerCase();
  const { length } = lower;
  let start = -1;
  for (let i = 0; i < length; i++) {
    const code = lower.charCodeAt(i);
    if (ASCII_CLASS[code] === 1) {
      if (start < 0) start = i;
      continue;
    }
    if (start >= 0) {
      tokens.push({ kind: 'word', key: lower.slice(start, i), start, end: i });
      start = -1;
    }
    if (code === AT_SIGN) {
      const mention = asciiMentionAt(lower, i);
      if (mention === null) continue;
      tokens.push(mention);
      // A dot at the end of a handle ends the sentence, and no token begins with one.
      i = mention.end - 1;
    }
  }
  if (start >= 0) tokens.push({ kind: 'word', key: lower.slice(start), start, end: length });
  return tokens;
}

function asciiMentionAt(lower: string, start: number): Token | null {
  let end = start + 1;
  while (end < lower.length && ASCII_CLASS[lower.charCodeAt(end)]! > 0) end++;
  while (lower.charCodeAt(end - 1) === 0x2e) end--;
  return end > start + 1 ? { kind: 'mention', key: lower.slice(start, end), start, end } : null;
}

/** The general way: cluster by cluster, each folded, its folded characters appended to the token being built. */
class Tokeniser {
  readonly #text: string;
  readonly #tokens: Token[] = [];
  #open: Token | null = null;
  /** Length and place of the handle being read without the dots at its end: they end a sentence. */
  #handleLength = 0;
  #handleEnd = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(): Token[] {
    const text = this.#text;
    let at = 0;
    while (at < text.length) {
      const ease = easeAt(text, at);
      if (ease <= LAST_EASY && easeAt(text, at + 1) !== EXTENDS && this.#open?.kind !== 'mention') {
        if (ease !== EASY_WORD) {
          this.#close();
          if (ease === EASY_DENSE) this.#start('dense', String.fromCharCode(FOLDED[text.charCodeAt(at)]!), at, at + 1);
          at++;
        } else {
          at = this.#addEasyWord(at);
        }
        continue;
      }
      const facts = factsOf(codePointAt(text, at));
      if (facts.emoji) {
        this.#close();
        const emoji = emojiAt(text, at);
        this.#tokens.push(emoji);
        at = emoji.end;
      } else {
        const next = clusterEnd(text, at);
        this.#add(foldedCluster(text, at, next), at, next);
        at = next;
      }
    }
    this.#close();
    return this.#tokens;
  }

  /** Reads on from `start` while letters are easy; returns where they end. */
  #addEasyWord(start: number): number {
    const text = this.#text;
    let folded = '';
    // Text that is already folded is copied in one piece.
    let pieceStart = start;
    let at = start;
    do {
      const code = text.charCodeAt(at);
      const letter = FOLDED[code]!;
      if (letter !== code) {
        folded += text.slice(pieceStart, at) + String.fromCharCode(letter);
        pieceStart = at + 1;
      }
      at++;
    } while (easeAt(text, at) === EASY_WORD && easeAt(text, at + 1) !== EXTENDS);
    folded += text.slice(pieceStart, at);
    if (this.#open?.kind === 'word') this.#extend(folded, at);
    else this.#start('word', folded, start, at);
    return at;
  }

  #add(folded: string, start: number, end: number): void {
    if (folded.length === 1) this.#addCharacter(folded, folded.charCodeAt(0), start, end);
    else for (const character of folded) this.#addCharacter(character, codePointAt(character, 0), start, end);
  }

  #addCharacter(character: string, codePoint: number, start: number, end: number): void {
    const open = this.#open;
    if (open?.kind === 'mention') {
      const handle = codePoint < 128 ? ASCII_CLASS[codePoint]! : 0;
      if (handle > 0) {
        open.key += character;
        open.end = end;
        if (character !== '.') {
          this.#handleLength = open.key.length;
          this.#handleEnd = end;
        }
        return;
      }
      this.#close();
    }
    const kind = factsOf(codePoint).class;
    if (kind === 'word') {
      if (this.#open?.kind !== 'word') this.#start('word', character, start, end);
      else this.#extend(character, end);
    } else if (kind === 'dense' || (kind === 'dense_mark' && this.#open?.kind !== 'dense')) {
      this.#start('dense', character, start, end);
    } else if (kind === 'dense_mark') {
      this.#extend(character, end);
    } else {
      this.#close();
      if (codePoint === AT_SIGN) this.#start('mention', character, start, end);
    }
  }

  #start(kind: Token['kind'], key: string, start: number, end: number): void {
    this.#close();
    this.#open = { kind, key, start, end };
    this.#handleLength = key.length;
  }

  #extend(character: string, end: number): void {
    const open = this.#open!;
    open.key += character;
    open.end = end;
  }

  #close(): void {
    const open = this.#open;
    this.#open = null;
    if (open === null) return;
    if (open.kind === 'mention') {
      if (this.#handleLength === 1) return;
      open.key = open.key.slice(0, this.#handleLength);
      open.end = this.#handleEnd;
    }
    this.#tokens.push(open);
  }
}

/**
 * How easily a UTF-16 unit is read where nothing hangs on it. Nearly all text is of units that are a character, and fold to one
 * character, whatever stands beside them; only what hangs on them must be looked for.
 */
const NOT_LOOKED_AT = 0;
const EASY_WORD = 1;
const EASY_DENSE = 2;
const EASY_BOUNDARY = 3;
const LAST_EASY = EASY_BOUNDARY;
/** Hangs on what stands before it, or may: half of a rare character. */
const EXTENDS = 4;
const NOT_EASY = 5;
const EASE = new Uint8Array(0x1_0000);
/** The folded form of a simple unit. */
const FOLDED = new Uint16Array(0x1_0000);

/** Beyond the end of the text it is no letter, and nothing hangs on anything. */
function easeAt(text: string, at: number): number {
  if (at >= text.length) return NOT_EASY;
  const code = text.charCodeAt(at);
  const known = EASE[code]!;
  return known === NOT_LOOKED_AT ? lookAt(code) : known;
}

function lookAt(code: number): number {
  const ease = easeOf(code);
  EASE[code] = ease;
  if (ease <= LAST_EASY) FOLDED[code] = factsOf(code).folded.charCodeAt(0);
  return ease;
}

function easeOf(code: number): number {
  if (code >= 0xd800 && code <= 0xdfff) return EXTENDS;
  const facts = factsOf(code);
  if (facts.extends) return EXTENDS;
  if (facts.emoji) return NOT_EASY;
  if (facts.plain === 'word') return EASY_WORD;
  if (facts.plain === 'dense') return EASY_DENSE;
  return facts.plain === 'boundary' ? EASY_BOUNDARY : NOT_EASY;
}

/** End of the character at `start` with the marks and shapeless characters that hang on it. */
function clusterEnd(text: string, start: number): number {
  let end = start + (codePointAt(text, start) > 0xffff ? 2 : 1);
  while (easeAt(text, end) === EXTENDS) {
    const codePoint = codePointAt(text, end);
    if (!factsOf(codePoint).extends) break;
    end += codePoint > 0xffff ? 2 : 1;
  }
  return end;
}

function foldedCluster(text: string, start: number, end: number): string {
  const first = codePointAt(text, start);
  if (end === start + (first > 0xffff ? 2 : 1)) return factsOf(first).folded;
  // Longer ones are decoration, no two alike.
  if (end - start > MAX_CLUSTER_LENGTH) return foldCluster(visibleCluster(text, start, end));
  const cluster = text.slice(start, end);
  const known = foldedClusters.get(cluster);
  if (known !== undefined) return known;
  if (foldedClusters.size === MAX_REMEMBERED_CLUSTERS) foldedClusters.clear();
  const folded = foldCluster(visibleCluster(text, start, end));
  foldedClusters.set(cluster, folded);
  return folded;
}

/** A character with its marks, without what has no shape. */
function visibleCluster(text: string, start: number, end: number): string {
  let visible = '';
  for (let at = start; at < end && visible.length < MAX_CLUSTER_LENGTH; ) {
    const codePoint = codePointAt(text, at);
    const width = codePoint > 0xffff ? 2 : 1;
    if (!factsOf(codePoint).ignorable) visible += text.slice(at, at + width);
    at += width;
  }
  return visible;
}

/** The whole visible emoji at `start`: flags are two letters, joined figures (families) are one. */
function emojiAt(text: string, start: number): Token {
  const first = codePointAt(text, start);
  let key = String.fromCodePoint(first);
  let at = start + key.length;
  if (isRegionalIndicator(first)) {
    const second = codePointAt(text, at);
    if (isRegionalIndicator(second)) {
      key += String.fromCodePoint(second);
      at += 2;
    }
  }
  while (at < text.length) {
    const codePoint = codePointAt(text, at);
    const width = codePoint > 0xffff ? 2 : 1;
    if (!factsOf(codePoint).extends) break;
    at += width;
    if (codePoint === ZERO_WIDTH_JOINER) {
      const next = codePointAt(text, at);
      if (at === text.length || !factsOf(next).emoji || isRegionalIndicator(next)) continue;
      at += next > 0xffff ? 2 : 1;
      // A raised hand is a raised hand: keyboards add the sign of their owner.
      if (next !== FEMALE_SIGN && next !== MALE_SIGN) key += `\u200d${String.fromCodePoint(next)}`;
    } else if (codePoint >= 0xe0020 && codePoint <= 0xe007f) {
      // Tag characters tell Scotland's flag from England's.
      key += String.fromCodePoint(codePoint);
    }
  }
  return { kind: 'emoji', key, start, end: at };
}

/**
 * The code point at a place within the text. Not `String.prototype.codePointAt`: optimised by Node 24.21 (Maglev), it
 * now and then gives NaN here, which `bench/matcher-speed.ts` showed in one run of three.
 */
function codePointAt(text: string, at: number): number {
  const high = text.charCodeAt(at);
  if ((high & 0xfc00) !== 0xd800 || at + 1 >= text.length) return high;
  const low = text.charCodeAt(at + 1);
  return (low & 0xfc00) === 0xdc00 ? (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000 : high;
}

const SIGN = /^[\p{P}\p{S}]$/u;

function signsOf(text: string): Token | null {
  let key = '';
  let last = '';
  let start = -1;
  let end = 0;
  for (let at = 0; at < text.length && key.length < MAX_SIGNS_LENGTH; ) {
    const next = clusterEnd(text, at);
    for (const character of foldedCluster(text, at, next)) {
      // A struck-through arrow folds to the arrow, which is an emoji and would be a token if it stood there itself.
      if (!SIGN.test(character) || factsOf(codePointAt(character, 0)).emoji) continue;
      if (start < 0) start = at;
      end = next;
      if (character !== last) key += character;
      last = character;
    }
    at = next;
  }
  return start < 0 ? null : { kind: 'signs', key, start, end };
}

/** Place in the original text of the folded characters `from` to `to` (exclusive) of a token. */
export function placeInside(text: string, token: Token, from: number, to: number): { start: number; end: number } {
  if (from === 0 && to === token.key.length) return { start: token.start, end: token.end };
  let start = token.start;
  let seen = 0;
  for (let at = token.start; at < token.end; ) {
    const next = Math.min(clusterEnd(text, at), token.end);
    const length = foldedCluster(text, at, next).length;
    if (seen <= from) start = at;
    seen += length;
    if (seen >= to) return { start, end: next };
    at = next;
  }
  return { start, end: token.end };
}

/**
 * The meaning of one character when words are compared.
 *
 * Two spellings fold to the same string when a reader would call them the same word:
 *
 * - Compatibility forms are one (NFKC): full-width `ＲＥＣＩＰＥ`, ligature `ﬁ`, half-width katakana.
 * - Case is folded fully: `ß`, `ẞ` and `SS` become `ss`; the Greek final sigma `ς` becomes `σ`.
 *   The four Turkish letters `I ı İ i` all become `i`: the language of a comment is unknown, and followers on English
 *   keyboards write `tarif icin` for `tarif için` and `TARİF` for `tarif`.
 * - Diacritics of Latin, Greek, Cyrillic, Hebrew (niqqud) and Arabic (harakat, hamza on its carrier) are dropped:
 *   `crème` = `creme`. Letters without such a decomposition are letters of their own and stay: `ø æ œ đ ł`. So do `й ї ў`,
 *   which decompose but are never read as `и і у` (`ё` is read as `е`, and becomes it).
 * - Marks of all other scripts stay: a Devanagari or Thai vowel sign is not an ornament, nor is the Japanese dakuten.
 * - Arabic: tatweel is dropped; `ة` = `ه`, `ى` and Persian `ی` = `ي`, Persian `ک` = `ك`, as people and keyboards mix them.
 * - Digits of other scripts become `0`–`9`; a keycap `1️⃣` is `1`.
 * - Characters without a shape (zero-width, direction marks, variation selectors, soft hyphen) and lone skin tones vanish.
 */

/** How a folded character behaves when text is cut into tokens. */
export type CharacterClass =
  /** Letter, number or mark of a script that puts spaces between words. */
  | 'word'
  /** Letter of a script written without spaces; each is a token of its own. */
  | 'dense'
  /** Mark of such a script; belongs to the letter before it. */
  | 'dense_mark'
  /** Everything else. */
  | 'boundary';

/** Facts about one code point. */
export type CharacterFacts = {
  /** The folded form: empty, one or several characters. */
  folded: string;
  /** The class of this code point itself (of `folded` only when it is a single character). */
  class: CharacterClass;
  /** Belongs to the cluster of the character before it. */
  extends: boolean;
  /** Has no shape: left out of its cluster. */
  ignorable: boolean;
  /** Begins, or continues after a joiner, an emoji. */
  emoji: boolean;
  /** The class of `folded` where it is one plain character: the short way for nearly all of them. */
  plain: 'word' | 'dense' | 'boundary' | null;
};

const IGNORABLE = /^[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\u0640]$/u;
const MARK = /^\p{M}$/u;
/** Characters that compose with the letter before them though they are no marks: Korean vowels and finals; and half-width kana voicing. */
const COMPOSES_WITH_PREVIOUS = /^[\u1160-\u11ff\ud7b0-\ud7ff\u3099\u309a]/u;
const DROPPED_MARKS =
  /(?![\u3099\u309a])(?=[\p{Mn}\p{Me}])[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Cyrillic}]/gu;
const COMPOSED_LETTERS_KEPT = /^[йїўЙЇЎ]$/u;
const WORD = /^[\p{L}\p{N}\p{M}]$/u;
/** Modifier letters which people type for an apostrophe; `don't` is cut alike however its apostrophe is written. */
const APOSTROPHE_LETTER = /^[\u02b9-\u02bf]$/u;
const DENSE =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]$/u;
const EMOJI = /^\p{Emoji}$/u;
const PICTOGRAPHIC = /^\p{Extended_Pictographic}$/u;
const REGIONAL_INDICATOR = /^\p{Regional_Indicator}$/u;

const ZEROS = [
  0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0x0ed0, 0x0f20,
  0x1040, 0x17e0,
];

const REPLACED = new Map<string, string>([
  ['ة', 'ه'],
  ['ى', 'ي'],
  ['ی', 'ي'],
  ['ک', 'ك'],
]);
for (const zero of ZEROS) {
  for (let digit = 0; digit < 10; digit++) REPLACED.set(String.fromCodePoint(zero + digit), String(digit));
}

/** Code points above this are rare ideographs; they are looked up afresh so that nobody can fill our memory with them. */
const LAST_REMEMBERED = 0x1ffff;
const PAGE_SIZE = 256;
const pages: (CharacterFacts | undefined)[][] = [];

/** Facts about a code point; remembered after the first time. */
export function factsOf(codePoint: number): CharacterFacts {
  if (codePoint > LAST_REMEMBERED) return findFacts(codePoint);
  let page = pages[codePoint >> 8];
  if (page === undefined) {
    page = new Array<CharacterFacts | undefined>(PAGE_SIZE).fill(undefined);
    pages[codePoint >> 8] = page;
  }
  const place = codePoint & 0xff;
  const known = page[place];
  if (known !== undefined) return known;
  const facts = findFacts(codePoint);
  page[place] = facts;
  return facts;
}

function findFacts(codePoint: number): CharacterFacts {
  const character = String.fromCodePoint(codePoint);
  const ignorable = IGNORABLE.test(character);
  const mark = MARK.test(character);
  const folded = ignorable ? '' : foldCluster(character);
  return {
    folded,
    class: classOf(character, mark),
    extends: ignorable || mark || COMPOSES_WITH_PREVIOUS.test(character.normalize('NFKC')),
    ignorable,
    emoji: !ignorable && isEmoji(codePoint, character),
    plain: plainClassOf(folded),
  };
}

function plainClassOf(folded: string): CharacterFacts['plain'] {
  if (folded.length !== 1 || folded === '@') return null;
  const found = classOf(folded, MARK.test(folded));
  return found === 'dense_mark' ? null : found;
}

function classOf(character: string, mark: boolean): CharacterClass {
  if (!WORD.test(character) || APOSTROPHE_LETTER.test(character)) return 'boundary';
  if (!DENSE.test(character)) return 'word';
  return mark ? 'dense_mark' : 'dense';
}

/**
 * Symbols such as © and letters in circles (which NFKC makes letters) are not emoji here. Beyond U+1F000 code points
 * reserved for future emoji count too, so that a browser with older tables agrees with the server.
 */
function isEmoji(codePoint: number, character: string): boolean {
  if (codePoint < 0x2000 || character.normalize('NFKC') !== character) return false;
  if (REGIONAL_INDICATOR.test(character)) return true;
  return EMOJI.test(character) || (codePoint >= 0x1f000 && PICTOGRAPHIC.test(character));
}

/** Whether a code point is one of the 26 letters that make flags in pairs. */
export function isRegionalIndicator(codePoint: number): boolean {
  return codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff;
}

/** Folds a character with its marks, characters without a shape already taken out. */
export function foldCluster(cluster: string): string {
  let folded = cluster;
  // One pass can uncover work for another (a capital whose small form decomposes); three are the most ever seen.
  for (let pass = 0; pass < 4; pass++) {
    const next = foldOnce(folded);
    if (next === folded) break;
    folded = next;
  }
  return folded;
}

function foldOnce(cluster: string): string {
  let folded = '';
  for (const character of cluster.normalize('NFKC')) {
    // Some compatibility forms bring a shapeless character along: `ﹻ` is a vowel on a tatweel.
    if (IGNORABLE.test(character)) continue;
    const bare = COMPOSED_LETTERS_KEPT.test(character)
      ? character
      : character.normalize('NFD').replace(DROPPED_MARKS, '').normalize('NFC');
    for (const letter of bare) {
      // Each letter alone: in a word, JavaScript would make the last sigma a final one again.
      const small = letter.toLowerCase().toUpperCase().toLowerCase();
      folded += REPLACED.get(small) ?? small;
    }
  }
  return folded.normalize('NFC');
}

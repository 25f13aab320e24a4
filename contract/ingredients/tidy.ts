/** A line as people see it: without tags, entities and signs that nobody sees. */

/** Longer ones are no ingredients. */
export const MAX_LINE_LENGTH = 500;

const ENTITIES = new Map(
  'amp:&,nbsp: ,frac12:½,frac14:¼,frac34:¾,deg:°,quot:",apos:\',lt:<,gt:>,ndash:–,mdash:—,rsquo:’,lsquo:‘,rdquo:”,ldquo:“,eacute:é,egrave:è,ntilde:ñ,ccedil:ç,times:×,frasl:⁄,reg:®,trade:™,hellip:…,bull:•'
    .split(',')
    .map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)] as const),
);
const ENTITY = /&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,8}\d{0,2}));/gi;
const TAG = /<\/?[a-z][^<>]{0,300}>/gi;
/** Control, formatting and private characters, and boxes to tick; joiners hold emoji together. */
const UNSEEN = /(?!\u200d)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u25a0-\u25a3\u25a2\u2610-\u2612]/gu;

/** "1️⃣" before a step or a line is a bullet. */
const KEYCAP = /[\d#*]\ufe0f?\u20e3/g;

/** Nothing to do: no tag, entity, line break, or sign beyond ASCII and the common ones. */
const TIDY = /^[!-%'-;=-~½¼¾⅓⅔é–—’]+(?: [!-%'-;=-~½¼¾⅓⅔é–—’]+)*$/;

/** @returns at most `MAX_LINE_LENGTH` UTF-16 units; the same again when it is tidied again */
export function tidy(raw: string): string {
  if (raw.length <= MAX_LINE_LENGTH && TIDY.test(raw)) return raw;
  let text = raw.slice(0, 4 * MAX_LINE_LENGTH);
  // Twice: "&amp;frac12;".
  for (let round = 0; round < 2 && text.includes('&'); round++) text = text.replace(ENTITY, decode);
  text = text.replace(KEYCAP, ' ').replace(TAG, ' ').replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim();
  return [...text].length > MAX_LINE_LENGTH || text.length > MAX_LINE_LENGTH
    ? text
        .slice(0, MAX_LINE_LENGTH)
        .toWellFormed()
        .replace(/\ufffd$/, '')
        .trim()
    : text;
}

function decode(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return ENTITIES.get(name) ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ' ';
}

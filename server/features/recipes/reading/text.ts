/** A recipe in pasted text or a caption: its lines, and what is cooked with them. */
import { guessLanguage, LANGUAGES } from '#contract/ingredients/languages.ts';
import type { Lexicon } from '#contract/ingredients/lexicon.ts';
import { type Reading, readLine } from '#contract/ingredients/reading.ts';
import { tidy } from '#contract/ingredients/tidy.ts';
import { MOST_STEPS } from '#contract/recipe-ingredients.ts';
import { groupsOf, type RecipeReading, servingsOrNull } from './recipe-reading.ts';

/** `steps`: what is neither name nor ingredient, in its order; hashtags, mentions and calls to comment left out. */
export type TextReading = Pick<RecipeReading, 'name' | 'servings' | 'language' | 'groups' | 'linesLeftOut'> & {
  steps: string[];
};

const LONGEST_TEXT = 20_000;
const LONGEST_NAME = 120;
const LEAST_PIECES = 3;

const BULLET = /^[\s•·▪▫◦‣●○■□*–—-]+|^\d{1,2}[.)]\s+/u;
/** Emoji, and what joins and colors them. */
const EMOJI = /[\d#*]\ufe0f?\u20e3|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f|\u20e3/gu;
const TAGS = /(?<![\p{L}\p{N}])[#@][\p{L}\p{N}_.]+/gu;
/** In English, German, Spanish, French, Italian and Portuguese. */
export const INGREDIENTS =
  /^(?:ingredients?|what you(?:’|')?ll need|you(?:’|')?ll need|zutaten|ingredientes|ingrédients|ingredienti)\b/i;
export const METHOD =
  /^(?:method|instructions?|directions?|steps?|preparation|how to(?: make(?: it)?)?|zubereitung|anleitung|preparación|elaboración|pasos|préparation|étapes|preparazione|procedimento|preparo|modo de preparo)\s*[:.!–-]*$/i;
const CALL =
  /\b(?:comment|dm me|link in (?:my )?bio|save this|follow (?:me|for)|kommentier|comenta|commente|commenta)\b/i;
const SERVINGS = [
  /\b(?:serves|makes|yields?|servings|portions|serve|porciones|porções|porzioni|portionen|personas|personnes)\s*:?\s*(\d{1,3})\b/i,
  /\b(?:für|fur|para|pour|per|for)\s+(\d{1,3})\s+(?:personen|portionen|personas|porciones|pessoas|porções|personnes|persone|porzioni|people|servings)\b/i,
  /\b(\d{1,3})\s*(?:servings|portions|portionen|porciones|porções|porzioni|raciones)\b/i,
];

/** @param text as it was pasted; what is beyond 20,000 characters is not read */
export function readText(text: string): TextReading {
  const whole = text.slice(0, LONGEST_TEXT);
  const language = guessLanguage(whole);
  const lexicon = LANGUAGES[language];
  const lines = whole.split(/\r\n|[\r\n]/).flatMap((line) => piecesOf(line, lexicon));
  const servings = lines.map(servingsIn).find((count) => count !== null) ?? null;
  const listed: ({ heading: string } | { line: string })[] = [];
  const steps: string[] = [];
  let name: string | null = null;
  let isMethod = false;
  for (const line of lines) {
    if (METHOD.test(line)) isMethod = true;
    else if (INGREDIENTS.test(line) && read(line, lexicon).amounts.length === 0) isMethod = false;
    else if (CALL.test(line) || isAboutServings(line)) continue;
    else if (isMethod) steps.push(line);
    else if (name === null && listed.length === 0 && isName(line, lexicon)) name = line.slice(0, LONGEST_NAME);
    else if (isHeading(line, lexicon)) listed.push({ heading: line });
    else if (isListed(line, lexicon)) listed.push({ line });
    else steps.push(line);
  }
  return { name, servings, language, ...groupsOf(listed), steps: steps.slice(0, MOST_STEPS) };
}

/** A line of text as lines of a recipe: more than one where it is a list within a line. */
function piecesOf(raw: string, lexicon: Lexicon): string[] {
  const line = tidy(raw.replaceAll(TAGS, ' ').replaceAll(EMOJI, ' ')).replace(BULLET, '').trim();
  if (!/[\p{L}\p{N}]/u.test(line)) return [];
  for (const sign of ['|', '•', '·', ',']) {
    const pieces = line.split(sign).map((piece) => piece.replace(INGREDIENTS, '').replace(/^\s*:/, '').trim());
    const begun = pieces.filter((piece) => /^(?:\d|[½¼¾⅓⅔⅛])/.test(piece) && isIngredient(read(piece, lexicon)));
    if (begun.length >= LEAST_PIECES)
      return withTheirNotes(
        pieces.filter((piece) => piece !== ''),
        lexicon,
      );
  }
  return [line];
}

/** "2 eggs, beaten" was one line. */
function withTheirNotes(pieces: string[], lexicon: Lexicon): string[] {
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last === undefined || isListed(piece, lexicon)) lines.push(piece);
    else lines[lines.length - 1] = `${last}, ${piece}`;
  }
  return lines;
}

function read(line: string, lexicon: Lexicon): Reading {
  return readLine(line, { lexicon });
}

function isIngredient({ kind, food }: Reading): boolean {
  return kind === 'ingredient' && food !== null;
}

/** An amount, or a food that is known: "salt". Sentences have neither first. */
function isListed(line: string, lexicon: Lexicon): boolean {
  const reading = read(line, lexicon);
  if (!isIngredient(reading)) return false;
  return reading.amounts.length > 0 || reading.toTaste || lexicon.foods.has(reading.food!.key);
}

/** The first line, unless it begins the list. */
function isName(line: string, lexicon: Lexicon): boolean {
  return read(line, lexicon).amounts.length === 0 && !line.endsWith(':');
}

function isHeading(line: string, lexicon: Lexicon): boolean {
  return read(line, lexicon).kind === 'heading';
}

function servingsIn(line: string): number | null {
  for (const pattern of SERVINGS) {
    const servings = servingsOrNull(Number(pattern.exec(line)?.[1]));
    if (servings !== null) return servings;
  }
  return null;
}

/** A line that says nothing else. */
function isAboutServings(line: string): boolean {
  return servingsIn(line) !== null && line.split(/\s+/).length <= 5;
}

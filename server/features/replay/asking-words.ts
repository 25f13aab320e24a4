/**
 * Guesses about what a comment wants, shown as guesses and never acted upon: does it ask for something, or is it talk?
 * By words of the languages that food creators' followers write in.
 */
import { normaliseText } from '#contract/matching/index.ts';
import { resemble } from '#server/features/catch-up/misses.ts';

const keysOf = (words: string) => new Set(words.split(/\s+/).map((word) => normaliseText(word).key));

/** What people ask for under a recipe. */
const THINGS = keysOf(
  `recipe recipes link ingredients receta recetas enlace ingredientes receita receitas recette recettes lien ingrédients
   rezept rezepte zutaten ricetta ricette ingredienti recept recepten przepis przepisy tarif tarifi рецепт рецепты ссылка
   ссылку resep tautan وصفة الوصفة רצפט מתכון`,
);
/** How they ask for it. */
const REQUESTS = keysOf(
  `please pls plz send need want dm gimme how where por favor porfa quiero pasa manda quero manda bitte möchte schick
   svp veux envoie voglio mandami lütfen хочу пришлите minta mau`,
);
/** Somebody who has it already, or only says something nice. */
const PRAISE = keysOf(
  `made tried cooked baked loved delicious yummy yum amazing wow beautiful gorgeous thanks thank congrats obsessed
   hice riquísimo delicioso gracias gemacht lecker danke délicieux merci buonissimo grazie fatto obrigada obrigado`,
);

/** A word shorter than this resembles too much. */
const RESEMBLING_LETTERS = 4;
/** Longer questions are about something else, mostly. */
const QUESTION_WORDS_AT_MOST = 8;
const TALK_WORDS = 5;
const LONG_TALK_WORDS = 15;

/** Why a comment that nobody answers looks like asking, and the word that shows it. Null: it does not. */
export function looksLikeAsking(text: string, wanted: readonly string[]): { why: string; word: string | null } | null {
  const tokens = normaliseText(text).tokens.map(({ key }) => key);
  for (const word of tokens) {
    if (word.length < RESEMBLING_LETTERS) continue;
    const like = wanted.find((one) => resemble(word, normaliseText(one).key));
    if (like !== undefined) return { why: `“${word}” looks like your keyword ${like}.`, word };
  }
  const thing = tokens.find((word) => THINGS.has(word));
  if (thing !== undefined) return { why: `It asks for “${thing}”.`, word: thing };
  const request = tokens.find((word) => REQUESTS.has(word));
  if (request !== undefined && tokens.length <= QUESTION_WORDS_AT_MOST) {
    return { why: `“${request}” sounds like a request.`, word: null };
  }
  const isQuestion = /[?？؟]/.test(text);
  if (isQuestion && tokens.length > 0 && tokens.length <= QUESTION_WORDS_AT_MOST) {
    return { why: 'It’s a question.', word: null };
  }
  return null;
}

/** Asks for the recipe or the link by name. */
export function asksForSomething(text: string): boolean {
  return normaliseText(text).tokens.some(({ key }) => THINGS.has(key));
}

/** Why a comment that would be answered looks like no request. Null: it may well be one. */
export function looksLikeTalk(text: string): string | null {
  const words = normaliseText(text).tokens.map(({ key }) => key);
  if (/[?？؟]/.test(text) || words.some((word) => REQUESTS.has(word))) return null;
  const praise = words.find((word) => PRAISE.has(word));
  if (praise !== undefined && words.length >= TALK_WORDS) return `“${praise}” sounds like praise and asks for nothing.`;
  return words.length >= LONG_TALK_WORDS ? 'It’s long and asks for nothing.' : null;
}

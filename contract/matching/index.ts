/**
 * Which automation a follower's words belong to. One pure module for the server's engine, the editor's live preview and
 * replays over past comments: the same candidates and the same text give the same answer everywhere.
 *
 * How characters are compared: `folded-text.ts`. How a text is cut into words: `tokens.ts`. What is a typo: `typos.ts`.
 *
 * **Modes.** A word of a rule may be several ("send recipe"): a phrase, found across any spaces and punctuation, its words
 * side by side and in order.
 * - `whole_word`: the word stands in the comment as a word of its own.
 * - `contains`: it may also be a part of other words: `recip` is in `myrecipes`. Never inside an emoji or a mention.
 * - `exact`: the comment is the word and nothing else; punctuation and mentions before or after it do not count, nor does
 *   the same emoji repeated (`🔥🔥🔥` for `🔥`).
 * - `all_words`: every word of the rule stands in it as a whole word, in any order.
 * - `any_comment`: every comment, even an empty one (a sticker). `words` are not looked at.
 *
 * **Typos** (`typoTolerance`) are forgiven in whole words, in each word of a phrase, in every mode.
 *
 * **Excluded words** stop their own rule, whatever else matches. They are always whole words without typos.
 *
 * **Order**, when several candidates match. The first difference decides:
 * 1. scope: `post` before `any_post`;
 * 2. `priority`: the larger number;
 * 3. how it matched: exact, whole word, all words, contains, typo, any comment;
 * 4. the longer matched word (folded, spaces of a phrase counted);
 * 5. age: the smaller `createdAt`;
 * 6. `id`, by code units.
 *
 * **Cost.** Compiling is linear in the words. Matching is linear in the text (read to `MAX_TEXT_LENGTH`) times the length
 * of the longest word at worst; no pattern is ever built from what people write.
 */

export { findClashes } from './clashes.ts';
export {
  compileMatcher,
  type Explanation,
  type Found,
  HOW,
  type How,
  MAX_FOUND,
  type Matcher,
} from './matcher.ts';
export { checkRule } from './rule-problems.ts';
export {
  type Candidate,
  MAX_WORD_LENGTH,
  MAX_WORDS_PER_RULE,
  type MatchMode,
  normaliseText,
  type WordRule,
} from './word-rule.ts';

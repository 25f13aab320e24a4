/** Examples a rule finds and misses, all checked with the matcher. */
import { compileMatcher, type WordRule } from '#contract/matching/index.ts';
import { suggestionsFor } from '#contract/suggestions.ts';

const EXAMPLE = 'RECIPE';
const SAYS_AT_MOST = 3;

/** "Matches “RECIPE please”, “RECIPES” and “RECEPIE”, not “MYRECIPEBOX”." */
export function matchHint(rule: WordRule): string {
  if (rule.mode === 'any_comment') {
    const isFound = finderOf(rule);
    const excluded = rule.excludedWords.find((word) => !isFound(word));
    const unless = excluded === undefined ? '' : `, unless it contains “${excluded}”`;
    return `Every comment gets your message${unless}.`;
  }
  const words = rule.words.some((word) => word.trim() !== '') ? rule.words : [EXAMPLE];
  const isFound = finderOf({ ...rule, words });
  const tried = commentsFor({ ...rule, words });
  const matches = tried.filter(isFound);
  const missed = tried.find((text) => !isFound(text));
  const not = missed === undefined ? '' : `, not “${missed}”`;
  if (matches.length === 0) return '';
  return `Matches ${listed(matches.slice(0, SAYS_AT_MOST).map((text) => `“${text}”`))}${not}.`;
}

function finderOf(rule: WordRule): (comment: string) => boolean {
  const matcher = compileMatcher([{ id: 'rule', rule, scope: 'post', priority: 0, createdAt: 0, value: null }]);
  return (comment) => matcher.match(comment) !== null;
}

/** Texts for the first keyword. */
function commentsFor({ words, mode }: WordRule): string[] {
  const [first] = words;
  const isUpper = first === first!.toUpperCase();
  const like = (text: string) => (isUpper ? text.toUpperCase() : text);
  if (mode === 'all_words' && words.length > 1) return [words.join(' and '), first!];
  const slip = suggestionsFor(first!).misspellings[0];
  return [
    ...(mode === 'exact' ? [`${first}!`] : []),
    `${first} please`,
    like(`${first}s`),
    ...(slip === undefined ? [] : [slip]),
    like(`my${first}box`),
  ];
}

function listed(items: string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** A recipe that was read at its page becomes ingredients, or is merged into those that are there. Pure. */
import { type IngredientsInput, MOST_LINES, type RecipeLine } from '#contract/recipe-ingredients.ts';
import type { Reading } from '#contract/recipe-reading.ts';
import { type KeptLine, type Merged, mergeReadings, type SourceLine } from './merging-readings.ts';

const LONGEST_GROUP = 100;
const MOST_SERVINGS = 100;
const MOST_MINUTES = 10_000;

/** What is taken of a reading. */
export type PageReading = Pick<Reading, 'servings' | 'minutes' | 'measures' | 'language' | 'groups' | 'steps' | 'url'>;
/** What became of lines when the page was read again. */
export type Became = Pick<Merged<KeptLine>, 'changed' | 'added' | 'removed' | 'waiting'>;

/** What the contract of ingredients does not take is left out. */
export function ingredientsOf(
  { servings, minutes, measures, language, groups, steps, url }: PageReading,
  newId: () => string,
): IngredientsInput {
  const lines = groups.flatMap((group) =>
    group.lines.map(({ text, uid }) => ({
      id: newId(),
      group: (group.name ?? '').slice(0, LONGEST_GROUP),
      text,
      fixes: {},
      checked: false,
      // Of pasted text there is no page that could change.
      sourceText: url === null ? null : text,
      sourceUid: uid,
    })),
  );
  return {
    servings: servings === null || servings < 1 || servings > MOST_SERVINGS ? null : servings,
    minutes: minutes === null || minutes < 1 || minutes > MOST_MINUTES ? null : minutes,
    measures,
    language: language ?? 'en',
    lines: lines.filter(({ text }) => text.trim() !== '').slice(0, MOST_LINES),
    steps,
  };
}

/**
 * The page's lines as they are now, and the creator's corrections, of which none is lost.
 *
 * @param page of `ingredientsOf`
 * @param last its lines at the last reading, where somebody kept them
 */
export function mergePage(
  content: IngredientsInput,
  page: readonly RecipeLine[],
  newId: () => string,
  last: readonly SourceLine[] | null = null,
): { content: IngredientsInput; became: Became } {
  if (page.length === 0) return { content, became: { changed: 0, added: 0, removed: 0, waiting: 0 } };
  const mine = content.lines.map((line) => ({ ...keptLine(line), line }));
  const merged = mergeReadings(mine, page.map(keptLine), last);
  // Of too many lines those of the page that are new: what the creator has stays.
  let room = MOST_LINES - merged.lines.filter((kept) => 'line' in kept).length;
  const lines = merged.lines.flatMap((kept): RecipeLine[] => {
    const { state, theirs, text, sourceText, uid: sourceUid, group } = kept;
    if (!('line' in kept)) {
      const added = { text, sourceText, sourceUid, group: group ?? '', fixes: {}, checked: false };
      return room-- > 0 ? [{ id: newId(), ...added }] : [];
    }
    if (state === 'settled') return [kept.line];
    const { pageSays: _, ...line } = kept.line;
    const isWaiting = state === 'source_changed' || state === 'source_gone';
    const now = { ...line, text, sourceText, sourceUid, checked: line.checked && text === line.text };
    return [isWaiting ? { ...now, pageSays: theirs } : now];
  });
  const { changed, added, removed, waiting } = merged;
  return { content: { ...content, lines }, became: { changed, added, removed, waiting } };
}

function keptLine({ sourceUid, group, text, sourceText, fixes, pageSays }: RecipeLine): KeptLine {
  return { uid: sourceUid, group: group || null, keepsGroup: true, text, sourceText, fixes, theirs: pageSays ?? null };
}

/** As it is kept until the next reading. */
export function sourceLines(page: readonly RecipeLine[]): SourceLine[] {
  return page.map(({ sourceUid, group, text }) => ({ uid: sourceUid, group: group || null, text }));
}

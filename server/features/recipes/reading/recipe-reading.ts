/** What was read of a recipe, wherever it stands; what could not be read of it is null. */

export type RecipeReading = {
  name: string | null;
  /** An address, http or https. */
  picture: string | null;
  /** The least that the author names, 1 to 100. */
  servings: number | null;
  /** From the first to the last, 1 to 10,000. */
  minutes: number | null;
  /** BCP 47, as "en-US". */
  language: string | null;
  groups: IngredientGroup[];
  /** Lines beyond `MOST_LINES`, which no recipe has. */
  linesLeftOut: number;
};

/** `name`: of "For the sauce:"; null for what stands under no heading. */
export type IngredientGroup = { name: string | null; lines: string[] };

export const MOST_LINES = 150;
const MOST_SERVINGS = 100;
const MOST_MINUTES = 10_000;

export function servingsOrNull(count: number): number | null {
  return Number.isInteger(count) && count >= 1 && count <= MOST_SERVINGS ? count : null;
}

export function minutesOrNull(minutes: number): number | null {
  const whole = Math.round(minutes);
  return whole >= 1 && whole <= MOST_MINUTES ? whole : null;
}

/** Lines under their headings. @param lines in the order of the recipe */
export function groupsOf(
  lines: readonly { text: string; isHeading: boolean }[],
): Pick<RecipeReading, 'groups' | 'linesLeftOut'> {
  const groups: IngredientGroup[] = [];
  let count = 0;
  for (const { text, isHeading } of lines) {
    if (isHeading) groups.push({ name: text.replace(/:$/, '').trimEnd(), lines: [] });
    else if (++count <= MOST_LINES) {
      if (groups.length === 0) groups.push({ name: null, lines: [] });
      groups.at(-1)!.lines.push(text);
    }
  }
  return { groups: groups.filter(({ lines }) => lines.length > 0), linesLeftOut: Math.max(0, count - MOST_LINES) };
}

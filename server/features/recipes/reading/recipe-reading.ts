/** What was read of a recipe, wherever it stands; what could not be read of it is null. */
import { MOST_LINES } from '#contract/recipe-ingredients.ts';

export type RecipeReading<Line = string> = {
  name: string | null;
  /** An address, http or https. */
  picture: string | null;
  /** The least that the author names, 1 to 100. */
  servings: number | null;
  /** From the first to the last, 1 to 10,000. */
  minutes: number | null;
  /** BCP 47, as "en-US". */
  language: string | null;
  groups: IngredientGroup<Line>[];
  /** Lines beyond `MOST_LINES`, which no recipe has. */
  linesLeftOut: number;
};

/** `name`: of "For the sauce:"; null for what stands under no heading. */
export type IngredientGroup<Line = string> = { name: string | null; lines: Line[] };

const MOST_GROUPS = 40;
const MOST_SERVINGS = 100;
const MOST_MINUTES = 10_000;
const LONGEST_ADDRESS = 2_000;

export function servingsOrNull(count: number): number | null {
  return Number.isInteger(count) && count >= 1 && count <= MOST_SERVINGS ? count : null;
}

export function minutesOrNull(minutes: number): number | null {
  const whole = Math.round(minutes);
  return whole >= 1 && whole <= MOST_MINUTES ? whole : null;
}

/** @param address as it stands on the page `base` */
export function webAddressOrNull(address: string | null | undefined, base: string): string | null {
  if (!address?.trim() || !URL.canParse(address, base)) return null;
  const { protocol, href } = new URL(address, base);
  return /^https?:$/.test(protocol) && href.length <= LONGEST_ADDRESS ? href : null;
}

/** Lines under their headings. @param entries in the order of the recipe */
export function groupsOf<Line>(
  entries: readonly ({ heading: string } | { line: Line })[],
): Pick<RecipeReading<Line>, 'groups' | 'linesLeftOut'> {
  const groups: IngredientGroup<Line>[] = [];
  let count = 0;
  for (const entry of entries) {
    if ('heading' in entry) {
      if (groups.at(-1)?.lines.length === 0) groups.pop();
      // Beyond the last group that there may be, its lines are one.
      if (groups.length < MOST_GROUPS) groups.push({ name: entry.heading.replace(/:$/, '').trimEnd(), lines: [] });
    } else if (++count <= MOST_LINES) {
      if (groups.length === 0) groups.push({ name: null, lines: [] });
      groups.at(-1)!.lines.push(entry.line);
    }
  }
  return { groups: groups.filter(({ lines }) => lines.length > 0), linesLeftOut: Math.max(0, count - MOST_LINES) };
}

/** Which of several wordings makes more people tap. Pure arithmetic. */

export type Tried = { id: string; people: number; clicked: number };

/** Before so many people got each wording nothing is said. */
const FIRST_LOOK_AT = 100;
/** The risk of naming a winner where there is none, over all looks together. */
const RISK = 0.05;
/** 97.5 % of a normal distribution lie below. */
const Z_95 = 1.959964;

/** Wilson's interval for a share, 95 %; honest for few people and for shares near 0 and 1, where the usual one is not. */
export function wilson(clicked: number, people: number): { low: number; high: number } {
  if (people === 0) return { low: 0, high: 1 };
  const share = clicked / people;
  const z2 = Z_95 ** 2;
  const middle = (share + z2 / (2 * people)) / (1 + z2 / people);
  const half = (Z_95 * Math.sqrt((share * (1 - share)) / people + z2 / (4 * people ** 2))) / (1 + z2 / people);
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** People per wording at which look number `look` (0 is the first) is made: 100, 200, 400, … */
export function peopleForLook(look: number): number {
  return FIRST_LOOK_AT * 2 ** look;
}

/**
 * Guard against peeking: whoever tests after each click finds a "winner" sooner or later, also between equal texts. So it
 * is looked only when the smallest group has doubled, and look k may err with 5 % · 6/(π²k²): these sum up to 5 % however
 * long the comparison runs. Several rivals share that risk (Bonferroni).
 *
 * @param looks how many looks were made before
 * @returns the winner, if there is one, and the looks made now; null when it is not yet time
 */
export function look(tried: Tried[], looks: number): { winner: string | null; looks: number } | null {
  const smallest = Math.min(...tried.map(({ people }) => people));
  if (tried.length < 2 || smallest < peopleForLook(looks)) return null;
  // A busy hour may pass several sizes at once: that is one look, the next is at the double again.
  let made = looks;
  while (smallest >= peopleForLook(made)) made++;
  const risk = (RISK * 6) / (Math.PI ** 2 * made ** 2 * (tried.length - 1));
  const [best, ...others] = tried.toSorted((a, b) => b.clicked / b.people - a.clicked / a.people);
  const wins = others.every((other) => chanceOf(best!, other) < risk);
  return { winner: wins ? best!.id : null, looks: made };
}

/** Two-sided p-value of the pooled two-proportion z-test: how often chance alone makes such a difference. */
export function chanceOf(a: Omit<Tried, 'id'>, b: Omit<Tried, 'id'>): number {
  const pooled = (a.clicked + b.clicked) / (a.people + b.people);
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / a.people + 1 / b.people));
  if (deviation === 0) return 1;
  return 2 * (1 - normalBelow(Math.abs(a.clicked / a.people - b.clicked / b.people) / deviation));
}

/** The normal distribution's share below `z` >= 0, right to 7.5e-8 (Abramowitz and Stegun 26.2.17). */
function normalBelow(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const sum = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}

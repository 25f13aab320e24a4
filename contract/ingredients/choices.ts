/**
 * Where a line can be read in more than one way. The grammar asks at such a point whether it goes the other way (`Line.takes`); a line
 * is read once as most lines are meant, and again for each other way that is offered, or that may settle a doubt. The reading with
 * the least doubt is taken.
 */
import type { Doubt, Why } from './doubts.ts';
import type { Point } from './line.ts';

/** What going the other way costs, and which doubts it may settle: only for those it is tried unasked. Weights are set by hand. */
const WAYS: Record<Point, { cost: number; settles: readonly Why[] }> = {
  /** "1 schmear of butter": a measure that nobody told us. */
  unknownMeasure: { cost: 0, settles: ['unknown_food'] },
  /** "2 breasts": the measure is part of the name. */
  measure: { cost: 4, settles: [] },
  /** "Zingo pasta": what stands before a known food is none of its name. */
  lead: { cost: 4, settles: [] },
  /** "pasta Zingo style": what stands after it. */
  tail: { cost: 4, settles: [] },
  /** "cilantro and crumbled cotija": the food ends there. */
  and: { cost: 3, settles: [] },
  /** "sweet or sour cherries" is one food. */
  or: { cost: 4, settles: ['unknown_alternative'] },
  /** "smoked, salted almonds" ends at its comma. */
  comma: { cost: 4, settles: ['unknown_food'] },
  /** "butter (oil)": what a note names may be taken instead. */
  note: { cost: 3, settles: [] },
  /** A number that was left over is the amount. */
  number: { cost: 2, settles: [] },
  ingredient: { cost: 5, settles: [] },
  heading: { cost: 7, settles: [] },
  remark: { cost: 8, settles: [] },
};

const WEIGHTS: Record<Why, number> = {
  no_food: 6,
  unknown_food: 4,
  long_food: 4,
  several_foods: 3,
  food_in_note: 2,
  unknown_alternative: 3,
  number_left: 3,
  unknown_measure: 2,
};

/** Less is better. @param way where it left the usual one */
export function doubtOf(doubts: readonly Doubt[], way: Point | null): number {
  return doubts.reduce((sum, { why }) => sum + WEIGHTS[why], way === null ? 0 : WAYS[way].cost);
}

export function maySettle(way: Point, doubts: readonly Doubt[]): boolean {
  return doubts.some(({ why }) => WAYS[way].settles.includes(why));
}

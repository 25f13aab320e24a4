/** Edits of what is changed in a plan's list, each giving new changes. A change that says nothing any more is gone. */
import type { ItemChange, LineChange, PlanChanges } from '#contract/meal-plan-ingredients.ts';

export type ItemOver = Partial<Omit<ItemChange, 'key' | 'basis'>>;
export type LineOver = Partial<Omit<LineChange, 'mealId' | 'lineId' | 'basis'>>;

/** @param item.basis what the recipes come to now: whoever changes it has seen that */
export function changeItem(
  changes: PlanChanges,
  { key, basis }: { key: string; basis: string },
  over: Undefinable<ItemOver>,
) {
  const before = changes.items.find((item) => item.key === key) ?? { key, basis };
  return {
    ...changes,
    items: replaced(changes.items, before, meaningful({ ...before, ...over, basis }, ['key', 'basis'])),
  };
}

export function changeLine(
  changes: PlanChanges,
  { mealId, lineId, basis }: { mealId: string; lineId: string; basis: string },
  over: Undefinable<LineOver>,
) {
  const isOne = (line: LineChange) => line.mealId === mealId && line.lineId === lineId;
  const before = changes.lines.find(isOne) ?? { mealId, lineId, basis };
  const now = meaningful({ ...before, ...over, basis }, ['mealId', 'lineId', 'basis']);
  return { ...changes, lines: replaced(changes.lines, before, now) };
}

export function resetItem(
  changes: PlanChanges,
  key: string,
  lines: readonly { mealId: string; lineId: string }[],
): PlanChanges {
  const of = new Set(lines.map(({ mealId, lineId }) => `${mealId} ${lineId}`));
  return {
    ...changes,
    items: changes.items.filter((item) => item.key !== key),
    lines: changes.lines.filter(({ mealId, lineId }) => !of.has(`${mealId} ${lineId}`)),
    together: changes.together.filter(({ from, into }) => from !== key && into !== key),
    apart: changes.apart.filter((one) => one !== key),
  };
}

export function resetLine(changes: PlanChanges, { mealId, lineId }: { mealId: string; lineId: string }): PlanChanges {
  return { ...changes, lines: changes.lines.filter((line) => line.mealId !== mealId || line.lineId !== lineId) };
}

/** What was changed in the lines of one meal. */
export function resetMeal(changes: PlanChanges, mealId: string): PlanChanges {
  return { ...changes, lines: changes.lines.filter((line) => line.mealId !== mealId) };
}

export function putTogether(changes: PlanChanges, from: string, into: string): PlanChanges {
  const others = changes.together.filter((one) => one.from !== from && !(one.from === into && one.into === from));
  return { ...changes, together: [...others, { from, into }], apart: changes.apart.filter((key) => key !== from) };
}

/** Each line alone; what was put together here is apart again. */
export function takeApart(changes: PlanChanges, key: string): PlanChanges {
  const isJoined = changes.together.some(({ into }) => into === key);
  return isJoined
    ? { ...changes, together: changes.together.filter(({ into }) => into !== key) }
    : { ...changes, apart: [...changes.apart.filter((one) => one !== key), key] };
}

export function addOwn(changes: PlanChanges, text: string): PlanChanges {
  return { ...changes, own: [...changes.own, { id: crypto.randomUUID(), text }] };
}

export function removeOwn(changes: PlanChanges, ids: readonly string[]): PlanChanges {
  return { ...changes, own: changes.own.filter(({ id }) => !ids.includes(id)) };
}

type Undefinable<T> = { [K in keyof T]: T[K] | undefined };

/** Without what is undefined or empty. @returns null: nothing is left of it */
function meaningful<T extends object>(change: Undefinable<T>, but: (keyof T)[]): T | null {
  const entries = Object.entries(change).filter(([, value]) => value !== undefined && value !== '');
  return entries.length === but.length ? null : (Object.fromEntries(entries) as T);
}

function replaced<T>(all: readonly T[], before: T, now: T | null): T[] {
  const at = all.indexOf(before);
  if (at === -1) return now === null ? [...all] : [...all, now];
  return now === null ? all.toSpliced(at, 1) : all.with(at, now);
}

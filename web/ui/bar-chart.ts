/** The top of an axis whose half is a whole number too: 2, 4, 6, 8, 10, 20, 40 … */
export function axisTop(most: number): number {
  let scale = 1;
  while (most > 10 * scale) scale *= 10;
  return [2, 4, 6, 8, 10].find((top) => top * scale >= most)! * scale;
}

/**
 * Which columns have their name below: as many as fit, the last one always.
 *
 * @param room how many names there is room for; up to seven columns have names short enough for all of them
 */
export function isNamed(place: number, columns: number, room: 3 | 7 = 7): boolean {
  return columns <= 7 || (columns - 1 - place) % Math.ceil(columns / room) === 0;
}

/** More columns than there is room for two bars beside each other on a phone: the second stands in front of the first. */
export function isDense(columns: number): boolean {
  return columns > 45;
}

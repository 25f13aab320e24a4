/** The top of an axis whose half is a whole number too: 2, 4, 6, 8, 10, 20, 40 … */
export function axisTop(most: number): number {
  let scale = 1;
  while (most > 10 * scale) scale *= 10;
  return [2, 4, 6, 8, 10].find((top) => top * scale >= most)! * scale;
}

/** Which columns have their name below: as many as fit, the last one always. */
export function isNamed(place: number, columns: number): boolean {
  return (columns - 1 - place) % Math.ceil(columns / 7) === 0;
}

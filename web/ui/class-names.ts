/** Joins class names, leaving out what is absent: `cx('card', wide && 'card-wide')`. */
export function cx(...parts: (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(' ');
}

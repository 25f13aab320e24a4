/** What names joined by "or" have in common stands only once. */
import type { Line } from './line.ts';

/** "beef or chicken stock" is beef stock, "chicken thighs or breasts" chicken breasts. */
export function shareWords(line: Line, written: string[]): string[] {
  if (written.length < 2) return written;
  const without = (name: string) => {
    const other = line.lexicon.otherWords.find((one) => name.toLowerCase().startsWith(`${one} `));
    return other === undefined ? name : name.slice(other.length + 1);
  };
  const names = written.map(without);
  if (names.at(-1) !== written.at(-1)) return names;
  const last = names.at(-1)!.split(' ');
  const withHead = (name: string) => {
    for (let words = last.length - 1; words > 0; words--) {
      // "crème ou lait de coco" are no two of coconut.
      if (line.lexicon.phrases.of.has(last.at(-words)!.toLowerCase())) continue;
      const whole = `${name} ${last.slice(-words).join(' ')}`;
      if (line.isKnown(whole)) return whole;
    }
    const isDescription = line
      .keyOf(name)
      .split(' ')
      .every((word) => line.lexicon.phrases.describing.has(word));
    return isDescription && !line.isKnown(name) && last.length > 1 ? `${name} ${last.slice(1).join(' ')}` : name;
  };
  const whole = [...names.slice(0, -1).map(withHead), names.at(-1)!];
  const first = whole[0]!.split(' ');
  return whole.map((name, place) => {
    const withBeginning = [...first.slice(0, -1), name].join(' ');
    const isPart = place > 0 && !name.includes(' ') && first.length > 1 && !line.isKnown(name);
    return isPart && line.isKnown(withBeginning) ? withBeginning : name;
  });
}

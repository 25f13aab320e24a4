import { between, oneOf, randomFrom } from './random.ts';

export interface DemoComment {
  personId: string;
  text: string;
  /** How long after the post, in milliseconds. */
  afterMs: number;
  /** The creator's reply to it, if any. */
  answer?: string;
}

const HOUR_MS = 3_600_000;

export const praise = [
  'This looks unreal 😍',
  'Saved for the weekend',
  'making this tonight!!',
  'ok now I am hungry at 9 in the morning',
  'My kids ate ALL of it. Thank you!',
  'Se ve increíble 🤤',
  'Sieht fantastisch aus!',
  'That light 🙌',
  'You make it look so easy',
  '🔥🔥🔥',
  'need this in my life',
  'I can smell it from here',
  'Third time making it, never fails',
  'ما شاء الله، شكله لذيذ',
  'נראה מדהים!',
  'wow wow wow',
  'The plate!! Where is it from?',
  'Mine never looks like that 😅 still tasted great',
];
export const questions: [question: string, answer: string][] = [
  ['Can I make this gluten free?', 'Yes! Swap in your usual blend and let it rest ten minutes longer 💛'],
  ['How long does it keep?', 'Three days in the fridge, if nobody finds it.'],
  ['Oven or stove?', 'Both work. Oven if you want to sit down meanwhile 😄'],
  ['What can I use instead of the nuts?', 'Sunflower seeds, toasted. Promise.'],
  ['Do you have a vegan version?', 'Coming next week!'],
  ['Which brand of pan is that?', 'An old one from my grandmother, no name left on it.'],
];

/**
 * Comments as they gather under a post: more at first, some asking with the word of the caption, in the many ways people write it.
 * @param word what the caption asks for, or undefined
 */
export function commentsUnder(
  name: string,
  word: string | undefined,
  people: readonly string[],
  hours: number,
): DemoComment[] {
  const random = randomFrom(`comments under ${name}`);
  const count = Math.min(people.length, Math.round(between(random, 3, 9)));
  const waiting = [...people];
  return Array.from({ length: count }, (_, index) => {
    const [personId] = waiting.splice(Math.floor(random() * waiting.length), 1) as [string];
    const afterMs = Math.round((index + random()) ** 2 * 0.011 * Math.min(hours, 72) * HOUR_MS);
    const chance = random();
    if (word !== undefined && chance < 0.45) return { personId, text: asking(word, random), afterMs };
    if (chance < 0.62) {
      const [text, answer] = oneOf(random, questions);
      return { personId, text, afterMs, answer };
    }
    return { personId, text: oneOf(random, praise), afterMs };
  });
}

export function asking(word: string, random: () => number): string {
  const lower = word.toLowerCase();
  return oneOf(random, [
    word,
    word,
    lower,
    `${word[0]}${lower.slice(1)}`,
    `${word}!!! 🙏`,
    `${lower} please`,
    `"${word}"`,
    `Yes please, ${word} 😋`,
    `${lower}${lower.at(-1)}${lower.at(-1)}`,
  ]);
}

/** The word in capitals that a caption asks for. */
export function wordOf(caption: string): string | undefined {
  return (
    /\b(?:Comment|Type|Escribe|Schreib|write)\s+(\p{Lu}{3,})\b/u.exec(caption)?.[1] ??
    /(?:^|\s)(\p{Lu}{4,}) (?:=|below|in the)/mu.exec(caption)?.[1]
  );
}

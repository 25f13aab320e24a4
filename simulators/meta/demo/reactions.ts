import type { MessageView } from '../control-client.ts';
import { between, oneOf, randomFrom } from './random.ts';

const MINUTE_MS = 60_000;

/** A person's reactions to a message, with delays, in order. */
export type Reaction = { afterMs: number } & (
  | { does: 'reads' }
  | { does: 'opens'; url: string }
  | { does: 'taps'; button: string }
  | { does: 'writes'; text: string }
);

const THANKS = [
  'thank you!! ❤️',
  'Got it, making it on Sunday',
  'omg that was fast 😄',
  'Thanks! Does it freeze well?',
  'You’re the best 🙏',
  'Gracias!!',
];

/**
 * The same for the same message at the same time: most read it, most of those open the link, some write back.
 *
 * @param at when it came, in ms after the first day of the demo
 * @param asks it asks for an address
 */
export function reactionsTo(
  message: Pick<MessageView, 'buttons'> & { personId: string },
  at: number,
  asks: boolean,
): Reaction[] {
  const random = randomFrom(`${message.personId} ${at} ${message.buttons.map(({ title }) => title)}`);
  if (random() > 0.84) return [];
  const readMs = Math.round(-Math.log(1 - random()) * 40 * MINUTE_MS) + 20_000;
  const reactions: Reaction[] = [{ does: 'reads', afterMs: readMs }];
  const afterMs = readMs + Math.round(between(random, 4_000, 90_000));
  const [button] = message.buttons;
  const chance = random();
  if (asks) {
    const name = message.personId.replace('past-', '').replace('-', '.');
    if (chance < 0.5) reactions.push({ does: 'writes', text: `${name}@example.com`, afterMs });
  } else if (button?.url !== undefined) {
    if (chance < 0.66) reactions.push({ does: 'opens', url: button.url, afterMs });
  } else if (button !== undefined && chance < 0.85) reactions.push({ does: 'taps', button: button.title, afterMs });
  if (random() < 0.05)
    reactions.push({ does: 'writes', text: oneOf(random, THANKS), afterMs: afterMs + 3 * MINUTE_MS });
  return reactions;
}

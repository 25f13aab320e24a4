import type { Interaction } from '#contract/interactions.ts';

export type FoundPerson = { personId: string; username: string; lastAt: string };

/**
 * The people behind lines that begin with a handle, each once, the latest first. Somebody whose handle is exactly what
 * was typed is meant, however many others begin like her.
 */
export function peopleOf(
  lines: readonly Pick<Interaction, 'personId' | 'username' | 'receivedAt'>[],
  typed: string,
): FoundPerson[] {
  const people = new Map<string, FoundPerson>();
  for (const { personId, username, receivedAt } of lines) {
    if (username === null || people.has(personId)) continue;
    people.set(personId, { personId, username, lastAt: receivedAt });
  }
  const wanted = typed.trim().replace(/^@/, '').toLowerCase();
  const exact = [...people.values()].filter((person) => person.username.toLowerCase() === wanted);
  return exact.length > 0 ? exact.slice(0, 1) : [...people.values()];
}

import type * as z from 'zod/mini';
import type { Membership } from '#contract/session.ts';

/** Those whose name holds every word, in any order; upper and lower case and accents do not matter. */
export function searchMemberships<M extends z.infer<typeof Membership>>(
  memberships: readonly M[],
  wanted: string,
): M[] {
  const words = fold(wanted)
    .split(/[\s@]+/)
    .filter(Boolean);
  return memberships.filter(({ displayName }) => words.every((word) => fold(displayName).includes(word)));
}

function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}

import * as z from 'zod/mini';
import { completeLink } from '#contract/links.ts';

/** With https://, or a page of a site without it ("maya.com/pasta"); the bare name of a site may be no link at all. */
const LINK = /https?:\/\/[^\s<>"'“”]+|(?<![\p{L}\p{N}@._/-])(?:[a-z0-9-]+\.)+[a-z]{2,}\/[^\s<>"'“”]+/iu;

/** The first link in a text, complete and without the punctuation of the sentence around it; null: it has none. */
export function linkIn(text: string): string | null {
  const found = LINK.exec(text)?.[0].replace(/[.,;:!?)\]]{1,9}$/, '');
  const link = found === undefined ? '' : completeLink(found);
  return z.url({ protocol: /^https?$/ }).safeParse(link).success ? link : null;
}

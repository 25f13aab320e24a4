import * as z from 'zod/mini';

/** A domain name with a dot in it, and what may follow one. */
const WITHOUT_SCHEME = /^(?:\/\/)?(?=[^\s/?#:@]+\.[^\s/?#:@.]{2,}(?::\d+)?(?:[/?#]|$))/;

/** A link as people type it, whole: "maya.com/pasta" is "https://maya.com/pasta". What is no link stays as it is. */
export function completeLink(typed: string): string {
  return typed.trim().replace(WITHOUT_SCHEME, 'https://');
}

/** With https://, or a page of a site without it ("maya.com/pasta"); the bare name of a site may be no link at all. */
const LINK = /https?:\/\/[^\s<>"'“”]+|(?<![\p{L}\p{N}@._/-])(?:[a-z0-9-]+\.)+[a-z]{2,}\/[^\s<>"'“”]+/iu;

/** The first link in a text, complete and without the punctuation of the sentence around it; null: it has none. */
export function linkIn(text: string): string | null {
  const found = LINK.exec(text)?.[0].replace(/[.,;:!?)\]]{1,9}$/, '');
  const link = found === undefined ? '' : completeLink(found);
  return z.url({ protocol: /^https?$/ }).safeParse(link).success ? link : null;
}

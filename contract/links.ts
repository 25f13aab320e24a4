/** A domain name with a dot in it, and what may follow one. */
const WITHOUT_SCHEME = /^(?:\/\/)?(?=[^\s/?#:@]+\.[^\s/?#:@.]{2,}(?::\d+)?(?:[/?#]|$))/;

/** A link as people type it, whole: "maya.com/pasta" is "https://maya.com/pasta". What is no link stays as it is. */
export function completeLink(typed: string): string {
  return typed.trim().replace(WITHOUT_SCHEME, 'https://');
}

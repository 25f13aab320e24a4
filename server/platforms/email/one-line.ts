/** Text of others on its way into mails and pages. */

/**
 * One line of plain text: no control characters, nothing that turns the direction of what follows (U+061C, U+200E …), no half
 * of a pair of surrogates, and not longer than so many characters.
 */
export function oneLine(text: string, most: number): string {
  const plain = harmless(text).replace(/\s+/g, ' ').trim();
  const letters = Array.from(plain);
  return letters.length <= most ? plain : `${letters.slice(0, most - 1).join('')}…`;
}

/** The same with its spaces as they are, so that pieces of a text can be put together. */
export function harmless(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
      .replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ')
      .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
  );
}

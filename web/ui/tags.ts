/** Splits what was typed or pasted into single words or phrases: by comma, semicolon or line. */
export function splitTags(text: string): string[] {
  return text
    .split(/[,;\n\t]/)
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .filter((part) => part !== '');
}

/** Adds words to a list; one that is there already, in whatever case, is not added again. */
export function addTags(tags: readonly string[], added: readonly string[]): string[] {
  const known = new Set(tags.map((tag) => tag.toLocaleLowerCase('en')));
  const result = [...tags];
  for (const tag of added) {
    const key = tag.toLocaleLowerCase('en');
    if (known.has(key)) continue;
    known.add(key);
    result.push(tag);
  }
  return result;
}

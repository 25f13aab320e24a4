/** Removes what must not leave with an error report: secrets, what people wrote, and who they are. */

const RULES: [RegExp, string][] = [
  // Whole addresses first: user:password@, and queries that carry tokens.
  [/\b([a-z][a-z\d+.-]*:\/\/)[^\s/@"'`]+@/gi, '$1[removed]@'],
  [/(\b[a-z][a-z\d+.-]*:\/\/[^\s?#"'`)\]]*)[?#][^\s"'`)\]]*/gi, '$1?[removed]'],
  // Each part ends where the next may begin, so that a text of nothing but `@.` is read once and not again and again.
  [/[^\s<>"'`(),;:=@]+@[^\s<>"'`(),;:=@.]+(?:\.[^\s<>"'`(),;:=@.]+)+/g, '[address]'],
  // Handles; not the scopes of packages in paths.
  [/(?<![\w/@])@[a-z\d._]{2,30}/gi, '[handle]'],
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, '$1 [removed]'],
  [
    /\b((?:access_?|refresh_?|id_?)?token|code|secret|password|pass|cookie|api_?key|signature|state)(["']?\s*[:=]\s*)["']?[^\s"',;&}]+["']?/gi,
    '$1$2[removed]',
  ],
  // PostgreSQL tells the values of a violated key: Key (email)=(anna@example.com).
  [/(\bKey \([^)]*\)=)\([^)]*\)/g, '$1([removed])'],
  [/\b\d{1,3}(\.\d{1,3}){3}\b/g, '[address]'],
  // Ids of rows are not secret and tell which ones; they are put back below.
  [/[\w-]{24,}(?:\.[\w-]+)*/g, '[removed]'],
];

const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi;
/** A name in quotes, as of a column; anything else in quotes may be what somebody wrote. */
const QUOTED = /(["“«])([^"”»\n]*)(["”»])|(?<![\p{L}\p{N}])'([^'\n]*)'/gu;
const NAME = /^[a-z][a-z\d_.:-]{0,62}$/;

const MOST = 1000;

/** @returns the text without tokens, addresses of people and machines, and quoted words; at most 1,000 characters */
export function scrub(text: string): string {
  const ids: string[] = [];
  let clean = text
    .slice(0, 2 * MOST)
    .replace(QUOTED, (whole, _open, double: string | undefined, _close, single: string | undefined) =>
      NAME.test(double ?? single ?? '') ? whole : '"[text]"',
    )
    .replace(UUID, (id) => `\u0001${ids.push(id) - 1}\u0002`);
  for (const [pattern, by] of RULES) clean = clean.replace(pattern, by);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: marks that no text has
  clean = clean.replace(/\u0001(\d+)\u0002/g, (_, index) => ids[Number(index)] ?? '');
  return clean.length > MOST ? `${clean.slice(0, MOST)}…` : clean;
}

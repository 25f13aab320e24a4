/** Takes out of a report what must not leave the browser: tokens, addresses, what people wrote. */

const EMAIL = /[^\s@"'<>()/=?&:,;]+(?:@|%40)[^\s@"'<>()/=?&:,;]+\.[a-z]{2,}/gi;
/** Values of what is named like a secret, in an address or in text; and anything that is long and random enough. */
const SECRET =
  /\b(token|code|state|key|secret|password|hash|signature|authorization)(["']?\s*[=:]\s*["']?)[^\s&"',;#]+/gi;
const BEARER = /\b(bearer|basic)\s+[\w.~+/=-]+/gi;
/** In an error's words: a name of our code in quotes tells something, anything else may be what somebody wrote. */
const QUOTED = /(["“«])([^"”»\n]*)["”»]/g;
const NAME = /^[a-z][a-z\d_.:-]{0,62}$/i;
const LONG_RANDOM = /\b[\w-]{40,}\b/g;
/** Fields of ours and of Meta's that hold what people wrote. */
const WRITTEN =
  /^(message|messages|text|comment|comments|caption|body|reply|replies|name|username|email|handle|data)$/i;
const SECRET_NAME = /token|secret|password|authorization|cookie|hash|api[-_]?key|code$/i;
const GONE = '[removed]';

export function scrubText(text: string): string {
  return text
    .replace(QUOTED, (whole, _open, words: string) => (NAME.test(words) ? whole : `"${GONE}"`))
    .replace(BEARER, `$1 ${GONE}`)
    .replace(SECRET, `$1$2${GONE}`)
    .replace(EMAIL, GONE)
    .replace(LONG_RANDOM, GONE);
}

/** An address without its query's values and without its fragment. */
export function scrubAddress(address: string): string {
  const [path = '', query] = (address.split('#')[0] ?? '').split('?');
  if (!query) return scrubText(path);
  const names = [...new URLSearchParams(query).keys()].map((name) => `${name}=${GONE}`);
  return `${scrubText(path)}?${names.join('&')}`;
}

/** A value of any depth: strings are scrubbed, fields that hold secrets or people's words are replaced. */
export function scrubValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return /^(https?:)?\//.test(value) ? scrubAddress(value) : scrubText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 8) return GONE;
  if (Array.isArray(value)) return value.map((item) => scrubValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [
      name,
      WRITTEN.test(name) || SECRET_NAME.test(name) ? GONE : scrubValue(inside, depth + 1),
    ]),
  );
}

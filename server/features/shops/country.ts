/** In which country a shopper is, as far as anything says so. Nothing of it is kept. */
import type { IncomingHttpHeaders } from 'node:http';

const COUNTRY = /^[A-Z]{2}$/;
/** "en-US", "zh-Hans-CN" */
const LANGUAGE = /^\s*[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})\s*(?:;|$)/i;
/** What proxies write for "not known". */
const NOWHERE = new Set(['XX', 'ZZ']);
const MOST_LANGUAGES = 20;

/**
 * @param of.chosen by the shopper, in the address
 * @param of.fallback the creator's choice
 * @returns null when nothing says it
 */
export function countryOf({
  chosen,
  headers,
  countryHeader,
  fallback,
}: {
  chosen: string | undefined;
  headers: IncomingHttpHeaders;
  /** `config.shops.countryHeader` */
  countryHeader: string | null;
  fallback: string | null;
}): string | null {
  const told = countryHeader === null ? undefined : headers[countryHeader];
  const languages = (headers['accept-language'] ?? '').split(',', MOST_LANGUAGES);
  const ofLanguages = languages.map((one) => LANGUAGE.exec(one)?.[1]);
  for (const country of [chosen, typeof told === 'string' ? told : undefined, ...ofLanguages]) {
    const named = country?.trim().toUpperCase() ?? '';
    if (COUNTRY.test(named) && !NOWHERE.has(named)) return named;
  }
  return fallback;
}

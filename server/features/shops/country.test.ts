import { describe, expect, test } from 'vitest';
import { countryOf } from './country.ts';

describe('the country of a shopper', () => {
  const of = (
    chosen: string | undefined,
    headers: Record<string, string>,
    countryHeader: string | null = 'cf-ipcountry',
  ) => countryOf({ chosen, headers, countryHeader, fallback: 'AT' });

  test.each([
    ['their own choice', of('de', { 'cf-ipcountry': 'US' }), 'DE'],
    ['the proxy’s header', of(undefined, { 'cf-ipcountry': 'US', 'accept-language': 'de-DE' }), 'US'],
    ['no header that nobody set up', of(undefined, { 'cf-ipcountry': 'US' }, null), 'AT'],
    ['a language with a country', of(undefined, { 'accept-language': 'en, de-CH;q=0.9' }), 'CH'],
    ['a language with a script', of(undefined, { 'accept-language': 'zh-Hans-SG' }), 'SG'],
    ['a language without one', of(undefined, { 'accept-language': 'en;q=1,*' }), 'AT'],
    ['the creator’s', of(undefined, {}), 'AT'],
    ['nonsense', of('<script>', { 'cf-ipcountry': 'XX', 'accept-language': `${'en-,'.repeat(9999)}` }), 'AT'],
    ['Tor', of(undefined, { 'cf-ipcountry': 'T1' }), 'AT'],
  ])('is %s', (_, found, country) => {
    expect(found).toBe(country);
  });
});

import type { SettingsReader } from '#server/settings-reader.ts';
import { INSTACART_URL } from './instacart/client.ts';

export type ShopsSettings = {
  /** `apiKey`: of this installation, for creators without one of their own. `isDefault`: a simulator may stand in. */
  instacart: { url: string; apiKey: string | null; isDefault: boolean };
  /** In lower case: where a proxy says the caller's country. */
  countryHeader: string | null;
};

export function readShopsSettings(read: SettingsReader): ShopsSettings {
  const [url, apiKey] = [read.optionalWebAddress('INSTACART_URL'), read.secret('INSTACART_API_KEY', 10)];
  const countryHeader = read.text('COUNTRY_HEADER')?.toLowerCase() ?? null;
  if (countryHeader !== null && (read.text('TRUSTED_PROXIES') ?? '0') === '0') {
    read.refuse(
      'COUNTRY_HEADER',
      'is set although TRUSTED_PROXIES is 0, so anybody could write it.',
      'Set TRUSTED_PROXIES to the number of proxies in front, or leave it out.',
    );
  }
  const isDefault = url === null && apiKey === null;
  return { instacart: { url: url ?? INSTACART_URL, apiKey, isDefault }, countryHeader };
}

/** Amounts of money as people read and type them, kept in the smallest unit of their currency: cents, or whole yen. */

/** What a membership can cost: those that Stripe charges in, and creators ask for. */
export const CURRENCIES = [
  'usd',
  'eur',
  'gbp',
  'cad',
  'aud',
  'nzd',
  'chf',
  'sek',
  'nok',
  'dkk',
  'pln',
  'czk',
  'jpy',
  'brl',
  'mxn',
] as const;

/** @param currency three letters, small or capital */
export function amountLabel(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.format(amount / 10 ** placesOf(currency));
}

/** @returns null: it is no amount, or has more places than the currency, as `500.50` in yen */
export function amountIn(text: string, currency: string): number | null {
  const places = placesOf(currency);
  const typed = text.trim().replace(',', '.');
  const parts = /^(\d{1,7})(?:\.(\d+))?$/.exec(typed);
  if (parts === null || (parts[2]?.length ?? 0) > places) return null;
  return Number(parts[1]) * 10 ** places + Number((parts[2] ?? '').padEnd(places, '0') || 0);
}

/** As it stands in a field: `4`, `4.50`. */
export function amountText(amount: number, currency: string): string {
  const places = placesOf(currency);
  const text = (amount / 10 ** places).toFixed(places);
  return text.replace(/\.0+$/, '');
}

function placesOf(currency: string): number {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

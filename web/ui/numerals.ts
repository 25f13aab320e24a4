/** "12,345". By hand for counts: the first use of `Intl` costs a slow phone a tenth of a second. */
export function numerals(value: number): string {
  if (!Number.isSafeInteger(value)) return value.toLocaleString('en');
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** "12K", for small cards. Made when first needed, for the same reason. */
export function compactNumerals(value: number): string {
  compact ??= new Intl.NumberFormat('en', { notation: 'compact' });
  return compact.format(value);
}

let compact: Intl.NumberFormat | undefined;

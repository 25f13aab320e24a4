const A = 65;
const LETTERS = 26;
/** Codes that name no country: unions, and what stands for "unknown". */
const NO_COUNTRIES = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);

export type NamedCountry = { code: string; name: string };

let all: NamedCountry[] | undefined;

/** By name. Browsers know the names; which codes there are, they say only one by one. */
export function countries(): NamedCountry[] {
  all ??= codes()
    .filter((code) => !NO_COUNTRIES.has(code))
    .flatMap((code) => {
      const name = names().of(code);
      return name === undefined ? [] : [{ code, name }];
    })
    .filter(({ name }, at, them) => them.findIndex((other) => other.name === name) === at)
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return all;
}

export function countryName(code: string): string {
  return names().of(code) ?? code;
}

function names(): Intl.DisplayNames {
  return new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
}

function codes(): string[] {
  const letters = Array.from({ length: LETTERS }, (_, at) => String.fromCharCode(A + at));
  return letters.flatMap((first) => letters.map((second) => first + second));
}

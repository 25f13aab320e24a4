/** What Node and browsers both have, of which neither's types are known here. */
type SearchParams = Iterable<[string, string]> & {
  get(name: string): string | null;
  set(name: string, value: string): void;
  delete(name: string): void;
};

/** A parsed address: a `URL`. */
export type WebAddress = {
  readonly href: string;
  readonly protocol: string;
  /** In punycode. */
  readonly hostname: string;
  readonly username: string;
  readonly password: string;
  readonly port: string;
  pathname: string;
  search: string;
  hash: string;
  readonly searchParams: SearchParams;
};

declare const URL: { new (address: string, base?: string): WebAddress; canParse(address: string): boolean };

/** @returns null where it is none */
export function parseAddress(address: string): WebAddress | null {
  return URL.canParse(address) ? new URL(address) : null;
}

/** Where a blog is, as far as that tells blogs apart: host, port and path, without "www." and a slash at the end. */

/** @returns null for what is no address of a page */
export function placeOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, host, pathname } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  return `${host.replace(/^www\./, '').replace(/\.(?=:|$)/, '')}${pathname.replace(/\/+$/, '')}`;
}

/** The site that has this page: of several the one that names most of its address. */
export function siteOfPage<Site extends { place: string }>(sites: Site[], page: string): Site | undefined {
  return sites
    .filter(({ place }) => place !== '' && (page === place || page.startsWith(`${place}/`)))
    .toSorted((a, b) => b.place.length - a.place.length)[0];
}

export function isOfSite(site: { place: string }, pageUrl: string): boolean {
  return siteOfPage([site], placeOf(pageUrl) ?? '') !== undefined;
}

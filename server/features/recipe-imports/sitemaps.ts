/** Sitemaps and robots.txt as strangers write them: addresses are taken out, whatever else is there. Pure. */
import { Parser } from 'htmlparser2';

export type Sitemap = { pages: string[]; sitemaps: string[] };

const LONGEST_ADDRESS = 2_000;
const DEEPEST = 20;
const CHUNK = 16_384;
/** [R] What Yoast, Rank Math and WordPress itself call those that list no posts. */
const NO_POSTS = /(?:category|tag|author|users?|taxonom\w*|image|video|product\w*|local)[-_.\w]*\.xml/i;
/** [R] Lists, files and feeds of WordPress. */
const NO_POST =
  /\/(?:tag|category|author|page|feed|wp-content|wp-json)\/|\.(?:jpe?g|png|gif|webp|svg|pdf|mp4|css|js)$/i;

/** @param mostPages further ones are not taken */
export function readSitemap(xml: string, mostPages: number): Sitemap {
  const found: Sitemap = { pages: [], sitemaps: [] };
  let parent: 'pages' | 'sitemaps' | null = null;
  let address: string | null = null;
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name) {
        depth += 1;
        if (name === 'url') parent = 'pages';
        else if (name === 'sitemap') parent = 'sitemaps';
        else if (name === 'loc' && parent !== null) address = '';
      },
      ontext(text) {
        if (address !== null && address.length <= LONGEST_ADDRESS) address += text;
      },
      onclosetag(name) {
        depth -= 1;
        if (name === 'loc' && address !== null && parent !== null) {
          const one = address.trim();
          if (one !== '' && one.length <= LONGEST_ADDRESS && found[parent].length < mostPages) found[parent].push(one);
          address = null;
        } else if (name === 'url' || name === 'sitemap') parent = null;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  // Of tags in tags in tags the parser takes longer with each; no sitemap has them.
  for (let at = 0; at < xml.length && depth <= DEEPEST && found.pages.length < mostPages; at += CHUNK) {
    parser.write(xml.slice(at, at + CHUNK));
  }
  return found;
}

export function listsPosts(sitemap: string): boolean {
  return !NO_POSTS.test(new URL(sitemap).pathname);
}

/** Whether it may be a recipe's page, by its address alone. @param site its origin, with or without "www." */
export function mayBePage(address: string, site: string): boolean {
  if (!isOfSite(address, site)) return false;
  const { pathname } = new URL(address);
  return pathname !== '/' && !NO_POST.test(pathname);
}

export function isOfSite(address: string, site: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, host } = new URL(address);
  const bare = (name: string) => name.replace(/^www\./, '');
  return /^https?:$/.test(protocol) && username === '' && bare(host) === bare(new URL(site).host);
}

export type Robots = { sitemaps: string[]; allows(path: string): boolean };

/** By RFC 9309: rules of our name, else those for all; of rules that fit the longest counts. Wildcards inside a rule end it. */
export function readRobots(text: string): Robots {
  const sitemaps: string[] = [];
  const groups: { names: string[]; rules: { path: string; allows: boolean }[] }[] = [];
  for (const line of text.split(/[\r\n]+/, 5_000)) {
    const [, key = '', written = ''] = /^\s*([a-z-]{1,30})\s*:([^#]*)/i.exec(line) ?? [];
    const value = written.trim();
    const field = key.toLowerCase();
    if (field === 'sitemap' && value.length <= LONGEST_ADDRESS) sitemaps.push(value);
    let group = groups.at(-1);
    if (field === 'user-agent') {
      if (group === undefined || group.rules.length > 0) {
        group = { names: [], rules: [] };
        groups.push(group);
      }
      group.names.push(value.toLowerCase());
    } else if ((field === 'allow' || field === 'disallow') && group !== undefined) {
      group.rules.push({ path: value.split(/[*$]/, 1)[0]!, allows: field === 'allow' });
    }
  }
  const ours = groups.filter(({ names }) => names.includes('creatorhq-recipes'));
  const rules = (ours.length > 0 ? ours : groups.filter(({ names }) => names.includes('*')))
    .flatMap((group) => group.rules)
    .filter(({ path }) => path !== '')
    .toSorted((a, b) => b.path.length - a.path.length || Number(b.allows) - Number(a.allows));
  return { sitemaps, allows: (path) => rules.find((rule) => path.startsWith(rule.path))?.allows ?? true };
}

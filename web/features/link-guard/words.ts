/** What was found at an address, in a plain sentence. */
import { LINK_PROBLEMS, type LinkSight } from '#contract/link-guard.ts';
import { relativeTime } from '#web/ui/relative-time.ts';

export type LinkTone = 'quiet' | 'good' | 'warning' | 'error';

export function linkInWords(link: LinkSight, now: number): { tone: LinkTone; says: string } {
  const ago = link.checkedAt === null ? '' : `checked ${relativeTime(Date.parse(link.checkedAt), now)}`;
  const problem = link.problem === null ? '' : LINK_PROBLEMS[link.problem].says;
  switch (link.state) {
    case 'unchecked':
      return { tone: 'quiet', says: 'Not checked yet. We’ll check it in a moment.' };
    case 'failing':
      return { tone: 'warning', says: `${problem} We’ll check again in two minutes to be sure.` };
    case 'broken': {
      const since = link.brokenSince === null ? '' : `Since ${relativeTime(Date.parse(link.brokenSince), now)}: `;
      return { tone: 'error', says: `${since}${problem} Last ${ago}.` };
    }
    case 'fine':
      if (problem !== '') return { tone: 'warning', says: `${problem} Last ${ago}.` };
      return { tone: 'good', says: `Works, ${ago}` };
  }
}

/** The worst of several, for one line in a list; null where nothing is known. */
export function worstOf<Link extends LinkSight>(links: readonly Link[]): Link | null {
  const badness = ({ state, problem }: LinkSight) =>
    state === 'broken' ? 4 : state === 'failing' ? 3 : problem !== null ? 2 : state === 'unchecked' ? 1 : 0;
  return links.toSorted((a, b) => badness(b) - badness(a))[0] ?? null;
}

/** As one reads it: without what every address begins with. */
export function addressInShort(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');
}

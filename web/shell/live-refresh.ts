import type { QueryClient } from '@tanstack/react-query';
import { listAutomations } from '#contract/automations.ts';
import { listConnections } from '#contract/connections.ts';
import { listContacts } from '#contract/contacts.ts';
import { getHome } from '#contract/figures.ts';
import { type LiveEvent, listInteractions } from '#contract/interactions.ts';
import { listPosts } from '#contract/posts.ts';
import { listCaptionWarnings, listPreparedPosts, listWakingPosts } from '#contract/prepared-posts.ts';
import { getDeletion } from '#contract/settings.ts';

type What = Exclude<LiveEvent['what'], 'hello'>;

const HOME = getHome.path;
const POSTS = listPosts.path;
const INTERACTIONS = listInteractions.path;
const CONTACTS = listContacts.path;
const AUTOMATIONS = listAutomations.path;
const PREPARED = [listPreparedPosts.path, listCaptionWarnings.path, listWakingPosts.path];

/** Spelled out: their contracts would come with the first script of every screen. A test holds them to the contract. */
export const LIBRARIES = [
  '/creators/:creatorId/keywords',
  '/creators/:creatorId/replies',
  '/creators/:creatorId/recipes',
];

/** The same for what was found at links. */
export const LINK_CHECKS = '/creators/:creatorId/link-checks';

/** The same for what runs for a day. */
export const STORIES = [
  '/creators/:creatorId/stories',
  '/creators/:creatorId/lives',
  '/creators/:creatorId/story-links',
  '/creators/:creatorId/story-mentions',
];

/** Whose answers a change puts out of date: each address with everything below it. */
const AFFECTED: Record<What, string[]> = {
  interactions: [INTERACTIONS, CONTACTS, POSTS, AUTOMATIONS, HOME, ...STORIES],
  deliveries: [INTERACTIONS, CONTACTS, POSTS, AUTOMATIONS, HOME, ...STORIES],
  posts: [POSTS, HOME, ...PREPARED],
  stories: STORIES,
  connections: [listConnections.path, CONTACTS, HOME],
  automations: [AUTOMATIONS, POSTS, HOME, ...PREPARED, ...LIBRARIES, ...STORIES, LINK_CHECKS],
  links: [LINK_CHECKS],
  /** Its plan, or whether it is to be deleted. */
  account: [getDeletion.path, HOME],
};

/**
 * Does a live event put this query out of date? A single post is spared when the event names others. `hello` says that
 * events may have been missed: it touches all that a creator's events can touch.
 */
export function isAffected(event: LiveEvent, key: readonly unknown[]): boolean {
  if (event.what === 'hello') return isOfSomeCreator(key);
  const [path, params] = key as [string, { postId?: string } | undefined];
  const hit = AFFECTED[event.what].some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  if (!hit) return false;
  const postId = params?.postId;
  return !(postId && event.postIds && !event.postIds.includes(postId));
}

function isOfSomeCreator(key: readonly unknown[]): boolean {
  return (key[1] as { creatorId?: string } | undefined)?.creatorId !== undefined;
}

/** Events after which the session's creator is not as it was; the number of waiting messages alone may wait a little. */
export function isNewsOfCreator({ what }: LiveEvent): 'now' | 'soon' | null {
  if (what === 'hello' || what === 'connections' || what === 'account') return 'now';
  return what === 'interactions' || what === 'deliveries' ? 'soon' : null;
}

/** Asks again for what the events put out of date; resolves when the answers are there. */
export async function refetchAffected(client: QueryClient, events: LiveEvent[]): Promise<void> {
  const affected = client
    .getQueryCache()
    .findAll({ predicate: ({ queryKey }) => events.some((event) => isAffected(event, queryKey)) });
  // A first fetch under way is not begun anew, and the server may have answered it before the change.
  const mayBeTooOld = affected.filter(({ state }) => state.fetchStatus !== 'idle' && state.data === undefined);
  await client.invalidateQueries({ predicate: (query) => affected.includes(query) });
  if (mayBeTooOld.length > 0) await client.invalidateQueries({ predicate: (query) => mayBeTooOld.includes(query) });
}

/** At least so long between two rounds. */
const REST_MS = 1000;
/** A slow phone rests twice as long as a round took it, and so has time left for her finger. */
const REST_SHARE = 2;

/**
 * Calls `refetch` for events as they come, but never twice at once: what comes meanwhile is gathered and done in one go
 * after a rest. In a viral hour on a slow phone the screen stays at most one fetch behind, no fetch is broken off by the
 * next event for ever, and the phone is not kept busy with nothing else. What comes after a quiet time is fetched at once.
 */
export function gatherEvents(
  refetch: (events: LiveEvent[]) => Promise<unknown>,
  rest: (tookMs: number) => Promise<unknown> = restFor,
): (event: LiveEvent) => void {
  let waiting: LiveEvent[] = [];
  let running = false;
  const run = async () => {
    running = true;
    while (waiting.length > 0) {
      const events = waiting;
      waiting = [];
      const startedAt = performance.now();
      await refetch(events);
      await rest(performance.now() - startedAt);
    }
    running = false;
  };
  return (event) => {
    waiting.push(event);
    if (!running) void run();
  };
}

function restFor(tookMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(REST_MS, REST_SHARE * tookMs)));
}

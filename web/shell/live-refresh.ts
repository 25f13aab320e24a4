import type { QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from '#contract/interactions.ts';
import { askAgain, isRefreshedBy } from '#web/shell/queries.ts';

/**
 * Does a live event put this query out of date? The contract says which do (`refreshedBy`). A single post is spared when the event names others. `hello` says that
 * events may have been missed: it touches all that a creator's events can touch.
 */
export function isAffected(event: LiveEvent, key: readonly unknown[]): boolean {
  if (event.what === 'hello') return isOfSomeCreator(key);
  if (!isRefreshedBy(key, event.what)) return false;
  const postId = (key[1] as { postId?: string } | undefined)?.postId;
  return !(postId && event.postIds && !event.postIds.includes(postId));
}

function isOfSomeCreator(key: readonly unknown[]): boolean {
  return (key[1] as { creatorId?: string } | undefined)?.creatorId !== undefined;
}

/** Events after which the session's creator is not as it was; the number of waiting messages alone may wait a little. */
export function isNewsOfCreator({ what }: LiveEvent): 'now' | 'soon' | null {
  if (what === 'hello' || what === 'connections' || what === 'account') return 'now';
  return what === 'interactions' ? 'soon' : null;
}

/** Asks again for what the events put out of date; resolves when the answers are there. */
export function refetchAffected(client: QueryClient, events: LiveEvent[]): Promise<void> {
  return askAgain(client, { predicate: ({ queryKey }) => events.some((event) => isAffected(event, queryKey)) });
}

/** At least so long between two rounds. */
const REST_MS = 1000;
/** A slow phone rests twice as long as a round took it, and so has time left for a finger. */
const REST_SHARE = 2;

/**
 * Calls `refetch` for events as they come, but never twice at once: what comes meanwhile is gathered and done in one go
 * after a rest. In a viral hour on a slow phone the screen stays at most one fetch behind, no fetch is broken off by the
 * next event for ever, and the phone is not kept busy with nothing else. Changes after a quiet time are fetched at once.
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

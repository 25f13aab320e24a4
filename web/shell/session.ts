/** Who is signed in. Asked once and kept; every other part of the app reads it from here. */
import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { getCreator } from '#contract/creators.ts';
import { getEnv, getMe, type Me } from '#contract/session.ts';
import { ApiError } from '#web/shell/api-error.ts';
import { callApi } from '#web/shell/client.ts';
import { endpointQuery, queryKey } from '#web/shell/queries.ts';

/** Null: nobody is signed in. */
export type Session = Me | null;

/** Cached once: no retry, no refetch on focus, reconnect, mount, navigation or interval, not even after a failure. */
const ASKED_ONCE = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
  retryOnMount: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  refetchOnMount: false,
} as const;

/**
 * Asked once for each time the page is loaded. News of the creator comes by `readCreator`; after a change by the person
 * themselves the screen that made it asks again. A tab keeps the creator it began with: what the server says about another
 * one is only noted, see `keepToThisCreator`.
 */
export const sessionQuery = {
  ...ASKED_ONCE,
  queryKey: queryKey(getMe),
  queryFn: async ({ client, signal }: { client: QueryClient; signal: AbortSignal }): Promise<Session> =>
    keepToThisCreator(client, await askWhoIsSignedIn(signal)),
};

async function askWhoIsSignedIn(signal?: AbortSignal): Promise<Session> {
  try {
    return await callApi(getMe, {}, signal ? { signal } : {});
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

const MOVED_KEY = ['moved elsewhere'];

/**
 * The session is one for all tabs, but a tab shows one creator from its first moment to its last. When another tab
 * switched, this one keeps what it shows and notes where the session went; the frame then blocks it.
 */
function keepToThisCreator(client: QueryClient, answer: Session): Session {
  const shown = client.getQueryData<Session>(sessionQuery.queryKey);
  if (!shown || !answer) return answer;
  const samePerson = shown.account._id === answer.account._id;
  const sameCreator = !shown.creatorAccount || shown.creatorAccount._id === answer.creatorAccount?._id;
  if (samePerson && sameCreator) {
    // Switched back meanwhile: then all is well here again.
    client.removeQueries({ queryKey: MOVED_KEY });
    return answer;
  }
  client.setQueryData<Me>(MOVED_KEY, answer);
  return shown;
}

/** The server's answer about the session that another tab moved; undefined while this tab shows what the session is at. */
export function movedTo(client: QueryClient): Me | undefined {
  return client.getQueryData<Me>(MOVED_KEY);
}

export function useMovedTo(): Me | undefined {
  return useQuery<Me>({ queryKey: MOVED_KEY, queryFn: skipToken, gcTime: Number.POSITIVE_INFINITY }).data;
}

/**
 * Asks who the session is now, beside the cache's own rules: only when something happened that moves a session. Without an
 * answer everything stays as it is.
 */
export async function checkSession(client: QueryClient): Promise<void> {
  const shown = client.getQueryData<Session>(sessionQuery.queryKey);
  if (!shown) return;
  let answer: Session;
  try {
    answer = await askWhoIsSignedIn();
  } catch {
    return;
  }
  if (answer === null) forgetSession(client);
  else client.setQueryData<Session>(sessionQuery.queryKey, keepToThisCreator(client, answer));
}

/** Changes the session by what is true of its creator now. Without an answer everything stays as it is. */
export async function readCreator(client: QueryClient, creatorId: string): Promise<void> {
  try {
    const query = endpointQuery(getCreator, { params: { creatorId } }, { retry: false });
    const { subscription, billing, tokenDetails, queue, toolsToReconnect, mailServerFails, ...creatorAccount } =
      await client.fetchQuery({
        ...query,
        staleTime: 0,
      });
    client.setQueryData<Session>(sessionQuery.queryKey, (shown) =>
      shown?.creatorAccount?._id === creatorId
        ? { ...shown, creatorAccount, subscription, billing, tokenDetails, queue, toolsToReconnect, mailServerFails }
        : shown,
    );
  } catch (error) {
    // No longer theirs to see.
    if (error instanceof ApiError && error.status === 404) await checkSession(client);
  }
}

export function useSession() {
  return useQuery<Session, ApiError>(sessionQuery);
}

/** After signing in, or when the account itself changed. */
export async function reloadSession(client: QueryClient): Promise<Session> {
  return client.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

export const envQuery = endpointQuery(getEnv, {}, ASKED_ONCE);

/** Runtime settings; asked for at the start, so `isPending` is short. */
export function useEnv() {
  return useQuery(envQuery);
}

/**
 * Whom the frame let in. Screens read it from the frame around them, not from the cache: a screen that is drawn in slices
 * may begin in the moment in which the session ends, before the frame has heard of it and taken the screen away.
 */
export const LetInContext = createContext<Session>(null);

/** The signed-in person with their creator. Only under the main layout, which shows nothing before both are known. */
export function useCreator() {
  const session = useContext(LetInContext);
  const creator = session?.creatorAccount;
  if (!session || !creator) throw new Error('useCreator is for screens of the main group');
  return { ...session, creatorAccount: creator, creatorId: creator._id };
}

let leftOnPurpose = false;
let ended = false;

/** They logged out themselves: the next person at this browser must not land where they were. */
export function wasLeftOnPurpose(): boolean {
  return leftOnPurpose;
}

/** Somebody was signed in in this tab and no longer is, without having logged out here. */
export function hasEnded(): boolean {
  return ended;
}

/** Nobody is signed in any more: everything known of the session goes, the runtime settings stay. */
export function forgetSession(client: QueryClient, options: { onPurpose?: boolean } = {}): void {
  leftOnPurpose = options.onPurpose ?? false;
  ended = !leftOnPurpose && Boolean(client.getQueryData<Session>(sessionQuery.queryKey));
  const [envPath] = envQuery.queryKey;
  const [sessionPath] = sessionQuery.queryKey;
  client.setQueryData<Session>(sessionQuery.queryKey, null);
  client.removeQueries({ predicate: ({ queryKey: [path] }) => path !== envPath && path !== sessionPath });
}

/** Who is signed in. Asked once and kept; every other part of the app reads it from here. */
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { getEnv, getMe, type Me } from '#contract/session.ts';
import { ApiError } from '#web/shell/api-error.ts';
import { callApi } from '#web/shell/client.ts';
import { endpointQuery, queryKey } from '#web/shell/queries.ts';

/** Null: nobody is signed in. */
export type Session = Me | null;

/** Cached once: no retry, no refetch on focus, reconnect, mount or interval. */
export const sessionQuery = {
  queryKey: queryKey(getMe),
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Session> => {
    try {
      return await callApi(getMe, {}, { signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  refetchOnMount: false,
  refetchInterval: false as const,
};

export function useSession() {
  return useQuery<Session, ApiError>(sessionQuery);
}

/** After signing in, or when the account itself changed. */
export async function reloadSession(client: QueryClient): Promise<Session> {
  return client.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

export const envQuery = endpointQuery(
  getEnv,
  {},
  {
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  },
);

/** Runtime settings; asked for at the start, so `isPending` is short. */
export function useEnv() {
  return useQuery(envQuery);
}

/** The signed-in person with her creator. Only under the main layout, which shows nothing before both are known. */
export function useCreator() {
  const session = useSession().data;
  const creator = session?.creatorAccount;
  if (!session || !creator) throw new Error('useCreator is for screens of the main group');
  return { ...session, creatorAccount: creator, creatorId: creator._id };
}

let leftOnPurpose = false;

/** She logged out herself: the next person at this browser must not land where she was. */
export function wasLeftOnPurpose(): boolean {
  return leftOnPurpose;
}

/** Nobody is signed in any more: everything known of the session goes, the runtime settings stay. */
export function forgetSession(client: QueryClient, options: { onPurpose?: boolean } = {}): void {
  leftOnPurpose = options.onPurpose ?? false;
  const [envPath] = envQuery.queryKey;
  const [sessionPath] = sessionQuery.queryKey;
  client.setQueryData<Session>(sessionQuery.queryKey, null);
  client.removeQueries({ predicate: ({ queryKey: [path] }) => path !== envPath && path !== sessionPath });
}

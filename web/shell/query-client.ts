import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, mayPass } from '#web/shell/api-error.ts';
import { forgetSession } from '#web/shell/session.ts';
import { SPEC_NUMBERS } from '#web/ui/spec-numbers.ts';

const { retries, longestPauseMs, cachedMs } = SPEC_NUMBERS.query;
const ASKED_ONCE_WITHIN_MS = 2000;

export function makeQueryClient(): QueryClient {
  /** Any call that finds nobody signed in ends the session here too; the guards then lead to the login page. */
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.code === 'not_signed_in') forgetSession(client);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        gcTime: cachedMs,
        // Queries of several parts of a screen are asked once, also when they do not appear at the same moment.
        staleTime: ASKED_ONCE_WITHIN_MS,
        // Where one more try may help.
        retry: (failures, error) => failures < retries && error instanceof ApiError && mayPass(error),
        retryDelay,
      },
      // Without it a save waits in silence until the browser thinks it is online again; so it says at once what is wrong.
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}

/** 1 s, 2 s, 4 s … at most 30 s. */
export function retryDelay(attempt: number): number {
  return Math.min(1000 * 2 ** attempt, longestPauseMs);
}

/**
 * Server data in the browser. The key of a query is the endpoint's path, then what it was asked for:
 * `['/creators/:creatorId/posts', { creatorId }, { search: 'lemon' }]`. So everything of one endpoint, or of one
 * creator, can be found again when it changes.
 */
import {
  type QueryClient,
  type QueryFilters,
  type UseQueryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useId } from 'react';
import type { Endpoint, LiveEventName, RequestOf, ResponseOf } from '#contract/endpoint.ts';
import { ApiError, DEFAULT_ERROR } from '#web/shell/api-error.ts';
import { callApi } from '#web/shell/client.ts';
import { showToast } from '#web/ui/toast.ts';

type Parts = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };

/** Live events that put answers of a path out of date, of every endpoint that was asked here. */
const refreshedBy = new Map<string, readonly LiveEventName[]>();

export function isRefreshedBy(key: readonly unknown[], what: LiveEventName): boolean {
  return refreshedBy.get(key[0] as string)?.includes(what) ?? false;
}

export function queryKey<E extends Endpoint>(endpoint: E, request?: RequestOf<E>): unknown[] {
  if (endpoint.refreshedBy) refreshedBy.set(endpoint.path, endpoint.refreshedBy);
  const { params, query, body } = (request ?? {}) as Parts;
  const key: unknown[] = [endpoint.path];
  if (params || query) key.push(params ?? {});
  if (query) key.push(query);
  // Of what is asked by a POST.
  if (body) key.push(body);
  return key;
}

type Options<E extends Endpoint> = Omit<UseQueryOptions<ResponseOf<E>, ApiError>, 'queryKey' | 'queryFn' | 'select'>;

/** A query as an object, for hooks and for `queryClient.prefetchQuery`. */
export function endpointQuery<E extends Endpoint>(endpoint: E, request: RequestOf<E>, options?: Options<E>) {
  return {
    queryKey: queryKey(endpoint, request),
    queryFn: ({ signal }: { signal: AbortSignal }) => callApi(endpoint, request, { signal }),
    ...options,
  };
}

/** Reads an endpoint. `placeholderData: keepPreviousData` keeps the old list while a filter changes. */
export function useEndpoint<E extends Endpoint>(endpoint: E, request: RequestOf<E>, options?: Options<E>) {
  return useQuery<ResponseOf<E>, ApiError>(endpointQuery(endpoint, request, options));
}

type PagedEndpoint = Endpoint & { query: NonNullable<Endpoint['query']> };

/** The key of a list that is read to its end. */
export function wholeListKey<E extends PagedEndpoint>(endpoint: E, request: RequestOf<E>): unknown[] {
  return [...queryKey(endpoint, request), 'whole'];
}

/**
 * Reads a list to its end, for choosing from it and searching in it: only where a quota says how long it gets. Lists
 * scrolled through is read with `useEndpointPages`.
 */
export function useWholeList<E extends PagedEndpoint>(endpoint: E, request: RequestOf<E>) {
  return useQuery<ResponseOf<E>, ApiError>({
    queryKey: wholeListKey(endpoint, request),
    queryFn: ({ signal }) => readWholeList(endpoint, request, signal),
  });
}

/** The last page's answer with the items of all. */
export async function readWholeList<E extends PagedEndpoint>(
  endpoint: E,
  request: RequestOf<E>,
  signal?: AbortSignal,
): Promise<ResponseOf<E>> {
  const items: unknown[] = [];
  let after: string | null = null;
  for (;;) {
    const query: object = { ...(request as Parts).query, ...(after !== null && { after }) };
    const page = await callApi(endpoint, { ...(request as object), query } as RequestOf<E>, signal && { signal });
    const { items: more, next } = page as { items: unknown[]; next: string | null };
    items.push(...more);
    if (next === null) return { ...(page as object), items } as ResponseOf<E>;
    after = next;
  }
}

type MutationOptions<E extends Endpoint> = {
  /** Shown when it worked; default title 'Success' with the answer's own message. `false`: no toast. */
  successToast?: boolean | { title?: string; detail?: string };
  /** Shown when it failed; default the answer's own title and detail. `false`: no toast. */
  errorToast?: boolean | { title?: string; detail?: string };
  /** Endpoints whose answers are out of date afterwards. */
  refreshes?: readonly Endpoint[];
  /**
   * The same, where it failed too, and where it worked it is pending until they are read again: what was chosen would go back on the
   * screen for that long. A second choice meanwhile counts as well: one choice after the other, and what they changed is read
   * after the last.
   */
  pendingUntilRead?: readonly Endpoint[];
  onSuccess?: (response: ResponseOf<E>, request: RequestOf<E>) => unknown;
  onError?: (error: ApiError, request: RequestOf<E>) => unknown;
};

/** Changes something: `mutate(request)`. What `onSuccess` returns is waited for. */
export function useEndpointMutation<E extends Endpoint>(endpoint: E, options: MutationOptions<E> = {}) {
  const client = useQueryClient();
  const { successToast = true, errorToast = true, refreshes = [], pendingUntilRead = [] } = options;
  const id = useId();
  const readAgain = async () => {
    const isLast = client.isMutating({ mutationKey: [id] }) === 1;
    if (isLast) await Promise.all(pendingUntilRead.map((changed) => refresh(client, changed)));
  };
  return useMutation<ResponseOf<E>, ApiError, RequestOf<E>>({
    mutationKey: [id],
    scope: pendingUntilRead.length > 0 ? { id } : undefined,
    mutationFn: (request) => callApi(endpoint, request),
    onSuccess: async (response, request) => {
      for (const changed of refreshes) void refresh(client, changed);
      await options.onSuccess?.(response, request);
      await readAgain();
      if (successToast) showToast(successWords(response, successToast));
    },
    onError: (error, request) => {
      options.onError?.(error, request);
      // The login page says it all.
      if (errorToast && error.code !== 'not_signed_in') showToast(errorWords(error, errorToast));
      void readAgain();
    },
  });
}

/**
 * For what counts at once, without a button that saves: shows what is chosen before the server has it, and goes back to what counts
 * there where that was refused.
 *
 * @returns called with what `read` would answer once it is changed
 */
export function useChangeAtOnce<Read extends Endpoint, Change extends Endpoint>(
  read: Read,
  request: RequestOf<Read>,
  change: Change,
  changeTo: (chosen: ResponseOf<Read>) => RequestOf<Change>,
): (chosen: ResponseOf<Read>) => Promise<void> {
  const client = useQueryClient();
  const changing = useEndpointMutation(change, { successToast: false, pendingUntilRead: [read] });
  return async (chosen) => {
    await setAnswer(client, read, request, chosen);
    changing.mutate(changeTo(chosen));
  };
}

/** Fetches again what is shown of an endpoint, and marks the rest as out of date. */
export function refresh<E extends Endpoint>(client: QueryClient, endpoint: E, request?: RequestOf<E>): Promise<void> {
  return askAgain(client, { queryKey: queryKey(endpoint, request) });
}

/** Fetches again what is shown of these, and marks the rest as out of date; resolves when the answers are there. */
export async function askAgain(client: QueryClient, which: QueryFilters): Promise<void> {
  const affected = client.getQueryCache().findAll(which);
  // A first fetch under way is not restarted, and the server may have answered it before the change.
  const mayBeTooOld = affected.filter(({ state }) => state.status === 'pending');
  for (const some of [affected, mayBeTooOld]) {
    await client.invalidateQueries({ predicate: (query) => some.includes(query) });
  }
}

/**
 * The answer of a change is what an endpoint would answer now. A request on its way may have been answered before the change, so it
 * is given up.
 */
export async function setAnswer<E extends Endpoint>(
  client: QueryClient,
  endpoint: E,
  request: RequestOf<E>,
  answer: ResponseOf<E>,
): Promise<void> {
  const key = queryKey(endpoint, request);
  await client.cancelQueries({ queryKey: key, exact: true });
  client.setQueryData(key, answer);
}

type Words = boolean | { title?: string; detail?: string };

function successWords(response: unknown, words: Words) {
  const said = (response as { message?: unknown } | undefined)?.message;
  const own = typeof words === 'object' ? words : {};
  // Nothing twice; and a title of its own stands alone: the spec's default sentence goes with the default title only.
  const message = typeof said === 'string' && said !== own.title ? said : undefined;
  return {
    tone: 'success' as const,
    title: own.title ?? 'Success',
    detail: own.detail ?? message ?? (own.title ? undefined : 'Operation successful'),
  };
}

function errorWords(error: Error, words: Words) {
  const said = error instanceof ApiError ? error : DEFAULT_ERROR;
  const own = typeof words === 'object' ? words : {};
  return { tone: 'error' as const, title: own.title ?? said.title, detail: own.detail ?? said.detail };
}

import { keepPreviousData, replaceEqualDeep, useInfiniteQuery } from '@tanstack/react-query';
import type { Endpoint, RequestOf, ResponseOf } from '#contract/endpoint.ts';
import { callApi } from '#web/shell/client.ts';
import { queryKey } from '#web/shell/queries.ts';

type Page = { items: { id: string }[]; next: string | null };
type PagedEndpoint = Endpoint & { query: NonNullable<Endpoint['query']> };

/**
 * Reads a list page by page: `data.pages[].items`, `fetchNextPage`, `hasNextPage`. `keepPrevious` keeps the old list on
 * screen while a filter changes (`isPlaceholderData`). `unseen` only asks, and keeps up to date what a part of the screen
 * that is not there yet will read.
 */
export function useEndpointPages<E extends PagedEndpoint>(
  endpoint: E,
  request: RequestOf<E>,
  options: { enabled?: boolean; keepPrevious?: boolean; unseen?: boolean } = {},
) {
  return useInfiniteQuery({
    queryKey: [...queryKey(endpoint, request), 'pages'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }): Promise<ResponseOf<E>> => {
      const query = { ...(request as { query?: object }).query, ...(pageParam !== null && { after: pageParam }) };
      return callApi(endpoint, { ...(request as { query?: object }), query } as RequestOf<E>, { signal });
    },
    getNextPageParam: (last: ResponseOf<E>) => (last as Page).next,
    structuralSharing: (before, now) => keepRows(before as Pages | undefined, now as Pages),
    ...(options.enabled !== undefined && { enabled: options.enabled }),
    ...(options.keepPrevious && { placeholderData: keepPreviousData }),
    ...(options.unseen && { notifyOnChangeProps: [] }),
  });
}

type Pages = { pages: Page[]; pageParams: unknown[] };

/**
 * Unchanged rows are the same objects as before, wherever it stands now: a new row at the top pushes all others down,
 * and they need not be drawn again.
 */
export function keepRows(before: Pages | undefined, now: Pages): Pages {
  if (before === undefined) return now;
  const known = new Map(before.pages.flatMap(({ items }) => items).map((item) => [item.id, item]));
  const pages = now.pages.map((page, place) => {
    const items = page.items.map((item) => replaceEqualDeep(known.get(item.id), item));
    const old = before.pages[place];
    const isSame = old !== undefined && areSame(old.items, items) && replaceEqualDeep(old, { ...page, items }) === old;
    return isSame ? old : { ...page, items };
  });
  const pageParams = replaceEqualDeep(before.pageParams, now.pageParams);
  return areSame(before.pages, pages) && pageParams === before.pageParams ? before : { pages, pageParams };
}

function areSame(before: unknown[], now: unknown[]): boolean {
  return before.length === now.length && now.every((one, place) => one === before[place]);
}

import type { GraphCall } from './call.ts';
import { GraphError } from './errors.ts';

/**
 * One page of a list with Graph's cursors. Cursors carry the id of the first and last item, so that items that are added meanwhile neither
 * repeat nor hide others.
 * @param self absolute address of the list without query, for `paging.next`
 */
export function page<Item>(
  call: Pick<GraphCall, 'query' | 'parameter' | 'tokenValue'>,
  items: readonly Item[],
  idOf: (item: Item) => string,
  render: (item: Item) => unknown,
  options: { self: string; defaultLimit: number; maxLimit: number },
): { data: unknown[]; paging?: { cursors: { before: string; after: string }; next?: string; previous?: string } } {
  const asked = call.parameter('limit');
  const wanted = asked === undefined ? options.defaultLimit : Number(asked);
  if (!Number.isInteger(wanted) || wanted < 1)
    throw new GraphError(100, undefined, { message: '(#100) Param limit must be a positive integer' });
  // [R] too great a limit is capped, not refused.
  const limit = Math.min(wanted, options.maxLimit);
  const after = call.parameter('after');
  const before = call.parameter('before');
  let from = 0;
  if (after !== undefined) from = indexOfCursor(items, idOf, after) + 1;
  else if (before !== undefined) from = Math.max(0, indexOfCursor(items, idOf, before) - limit);
  const shown = items.slice(from, from + limit);
  if (shown.length === 0) return { data: [] };
  const next = from + limit < items.length;
  const cursors = { before: cursor(idOf(shown[0]!)), after: cursor(idOf(shown.at(-1)!)) };
  return {
    data: shown.map(render),
    paging: {
      cursors,
      ...(next ? { next: address(call, options.self, limit, 'after', cursors.after) } : {}),
      ...(from > 0 ? { previous: address(call, options.self, limit, 'before', cursors.before) } : {}),
    },
  };
}

/** The whole address of another page, with the token in it however it was given: it works by itself, and must not be logged. */
function address(
  call: Pick<GraphCall, 'query' | 'tokenValue'>,
  self: string,
  limit: number,
  side: 'after' | 'before',
  value: string,
): string {
  const search = new URLSearchParams(call.query);
  search.delete('after');
  search.delete('before');
  search.set('access_token', call.tokenValue() ?? '');
  search.set('limit', String(limit));
  search.set(side, value);
  return `${self}?${search}`;
}

function cursor(id: string): string {
  return Buffer.from(`QVFIU${id}`).toString('base64url');
}

function indexOfCursor<Item>(items: readonly Item[], idOf: (item: Item) => string, value: string): number {
  const index = items.findIndex((item) => cursor(idOf(item)) === value);
  if (index === -1) throw new GraphError(100, undefined, { message: '(#100) Invalid cursors values' });
  return index;
}

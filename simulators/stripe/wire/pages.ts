import type { Params } from './params.ts';
import { noSuch, wrongParam } from './refusal.ts';

const USUAL = 10;
const MOST = 100;

/** A page of a list, the newest first, as cursors and `created` ask for it. */
export function page<Row extends { id: string; created: number }>(newestFirst: Row[], params: Params, url: string) {
  const limit = params.whole('limit') ?? USUAL;
  if (limit < 1 || limit > MOST) throw wrongParam('limit', `Invalid limit: it is from 1 to ${MOST}.`);
  const rows = newestFirst.filter(createdWithin(params));
  const [after, before] = [params.text('starting_after'), params.text('ending_before')];
  const at = (id: string) => {
    const found = rows.findIndex((row) => row.id === id);
    if (found === -1) throw noSuch('object', id, after === id ? 'starting_after' : 'ending_before');
    return found;
  };
  if (before != null) {
    const end = at(before);
    const start = Math.max(0, end - limit);
    return { object: 'list', data: rows.slice(start, end), has_more: start > 0, url };
  }
  const start = after == null ? 0 : at(after) + 1;
  return { object: 'list', data: rows.slice(start, start + limit), has_more: start + limit < rows.length, url };
}

function createdWithin(params: Params): (row: { created: number }) => boolean {
  // Either a time, or bounds.
  const bounds = params.isPart('created') ? params.part('created') : undefined;
  const exact = bounds === undefined ? params.whole('created') : null;
  const [gt, gte, lt, lte] = (['gt', 'gte', 'lt', 'lte'] as const).map((name) => bounds?.whole(name));
  return ({ created }) =>
    (exact == null || created === exact) &&
    (gt == null || created > gt) &&
    (gte == null || created >= gte) &&
    (lt == null || created < lt) &&
    (lte == null || created <= lte);
}

/** Where a page of a list ends: the time (or name) and id of its last row, in a form that callers do not take apart. */
import { AppError } from '#server/errors.ts';

/**
 * `at` is PostgreSQL's own text of the time: a Date would lose the microseconds, and rows with them. In lists that are
 * ordered by a name it is the name.
 */
export type PagePosition = { at: string; id: string };

export function writePosition(position: PagePosition): string {
  return Buffer.from(JSON.stringify([position.at, position.id])).toString('base64url');
}

/**
 * @param ids what the rows of this list are named by
 * @param orderedBy what `at` is
 * @throws AppError invalid_input for anything but what `writePosition` gave for such a list
 */
export function readPosition(
  after: string | undefined,
  ids: 'uuid' | 'text',
  orderedBy: OrderedBy = 'time',
): PagePosition | null {
  if (after === undefined) return null;
  try {
    const [at, id] = JSON.parse(Buffer.from(after, 'base64url').toString()) as unknown[];
    if (typeof at === 'string' && typeof id === 'string' && isPlace(at, orderedBy) && ID[ids].test(id))
      return { at, id };
  } catch {
    // Not ours; said below.
  }
  throw new AppError('invalid_input', 'This list can’t continue from there. Start again from the top.', {
    fields: [{ path: 'after', message: 'Use “next” from the previous page, unchanged.' }],
  });
}

const ID = { uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, text: /^[\w:-]{1,64}$/ };

/** A list: one of these. */
type OrderedBy = 'time' | 'name' | 'number' | readonly string[];

function isPlace(at: string, orderedBy: OrderedBy): boolean {
  if (orderedBy === 'number') return /^\d{1,18}$/.test(at);
  if (orderedBy === 'time') return isTime(at);
  // PostgreSQL holds neither of what is refused.
  return orderedBy === 'name' ? !at.includes('\0') && at.isWellFormed() : orderedBy.includes(at);
}

function isTime(text: string): boolean {
  return /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d){0,2}$/.test(text);
}

/** Cuts the row too many that tells whether there is more. */
export function pageFrom<Row extends { id: string; position: string }>(rows: Row[], limit: number) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const next = rows.length > limit && last !== undefined ? writePosition({ at: last.position, id: last.id }) : null;
  return { items, next };
}

/** Which rows of a list came while it was on screen, so that they may light up. */
export type SeenRows = {
  known: ReadonlySet<string>;
  fresh: ReadonlySet<string>;
  /** When the newest known row came; empty while there is none. */
  newest: string;
};

type Row = { id: string; receivedAt: string };

/** The first rows seen are not new; neither are older ones that scrolling brings. Unchanged when nothing was added. */
export function seeRows(before: SeenRows | null, rows: readonly Row[]): SeenRows {
  const known = before?.known ?? new Set();
  const added = rows.filter((row) => !known.has(row.id));
  if (before !== null && added.length === 0) return before;
  const fresh = before === null ? [] : added.filter((row) => row.receivedAt >= before.newest);
  return {
    known: new Set([...known, ...added.map((row) => row.id)]),
    fresh: new Set([...(before?.fresh ?? []), ...fresh.map((row) => row.id)]),
    newest: [before?.newest ?? '', ...added.map((row) => row.receivedAt)].sort().at(-1)!,
  };
}

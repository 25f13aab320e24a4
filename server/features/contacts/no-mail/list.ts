/**
 * The list of addresses that get no more mail, kept apart from the database: a backup that is restored does not know who left
 * after it was made. The database is the owner; a line says how an address stood when it was written, the last one counts.
 *
 *     an act, with a job in its transaction → `listing.ts` writes a line, and into the database how far the list is
 *     a start: the list is further than the database knows → the database was restored → `taking-up.ts` reads the rest
 */
import type { SuppressionReason } from '#contract/suppressions.ts';

export type NoMailLine = {
  creatorId: string;
  /** As in `suppressions`. */
  hash: string;
  /** Null: they came back. */
  reason: SuppressionReason | null;
  /** No contact has the address: they were erased, or never there. */
  gone: boolean;
  at: string;
};

export type NoMailList = {
  /** Another list has another one. */
  id: string;
  /** Where its last line is; 0: it has none. */
  position(): Promise<number>;
  /**
   * One caller at a time, over all processes.
   *
   * @param after how far the database knows it
   * @returns the position of the last of them
   */
  append(lines: NoMailLine[], after: number): Promise<number>;
  /** The lines that came later, in order; of an address perhaps only its last. */
  linesAfter(position: number): AsyncIterable<NoMailLine>;
};

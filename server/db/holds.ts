/**
 * Which data a table holds of whom, said once by the feature that owns it (or the engine, in server/engine/holds.ts). Erasing a
 * follower, the copy they may ask for, an account that leaves, deleting a creator, keeping time and the creator's export all go
 * by it, and so do their tests: server/features/holds.test.ts puts a row into every table and looks what becomes of it.
 */
import { type RawBuilder, type Sql, sql } from 'kysely';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';

type Fragment = RawBuilder<unknown>;

/** Hashes of keys, tokens and invites that are over: as long as anybody may ask which one it was. */
export const DEAD_SECRETS_DAYS = 90;

/**
 * One person: a follower in one account, under every id that the platform has for them there, and the contacts of their
 * addresses. Whoever has no account has no ids; of several accounts, one after the other.
 */
export type Somebody = { creatorId: string; connectionId: string; ids: string[]; contactIds: string[] };
/** In the place of an account's id for whom no account knows. */
export const NO_CONNECTION = '00000000-0000-0000-0000-000000000000';
export type Account = { creatorId: string; connectionId: string };

export type Holding = {
  /** Its name in the file with everything of a creator, and columns that stay here; or why it is not in the file. */
  exported: { as: string; without?: string[] } | { leftOut: string };
  /** Rows the engine's role erases after the rest: tables that requests do not reach. */
  erasedByEngine?: (who: Somebody) => Fragment;
  /** A fetch that was under way while the account's rows went may store some after it. */
  comesLate?: true;
  /** May have millions of rows, so that a creator's go in steps. True of every table that names followers. */
  large?: true;
  /** Further work when a creator is deleted; rows with `creator_id` go by themselves. */
  deleted?: (creatorId: string) => Fragment;
  /** Rights of requests there; everything when absent. */
  requests?: 'nothing' | 'select' | 'select update' | 'insert select' | 'insert select update';
} & (({ person?: undefined } & Partial<Going>) | ({ person: PersonHolding } & Going));

type Going = {
  /** Rows go when whoever the account belongs to asks Meta for deletion: those with its `connection_id`, or these. */
  account: 'goes' | 'stays' | ((account: Account) => Fragment);
  /** Old rows go or are cleared. Empty: they go with the contact, or with the interaction. */
  ages: Age[];
};

type PersonHolding = {
  /** The column with the person's id, beside `connection_id`; `contact_id` for a contact's; or a condition for the creator's rows. */
  rows: string | ((who: Somebody) => Fragment);
  /** Rows go when absent. Else columns that are overwritten, because counts or evidence stay. */
  erased?: Record<string, Fragment> | 'kept';
  /** Overwrites them where requests may not change rows themselves. */
  erasedBy?: (who: Somebody) => Fragment;
  /** Done before: rows of others that name the person. */
  first?: (who: Somebody) => Fragment[];
  /**
   * In the person's copy: what a row is called, the columns that tell it from others (`id`), those that are left out; and what other
   * tables say of the row `t`, as a JSON object.
   */
  copied: { as: string; named?: string[]; without?: string[]; with?: Fragment };
};

export type Age = {
  /** A number of days that the operator sets, and creators may shorten where they have a choice; or days of ours. */
  keep: keyof Config['keep'] | number;
  /** The operator's days, whatever the creator chose. */
  forAll?: true;
  /** Since when it is old: a column, or an expression. */
  at: string | Fragment;
  /** Only rows like this. */
  only?: Fragment;
  /** The `set` clause for old rows; they are deleted when absent. */
  clears?: Fragment;
  /** For deletions that take more than one statement. */
  steps?: (db: Database, old: OldRows) => () => Promise<number>;
};
/** `creatorId` empty for what is not aged by creator; `clearedTo`: nothing before it is left. At most `most` rows a step. */
export type OldRows = { creatorId: string; before: Date; clearedTo: Date | null; most: number };

export type Holds = { [table in keyof Tables]?: Holding };
export type HeldTable = Holding & { table: keyof Tables & string };

/** In this order rows go: what names others by names them comes before what names them. */
export function listHeld(...holds: Holds[]): HeldTable[] {
  return holds.flatMap((one) =>
    Object.entries(one).map(([table, holding]) => ({ table: table as HeldTable['table'], ...holding })),
  );
}

/** Which rows of the table are the person's. */
export function rowsOfPerson({ rows }: PersonHolding, who: Somebody): Fragment {
  if (rows === 'contact_id') return sql`creator_id = ${who.creatorId} and contact_id = any(${who.contactIds}::uuid[])`;
  const theirs =
    typeof rows === 'string'
      ? sql`connection_id = ${who.connectionId} and ${sql.ref(rows)} = any(${who.ids})`
      : rows(who);
  return sql`creator_id = ${who.creatorId} and ${theirs}`;
}

/** Which rows of the table came from the account. Null: they stay. */
export function rowsOfAccount({ account }: Holding, of: Account): Fragment | null {
  if (account === undefined || account === 'stays') return null;
  return account === 'goes' ? sql`creator_id = ${of.creatorId} and connection_id = ${of.connectionId}` : account(of);
}

export function isOld({ at, only }: Age, before: Fragment | Date): Fragment {
  return sql`${typeof at === 'string' ? sql.ref(at) : at} < ${before} and ${only ?? sql`true`}`;
}

/** Some rows of a table by where they lie, for statements in steps. */
export function someRows(table: HeldTable['table'], condition: Fragment, most: number): ReturnType<Sql> {
  return sql`ctid = any(array(select ctid from ${sql.table(table)} where ${condition} limit ${most}))`;
}

/**
 * A library: what a creator saves once and uses in many automations. Custom Keywords, Custom Replies, recipes, words
 * of ingredients and app links are libraries; each says what is its own (`Kind`), the rest is here.
 */
import { type RawBuilder, sql } from 'kysely';
import type { UsedBy } from '#contract/keywords.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';

type SavedRow = { id: string; name: string; version: number; created_at: Date; updated_at: Date };
/** An automation that uses the thing `id`. */
type Use = UsedBy & { id: string };

export type Kind<Input, Row extends SavedRow, Content> = {
  table: 'keywords' | 'replies' | 'recipes' | 'ingredient_words' | 'app_links' | 'meal_plans';
  order: 'by_name' | 'last_changed_first';
  /** Said when it is not there, and when somebody else saved it meanwhile. */
  missing: string;
  changed: string;
  problemsOf: (input: Input) => { path: string; severity: 'error' | 'warning'; message: string }[];
  columnsOf: (input: Input) => Record<string, unknown>;
  contentOf: (row: Row) => Content;
  /** Further columns of a row that is shown. */
  alsoSelect?: RawBuilder<unknown>;
  /** No two of a creator's may have the same: which rows have what this input has, and what is said of the other one. */
  unique: {
    field: string;
    constraint: string;
    sameAs: (input: Input, creatorId: string) => RawBuilder<unknown>;
    message: (input: Input, other: string | null) => string;
  };
  /** Selects `id`, `automationId`, `name`, `on`, `postId` of automations that are not archived; absent: none can use it. */
  usesOf?: (creatorId: string, ids: string[]) => RawBuilder<Use>;
  refuseRemoval?: (name: string, uses: Use[]) => void;
  /** Automations that are off forget what is deleted: nobody finds a thing there that is gone. */
  forget?: (trx: CreatorTransaction, creatorId: string, id: string, now: Date) => Promise<unknown>;
};

type Shown<Content> = Content & {
  id: string;
  version: number;
  createdAt: string;
  updatedAt: string;
  usedBy: UsedBy[];
};

type Deps = { clock: Clock; ids: Ids };

export class Library<Input, Row extends SavedRow, Content> {
  private readonly kind: Kind<Input, Row, Content>;
  private readonly table: RawBuilder<unknown>;
  private readonly also: RawBuilder<unknown>;

  constructor(kind: Kind<Input, Row, Content>) {
    this.kind = kind;
    this.table = sql.table(kind.table);
    this.also = kind.alsoSelect === undefined ? sql`` : sql`, ${kind.alsoSelect}`;
  }

  /** @param filter further condition on the table's columns */
  async list(
    trx: CreatorTransaction,
    creatorId: string,
    { after, limit = 100 }: { after?: string | undefined; limit?: number | undefined },
    filter: RawBuilder<unknown> = sql`true`,
  ): Promise<{ items: Shown<Content>[]; next: string | null }> {
    const byName = this.kind.order === 'by_name';
    const at = readPosition(after, 'uuid', byName ? 'name' : 'time');
    const order = byName ? sql`lower(name)` : sql`updated_at`;
    const type = byName ? sql`text` : sql`timestamptz`;
    const direction = byName ? sql`asc` : sql`desc`;
    const { rows } = await sql<Row & { position: string }>`
      select *, ${order}::text as position ${this.also} from ${this.table}
      where creator_id = ${creatorId} and ${filter}
        ${at === null ? sql`` : sql`and (${order}, id) ${byName ? sql`>` : sql`<`} (${at.at}::${type}, ${at.id}::uuid)`}
      order by ${order} ${direction}, id ${direction}
      limit ${limit + 1}
    `.execute(trx);
    const { items, next } = pageFrom(rows, limit);
    const uses = Map.groupBy(await this.usesOf(trx, creatorId, ...items.map(({ id }) => id)), ({ id }) => id);
    return { items: items.map((row) => this.show(row, uses.get(row.id) ?? [])), next };
  }

  /** @throws AppError not_found */
  async get(trx: CreatorTransaction, creatorId: string, id: string): Promise<Shown<Content>> {
    const row = await this.find(trx, creatorId, id);
    return this.show(row, await this.usesOf(trx, creatorId, id));
  }

  /** @throws AppError invalid_input, already_exists */
  async create(deps: Deps, trx: CreatorTransaction, creatorId: string, input: Input): Promise<Shown<Content>> {
    this.check(input);
    const other = await this.findSame(trx, creatorId, input);
    if (other !== null) throw this.taken(input, other);
    const now = deps.clock.now();
    const id = deps.ids.uuid(now);
    const row = { creator_id: creatorId, id, ...this.kind.columnsOf(input), created_at: now, updated_at: now };
    const inserted = await trx
      .insertInto(this.kind.table)
      .values(row as never)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (!inserted.numInsertedOrUpdatedRows) throw this.taken(input, await this.findSame(trx, creatorId, input));
    return this.get(trx, creatorId, id);
  }

  /**
   * @param mayChange throws what speaks against it; nobody changes, deletes or newly uses the row meanwhile
   * @returns the row before
   * @throws AppError invalid_input, not_found, already_exists, changed_meanwhile
   */
  async change(
    deps: Deps,
    trx: CreatorTransaction,
    creatorId: string,
    id: string,
    input: Input & { version: number },
    mayChange: (before: Row) => Promise<void> = async () => {},
  ): Promise<Row> {
    await this.lock(trx, creatorId, id);
    const before = await this.find(trx, creatorId, id);
    if (before.version !== input.version) throw new AppError('changed_meanwhile', this.kind.changed);
    this.check(input);
    await mayChange(before);
    const other = await this.findSame(trx, creatorId, input, id);
    if (other !== null) throw this.taken(input, other);
    await trx
      .updateTable(this.kind.table)
      .set({ ...this.kind.columnsOf(input), version: sql`version + 1`, updated_at: deps.clock.now() } as never)
      .where('creator_id', '=', creatorId)
      .where('id', '=', id)
      .execute()
      .catch((error: unknown) => {
        // Somebody gave it to another one in this very moment.
        throw this.isTaken(error) ? this.taken(input, null) : error;
      });
    return before;
  }

  /** @throws AppError not_found, not_possible_now */
  async remove(deps: Deps, trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
    await this.lock(trx, creatorId, id);
    const { name } = await this.find(trx, creatorId, id);
    this.kind.refuseRemoval?.(name, await this.usesOf(trx, creatorId, id));
    await this.kind.forget?.(trx, creatorId, id, deps.clock.now());
    await trx.deleteFrom(this.kind.table).where('creator_id', '=', creatorId).where('id', '=', id).execute();
  }

  /**
   * Holds them until the end of the transaction, so that none is changed or deleted meanwhile; `update`: by one at a time.
   *
   * @param gone said when one is not there
   * @throws AppError not_found
   */
  async hold(
    trx: CreatorTransaction,
    creatorId: string,
    ids: string[],
    gone: string,
    to: 'share' | 'update' = 'share',
  ): Promise<Row[]> {
    if (ids.length === 0) return [];
    const { rows } = await sql<Row>`
      select * from ${this.table} where creator_id = ${creatorId} and id = any(${ids}::uuid[]) order by id ${to === 'share' ? sql`for share` : sql`for update`}
    `.execute(trx);
    if (rows.length < new Set(ids).size) throw new AppError('not_found', gone);
    return rows;
  }

  async usesOf(trx: CreatorTransaction, creatorId: string, ...ids: string[]): Promise<Use[]> {
    const uses = ids.length === 0 ? undefined : this.kind.usesOf?.(creatorId, ids);
    return uses === undefined ? [] : (await uses.execute(trx)).rows;
  }

  private async find(trx: CreatorTransaction, creatorId: string, id: string): Promise<Row> {
    const { rows } = await sql<Row>`
      select * ${this.also} from ${this.table} where creator_id = ${creatorId} and id = ${id}
    `.execute(trx);
    if (rows[0] === undefined) throw new AppError('not_found', this.kind.missing);
    return rows[0];
  }

  private async lock(trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
    await sql`select from ${this.table} where creator_id = ${creatorId} and id = ${id} for update`.execute(trx);
  }

  /** The name of another one that has what no two may have. */
  private async findSame(trx: CreatorTransaction, creatorId: string, input: Input, but?: string) {
    const { rows } = await sql<{ name: string }>`
      select name from ${this.table} where creator_id = ${creatorId} and ${this.kind.unique.sameAs(input, creatorId)}
        ${but === undefined ? sql`` : sql`and id <> ${but}`}
    `.execute(trx);
    return rows[0]?.name ?? null;
  }

  private taken(input: Input, other: string | null): AppError {
    const { field, message } = this.kind.unique;
    const said = message(input, other);
    return new AppError('already_exists', said, { fields: [{ path: field, message: said }] });
  }

  private isTaken(error: unknown): boolean {
    const { code, constraint } = error as { code?: unknown; constraint?: unknown };
    return code === '23505' && constraint === this.kind.unique.constraint;
  }

  private check(input: Input): void {
    const fields = this.kind
      .problemsOf(input)
      .filter(({ severity }) => severity === 'error')
      .map(({ path, message }) => ({ path, message }));
    if (fields.length > 0) throw new AppError('invalid_input', fields[0]!.message, { fields });
  }

  private show(row: Row, uses: Use[]): Shown<Content> {
    return {
      ...this.kind.contentOf(row),
      id: row.id,
      version: row.version,
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
      usedBy: uses.map(({ id: _, ...use }) => use),
    };
  }
}

/** @param whereFound of a pattern, and of the words themselves. @returns a filter for `list`; undefined where nothing is looked for */
export function searched(
  search: string | undefined,
  whereFound: (like: string, wanted: string) => RawBuilder<unknown>,
): RawBuilder<unknown> | undefined {
  // No row has it, and PostgreSQL cannot hold it.
  const wanted = (search ?? '').replaceAll('\0', '\u{fffd}').toWellFormed().trim();
  return wanted === '' ? undefined : sql`(${whereFound(`%${wanted.replaceAll(/[\\%_]/g, '\\$&')}%`, wanted)})`;
}

/** Automations with a button that leads to one of them, as `usesOf` wants it. */
export function usesInButtons(
  target: 'recipeId' | 'mealPlanId' | 'appLinkId',
  creatorId: string,
  ids: string[],
): RawBuilder<Use> {
  const whose = sql`button ->> ${sql.lit(target)}`;
  return sql`
    select distinct on (lower(a.name), a.id, ${whose}) ${whose} as id,
      a.id as "automationId", a.name, a.switched_on_at is not null as "on",
      case when a.trigger = 'comment' then a.post_id end as "postId"
    from automations a cross join jsonb_array_elements(a.buttons) as button
    where a.creator_id = ${creatorId} and a.archived_at is null and ${whose} = any(${ids}::text[])
    order by lower(a.name), a.id, ${whose}
  `;
}

/** @throws AppError not_possible_now */
export function refuseWhileLedTo(name: string, uses: readonly Use[]): void {
  if (uses.length === 0) return;
  throw new AppError(
    'not_possible_now',
    `${namesOf(uses)} ${uses.length === 1 ? 'uses' : 'use'} “${name}”. Choose another link there first.`,
  );
}

const NAMED_AT_MOST = 3;

/** Items in use must not vanish from their automations. @throws AppError not_possible_now */
export function refuseWhileOn(name: string, uses: readonly Use[]): void {
  const on = uses.filter((use) => use.on);
  if (on.length === 0) return;
  const many = on.length > 1;
  throw new AppError(
    'not_possible_now',
    `“${name}” is used by ${namesOf(on)}, which ${many ? 'are' : 'is'} on. Turn ${many ? 'them' : 'it'} off or remove “${name}” there first.`,
  );
}

/** “A”, “B”, “C” and 2 more */
export function namesOf(uses: readonly { name: string }[]): string {
  const named = uses.slice(0, NAMED_AT_MOST).map(({ name }) => `“${name}”`);
  const more = uses.length - NAMED_AT_MOST;
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

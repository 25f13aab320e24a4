import { type RawBuilder, sql } from 'kysely';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import { type Age, type HeldTable, isOld, someRows } from '#server/db/holds.ts';

/** Periods that creators may choose shorter than the operator. */
const CHOICES = { historyDays: 'history_days', textsDays: 'texts_days', webhookLogDays: 'webhook_log_days' } as const;
export type Choice = keyof typeof CHOICES;

/** Rows that age, table by table. */
export type Aging = Age & { table: HeldTable['table'] };
export type ChosenAging = Aging & { keep: Choice };

export function isChosen(age: Aging): age is ChosenAging {
  return age.forAll !== true && Object.hasOwn(CHOICES, age.keep);
}

export type DueCreator = {
  creatorId: string;
  before: Record<Choice, Date>;
  textsClearedTo: Date | null;
  /** There may be something to delete or to clear. */
  hasOld: boolean;
};

/** Creators of whom something is older than it should be. `today` is the beginning of a day (UTC). */
export async function findDueCreators(
  db: Database,
  agings: ChosenAging[],
  today: Date,
  keep: Config['keep'],
): Promise<DueCreator[]> {
  const before = (choice: Choice) => sql.ref(`due.${choice}`);
  const anyOld = (some: ChosenAging[]): RawBuilder<unknown> =>
    sql`(${sql.join(
      some.map(
        (age) => sql`exists (
          select from ${sql.table(age.table)} where creator_id = due."creatorId" and ${isOld(age, before(age.keep))})`,
      ),
      sql` or `,
    )})`;
  const days = Object.entries(CHOICES).map(
    ([choice, column]) =>
      sql`${today}::timestamptz - make_interval(days => least(r.${sql.ref(column)}, ${
        keep[choice as Choice]
      }::int)) as ${sql.ref(choice)}`,
  );
  const { rows } = await sql<Record<Choice, Date> & Omit<DueCreator, 'before'>>`
    select due.*, ${anyOld(agings)} as "hasOld"
    from (
      select c.id as "creatorId", c.texts_cleared_to as "textsClearedTo", c.history_from, ${sql.join(days)}
      from creators c left join retention_choices r on r.creator_id = c.id
    ) as due
    where history_from is null or history_from < ${before('historyDays')}
      or "textsClearedTo" is null or "textsClearedTo" < ${before('textsDays')}
      -- A turn that broke off. Cleared rows are not looked at again.
      or ${anyOld(agings.filter(({ clears }) => clears === undefined))}
  `.execute(db.engine);
  return rows.map(({ historyDays, textsDays, webhookLogDays, ...rest }) => ({
    ...rest,
    before: { historyDays, textsDays, webhookLogDays },
  }));
}

/** Creators of whom nothing is old are told so in one go: once a day that is nearly all of them. */
export async function recordNothingOld(db: Database, creators: DueCreator[]): Promise<void> {
  await sql`
    update creators c
    set history_from = greatest(c.history_from, d.history_before), texts_cleared_to = greatest(c.texts_cleared_to, d.texts_before)
    from unnest(
      ${creators.map(({ creatorId }) => creatorId)}::uuid[],
      ${creators.map(({ before }) => before.historyDays)}::timestamptz[],
      ${creators.map(({ before }) => before.textsDays)}::timestamptz[]
    ) as d (id, history_before, texts_before)
    where c.id = d.id
  `.execute(db.engine);
}

/** Said first: comments that are deleted must not be read from the platform as if they were new. */
export async function beginHistoryAt(db: Database, creatorId: string, from: Date): Promise<void> {
  await sql`
    update creators set history_from = greatest(history_from, ${from}::timestamptz) where id = ${creatorId}
  `.execute(db.engine);
}

export async function recordTextsCleared(db: Database, creatorId: string, to: Date): Promise<void> {
  await sql`
    update creators set texts_cleared_to = greatest(texts_cleared_to, ${to}::timestamptz) where id = ${creatorId}
  `.execute(db.engine);
}

/**
 * A step of an aging: deletes or clears at most `most` rows, of one creator or (null) of all.
 *
 * @returns how many rows it found
 */
export async function age(
  db: Database,
  { table, clears, ...one }: Aging,
  { creatorId, before, most }: { creatorId: string | null; before: Date; most: number },
): Promise<number> {
  const whose = creatorId === null ? sql`true` : sql`creator_id = ${creatorId}`;
  const some = someRows(table, sql`${whose} and ${isOld(one, before)}`, most);
  const change = clears ? sql`update ${sql.table(table)} set ${clears}` : sql`delete from ${sql.table(table)}`;
  const { numAffectedRows = 0n } = await sql`${change} where ${some}`.execute(db.engine);
  return Number(numAffectedRows);
}

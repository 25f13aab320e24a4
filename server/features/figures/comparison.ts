/** Wordings of an automation side by side; the comparison ends by itself when it is sure. */
import { type Kysely, sql } from 'kysely';
import type { Comparison } from '#contract/figures.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { readCounts, sumOf } from '#server/engine/outcomes/counts.ts';
import { AppError } from '#server/errors.ts';
import { look, peopleForLook, type Tried, wilson } from './comparison-statistics.ts';

type Row = {
  creator_id: string;
  id: string;
  message_text: string;
  variants: { id: string; text: string }[];
  variant_winner: string | null;
  variant_decided_at: Date | null;
  variant_looks: number;
  variants_since: Date | null;
  variant_tried: Reading | null;
};

/** @property messages that the automation had sent by then */
type Reading = { tried: Tried[]; messages: number };

/** With more people than these a reading is kept: it means reading all messages of the automation. */
const READ_ANEW_UP_TO = 3000;
/** A reading kept is computed again after so many more messages, by share: all readings together cost no more than ten of the last. */
const READ_ANEW_AFTER = 0.1;

const COLUMNS = [
  'creator_id',
  'id',
  'message_text',
  'variants',
  'variant_winner',
  'variant_decided_at',
  'variant_looks',
  'variants_since',
  'variant_tried',
] as const;

/** @throws AppError not_found */
export async function compare(trx: CreatorTransaction, creatorId: string, automationId: string): Promise<Comparison> {
  const row = await find(trx, creatorId, automationId);
  const texts = [{ id: 'a', text: row.message_text }, ...row.variants];
  const tried = keptOf(row) ?? (await readTried(trx, row));
  const smallest = Math.min(...tried.map(({ people }) => people));
  return {
    wordings: tried.map((one) => ({
      ...one,
      text: texts.find(({ id }) => id === one.id)!.text,
      ...wilson(one.clicked, one.people),
    })),
    state: row.variant_winner !== null ? 'decided' : smallest < peopleForLook(0) ? 'too_few' : 'not_sure',
    winner: row.variant_winner,
    decidedAt: row.variant_decided_at?.toISOString() ?? null,
    needed: peopleForLook(row.variant_looks),
  };
}

/** The result for the current wordings; once one won it stays. Null while it is quickly computed again. */
function keptOf({ variant_tried: kept, variant_winner, variants }: Row): Tried[] | null {
  if (kept === null) return null;
  const isLarge = kept.tried.reduce((sum, { people }) => sum + people, 0) > READ_ANEW_UP_TO;
  const isOfThese = ['a', ...variants.map(({ id }) => id)].join() === kept.tried.map(({ id }) => id).join();
  return isOfThese && (isLarge || variant_winner !== null) ? kept.tried : null;
}

/** @throws AppError not_found, not_possible_now */
export async function compareAgain(
  { clock }: { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
  automationId: string,
): Promise<Comparison> {
  const row = await find(trx, creatorId, automationId);
  if (row.variants.length === 0) {
    throw new AppError('not_possible_now', 'There’s only one version. Add another one in the editor first.');
  }
  await trx
    .updateTable('automations')
    .set({
      variant_winner: null,
      variant_decided_at: null,
      variant_looks: 0,
      variant_tried: null,
      variants_since: clock.now(),
    })
    .where('creator_id', '=', creatorId)
    .where('id', '=', automationId)
    .execute();
  return compare(trx, creatorId, automationId);
}

type Deps = {
  db: Database;
  clock: Clock;
  automationsChanged(change: { creatorId: string }): Promise<void> | void;
};

/** Looks at every comparison that runs and ends those that are sure. @returns how many ended */
export async function endSureComparisons({ db, clock, automationsChanged }: Deps): Promise<number> {
  const running = (await db.engine
    .selectFrom('automations')
    .select(COLUMNS)
    .where('archived_at', 'is', null)
    .where('variant_winner', 'is', null)
    .where(sql<boolean>`variants <> '[]'`)
    .execute()) as unknown as Row[];
  let ended = 0;
  for (const row of running) {
    const messages = await countSent(db, row);
    if (keptOf(row) !== null && messages < row.variant_tried!.messages * (1 + READ_ANEW_AFTER)) continue;
    const reading: Reading = { tried: await readTried(db.engine, row), messages };
    const found = look(reading.tried, row.variant_looks);
    await db.engine
      .updateTable('automations')
      .set({
        variant_tried: JSON.stringify(reading),
        ...(found !== null && { variant_looks: found.looks }),
        ...(found?.winner != null && { variant_winner: found.winner, variant_decided_at: clock.now() }),
      })
      .where('creator_id', '=', row.creator_id)
      .where('id', '=', row.id)
      // Not when somebody changed the texts or restarted it meanwhile.
      .where('variant_looks', '=', row.variant_looks)
      .where(sql<boolean>`variants_since is not distinct from ${row.variants_since}`)
      .execute();
    if (found === null) continue;
    if (found.winner === null) continue;
    ended++;
    await automationsChanged({ creatorId: row.creator_id });
  }
  return ended;
}

export const comparisonJobs = [{ name: 'end-sure-comparisons', everyMs: 5 * 60_000, run: endSureComparisons }];

async function find(trx: CreatorTransaction, creatorId: string, automationId: string): Promise<Row> {
  const row = await trx
    .selectFrom('automations')
    .select(COLUMNS)
    .where('creator_id', '=', creatorId)
    .where('id', '=', automationId)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found', 'This automation no longer exists.');
  return row as unknown as Row;
}

/** From the counters: however many, it costs the same. */
async function countSent(db: Database, { creator_id, id }: Row): Promise<number> {
  const counts = await db.withCreator(creator_id, (trx) => readCounts(trx, creator_id, 'automation', [id]));
  return sumOf(counts.get(id), ({ counted }) => counted === 'replied');
}

/** Each person counts once, for the wording they got first; only who got to the link could tap it. Tests are left out. */
async function readTried(db: Kysely<Tables>, row: Row): Promise<Tried[]> {
  const { rows } = await sql<Tried>`
    select variant as id, count(*) as people, count(*) filter (where clicked) as clicked
    from (
      select distinct on (person_id) variant, clicked
      from (
        select i.person_id, d.variant, min(d.created_at) as at, bool_or(d.clicked_at is not null) as clicked
        from deliveries d join interactions i on i.creator_id = d.creator_id and i.id = d.interaction_id
        where d.creator_id = ${row.creator_id} and d.automation_id = ${row.id} and d.variant is not null
          and d.created_at >= ${row.variants_since ?? '-infinity'} and d.state = 'sent'
          and coalesce(d.content ->> 'step', 'delivery') in ('delivery', 'follow_up')
          and not i.is_test
        group by 1, 2
      ) as wordings
      order by person_id, at
    ) as people
    group by 1
  `.execute(db);
  return ['a', ...row.variants.map(({ id }) => id)].map(
    (id) => rows.find((one) => one.id === id) ?? { id, people: 0, clicked: 0 },
  );
}

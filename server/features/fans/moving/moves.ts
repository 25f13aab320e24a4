/**
 * Members who move in with a file. `ready`: judged, nothing is changed; `running`: let in a hundred at a time, each with a mail;
 * `done`: can be undone for a week. The one writer of `member_moves` and `member_move_rows`.
 */
import { type Selectable, sql } from 'kysely';
import * as z from 'zod/mini';
import type { BodyOf, QueryOf, ResponseOf } from '#contract/endpoint.ts';
import {
  type changeMemberMove,
  type listMemberMoves,
  type listMoveRows,
  type MemberMove,
  MOST_MOVED_ROWS,
  MOST_MOVED_TIERS,
  MOVE_TOOLS,
  MOVE_VERDICTS,
  type MoveTool,
  type MoveUse,
  type MoveVerdict,
} from '#contract/member-moves.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { later, type QueuedJob } from '#server/db/jobs.ts';
import type { MemberMovesTable } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { dayOf } from '#server/features/billing/mails.ts';
import { isHeader } from '#server/features/contacts/importing/columns.ts';
import { type FileRow, readRows } from '#server/features/contacts/importing/read-file.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import { mailFan } from '../mails.ts';
import { endMoved, isGood, movePass } from '../passes.ts';
import { isSelling } from '../tiers.ts';
import { goOnUrl } from './going-on.ts';
import {
  guessMoveTool,
  guessMoveUses,
  type JudgedRow,
  judgeRows,
  type Known,
  readMoveRow,
  verdictOf,
} from './move-rows.ts';

type MoveDeps = Pick<JobDeps, 'db' | 'clock' | 'ids' | 'keys' | 'config' | 'live'>;
type Whose = { creatorId: string; moveId: string };
type Row = Selectable<MemberMovesTable>;

const AT_ONCE = 100;
const SAMPLES = 3;
const LONGEST_SAMPLE = 80;
const PAGE_SIZE = 50;
const UNDO_DAYS = 7;
const DAY_MS = 86_400_000;

/** Goes on where it was; a part that was done is not done again. */
export const moveMembers: QueuedJob<JobDeps, Whose> = {
  name: 'move-members-in',
  payload: z.object({ creatorId: z.uuid(), moveId: z.uuid() }),
  atOnce: 2,
  run: async (deps, whose) => {
    while (await letSomeIn(deps, whose));
    while (await mailSome(deps, whose));
  },
};

/**
 * Keeps a file, judged. Nothing else is changed.
 *
 * @returns its id
 * @throws AppError invalid_input, too_large for what is no such file
 */
export async function uploadMove(
  deps: MoveDeps,
  given: { creatorId: string; userId: string; fileName: string; file: AsyncIterable<Buffer> },
): Promise<string> {
  const { creatorId, userId, fileName } = given;
  const now = deps.clock.now();
  const rows: FileRow[] = [];
  for await (const row of readRows(given.file)) {
    rows.push(row);
    if (rows.length <= MOST_MOVED_ROWS + 1) continue;
    const most = MOST_MOVED_ROWS.toLocaleString('en-US');
    throw new AppError('invalid_input', `A file can have ${most} rows at most. Split yours before line ${row.line}.`);
  }
  const first = rows[0]!.cells;
  const hasHeader = isHeader(first);
  if (hasHeader) rows.shift();
  if (rows.length === 0) {
    throw new AppError('invalid_input', 'This file has only the names of its columns, in line 1.');
  }
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), first.length);
  const names = Array.from({ length: width }, (_, at) => (hasHeader && cut(first[at])) || `Column ${at + 1}`);
  const columns = names.map((name, at) => ({ name, samples: samplesOf(rows, at) }));
  const uses = guessMoveUses(
    names,
    columns.map(({ samples }) => samples),
  );
  const id = deps.ids.uuid(now);
  await deps.db.withCreator(creatorId, async (trx) => {
    await trx
      .insertInto('member_moves')
      .values({
        ...{ creator_id: creatorId, id, file_name: fileName, tool: guessMoveTool(names), row_count: rows.length },
        ...{ columns: JSON.stringify(columns), uses: JSON.stringify(uses), made_by: userId, made_at: now },
      })
      .execute();
    await judge(deps, trx, { creatorId, moveId: id }, rows);
  });
  return id;
}

function cut(cell = ''): string {
  return cell.trim().slice(0, LONGEST_SAMPLE).toWellFormed();
}

function samplesOf(rows: FileRow[], at: number): string[] {
  const samples: string[] = [];
  for (const { cells } of rows) {
    const cell = cut(cells[at]);
    if (cell !== '') samples.push(cell);
    if (samples.length === SAMPLES) break;
  }
  return samples;
}

/** Writes what becomes of each row. */
async function judge(deps: MoveDeps, trx: CreatorTransaction, whose: Whose, rows: FileRow[]): Promise<void> {
  const now = deps.clock.now();
  const row = await find(trx, whose);
  const said = rows.map((one) => readMoveRow(one, row.uses as MoveUse[], now));
  const tiers = await tiersFor(trx, row, [...new Set(said.map(({ tierName }) => tierName))]);
  const known = await findKnown(
    trx,
    said.flatMap(({ emailKey }) => emailKey ?? []),
    now,
  );
  const judged = judgeRows(said, { tiers: new Map(Object.entries(tiers)), known, now });
  await trx
    .updateTable('member_moves')
    .set({ tiers: JSON.stringify(tiers) })
    .where('id', '=', whose.moveId)
    .execute();
  await trx.deleteFrom('member_move_rows').where('move_id', '=', whose.moveId).execute();
  const cells = new Map(rows.map((one) => [one.line, one.cells]));
  await sql`
    insert into member_move_rows (creator_id, move_id, line, cells, email, email_key, name, tier_name, tier_id, billing_interval,
      paid_until, verdict, why, made_at)
    select ${whose.creatorId}, ${whose.moveId}, line, cells, email, "emailKey", name, "tierName", "tierId", interval, "paidUntil", verdict,
      why, ${now}
    from jsonb_to_recordset(${JSON.stringify(judged.map((one) => ({ ...one, cells: cells.get(one.line) })))}::jsonb) as r (line int,
      cells jsonb, email text, "emailKey" text, name text, "tierName" text, "tierId" uuid, interval text, "paidUntil" timestamptz,
      verdict text, why text)
  `.execute(trx);
}

/** As chosen before; else of the same name, or the only one there is. @throws AppError invalid_input: too many names */
async function tiersFor(
  trx: CreatorTransaction,
  { tiers }: Row,
  names: string[],
): Promise<Record<string, string | null>> {
  if (names.length > MOST_MOVED_TIERS) {
    const says = `The column of tiers has ${names.length} names; ${MOST_MOVED_TIERS} are possible. Is it another column?`;
    throw new AppError('invalid_input', says);
  }
  const open = await trx.selectFrom('tiers').select(['id', 'name']).where('archived_at', 'is', null).execute();
  const chosen = tiers as Record<string, string | null>;
  const keyOf = (name: string) => name.trim().toLowerCase();
  return Object.fromEntries(
    names.map((name) => {
      const same = open.find((tier) => keyOf(tier.name) === keyOf(name)) ?? (open.length === 1 ? open[0] : undefined);
      const id = Object.hasOwn(chosen, name) ? chosen[name]! : undefined;
      return [name, id === null || open.some((tier) => tier.id === id) ? id! : (same?.id ?? null)];
    }),
  );
}

async function findKnown(trx: CreatorTransaction, keys: string[], now: Date): Promise<Map<string, Known>> {
  const { rows } = await sql<{ key: string; pays: boolean; untilMs: number | null }>`
    select c.email_key as key, bool_or(p.source = 'stripe') as pays,
      max(case when p.source = 'stripe' then null when p.ends_at is null then 9e15 else extract(epoch from p.ends_at) * 1000 end)::float8
        as "untilMs"
    from contacts c join passes p on p.creator_id = c.creator_id and p.contact_id = c.id and ${isGood('p', now)}
    where c.creator_id = current_creator_id() and c.email_key = any(${keys}::text[]) group by 1
  `.execute(trx);
  return new Map(rows.map(({ key, pays, untilMs }) => [key, { pays, untilMs: untilMs ?? 0 }]));
}

/** @throws AppError not_found, invalid_input, not_possible_now */
export async function changeMove(
  deps: MoveDeps,
  trx: CreatorTransaction,
  whose: Whose,
  { tool, uses, tiers }: BodyOf<typeof changeMemberMove>,
): Promise<MemberMove> {
  const row = await find(trx, whose, { lock: true });
  if (row.state !== 'ready') throw notNow('These members are let in already.');
  if (uses !== undefined) checkUses(uses, (row.columns as unknown[]).length);
  const isOther = uses !== undefined && JSON.stringify(uses) !== JSON.stringify(row.uses);
  const chosen = Object.fromEntries((tiers ?? []).map(({ name, tierId }) => [name, tierId]));
  await trx
    .updateTable('member_moves')
    .set({
      ...(tool !== undefined && { tool }),
      ...(uses !== undefined && { uses: JSON.stringify(uses) }),
      // Another column has other names.
      tiers: JSON.stringify(isOther ? chosen : { ...(row.tiers as object), ...chosen }),
    })
    .where('id', '=', whose.moveId)
    .execute();
  const rows = await trx
    .selectFrom('member_move_rows')
    .select(['line', 'cells'])
    .where('move_id', '=', whose.moveId)
    .orderBy('line')
    .execute();
  await judge(
    deps,
    trx,
    whose,
    rows.map(({ line, cells }) => ({ line, cells: cells as string[] })),
  );
  return showMove(trx, whose);
}

function checkUses(uses: MoveUse[], columns: number): void {
  if (uses.length !== columns) throw new AppError('invalid_input', 'Say for each column what it is.');
  const used = uses.filter((use) => use !== 'ignore');
  if (new Set(used).size < used.length) {
    throw new AppError('invalid_input', 'Two columns can’t be used for the same thing.');
  }
}

/** @throws AppError not_found; not_possible_now: it ran, or nobody could go on here */
export async function runMove(deps: MoveDeps, trx: CreatorTransaction, whose: Whose): Promise<MemberMove> {
  const row = await find(trx, whose, { lock: true });
  if (row.state !== 'ready') throw notNow('These members are let in already.');
  if (!(await isSelling(trx))) {
    throw notNow('Connect Stripe and set a price first: the email leads to your page to join.');
  }
  await trx.updateTable('member_moves').set({ state: 'running' }).where('id', '=', whose.moveId).execute();
  await later(trx, deps, moveMembers, whose);
  return showMove(trx, whose);
}

/** @throws AppError not_found, not_possible_now */
export async function undoMove(deps: MoveDeps, trx: CreatorTransaction, whose: Whose): Promise<MemberMove> {
  const row = await find(trx, whose, { lock: true });
  const until = undoUntil(row);
  if (until === null || until < deps.clock.now()) throw notNow('This can’t be undone any longer.');
  await endMoved(deps, trx, whose);
  await trx.updateTable('member_moves').set({ state: 'undone' }).where('id', '=', whose.moveId).execute();
  return showMove(trx, whose);
}

/** @returns whether there may be more */
async function letSomeIn(deps: JobDeps, { creatorId, moveId }: Whose): Promise<boolean> {
  const now = deps.clock.now();
  const many = await deps.db.withCreator(creatorId, async (trx) => {
    const move = await trx
      .selectFrom('member_moves')
      .select(['done_to', 'tool'])
      .where('id', '=', moveId)
      .where('state', '=', 'running')
      .forUpdate()
      .executeTakeFirst();
    if (move === undefined) return 0;
    const rows = await trx
      .selectFrom('member_move_rows')
      .select(['line', 'email', 'email_key', 'name', 'tier_name', 'tier_id', 'paid_until'])
      .where('move_id', '=', moveId)
      .where('verdict', '=', 'new')
      .where('line', '>', move.done_to)
      .orderBy('line')
      .limit(AT_ONCE)
      .execute();
    if (rows.length === 0) {
      const done = { state: 'done', finished_at: now } as const;
      await trx.updateTable('member_moves').set(done).where('id', '=', moveId).execute();
      return 0;
    }
    const known = await findKnown(
      trx,
      rows.map(({ email_key }) => email_key!),
      now,
    );
    for (const row of rows) {
      const [paidUntil, tierId] = [row.paid_until!, row.tier_id!];
      // Something may have happened since it was judged.
      const said = { paidUntil, tierName: row.tier_name };
      const { verdict, why } = verdictOf(said, { tierId, known: known.get(row.email_key!), now });
      const moved =
        verdict === 'new'
          ? await movePass(deps, trx, {
              ...{ creatorId, email: row.email!, name: row.name, tierId, endsAt: paidUntil, moveId },
              from: nameOf(move.tool),
            })
          : null;
      await trx
        .updateTable('member_move_rows')
        .set({ verdict, why, pass_id: moved?.passId ?? null, contact_id: moved?.contactId ?? null })
        .where('move_id', '=', moveId)
        .where('line', '=', row.line)
        .execute();
    }
    await trx
      .updateTable('member_moves')
      .set({ done_to: rows.at(-1)!.line })
      .where('id', '=', moveId)
      .execute();
    return rows.length;
  });
  deps.live.publish(creatorId, { what: 'imports' });
  return many > 0;
}

/** @returns whether there may be more */
async function mailSome(deps: JobDeps, { creatorId, moveId }: Whose): Promise<boolean> {
  return deps.db.engine.transaction().execute(async (trx) => {
    const { rows } = await sql<{ line: number; passId: string; contactId: string; tier: string; until: Date }>`
      select r.line, p.id as "passId", p.contact_id as "contactId", t.name as tier, p.ends_at as until
      from member_move_rows r
      join passes p on p.creator_id = r.creator_id and p.id = r.pass_id
      join tiers t on t.creator_id = p.creator_id and t.id = p.tier_id
      where r.creator_id = ${creatorId} and r.move_id = ${moveId} and r.mailed_at is null and p.ended_at is null
      order by r.line limit ${AT_ONCE} for update of r
    `.execute(trx);
    if (rows.length === 0) return false;
    const { tool, handle } = await trx
      .selectFrom('member_moves as m')
      .innerJoin('creators as c', 'c.id', 'm.creator_id')
      .select(['m.tool', 'c.handle'])
      .where('m.creator_id', '=', creatorId)
      .where('m.id', '=', moveId)
      .executeTakeFirstOrThrow();
    for (const { passId, contactId, tier, until } of rows) {
      const day = dayOf(until);
      await mailFan(
        deps,
        trx,
        { creatorId, contactId },
        {
          kind: 'fan_moved_in',
          letter: {
            subject: 'Your membership has moved here',
            paragraphs: [
              `You paid ${nameOf(tool)} until ${day}. Until then you read on: it’s ${tier}. On the blog, press “Enter as a member” and type this address.`,
              `To go on from ${day}, say so here. Nothing is charged before that day, and without it your membership simply ends.`,
            ],
            button: { label: `Go on from ${day}`, url: await goOnUrl(deps, { creatorId, handle, passId }) },
          },
        },
      );
    }
    await trx
      .updateTable('member_move_rows')
      .set({ mailed_at: deps.clock.now() })
      .where('creator_id', '=', creatorId)
      .where('move_id', '=', moveId)
      .where(
        'line',
        'in',
        rows.map(({ line }) => line),
      )
      .execute();
    return true;
  });
}

function nameOf(tool: string | null): string {
  return tool === null ? 'elsewhere' : `at ${MOVE_TOOLS[tool as MoveTool]}`;
}

function notNow(detail: string): AppError {
  return new AppError('not_possible_now', detail);
}

function undoUntil({ state, finished_at }: Row): Date | null {
  return state === 'done' && finished_at !== null ? new Date(finished_at.getTime() + UNDO_DAYS * DAY_MS) : null;
}

/** @throws AppError not_found */
async function find(trx: CreatorTransaction, { moveId }: Whose, { lock = false } = {}): Promise<Row> {
  const query = trx.selectFrom('member_moves').selectAll().where('id', '=', moveId);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (row === undefined) throw new AppError('not_found', 'This file isn’t here any longer. Upload it again.');
  return row;
}

/** @throws AppError not_found */
export async function showMove(trx: CreatorTransaction, whose: Whose): Promise<MemberMove> {
  const row = await find(trx, whose);
  const { rows } = await sql<{ verdict: MoveVerdict; tier: string; many: number; done: number }>`
    select verdict, tier_name as tier, count(*)::int as many, count(pass_id)::int as done from member_move_rows
    where creator_id = ${whose.creatorId} and move_id = ${whose.moveId} group by 1, 2
  `.execute(trx);
  const sum = (of: typeof rows) => of.reduce((total, { many }) => total + many, 0);
  const counts = Object.fromEntries(
    (Object.keys(MOVE_VERDICTS) as MoveVerdict[]).map((name) => [
      name,
      sum(rows.filter((one) => one.verdict === name)),
    ]),
  ) as MemberMove['counts'];
  const uses = row.uses as MoveUse[];
  return {
    ...{
      id: row.id,
      state: row.state as MemberMove['state'],
      fileName: row.file_name,
      tool: row.tool as MoveTool | null,
    },
    columns: (row.columns as { name: string; samples: string[] }[]).map((column, at) => ({
      ...column,
      use: uses[at]!,
    })),
    tiers: Object.entries(row.tiers as Record<string, string | null>).map(([name, tierId]) => ({
      ...{ name, tierId, rows: sum(rows.filter(({ tier, verdict }) => tier === name && verdict !== 'invalid')) },
    })),
    ...{ rows: row.row_count, counts, done: rows.reduce((total, { done }) => total + done, 0) },
    ...{ madeAt: row.made_at.toISOString(), undoUntil: undoUntil(row)?.toISOString() ?? null },
  };
}

export async function listMoves(trx: CreatorTransaction): Promise<ResponseOf<typeof listMemberMoves>> {
  const rows = await trx
    .selectFrom('member_moves')
    .select(['id', 'file_name', 'state', 'made_at'])
    .orderBy('made_at', 'desc')
    .limit(20)
    .execute();
  return {
    items: rows.map(({ id, file_name, state, made_at }) => ({
      ...{ id, fileName: file_name, state: state as MemberMove['state'], madeAt: made_at.toISOString() },
    })),
  };
}

/** @throws AppError not_found, invalid_input */
export async function listRows(
  trx: CreatorTransaction,
  whose: Whose,
  { after: from, limit = PAGE_SIZE, only }: QueryOf<typeof listMoveRows>,
): Promise<ResponseOf<typeof listMoveRows>> {
  await find(trx, whose);
  const after = readPosition(from, 'text', 'number');
  const { rows } = await sql<
    Pick<JudgedRow, 'line' | 'email' | 'verdict' | 'why'> & { tier: string; until: Date | null } & {
      id: string;
      position: string;
    }
  >`
    select line, email, tier_name as tier, paid_until as until, verdict, why, 'row' as id, line::text as position
    from member_move_rows
    where creator_id = ${whose.creatorId} and move_id = ${whose.moveId} and line > ${after === null ? 0 : Number(after.at)}
      ${only === undefined ? sql`` : sql`and verdict = ${only}`}
    order by line limit ${limit + 1}
  `.execute(trx);
  const { items, next } = pageFrom(rows, limit);
  return {
    items: items.map(({ line, email, tier, until, verdict, why }) => ({
      ...{ line, email, tier: tier === '' ? null : tier, paidUntil: until?.toISOString() ?? null, verdict, why },
    })),
    next,
  };
}

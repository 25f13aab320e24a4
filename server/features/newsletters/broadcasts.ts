/** Newsletters from the first word to the last mail. The one writer of `broadcasts`, beside the job that sends them (at-work.ts). */
import { type Selectable, sql, type Transaction, type Updateable } from 'kysely';
import { checkEmailDesign } from '#contract/email-template-problems.ts';
import type { EmailDesign, EmailType } from '#contract/email-templates.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { TOOL_NAMES } from '#contract/newsletter-tools.ts';
import {
  type Broadcast,
  type BroadcastFigures,
  type BroadcastSummary,
  type changeBroadcast,
  HOLD_SECONDS,
  type Newsletter,
  type NewsletterWriter,
  type sendBroadcast,
} from '#contract/newsletters.ts';
import { readSegment } from '#contract/segments.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { BroadcastsTable, Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { findLiveDesign } from '#server/features/email-templates/live-templates.ts';
import { checkSize } from '#server/features/email-templates/size.ts';
import { mailNewsletterAsked } from '#server/features/notices/newsletters.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import type { Audience } from './audience.ts';
import { type ReadinessDeps, readWriter, toolWrites, whatIsMissing } from './readiness.ts';
import { readWeekly } from './weekly-recipes.ts';

type Deps = ReadinessDeps & { clock: Clock; ids: Ids };
type Whose = { creatorId: string; broadcastId: string };
type By = { name: string };
type Row = Selectable<BroadcastsTable>;

const PAGE_SIZE = 50;
const DAY_MS = 24 * 3_600_000;
const LATEST_DAYS = 365;
/** Of one recipe. */
const CORRECTIONS_APART_DAYS = 7;
/** Of a design, as JSON: its HTML would be refused long before. */
const MOST_BYTES = 400_000;
export const NO_FIGURES: BroadcastFigures = {
  ...{ total: 0, waiting: 0, leftOut: 0, sent: 0, bounced: 0, complained: 0, unsubscribed: 0, clicked: 0 },
};

export async function list(
  trx: CreatorTransaction,
  creatorId: string,
  query: { after?: string | undefined; limit?: number | undefined },
): Promise<{ items: BroadcastSummary[]; next: string | null }> {
  const limit = query.limit ?? PAGE_SIZE;
  const after = readPosition(query.after, 'uuid');
  let found = trx
    .selectFrom('broadcasts')
    .selectAll()
    .select(sql<string>`changed_at::text`.as('position'))
    .where('creator_id', '=', creatorId);
  if (after) found = found.where(sql<boolean>`(changed_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  const rows = await found
    .orderBy('changed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { items, next } = pageFrom(rows, limit);
  return { items: items.map(summary), next };
}

/** With the words of the live template. */
export async function create(
  { clock, ids }: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  by: By,
): Promise<Broadcast> {
  const now = clock.now();
  const design = await findLiveDesign(trx, creatorId, 'broadcast');
  const row = await trx
    .insertInto('broadcasts')
    .values({
      ...{ creator_id: creatorId, id: ids.uuid(now), kind: 'broadcast', design: JSON.stringify(design) },
      ...{ changed_by: by.name, changed_at: now },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return show(row);
}

/** @throws AppError not_found */
export async function get(trx: CreatorTransaction, whose: Whose): Promise<Broadcast> {
  return show(await find(trx, whose));
}

/** @throws AppError not_found, invalid_input, changed_meanwhile, not_possible_now */
export async function change(
  { clock }: Deps,
  trx: CreatorTransaction,
  whose: Whose,
  { version, design, segment }: BodyOf<typeof changeBroadcast>,
  by: By,
): Promise<Broadcast> {
  if (Buffer.byteLength(JSON.stringify(design)) > MOST_BYTES)
    throw new AppError('invalid_input', 'This email is too long. Shorten or delete some blocks.');
  if (segment !== null && readSegment(segment) === null) {
    const message = 'This isn’t a segment.';
    throw new AppError('invalid_input', message, { fields: [{ path: 'segment', message }] });
  }
  await findDraft(trx, whose, version);
  return update(trx, whose, {
    ...{ design: JSON.stringify(design), segment, version: version + 1, because: null },
    ...{ changed_by: by.name, changed_at: clock.now(), asked_by: null, asked_at: null },
  });
}

/** @throws AppError not_found, not_possible_now */
export async function remove(trx: CreatorTransaction, whose: Whose): Promise<void> {
  await findDraft(trx, whose);
  await trx
    .deleteFrom('broadcasts')
    .where('creator_id', '=', whose.creatorId)
    .where('id', '=', whose.broadcastId)
    .execute();
}

/**
 * Owners get a mail. The transaction must be the engine role's.
 *
 * @throws AppError not_found, invalid_input, not_possible_now
 */
export async function ask(
  deps: Deps & { config: Pick<Config, 'baseUrl'> },
  trx: Transaction<Tables>,
  whose: Whose,
  by: By,
): Promise<Broadcast> {
  const { subject } = goodDesignOf(await findDraft(trx, whose));
  await mailNewsletterAsked(trx, deps, { creatorId: whose.creatorId, by: by.name, subject });
  return update(trx, whose, { asked_by: by.name, asked_at: deps.clock.now() });
}

/** @throws AppError not_found, invalid_input, changed_meanwhile, not_possible_now */
export async function send(
  deps: Deps,
  trx: CreatorTransaction,
  whose: Whose,
  { version, sendAt }: BodyOf<typeof sendBroadcast>,
): Promise<Broadcast> {
  const row = await findDraft(trx, whose, version);
  goodDesignOf(row);
  await requireReady(deps, trx, row);
  if (row.page_key !== null) await requireNoOtherCorrection(deps, trx, row.creator_id, row.page_key);
  const now = deps.clock.now().getTime();
  const at = Math.max(now + HOLD_SECONDS * 1000, sendAt === null ? 0 : Date.parse(sendAt));
  if (at > now + LATEST_DAYS * DAY_MS) {
    const message = 'Choose a time within a year.';
    throw new AppError('invalid_input', message, { fields: [{ path: 'sendAt', message }] });
  }
  return update(trx, whose, { state: 'scheduled', send_at: new Date(at), because: null });
}

/** @throws AppError not_found, not_possible_now */
export async function cancel({ clock }: Deps, trx: CreatorTransaction, whose: Whose): Promise<Broadcast> {
  const { state } = await find(trx, whose, { lock: true });
  if (state === 'scheduled') return update(trx, whose, { state: 'draft', send_at: null });
  if (state !== 'gathering' && state !== 'sending' && state !== 'paused') throw notNow('It isn’t being sent.');
  return update(trx, whose, { state: 'cancelled', finished_at: clock.now(), counted_at: null });
}

/** @throws AppError not_found, not_possible_now */
export async function pause(trx: CreatorTransaction, whose: Whose, by: By): Promise<Broadcast> {
  const { state } = await find(trx, whose, { lock: true });
  if (state !== 'gathering' && state !== 'sending') throw notNow('It isn’t being sent.');
  return update(trx, whose, { state: 'paused', because: `${by.name} paused it.`, counted_at: null });
}

/** @throws AppError not_found, not_possible_now */
export async function resume(deps: Deps, trx: CreatorTransaction, whose: Whose): Promise<Broadcast> {
  const row = await find(trx, whose, { lock: true });
  if (row.state !== 'paused') throw notNow('It isn’t paused.');
  await requireReady(deps, trx, row);
  return update(trx, whose, { state: row.gathered_at === null ? 'gathering' : 'sending', because: null });
}

export async function readNewsletter(deps: Deps, trx: CreatorTransaction, creatorId: string): Promise<Newsletter> {
  return {
    writer: await readWriter(trx, creatorId),
    missing: await whatIsMissing(deps, trx, creatorId),
    weekly: await readWeekly(trx, creatorId, deps.clock.now()),
  };
}

/**
 * What is being sent here pauses when a tool takes over, but corrections, which are no newsletter.
 *
 * @throws AppError not_possible_now
 */
export async function changeWriter(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  writer: NewsletterWriter,
): Promise<Newsletter> {
  if (writer !== 'here') await requireTool(trx, creatorId, writer);
  await trx
    .insertInto('newsletter_settings')
    .values({ creator_id: creatorId, writer })
    .onConflict((conflict) => conflict.column('creator_id').doUpdateSet({ writer }))
    .execute();
  if (writer !== 'here') {
    await sql`
      update broadcasts set state = case when state = 'scheduled' then 'draft' else 'paused' end, because = ${toolWrites(writer)},
        send_at = case when state = 'scheduled' then null else send_at end, counted_at = null
      where creator_id = ${creatorId} and state in ('scheduled', 'gathering', 'sending') and kind <> 'correction'
    `.execute(trx);
  }
  return readNewsletter(deps, trx, creatorId);
}

async function requireTool(trx: CreatorTransaction, creatorId: string, tool: Exclude<NewsletterWriter, 'here'>) {
  const connected = await trx
    .selectFrom('data_integrations')
    .select('id')
    .where('creator_id', '=', creatorId)
    .where('tool', '=', tool)
    .where('state', '=', 'on')
    .executeTakeFirst();
  if (connected === undefined) throw notNow(`Connect ${TOOL_NAMES[tool]} and turn it on first.`);
}

/** @throws AppError not_possible_now */
async function requireNoOtherCorrection({ clock }: Deps, trx: CreatorTransaction, creatorId: string, pageKey: string) {
  const at = await mayCorrectAt(trx, { creatorId, pageKey }, clock.now());
  if (at !== null)
    throw notNow('Everyone who saved this recipe heard of a mistake within the last 7 days. Wait until then.');
}

/** @returns null: now */
export async function mayCorrectAt(
  trx: CreatorTransaction,
  { creatorId, pageKey }: { creatorId: string; pageKey: string },
  now: Date,
): Promise<Date | null> {
  const { rows } = await sql<{ last: Date | null }>`
    select max(send_at) as last from broadcasts
    where creator_id = ${creatorId} and page_key = ${pageKey} and state <> 'draft'
  `.execute(trx);
  const last = rows[0]!.last;
  const next = last === null ? null : new Date(last.getTime() + CORRECTIONS_APART_DAYS * DAY_MS);
  return next === null || next <= now ? null : next;
}

/** @throws AppError not_possible_now */
async function requireReady(deps: Deps, trx: CreatorTransaction, { creator_id: creatorId, kind }: Row): Promise<void> {
  const tool = kind === 'correction' ? null : toolWrites(await readWriter(trx, creatorId));
  const missing = [...(tool === null ? [] : [tool]), ...(await whatIsMissing(deps, trx, creatorId))];
  if (missing.length > 0) throw notNow(missing.join(' '));
}

function goodDesignOf({ kind, design }: Row): EmailDesign {
  return requireGoodDesign(kind, design as unknown as EmailDesign);
}

/** @throws AppError invalid_input, a field for each problem */
export function requireGoodDesign(type: EmailType, design: EmailDesign): EmailDesign {
  const problems = [...checkEmailDesign(type, design), ...checkSize(type, design)];
  if (problems.length === 0) return design;
  throw new AppError('invalid_input', problems[0]!.message, {
    fields: problems.map(({ path, message }) => ({ path, message })),
  });
}

/**
 * Held until the end of the transaction.
 *
 * @throws AppError not_found, not_possible_now, changed_meanwhile
 */
async function findDraft(trx: Transaction<Tables>, whose: Whose, version?: number): Promise<Row> {
  const row = await find(trx, whose, { lock: true });
  if (row.state !== 'draft') throw notNow('This newsletter is being sent or was. Cancel it first.');
  if (version !== undefined && row.version !== version) {
    throw new AppError(
      'changed_meanwhile',
      'Someone else changed this newsletter while you were editing. Your version is still here: compare the two.',
    );
  }
  return row;
}

/** @throws AppError not_found */
export async function find(
  trx: Transaction<Tables>,
  { creatorId, broadcastId }: Whose,
  { lock = false } = {},
): Promise<Row> {
  const query = trx
    .selectFrom('broadcasts')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('id', '=', broadcastId);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (row === undefined) throw new AppError('not_found', 'This newsletter doesn’t exist, or was deleted.');
  return row;
}

async function update(
  trx: Transaction<Tables>,
  { creatorId, broadcastId }: Whose,
  to: Updateable<BroadcastsTable>,
): Promise<Broadcast> {
  const row = await trx
    .updateTable('broadcasts')
    .set(to)
    .where('creator_id', '=', creatorId)
    .where('id', '=', broadcastId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return show(row);
}

export function audienceOf({ creator_id: creatorId, kind, segment, page_key: pageKey }: Row): Audience {
  return { creatorId, kind, segment, pageKey };
}

function notNow(detail: string): AppError {
  return new AppError('not_possible_now', detail);
}

export function show(row: Row): Broadcast {
  const { topLinks = [] } = (row.figures ?? {}) as Partial<Broadcast>;
  return { ...summary(row), design: row.design as unknown as EmailDesign, topLinks };
}

/** Those from before clicks were counted have none. */
function shownFigures({ figures }: Row): BroadcastFigures {
  const { topLinks, ...counted } = (figures ?? {}) as Partial<Broadcast['figures'] & Broadcast>;
  return { ...NO_FIGURES, ...counted };
}

function summary(row: Row): BroadcastSummary {
  const { subject } = row.design as unknown as EmailDesign;
  return {
    ...{ id: row.id, kind: row.kind, state: row.state, version: row.version, subject, segment: row.segment },
    recipeId: row.recipe_id,
    because: row.because,
    asked: row.asked_at === null ? null : { by: row.asked_by ?? '', at: row.asked_at.toISOString() },
    changedBy: row.changed_by,
    changedAt: row.changed_at.toISOString(),
    sendAt: row.send_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
    slowed: row.daily_limit === null ? null : { aDay: row.daily_limit, nextAt: row.next_at!.toISOString() },
    figures: shownFigures(row),
  };
}

import { sql, type Transaction } from 'kysely';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';

export type DueCreator = {
  creatorId: string;
  historyBefore: Date;
  textsBefore: Date;
  textsClearedTo: Date | null;
  /** There may be something to delete or to clear. */
  hasOld: boolean;
};

/** Creators of whom something is older than it should be. `today` is the beginning of a day (UTC). */
export async function findDueCreators(db: Database, today: Date, keep: Config['keep']): Promise<DueCreator[]> {
  const { rows } = await sql<DueCreator>`
    select due.*, exists (
        select from interactions
        where creator_id = "creatorId" and received_at < greatest("historyBefore", "textsBefore") and outcome <> 'waiting'
      ) or exists (
        select from own_messages where creator_id = "creatorId" and sent_at < greatest("historyBefore", "textsBefore")
      ) or exists (
        select from contact_changes where creator_id = "creatorId" and changed_at < "historyBefore"
      ) or exists (
        select from catch_ups where creator_id = "creatorId" and started_at < "historyBefore"
      ) as "hasOld"
    from (
      select c.id as "creatorId", c.texts_cleared_to as "textsClearedTo", c.history_from,
        ${today}::timestamptz - make_interval(days => least(r.history_days, ${keep.historyDays}::int)) as "historyBefore",
        ${today}::timestamptz - make_interval(days => least(r.texts_days, ${keep.textsDays}::int)) as "textsBefore"
      from creators c left join retention_choices r on r.creator_id = c.id
    ) as due
    where history_from is null or history_from < "historyBefore"
      or "textsClearedTo" is null or "textsClearedTo" < "textsBefore"
      -- A turn that broke off.
      or exists (
        select from interactions i
        where i.creator_id = due."creatorId" and i.received_at < due."historyBefore" and i.outcome <> 'waiting'
      )
  `.execute(db.engine);
  return rows;
}

/** Creators of whom nothing is old are told so in one go: once a day that is nearly all of them. */
export async function recordNothingOld(db: Database, creators: DueCreator[]): Promise<void> {
  await sql`
    update creators c
    set history_from = greatest(c.history_from, d.history_before), texts_cleared_to = greatest(c.texts_cleared_to, d.texts_before)
    from unnest(
      ${creators.map(({ creatorId }) => creatorId)}::uuid[],
      ${creators.map(({ historyBefore }) => historyBefore)}::timestamptz[],
      ${creators.map(({ textsBefore }) => textsBefore)}::timestamptz[]
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

/**
 * The oldest things that happened, with all that hangs on them. Figures count them for good (migration 0023).
 *
 * @returns how many went
 */
export function deleteOldest(db: Database, creatorId: string, before: Date, most: number): Promise<number> {
  return db.engine.transaction().execute(async (trx) => {
    await sql`select set_config('app.counts_stay', 'on', true)`.execute(trx);
    const { numAffectedRows = 0n } = await sql`
      with old as materialized (
        select id, post_id, found_by_reading from interactions
        where creator_id = ${creatorId} and received_at < ${before} and outcome <> 'waiting'
        order by received_at, id limit ${most} for update skip locked
      ), messages as (
        delete from deliveries d using old where d.creator_id = ${creatorId} and d.interaction_id = old.id returning d.id
      ), opened_links as (
        delete from clicks c using messages m where c.creator_id = ${creatorId} and c.delivery_id = m.id
      ), sequences as (
        delete from conversations v using old where v.creator_id = ${creatorId} and v.interaction_id = old.id
      ), still_told as (
        update comment_readings r set found_before = r.found_before + found.count
        from (select post_id, count(*)::int as count from old where found_by_reading group by post_id) as found
        where r.creator_id = ${creatorId} and r.post_id = found.post_id
      )
      delete from interactions i using old where i.creator_id = ${creatorId} and i.id = old.id
    `.execute(trx);
    return Number(numAffectedRows);
  });
}

const OF_HISTORY = [
  { table: 'own_messages', at: 'sent_at' },
  { table: 'contact_changes', at: 'changed_at' },
  { table: 'catch_ups', at: 'started_at' },
] as const;

/** What else is told in a contact's timeline. @returns the most rows that went from one table */
export async function deleteOldestBeside(db: Database, creatorId: string, before: Date, most: number): Promise<number> {
  const gone = [];
  for (const { table, at } of OF_HISTORY) {
    gone.push(await deleteRows(db.engine, table, sql`creator_id = ${creatorId} and ${sql.ref(at)} < ${before}`, most));
  }
  return Math.max(...gone);
}

export type TextPosition = { at: Date | null; id: string };

/**
 * Clears what people wrote and what was sent to them, oldest first. That something happened stays.
 *
 * @returns where it got to; null at the end
 */
export async function clearTexts(
  db: Database,
  creatorId: string,
  { after, before, most }: { after: TextPosition; before: Date; most: number },
): Promise<TextPosition | null> {
  const { rows } = await sql<{ at: Date; id: string }>`
    with old as materialized (
      select id, received_at from interactions
      where creator_id = ${creatorId} and received_at < ${before} and outcome <> 'waiting'
        and (received_at, id) > (coalesce(${after.at}::timestamptz, '-infinity'), ${after.id}::uuid)
      order by received_at, id limit ${most}
    ), messages as (
      update deliveries d set content = '{"text": "", "buttons": []}', failure_detail = null
      from old where d.creator_id = ${creatorId} and d.interaction_id = old.id and d.state not in ('queued', 'sending')
    ), sequences as (
      update conversations v set plan = v.plan || '{"username": null}', given_email = null, suggested_email = null
      from old where v.creator_id = ${creatorId} and v.interaction_id = old.id and v.state = 'ended'
    ), words as (
      update interactions i set text = ''
      from old where i.creator_id = ${creatorId} and i.id = old.id and i.text <> ''
    )
    select received_at as at, id from old order by received_at desc, id desc limit 1
  `.execute(db.engine);
  return rows[0] ?? null;
}

/** The same for what the creator wrote in the platform's own app. */
export async function clearOwnTexts(db: Database, creatorId: string, before: Date, most: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update own_messages set text = '' where ctid = any(array(
      select ctid from own_messages where creator_id = ${creatorId} and sent_at < ${before} and text <> '' limit ${most}
    ))
  `.execute(db.engine);
  return Number(numAffectedRows);
}

export async function recordTextsCleared(db: Database, creatorId: string, to: Date): Promise<void> {
  await sql`
    update creators set texts_cleared_to = greatest(texts_cleared_to, ${to}::timestamptz) where id = ${creatorId}
  `.execute(db.engine);
}

/** The log of what other tools were told, by creator; what is still to be told stays. */
export async function findWithWebhookLog(
  db: Database,
  today: Date,
  keep: Config['keep'],
): Promise<{ creatorId: string; before: Date }[]> {
  const { rows } = await sql<{ creatorId: string; before: Date }>`
    select distinct on (e.creator_id) e.creator_id as "creatorId",
      ${today}::timestamptz - make_interval(days => least(r.webhook_log_days, ${keep.webhookLogDays}::int)) as before
    from outgoing_endpoints e left join retention_choices r on r.creator_id = e.creator_id
  `.execute(db.engine);
  return rows;
}

export function deleteWebhookLog(db: Database, creatorId: string, before: Date, most: number): Promise<number> {
  const old = sql`creator_id = ${creatorId} and happened_at < ${before} and state <> 'queued'`;
  return deleteRows(db.engine, 'outgoing_events', old, most);
}

/** Pictures of stories that are too old, and of those that the creator took down before their time. */
export function deletePictures(db: Database, before: Date, most: number): Promise<number> {
  return deleteRows(
    db.engine,
    'story_pictures',
    sql`exists (
      select from stories s
      where s.creator_id = story_pictures.creator_id and s.id = story_pictures.story_id
        and (s.posted_at < ${before} or s.ended_at < s.expires_at - interval '1 minute')
    )`,
    most,
  );
}

export function deleteParked(db: Database, before: Date, most: number): Promise<number> {
  return deleteRows(db.engine, 'parked_events', sql`parked_at < ${before}`, most);
}

export async function deleteAudit(db: Database, before: Date, most: number): Promise<number> {
  const visits = await deleteRows(db.engine, 'admin_visits', sql`until < ${before}`, most);
  const { rows } = await sql<{ gone: number }>`select forget_old_audit(${before}, ${most}) as gone`.execute(db.engine);
  return Math.max(visits, rows[0]!.gone);
}

/** No message takes them along when it goes. */
export function deleteStrayClicks(db: Database, before: Date, most: number): Promise<number> {
  return deleteRows(db.engine, 'clicks', sql`delivery_id is null and clicked_at < ${before}`, most);
}

/** Their names were kept for the activity, which is gone by now. */
export function deleteDeletedAutomations(db: Database, before: Date, most: number): Promise<number> {
  return deleteRows(db.engine, 'automations', sql`archived_at < ${before}`, most);
}

/** Secrets of webhooks whose overlap with the new one is over. */
export async function forgetOldSecrets(db: Database, now: Date): Promise<void> {
  await sql`
    update outgoing_endpoints set old_secret = null, old_secret_until = null where old_secret_until <= ${now}
  `.execute(db.engine);
}

/** Keys, tokens and invites that let nobody in any more, and sign-ins at Meta that were never finished. */
export async function deleteDeadSecrets(db: Database, before: Date, now: Date, most: number): Promise<number> {
  const gone = [
    await deleteRows(db.engine, 'api_tokens', sql`least(revoked_at, expires_at) < ${before}`, most),
    await deleteRows(db.engine, 'api_keys', sql`ended_at < ${before}`, most),
    await deleteRows(db.engine, 'invites', sql`coalesce(accepted_at, declined_at, revoked_at) < ${before}`, most),
    await deleteRows(db.engine, 'oauth_attempts', sql`expires_at < ${now}`, most),
  ];
  return Math.max(...gone);
}

async function deleteRows(
  db: Transaction<Tables> | Database['engine'],
  table: keyof Tables & string,
  condition: ReturnType<typeof sql>,
  most: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${condition} limit ${most}
    ))
  `.execute(db);
  return Number(numAffectedRows);
}

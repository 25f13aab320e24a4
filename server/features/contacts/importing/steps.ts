/**
 * The statements of an import, each over many rows: judging, running, undoing. What a row becomes is said by one expression,
 * before the run and in it, so the figures agree unless something happened in between. Rows are found again by where they lie:
 * the tables grew just now, and a planner who knows nothing of that goes through all of them for each.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ImportCounts, RowVerdict } from '#contract/imports.ts';
import type { SuppressionReason } from '#contract/suppressions.ts';
import type { Tables } from '#server/db/types.ts';
import { askInNoDm } from '../address-contacts.ts';
import { refreshWhole } from '../human.ts';
import { cellOf, STATUSES } from '../newsletter-status.ts';

export type Whose = { creatorId: string; importId: string };
/** Of the engine: the ledger may be changed by no request. */
type Engine = Kysely<Tables>;

/** As what a known contact goes on that a file says agreed; the table of `newsletter-status.ts` decides. */
const TOLD = JSON.stringify(
  Object.fromEntries(STATUSES.map((status) => [status, cellOf(status, 'told_confirmed', null).becomes])),
);
/** Reasons that stop a file's yes even for a contact who is known. */
const SHUT = ['bounced', 'complained', 'not_me', 'team'] satisfies SuppressionReason[] as string[];

/** @param r the row, with its `verdict` where it is out already; `k` the known contact, `s` the suppression, or nulls */
function verdictOf(): RawBuilder<RowVerdict> {
  return sql<RowVerdict>`case
    when r.verdict in ('invalid', 'double', 'left') then r.verdict
    when k.newsletter in ('unsubscribed', 'bounced', 'complained') then k.newsletter
    when s.reason is not null and (k.id is null or s.reason = any(${SHUT}::text[])) then 'suppressed'
    when k.id is null then 'new'
    when k.newsletter in ('none', 'unconfirmed') or (k.name is null and r.name is not null) then 'merged'
    else 'already'
  end`;
}

/** The verdict of every row, once all are parsed. */
export async function judge(engine: Engine, { creatorId, importId }: Whose): Promise<void> {
  await sql`
    with r as materialized (
      select i.ctid as tid, i.name, i.email_key, i.email_hash, case
          when i.email_key is null then 'invalid'
          when row_number() over (partition by i.email_key order by i.line) > 1 then 'double'
          when i.said = 'left' then 'left'
        end as verdict
      from import_rows i where i.creator_id = ${creatorId} and i.import_id = ${importId}
    )
    update import_rows as written set verdict = judged.verdict
    from (
      select r.tid, ${verdictOf()} as verdict from r
      left join contacts k on k.creator_id = ${creatorId} and k.email_key = r.email_key
      left join suppressions s on s.creator_id = ${creatorId} and s.email_hash = r.email_hash
    ) as judged
    where written.ctid = judged.tid
  `.execute(engine);
}

export type Notes = { role: number; misspelt: number; withTime: number; unconfirmed: number };

export async function countVerdicts(
  engine: Engine,
  { creatorId, importId }: Whose,
  column: 'verdict' | 'outcome',
): Promise<{ counts: ImportCounts; notes: Notes }> {
  const { rows } = await sql<{ verdict: RowVerdict; rows: number } & Notes>`
    select ${sql.ref(column)} as verdict, count(*) as rows, count(*) filter (where is_role) as role,
      count(suggestion) as misspelt, count(agreed_at) filter (where said is distinct from 'unconfirmed') as "withTime",
      count(*) filter (where said = 'unconfirmed') as unconfirmed
    from import_rows where creator_id = ${creatorId} and import_id = ${importId} and ${sql.ref(column)} is not null group by 1
  `.execute(engine);
  const counts = { ...NOTHING };
  const notes = { role: 0, misspelt: 0, withTime: 0, unconfirmed: 0 };
  for (const { verdict, rows: many, ...its } of rows) {
    counts[verdict] = many;
    if (verdict !== 'new' && verdict !== 'merged') continue;
    for (const name of Object.keys(notes) as (keyof Notes)[]) notes[name] += its[name];
  }
  return { counts, notes };
}

export const NOTHING: ImportCounts = {
  new: 0,
  merged: 0,
  already: 0,
  unsubscribed: 0,
  bounced: 0,
  complained: 0,
  suppressed: 0,
  left: 0,
  double: 0,
  invalid: 0,
};

/** Of what an import wrote of a contact: of one it made everything that somebody's act would change. */
const fingerprint = (
  isNew: RawBuilder<unknown>,
) => sql`md5(concat_ws('|', c.name, c.newsletter, extract(epoch from c.newsletter_at),
  case when ${isNew} then concat_ws('|', c.language, c.asked_count, c.saved_count, c.joined_to, c.has_people, c.has_joined,
    extract(epoch from c.last_seen_at)) end))`;

export const ROWS_A_STEP = 1000;

/**
 * The next thousand rows, in one transaction with how far it is.
 *
 * @param ids of contacts and lines of the ledger that may be made
 * @returns how many there were; 0: no more, or it does not run any more
 */
export async function runStep(
  engine: Engine,
  { creatorId, importId, now, ids }: Whose & { now: Date; ids: { contacts: string[]; ledger: string[] } },
): Promise<number> {
  return engine.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string | null; hasOthers: boolean; hasPeople: boolean; becameConfirmed: boolean }>`
      with import as materialized (
        select done_to, wants_newsletter, attested, agreed, file_name from imports
        where creator_id = ${creatorId} and id = ${importId} and state = 'running' for update
      ), r as materialized (
        select i.tid, i.line, i.email, i.email_key, i.email_hash, i.gmail_mailbox, i.name, i.name_key, i.verdict, i.agreed_at,
          import.wants_newsletter and i.said is distinct from 'unconfirmed' and (import.attested or i.agreed_at is not null) as is_yes,
          row_number() over (order by i.line) as nth
        from import, lateral (
          select ctid as tid, * from import_rows
          where creator_id = ${creatorId} and import_id = ${importId} and line > import.done_to order by line limit ${ROWS_A_STEP}
          for update
        ) as i
      ), k as materialized (
        select c.* from contacts c where c.creator_id = ${creatorId} and c.email_key in (select email_key from r) order by c.id for update
      ), judged as materialized (
        select r.*, k.id as known_id, ${verdictOf()} as outcome,
          jsonb_build_object('newsletter', k.newsletter, 'at', k.newsletter_at, 'confirmedAt', k.confirmed_at, 'asked', k.asked_count,
            'named', k.name is null and r.name is not null) as before
        from r left join k on k.email_key = r.email_key
        left join suppressions s on s.creator_id = ${creatorId} and s.email_hash = r.email_hash
      ), written as (
        insert into contacts as c (creator_id, id, email, email_key, gmail_mailbox, name, name_key, newsletter, newsletter_of_all,
          newsletter_at, confirmed_at, first_seen_at, last_seen_at, source)
        select ${creatorId}, (${ids.contacts}::uuid[])[nth], email, email_key, gmail_mailbox,
          name, name_key, case when is_yes then 'confirmed' else 'none' end, case when is_yes then 'confirmed' else 'none' end,
          case when is_yes then coalesce(agreed_at, ${now}) end, case when is_yes then coalesce(agreed_at, ${now}) end,
          coalesce(agreed_at, ${now}), coalesce(agreed_at, ${now}), 'file'
        from judged where outcome in ('new', 'merged')
        on conflict (creator_id, email_key) where email_key is not null do update set
          name = coalesce(c.name, excluded.name), name_key = coalesce(c.name_key, excluded.name_key),
          newsletter = case when excluded.newsletter = 'confirmed' then ${TOLD}::jsonb ->> c.newsletter else c.newsletter end,
          newsletter_at = case when ${isYes()} then excluded.newsletter_at else c.newsletter_at end,
          confirmed_at = case when ${isYes()} then excluded.confirmed_at else c.confirmed_at end,
          asked_count = case when ${isYes()} then 0 else c.asked_count end,
          newsletter_of_all = case when ${isYes()} and c.joined_to is null and not c.has_joined then 'confirmed' else c.newsletter_of_all end
        returning c.id, c.email_key, c.joined_to is not null or c.has_joined as has_others, c.has_people, c.newsletter,
          ${fingerprint(sql`c.id = any(${ids.contacts}::uuid[])`)} as fingerprint
      ), became as (
        select j.*, w.id as contact_id, w.has_others, w.has_people, w.fingerprint,
          w.newsletter = 'confirmed' and coalesce(j.before ->> 'newsletter', '') <> 'confirmed' as became_confirmed
        from judged j left join written w on w.email_key = j.email_key and j.outcome in ('new', 'merged')
      ), ledger as (
        insert into consents (creator_id, id, contact_id, email, purpose, act, how, wording, place, agreed_at)
        select ${creatorId}, (${ids.ledger}::uuid[])[nth], contact_id, email, 'newsletter', 'imported', import.file_name, import.agreed,
          'file', coalesce(agreed_at, ${now})
        from became, import where became_confirmed
      ), noted as (
        update import_rows i set outcome = b.outcome, contact_id = b.contact_id, fingerprint = b.fingerprint,
          consent_id = case when b.became_confirmed then (${ids.ledger}::uuid[])[b.nth] end,
          before = case when b.known_id is not null and b.contact_id is not null then b.before end
        from became b where i.ctid = b.tid
      ), counted as (
        update imports set done_to = (select max(line) from r), done_count = done_count + (select count(*) from r)
        where creator_id = ${creatorId} and id = ${importId} and exists (select from r)
      )
      select contact_id as id, coalesce(has_others, false) as "hasOthers", coalesce(has_people, false) as "hasPeople",
        coalesce(became_confirmed, false) as "becameConfirmed"
      from became
    `.execute(trx);
    const others = rows.filter(({ hasOthers }) => hasOthers).map(({ id }) => id!);
    if (others.length > 0) await refreshWhole(trx, creatorId, others);
    const people = rows.filter(({ hasPeople, becameConfirmed }) => hasPeople && becameConfirmed).map(({ id }) => id!);
    if (people.length > 0) await askInNoDm(trx, creatorId, people, now);
    return rows.length;
  });
}

/** Does the newsletter of a known contact change? */
function isYes() {
  return sql`(excluded.newsletter = 'confirmed' and c.newsletter <> 'confirmed' and ${TOLD}::jsonb ->> c.newsletter = 'confirmed')`;
}

/**
 * The next thousand contacts back to what they were, but those that something happened to since: they are counted as kept.
 *
 * @returns how many there were; 0: no more
 */
export async function undoStep(engine: Engine, { creatorId, importId }: Whose): Promise<number> {
  return engine.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string; hasOthers: boolean }>`
      with r as materialized (
        select ctid as tid, * from import_rows
        where creator_id = ${creatorId} and import_id = ${importId} and contact_id is not null and undone is null
        order by line limit ${ROWS_A_STEP} for update
      ), k as materialized (
        select c.*, ${fingerprint(sql`exists (select from r where r.contact_id = c.id and r.before is null)`)} as fingerprint
        from contacts c where c.creator_id = ${creatorId} and c.id in (select contact_id from r) order by c.id for update
      ), judged as materialized (
        select r.tid, r.contact_id, r.consent_id, r.before, k.joined_to is not null or k.has_joined as has_others,
          coalesce(k.fingerprint = r.fingerprint, false) and (r.before is not null or not (${hasMore(creatorId)})) as is_same
        from r left join k on k.id = r.contact_id
      ), gone as (
        delete from contacts where creator_id = ${creatorId} and id in (select contact_id from judged where is_same and before is null)
      ), back as (
        update contacts c set
          newsletter = b.before ->> 'newsletter', newsletter_at = (b.before ->> 'at')::timestamptz,
          confirmed_at = (b.before ->> 'confirmedAt')::timestamptz, asked_count = (b.before ->> 'asked')::smallint,
          newsletter_of_all = case when b.has_others then c.newsletter_of_all else b.before ->> 'newsletter' end,
          name = case when (b.before ->> 'named')::boolean then null else c.name end,
          name_key = case when (b.before ->> 'named')::boolean then null else c.name_key end
        from judged b where c.creator_id = ${creatorId} and c.id = b.contact_id and b.is_same and b.before is not null
      ), ledger as (
        delete from consents where creator_id = ${creatorId} and id in (select consent_id from judged where is_same)
      ), noted as (
        update import_rows i set undone = j.is_same from judged j where i.ctid = j.tid
      )
      select contact_id as id, coalesce(has_others and is_same, false) as "hasOthers" from judged
    `.execute(trx);
    const others = rows.filter(({ hasOthers }) => hasOthers).map(({ id }) => id);
    if (others.length > 0) await refreshWhole(trx, creatorId, others);
    return rows.length;
  });
}

/** Rows about a contact that its own row does not show. */
function hasMore(creatorId: string) {
  return sql.join(
    ['contact_tags', 'submissions', 'saved_recipes', 'reader_mails', 'passes'].map(
      (table) =>
        sql`exists (select from ${sql.table(table)} t where t.creator_id = ${creatorId} and t.contact_id = r.contact_id)`,
    ),
    sql` or `,
  );
}

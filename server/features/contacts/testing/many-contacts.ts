/** Many contacts of one creator with what segments ask of them, for a test of how much is read and for the benchmark. */
import { sql } from 'kysely';
import type pg from 'pg';
import type { Database } from '#server/db/database.ts';
import { contactsInSegment } from '#server/features/contacts/segments.ts';

/** Each contact with three tags of thirty, three saves of 300 pages and a submission. @param owner of the tables, without triggers */
export async function fillContacts(
  owner: pg.Client,
  { creatorId, count, forms, site }: { creatorId: string; count: number; forms: string[]; site: string },
): Promise<void> {
  const [made, day] = [`generate_series(1, ${count}) as n`, `interval '1 day'`];
  await owner.query(
    `insert into contacts (creator_id, id, email, email_key, newsletter, newsletter_of_all, confirmed_at, saved_count, last_saved_at,
       first_seen_at, last_seen_at, source, language, has_people)
     select $1, md5(n::text)::uuid, n || '@example.com', n || '@example.com', status, status,
       case when status = 'confirmed' then now() - n % 700 * ${day} end, n % 4, case when n % 4 > 0 then now() - n % 400 * ${day} end,
       now(), now() - n % 800 * ${day}, case when n % 3 = 0 then 'file' else 'blog' end, case when n % 5 = 0 then 'fr' else 'en' end, false
     from ${made}, lateral (select (array['confirmed','none','unconfirmed','confirmed','unsubscribed'])[1 + n % 5] as status) s`,
    [creatorId],
  );
  await owner.query(
    `insert into tags select $1, md5('tag' || n)::uuid, 'tag' || n, now() from generate_series(1, 30) as n`,
    [creatorId],
  );
  await owner.query(
    `insert into contact_tags
     select $1, md5('tag' || 1 + (n * k) % 30)::uuid, md5(n::text)::uuid, 'team', now() from ${made}, generate_series(1, 3) as k
     on conflict do nothing`,
    [creatorId],
  );
  await owner.query(
    `insert into saved_recipes (creator_id, id, contact_id, address_key, url, title, recipe, first_saved_at, last_saved_at)
     select $1, gen_random_uuid(), md5(n::text)::uuid, 'blog.test/' || (n * k) % 300, 'https://blog.test/' || (n * k) % 300,
       'A recipe', jsonb_build_object('ingredients', repeat('flour ', 50)), now(), now() from ${made}, generate_series(1, 3) as k
     on conflict do nothing`,
    [creatorId],
  );
  await owner.query(
    `insert into submissions (creator_id, id, attempt, form_id, form_version, site_id, contact_id, result, is_test, wants_newsletter,
       page_url, submitted_at, received_at)
     select $1, gen_random_uuid(), gen_random_uuid(), ($2::uuid[])[1 + n % 2], 1, $3, md5(n::text)::uuid, 'on_its_way', false, false, '',
       now(), now() from ${made}`,
    [creatorId, forms, site],
  );
}

/** Whether every page of these tables is known to be seen by all, as an index alone needs it. */
export async function vacuum(owner: pg.Client): Promise<boolean> {
  await owner.query('vacuum analyze contacts, contact_tags, saved_recipes, submissions');
  const { rows } = await owner.query<{ all: boolean }>(
    `select bool_and(relallvisible >= relpages) as all from pg_class
     where relname in ('contacts', 'contact_tags', 'saved_recipes', 'submissions')`,
  );
  return rows[0]!.all;
}

/** Twelve, of contacts that `fillContacts` made. */
export async function usualSegments(
  owner: pg.Client,
  { creatorId, form, site }: { creatorId: string; form: string; site: string },
): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(
    `select id from tags where creator_id = $1 and name in ('tag1', 'tag2')`,
    [creatorId],
  );
  const [tag, other] = rows.map(({ id }) => id);
  const page = `saved_page:${encodeURIComponent('https://blog.test/17')}`;
  return [
    'all;all,status:confirmed',
    `all;all,status:confirmed,tag:${tag}`,
    `all;any,tag:${tag},tag:${other}`,
    `all;all,status:confirmed,!tag:${tag}`,
    'all;all,status:confirmed,!seen_within:365',
    'all;all,saved_within:90',
    `all;all,${page}`,
    `all;all,status:confirmed,${page}`,
    `all;all,form:${form},confirmed_within:30`,
    `all;all,site:${site},language:fr`,
    'all;all,source:file;!any,status:unsubscribed,status:bounced',
    `any;all,saves:3,status:confirmed;all,tag:${tag},seen_within:30`,
  ];
}

/** Blocks of tables and indexes that finding its contacts reads. */
export async function readBySegment(
  db: Pick<Database, 'withCreator'>,
  creatorId: string,
  text: string,
): Promise<{ blocks: number; ms: number }> {
  const { rows } = await db.withCreator(creatorId, (trx) =>
    sql<{ 'QUERY PLAN': [{ Plan: Record<string, number>; 'Execution Time': number }] }>`
      explain (analyze, buffers, timing off, format json) ${contactsInSegment(creatorId, text, new Date())}`.execute(
      trx,
    ),
  );
  const { Plan, 'Execution Time': ms } = rows[0]!['QUERY PLAN'][0];
  return { blocks: Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!, ms };
}

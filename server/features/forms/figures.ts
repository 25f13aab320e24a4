import { sql } from 'kysely';
import type * as z from 'zod/mini';
import type { getFormFigures } from '#contract/forms.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { figuresSince } from './forms.ts';

const MOST_SAVED = 5;

type Figures = z.infer<typeof getFormFigures.response>;

/** One pass over what all forms took in the last 28 days, and one for the pages of it. */
export async function figures(
  { clock }: { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
): Promise<Figures> {
  const since = figuresSince(clock);
  const taken = sql`
    submissions s join forms f on f.creator_id = s.creator_id and f.id = s.form_id
    where s.creator_id = ${creatorId} and s.received_at >= ${since} and not s.is_test`;
  const counted = await sql<Omit<Figures, 'mostSaved'>>`
    select count(*) filter (where kind = 'save')::int as saves,
      count(distinct contact_id) filter (where kind = 'save')::int as readers,
      count(distinct c.id)::int as subscribers
    from (select f.kind, s.contact_id, s.wants_newsletter from ${taken}) as taken
    left join contacts c on c.creator_id = ${creatorId} and c.id = taken.contact_id
      and taken.wants_newsletter and c.newsletter = 'confirmed'`.execute(trx);
  const most = await sql<Figures['mostSaved'][number]>`
    select newest.title, newest.url, most.readers
    from (select s.address_key, count(distinct s.contact_id)::int as readers from ${taken}
        and f.kind = 'save' and s.address_key is not null and s.contact_id is not null
        group by 1 order by 2 desc, 1 limit ${MOST_SAVED}) as most
    cross join lateral (select title, url from saved_recipes
        where creator_id = ${creatorId} and md5(page_key) = md5(split_part(most.address_key, '#', 1))
          and address_key = most.address_key
        order by last_saved_at desc limit 1) as newest
    order by most.readers desc, most.address_key`.execute(trx);
  return { ...counted.rows[0]!, mostSaved: most.rows };
}

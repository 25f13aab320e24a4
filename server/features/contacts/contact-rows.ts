/** One line for everybody, whichever way they are known. */
import { type RawBuilder, sql } from 'kysely';
import type { Contact } from '#contract/contacts.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { Human } from './human.ts';
import type { NewsletterStatus } from './newsletter-status.ts';

type Contacts = {
  contact_id: string;
  contact_email: string | null;
  contact_name: string | null;
  newsletter: NewsletterStatus;
  newsletter_at: Date | null;
  confirmed_at: Date | null;
  saved_count: number;
  contact_first_seen_at: Date;
  contact_last_seen_at: Date;
};
type People = {
  connection_id: string;
  /** Meta's id of the person */
  person_id: string;
  platform: 'instagram' | 'facebook';
  account_username: string;
  first_seen_at: Date;
  person_last_seen_at: Date;
};
type Nulls<T> = { [column in keyof T]: null };

export type ContactRow = (Contacts | Nulls<Contacts>) &
  (People | Nulls<People>) & {
    /** Where it stands in the list. */
    id: string;
    position: string;
    disconnected_at: Date | null;
    requires_auth_at: Date | null;
    username: string | null;
    name: string | null;
    picture_url: string | null;
    email: string | null;
    follows: boolean | null;
    followers: number | null;
    verified: boolean | null;
    profile_at: Date | null;
    last_wrote_at: Date | null;
    stopped_at: Date | null;
    /** Null also while they are taken over for good. */
    taken_over_until: Date | null;
    taken_over_for_good: boolean;
    blocked_at: Date | null;
    /** Their accounts, whom they wrote to last first; their addresses but that of the contact itself. */
    accounts:
      | { platform: 'instagram' | 'facebook'; connectionId: string; username: string | null; accountUsername: string }[]
      | null;
    other_emails: string[] | null;
    last: Contact['last'];
  };

/** One line of a list. */
const LAST_WORDS_SHOWN = 200;

/**
 * @param page rows of `contact_id` (that stands for all of theirs) or null, `k` (its row, when it was read) and `p` (a person's,
 *   or null: then the contact's own), `at` and `tie`, the order of which is kept
 */
export async function readRows(
  trx: CreatorTransaction,
  creatorId: string,
  page: RawBuilder<unknown>,
): Promise<ContactRow[]> {
  const linked = sql`
    creator_id = ${creatorId} and contact_id = any(array_append(
      case when k.has_joined then array(select id from contacts where creator_id = ${creatorId} and joined_to = k.id) else '{}' end, k.id))`;
  // `offset 0` keeps the planner from joining whole tables for a page; row-level security lets no `coalesce` into an index scan.
  const { rows } = await sql<ContactRow>`
    with accounts as materialized (
      select id, platform, username, disconnected_at, requires_auth_at from connections where creator_id = ${creatorId}
    )
    select page.tie as id, page.at::text as position, page.contact_id, k.email as contact_email, k.name as contact_name,
      k.newsletter_of_all as newsletter, k.newsletter_at, k.confirmed_at,
      k.saved_count + coalesce(joined.saved_count, 0)::int as saved_count,
      k.first_seen_at as contact_first_seen_at, k.last_seen_at as contact_last_seen_at, joined.emails as other_emails,
      p.connection_id, p.id as person_id, p.username, p.name, p.picture_url, p.email, p.follows, p.followers, p.verified,
      p.profile_at, p.first_seen_at, coalesce(p.last_seen_at, p.first_seen_at) as person_last_seen_at, p.last_wrote_at,
      p.stopped_at, p.blocked_at, nullif(p.taken_over_until, 'infinity') as taken_over_until,
      coalesce(p.taken_over_until = 'infinity', false) as taken_over_for_good, known.accounts,
      a.platform, a.username as account_username, a.disconnected_at, a.requires_auth_at, to_json(last) as last
    from (${page}) as page
    left join lateral (
      select (page.k).* where (page.k).id is not null
      union all
      select * from contacts where (page.k).id is null and creator_id = ${creatorId} and id = page.contact_id
    ) as k on true
    left join lateral (
      select array_agg(email order by id) filter (where email is not null) as emails, sum(saved_count) as saved_count
      from contacts where k.has_joined and creator_id = ${creatorId} and joined_to = k.id
    ) as joined on true
    left join lateral (
      select json_agg(json_build_object('platform', o.platform, 'connectionId', t.connection_id, 'username', t.username,
          'accountUsername', o.username) order by t.last_seen_at desc nulls last, t.id) as accounts,
        (array_agg(t order by t.last_seen_at desc nulls last, t.id))[1] as p
      from people t join accounts o on o.id = t.connection_id
      where k.has_people and t.${linked}
    ) as known on true
    left join lateral (
      select (case when (page.p).id is null then known.p else page.p end).*
      offset 0
    ) as p on true
    left join accounts a on a.id = p.connection_id
    left join lateral (
      select kind, left(text, ${LAST_WORDS_SHOWN}) as text, outcome, reason from interactions
      where creator_id = p.creator_id and person_id = p.id and connection_id = p.connection_id and kind <> 'button_tap'
      order by occurred_at desc, id desc limit 1
    ) as last on true
    order by page.at desc, (page.p).id is not null, page.tie desc
  `.execute(trx);
  return rows;
}

export async function readRowOf(trx: CreatorTransaction, { creatorId, contactId, people }: Human): Promise<ContactRow> {
  const person = people[0];
  const [row] = await readRows(
    trx,
    creatorId,
    sql`select ${contactId}::uuid as contact_id, null::contacts as k, (
        select p from people p
        where p.creator_id = ${creatorId} and p.connection_id = ${person?.connectionId ?? null} and p.id = ${person?.personId ?? null}
      ) as p, now() as at, '' as tie`,
  );
  return row!;
}

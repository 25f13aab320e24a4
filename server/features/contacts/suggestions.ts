/** Who may be the same person, and who was joined lately. */
import { sql } from 'kysely';
import type { ContactDetails, Suggestion } from '#contract/contacts.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { writeContactId } from './contact-id.ts';
import type { Human } from './human.ts';
import { PARTED_WITHIN_DAYS } from './joining.ts';

const MOST = 10;
type Found = {
  contact_id: string | null;
  connection_id: string | null;
  person_id: string | null;
  name: string | null;
  username: string | null;
  email: string | null;
  platform: Suggestion['platform'];
  why: Suggestion['why'];
};

/**
 * An address that somebody typed in a DM while another has it, and Gmail's ways to write one mailbox. Whom somebody said to be
 * another person is left out.
 */
export async function findSuggestions(
  trx: CreatorTransaction,
  { creatorId, contactId, contactIds, people }: Human,
): Promise<Suggestion[]> {
  const { rows } = await sql<Found>`
    with own as (
      select email, email_key, gmail_mailbox from contacts where creator_id = ${creatorId} and id = any(${contactIds}::uuid[])
    ), typed as (
      -- In any writing: the ledger tells who gave it.
      select distinct l.connection_id, l.person_id from consents l
      where l.creator_id = ${creatorId} and l.email in (select email from own union select email_key from own)
        and l.person_id is not null
    ), theirs as (
      select lower(p.email) as email_key from people p
      where p.creator_id = ${creatorId} and p.email is not null and ${contactId === null}
        and (p.connection_id, p.id) in (
          select * from unnest(${people.map((one) => one.connectionId)}::uuid[], ${people.map((one) => one.personId)}::text[]))
    ), found as (
      select null::uuid as contact_id, p.connection_id, p.id as person_id, p.name, p.username, p.email, a.platform,
        'same_address' as why
      from typed t
      join people p on p.creator_id = ${creatorId} and p.connection_id = t.connection_id and p.id = t.person_id
      join connections a on a.creator_id = p.creator_id and a.id = p.connection_id
      where p.contact_id is null
      union
      select c.id, null, null, c.name, null, c.email, null, 'same_address'
      from theirs join contacts c on c.creator_id = ${creatorId} and c.email_key = theirs.email_key
      union
      select case when c.joined_to is null then c.id else c.joined_to end, null, null, c.name, null, c.email, null, 'gmail'
      from own join contacts c on c.creator_id = ${creatorId} and c.gmail_mailbox = own.gmail_mailbox
      where c.id <> all(${contactIds}::uuid[])
    )
    select * from found f
    where not exists (
      select from joins j
      where j.creator_id = ${creatorId} and j.what = 'dismissed' and (
        (j.contact_id = any(${contactIds}::uuid[]) and (j.other_contact_id = f.contact_id or (j.connection_id = f.connection_id and j.person_id = f.person_id)))
        or (j.contact_id = f.contact_id and (j.other_contact_id = any(${contactIds}::uuid[]) or (j.connection_id, j.person_id) in (
          select * from unnest(${people.map((one) => one.connectionId)}::uuid[], ${people.map((one) => one.personId)}::text[]))))
      )
    )
    order by why desc, email limit ${MOST}
  `.execute(trx);
  return rows.map(({ contact_id, connection_id, person_id, ...one }) => ({
    id: contact_id ?? writeContactId({ connectionId: connection_id!, personId: person_id! }),
    ...one,
  }));
}

/** Those that can be parted still, the newest first. */
export async function findJoins(
  trx: CreatorTransaction,
  { creatorId, contactIds }: Human,
  now: Date,
): Promise<ContactDetails['joined']> {
  const since = new Date(now.getTime() - PARTED_WITHIN_DAYS * 24 * 3_600_000);
  const { rows } = await sql<{ id: string; email: string | null; username: string | null; made_at: Date }>`
    select j.id, c.email, p.username, j.made_at
    from joins j
    left join contacts c on c.creator_id = j.creator_id and c.id = j.other_contact_id
    left join people p on p.creator_id = j.creator_id and p.connection_id = j.connection_id and p.id = j.person_id
    where j.creator_id = ${creatorId} and j.contact_id = any(${contactIds}::uuid[]) and j.what = 'joined' and j.made_at >= ${since}
    order by j.made_at desc, j.id desc limit 20
  `.execute(trx);
  return rows.map(({ id, email, username, made_at }) => ({ id, email, username, at: made_at.toISOString() }));
}

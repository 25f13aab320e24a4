import { type Kysely, sql } from 'kysely';
import type { EmailDesign } from '#contract/email-templates.ts';
import type { Tables } from '#server/db/types.ts';
import { creatorName } from '#server/features/creators/creator-name.ts';
import type { SavedPage } from '#server/features/email-templates/rendering/facts.ts';
import type { MailRefused } from '#server/platforms/email/transport.ts';
import type { MailKind } from './envelope.ts';

/** Mails taken at once: few enough that what was asked for meanwhile, and who left, is soon heeded. */
const A_ROUND = 12;

export type TakenMail = {
  creator_id: string;
  id: string;
  kind: MailKind;
  /** The newsletter, or the mail of the welcome series, that it is one of. */
  part_of: string | null;
  about: SavedPage | null;
  question: string | null;
  attempts: number;
  created_at: Date;
  last_failure: string | null;
  contact_id: string;
  email: string;
  email_key: string;
  contact_name: string | null;
  newsletter: string;
  creator_name: string;
  postal_address: string | null;
};

/** After a restore without the list of who left: what was asked for goes out all the same. */
const MAY_GO = sql`(part_of is null or kind = 'correction' or not exists (select from no_mail_lists where newsletters_wait))`;

/** A mail server takes mails of the creator of `w` now. @param hasShared for creators without one of their own */
const hasLine = (hasShared: boolean, now: Date) => sql`
  coalesce((select s.paused_until is null or s.paused_until <= ${now} from mail_servers s where s.creator_id = w.creator_id), ${hasShared})`;

/** Domains with a mail that is due. */
export async function findDueDomains(
  db: Kysely<Tables>,
  { now, hasShared }: { now: Date; hasShared: boolean },
): Promise<{ domain: string }[]> {
  const { rows } = await sql<{ domain: string }>`
    select distinct domain from (
      select distinct creator_id, recipient_domain as domain from reader_mails
      where state = 'waiting' and due_at <= ${now} and ${MAY_GO}
    ) as w where ${hasLine(hasShared, now)}
  `.execute(db);
  return rows;
}

/**
 * Takes the next mails to a domain: first what was asked for, last what many get; creators in turn, of each the oldest first.
 * Recipient, name and newsletter status are those of this moment.
 */
export async function takeNext(
  db: Kysely<Tables>,
  { domain, leaseId, now, hasShared }: { domain: string; leaseId: string; now: Date; hasShared: boolean },
): Promise<TakenMail[]> {
  const { rows } = await sql<TakenMail>`
    with due as (
      select m.creator_id, m.id, m.turn from (
        select creator_id from (
          select distinct creator_id from reader_mails
          where state = 'waiting' and recipient_domain = ${domain} and due_at <= ${now}
        ) as w where ${hasLine(hasShared, now)}
      ) as c cross join lateral (
        select creator_id, id, lane, due_at, row_number() over (order by lane, due_at, id) as turn from reader_mails w
        where state = 'waiting' and recipient_domain = ${domain} and creator_id = c.creator_id and due_at <= ${now} and ${MAY_GO}
          and (part_of is null or kind = 'welcome' or exists (
            select from broadcasts b where b.creator_id = w.creator_id and b.id = w.part_of and b.state in ('gathering', 'sending')))
        order by lane, due_at, id limit ${A_ROUND}
      ) as m order by lane, turn, due_at limit ${A_ROUND}
    ), taken as (
      update reader_mails r set state = 'sending', lease_id = ${leaseId}, attempts = attempts + 1
      from due where r.creator_id = due.creator_id and r.id = due.id and r.state = 'waiting'
      returning r.*, due.turn
    )
    select ${sendable} from taken t join contacts c on c.creator_id = t.creator_id and c.id = t.contact_id
    order by t.lane, t.turn, t.due_at, t.id
  `.execute(db);
  return rows;
}

/** In a trial: the newest that went out, which is to this program itself; or one of them. */
export async function findSent(db: Kysely<Tables>, most: number, id: string | null = null): Promise<TakenMail[]> {
  const { rows } = await sql<TakenMail>`
    select ${sendable} from reader_mails t join contacts c on c.creator_id = t.creator_id and c.id = t.contact_id
    where t.state = 'accepted' and (${id}::uuid is null or t.id = ${id})
    order by t.created_at desc, t.id desc limit ${most}
  `.execute(db);
  return rows;
}

/** Mails whose sender died before it could note the answer. @returns how many */
export async function takeBack(db: Kysely<Tables>, domain: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('reader_mails')
    .set({ state: 'waiting', lease_id: null, unnoted: sql`unnoted + 1` })
    .where('recipient_domain', '=', domain)
    .where('state', '=', 'sending')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export type Outcome = {
  mail: TakenMail;
  state: 'waiting' | 'accepted' | 'bounced' | 'suppressed' | 'failed' | 'cancelled' | 'expired' | 'held';
  failure: string | null;
  /** The next try; null when it is over. */
  dueAt: Date | null;
  /** Of a mail that was refused for good. */
  fate?: MailRefused['fate'];
  /** It was taken, and not its turn any more. */
  isUntried?: true;
};

/** Whichever worker holds the mail by now: the mail server's answer counts. */
export async function note(db: Kysely<Tables>, outcomes: Outcome[], now: Date): Promise<void> {
  const rows = outcomes.map(({ mail, state, failure, dueAt, fate, isUntried }) => ({
    ...{ creator_id: mail.creator_id, id: mail.id, state, failure: failure?.slice(0, 300) ?? null, due_at: dueAt },
    ...{ reported: fate ?? null, tries: isUntried ? 0 : 1 },
  }));
  await sql`
    update reader_mails r set state = o.state, last_failure = o.failure, lease_id = null, attempts = r.attempts - 1 + o.tries,
      due_at = coalesce(o.due_at, r.due_at), reported = o.reported,
      reported_at = case when o.reported is not null then ${now}::timestamptz end, finished_at = case when o.due_at is null then ${now}::timestamptz end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as o(creator_id uuid, id uuid, state text, failure text, due_at timestamptz, reported text, tries integer)
    where r.creator_id = o.creator_id and r.id = o.id and r.state in ('waiting', 'sending')
  `.execute(db);
}

export type OwnDesign = { creator_id: string; id: string; state: string; version: number; design: EmailDesign };

/** What those of the mails say that are one of many. */
export async function findOwnDesigns(db: Kysely<Tables>, mails: TakenMail[]): Promise<OwnDesign[]> {
  const many = mails.filter((mail) => mail.part_of !== null);
  if (many.length === 0) return [];
  const [creators, ids] = [many.map((mail) => mail.creator_id), many.map((mail) => mail.part_of)];
  const { rows } = await sql<OwnDesign>`
    select creator_id, id, state, version, design from broadcasts
    where creator_id = any (${creators}::uuid[]) and id = any (${ids}::uuid[])
    union all
    select creator_id, id, case when s.welcome and s.writer = 'here' then 'sending' else 'cancelled' end, version, design
    from welcome_mails left join newsletter_settings s using (creator_id)
    where creator_id = any (${creators}::uuid[]) and id = any (${ids}::uuid[])
  `.execute(db);
  return rows;
}

/** A `TakenMail` of a mail `t` and its contact `c`. */
const sendable = sql`t.creator_id, t.id, t.kind, t.part_of, t.about, t.question, t.attempts, t.created_at, t.last_failure, t.contact_id,
  c.email, c.email_key, c.name as contact_name, c.newsletter, ${creatorName(sql`t.creator_id`)} as creator_name,
  (select postal_address from senders where senders.creator_id = t.creator_id) as postal_address`;

/** What became of the emails of a newsletter, or of an email of the welcome series. People are counted: nobody gets one twice. */
import { type RawBuilder, sql } from 'kysely';

/** Of `reader_mails`: it left us. */
export const WAS_SENT: RawBuilder<unknown> = sql`state in ('accepted', 'delivered', 'deferred', 'bounced', 'complained')`;

/** Who unsubscribed after this mail and before the next did so because of this one, as far as anybody can tell. */
export function figuresOf(creatorId: string, partOf: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select count(*) as total,
      count(*) filter (where state in ('waiting', 'sending', 'held')) as waiting,
      count(*) filter (where state in ('suppressed', 'cancelled', 'failed', 'expired')) as "leftOut",
      count(*) filter (where ${WAS_SENT}) as sent,
      count(*) filter (where state = 'bounced') as bounced,
      count(*) filter (where state = 'complained') as complained,
      (
        select count(*) from reader_mails m join contacts c on c.creator_id = m.creator_id and c.id = m.contact_id
        where m.creator_id = ${creatorId} and m.part_of = ${partOf} and c.newsletter = 'unsubscribed'
          and m.state in ('accepted', 'delivered', 'deferred') and c.newsletter_at >= m.finished_at and not exists (
            select from reader_mails l
            where l.creator_id = m.creator_id and l.contact_id = m.contact_id and l.part_of <> m.part_of
              and l.state in ('accepted', 'delivered', 'deferred') and l.finished_at > m.finished_at and l.finished_at <= c.newsletter_at)
      ) as unsubscribed,
      count(clicked_at) as clicked
    from reader_mails where creator_id = ${creatorId} and part_of = ${partOf}`;
}

const MOST_TOP_LINKS = 5;

/** As JSON. */
export function topLinksOf(creatorId: string, broadcastId: string): RawBuilder<unknown> {
  return sql`
    select coalesce(jsonb_agg(to_jsonb(top)), '[]') from (
      select l.url, count(distinct c.mail_id) as clicked from links l
      join clicks c on c.creator_id = l.creator_id and c.link_id = l.id and c.mail_id is not null
      where l.creator_id = ${creatorId} and l.part_of = ${broadcastId}
      group by l.url order by clicked desc, l.url limit ${MOST_TOP_LINKS}
    ) as top`;
}

import { sql } from 'kysely';

/** The name readers know a creator by: that of their mails, else of their account, else its handle. */
export function creatorName(creatorId: ReturnType<typeof sql>) {
  return sql<string>`coalesce(
    (select name from senders where creator_id = ${creatorId}),
    (select name from connections where creator_id = ${creatorId} and name <> '' order by disconnected_at nulls first, id limit 1),
    (select handle from creators where id = ${creatorId}))`;
}

/** Of a mail in a creator's name: it comes from us, and answers go to them. */
export function inNameOf(creatorId: string) {
  return {
    name: creatorName(sql`${creatorId}::uuid`),
    replyTo: sql<string | null>`(select coalesce(reply_to, address) from senders where creator_id = ${creatorId})`,
  };
}

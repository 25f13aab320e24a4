/**
 * Passes to what only subscribers read: which press of a button it was and until when, signed with the blog's own key. The
 * blog makes them for who signs up there, we for the links in mails (wordpress-plugin/includes/Gate/Pass.php reads both).
 */
import { createHmac } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { GATE_UNCONFIRMED_DAYS } from '#contract/plugin.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { type Keys, openOrNull } from '#server/secrets.ts';

const UNCONFIRMED_MS = GATE_UNCONFIRMED_DAYS * 24 * 3_600_000;
const PARAMETER = 'chq-pass';

/** Those of people who confirmed, or may yet. On a copy of the blog nobody gets a mail to confirm: all of them. */
export async function findOpen(
  { clock }: { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
  attempts: string[],
): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('submissions as s')
    .leftJoin('contacts as c', (join) =>
      join.onRef('c.creator_id', '=', 's.creator_id').onRef('c.id', '=', 's.contact_id'),
    )
    .select('s.attempt')
    .where('s.creator_id', '=', creatorId)
    .where('s.attempt', 'in', attempts)
    .where((eb) =>
      eb.or([
        eb('s.is_test', '=', true),
        eb('c.newsletter', '=', 'confirmed'),
        eb.and([
          eb('c.newsletter', '=', 'unconfirmed'),
          eb('s.received_at', '>', new Date(clock.now().getTime() - UNCONFIRMED_MS)),
        ]),
      ]),
    )
    .execute();
  return new Set(rows.map(({ attempt }) => attempt));
}

type Saved = {
  creator_id: string;
  id: string;
  created_at: Date;
  newsletter: string;
  about: { url: string; isLocked?: boolean } | null;
};

/** For subscribers, links to locked pages open them. */
export async function withPasses<Mail extends Saved>(
  db: Kysely<Tables>,
  { encryptionKeys }: Pick<Keys, 'encryptionKeys'>,
  mails: Mail[],
): Promise<Mail[]> {
  const asked = mails.filter(
    ({ about, newsletter }) => about?.isLocked && (newsletter === 'confirmed' || newsletter === 'unconfirmed'),
  );
  if (asked.length === 0) return mails;
  const { rows } = await sql<{ id: string; attempt: string; signing_key: string }>`
    select m.id, s.attempt, sites.signing_key from reader_mails m
    join submissions s on s.creator_id = m.creator_id and s.id = m.submission_id
    join sites on sites.creator_id = s.creator_id and sites.id = s.site_id
    where (m.creator_id, m.id) in (
      select * from jsonb_to_recordset(${JSON.stringify(asked.map(({ creator_id, id }) => ({ creator_id, id })))}::jsonb)
        as a(creator_id uuid, id uuid)
    )
  `.execute(db);
  const found = new Map(rows.map((row) => [row.id, row]));
  return mails.map((mail) => {
    const row = found.get(mail.id);
    const key = row === undefined ? null : openOrNull(encryptionKeys, row.signing_key);
    if (row === undefined || key === null) return mail;
    const url = new URL(mail.about!.url);
    url.searchParams.set(PARAMETER, passOf(key, row.attempt, new Date(mail.created_at.getTime() + UNCONFIRMED_MS)));
    return { ...mail, about: { ...mail.about, url: url.href } };
  });
}

/** @param key base64url, as the blog has it */
export function passOf(key: string, attempt: string, until: Date): string {
  const seconds = Math.floor(until.getTime() / 1000);
  const mac = createHmac('sha256', Buffer.from(key, 'base64url')).update(`gate pass\n${attempt}\n${seconds}`);
  return `${attempt}.${seconds}.${mac.digest('base64url')}`;
}

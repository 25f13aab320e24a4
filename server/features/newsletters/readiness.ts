/** What must be there before a newsletter leaves. */
import type { Kysely } from 'kysely';
import { TOOL_NAMES } from '#contract/newsletter-tools.ts';
import type { NewsletterWriter } from '#contract/newsletters.ts';
import type { Config } from '#server/config.ts';
import type { Tables } from '#server/db/types.ts';
import { findWhomFrom } from '#server/features/sending/whom-from.ts';
import type { Keys } from '#server/secrets.ts';

export type ReadinessDeps = { keys: Keys; config: Pick<Config, 'smtpUrl' | 'trying'> };

/** @returns a sentence for each thing that is missing to send mails that readers did not ask for one by one */
export async function whatIsMissing(
  { keys, config }: ReadinessDeps,
  db: Kysely<Tables>,
  creatorId: string,
): Promise<string[]> {
  const whom = (await findWhomFrom(db, keys, [creatorId])).get(creatorId)!;
  const sender = await db
    .selectFrom('senders')
    .select('postal_address')
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  return [
    ...(config.smtpUrl === null && !config.trying ? ['Emails aren’t set up on this server yet.'] : []),
    ...(whom.own === null ? ['Choose a sender address at a domain of yours, and verify the domain.'] : []),
    ...(sender?.postal_address ? [] : ['Add your postal address. Every newsletter must show one.']),
  ];
}

export async function readWriter(db: Kysely<Tables>, creatorId: string): Promise<NewsletterWriter> {
  const row = await db
    .selectFrom('newsletter_settings')
    .select('writer')
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  return row?.writer ?? 'here';
}

/** @returns null: newsletters are sent from here */
export function toolWrites(writer: NewsletterWriter): string | null {
  return writer === 'here' ? null : `${TOOL_NAMES[writer]} sends your newsletters now.`;
}

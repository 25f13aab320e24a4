import { sql } from 'kysely';
import type { Holds } from '#server/db/holds.ts';

const TEXTS = sql`cells = null, email = null, email_key = null, email_hash = null, gmail_mailbox = null, name = null, name_key = null, suggestion = null, why = null, is_cleared = true`;

export const importHolds: Holds = {
  import_rows: {
    exported: { leftOut: 'rows of imported files, for a day' },
    person: {
      rows: ({ creatorId, contactIds }) => sql`(
        contact_id = any(${contactIds}::uuid[])
        or email_key in (select email_key from contacts where creator_id = ${creatorId} and id = any(${contactIds}::uuid[])))`,
      copied: { as: 'import_row', named: ['import_id', 'line'], without: ['email_hash', 'fingerprint'] },
    },
    account: ({ creatorId, connectionId }) => sql`
      creator_id = ${creatorId}
      and contact_id in (select contact_id from people where creator_id = ${creatorId} and connection_id = ${connectionId})`,
    ages: [
      {
        keep: 1,
        at: 'made_at',
        only: sql`not is_cleared and not exists (
          select from imports i where i.creator_id = import_rows.creator_id and i.id = import_rows.import_id and i.state = 'running')`,
        clears: TEXTS,
      },
      { keep: 8, at: 'made_at' },
    ],
  },
  imports: {
    exported: { as: 'imports' },
    ages: [{ keep: 1, at: 'made_at', only: sql`state not in ('running', 'done', 'cancelled', 'failed')` }],
  },
};

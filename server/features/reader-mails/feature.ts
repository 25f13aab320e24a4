import { sql } from 'kysely';
import type { Feature } from '#server/features/app-deps.ts';
import { settleConfirmations } from './confirmations.ts';
import { registerReaderMails } from './routes.ts';
import { findDueReaderMails, sendToDomain } from './send-reader-mails.ts';

/** Thirteen months: a recipe for a holiday is looked for again a year later. */
const KEPT_DAYS = 395;
/** After they ended. */
const CONFIRMATIONS_DAYS = 30;

export const feature: Feature = {
  routes: registerReaderMails,
  jobs: [findDueReaderMails, sendToDomain, settleConfirmations],
  holds: {
    reader_mails: {
      exported: { as: 'readerMails', without: ['lease_id'] },
      person: { rows: 'contact_id', copied: { as: 'reader_mail', without: ['lease_id'] } },
      // Whom the account alone knows.
      account: ({ creatorId, connectionId }) => sql`
        creator_id = ${creatorId}
        and contact_id in (select contact_id from people where creator_id = ${creatorId} and connection_id = ${connectionId})
        and contact_id in (select id from contacts where creator_id = ${creatorId} and source = 'dm')`,
      ages: [{ keep: KEPT_DAYS, at: 'created_at' }],
    },
    not_me_addresses: { exported: { leftOut: 'hashes of addresses' }, requests: 'nothing' },
    confirmations: {
      exported: { leftOut: 'hashes of links' },
      requests: 'select update',
      large: true,
      ages: [{ keep: CONFIRMATIONS_DAYS, at: 'expires_at' }],
    },
  },
};

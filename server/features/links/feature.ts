import { sql } from 'kysely';
import * as linkReports from '#contract/link-reports.ts';
import { interactionsOf } from '#server/engine/holds.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerReportedLinks } from './reported-links-routes.ts';
import { registerLinks } from './routes.ts';

const STRAY_CLICKS_DAYS = 30;

export const feature: Feature = {
  contract: { linkReports },
  routes: (app, deps) => {
    registerLinks(app, deps);
    registerReportedLinks(app, deps);
  },
  holds: {
    link_days: { exported: { as: 'linkDays' }, requests: 'select' },
    opening_tests: { exported: { as: 'openingTests' }, requests: 'select' },
    reported_links: { exported: { leftOut: 'what strangers told the operator of short links' }, requests: 'nothing' },
    clicks: {
      exported: { as: 'clicks' },
      // Which message was opened, and whom it went to the message tells. Which mail it was goes with the mail.
      person: {
        rows: (who) => sql`id in (
          select id from clicks where creator_id = ${who.creatorId} and delivery_id in (
            select id from deliveries where creator_id = ${who.creatorId} and interaction_id in (${interactionsOf(who)}))
          union all
          select id from clicks where creator_id = ${who.creatorId} and mail_id in (
            select id from reader_mails where creator_id = ${who.creatorId} and contact_id = any(${who.contactIds}::uuid[])))`,
        erased: 'kept',
        copied: { as: 'click' },
      },
      account: ({ creatorId, connectionId }) => sql`creator_id = ${creatorId} and delivery_id in (
        select id from deliveries where creator_id = ${creatorId} and connection_id = ${connectionId})`,
      // With a message they go when it does; with a mail so long after it.
      ages: [{ keep: STRAY_CLICKS_DAYS, at: 'clicked_at', only: sql`delivery_id is null and mail_id is null` }],
    },
  },
};

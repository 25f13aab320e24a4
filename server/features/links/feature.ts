import { sql } from 'kysely';
import { interactionsOf } from '#server/engine/holds.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerLinks } from './routes.ts';

const STRAY_CLICKS_DAYS = 30;

export const feature: Feature = {
  routes: registerLinks,
  holds: {
    clicks: {
      exported: { as: 'clicks' },
      // Which message was opened, and whom it went to the message tells.
      person: {
        rows: (who) => sql`delivery_id in (
          select id from deliveries where creator_id = ${who.creatorId} and interaction_id in (${interactionsOf(who)}))`,
        erased: 'kept',
        copied: { as: 'click' },
      },
      account: ({ creatorId, connectionId }) => sql`creator_id = ${creatorId} and delivery_id in (
        select id from deliveries where creator_id = ${creatorId} and connection_id = ${connectionId})`,
      // With a message they go when it does.
      ages: [{ keep: STRAY_CLICKS_DAYS, at: 'clicked_at', only: sql`delivery_id is null` }],
    },
  },
};

import { sql } from 'kysely';
import * as outgoingWebhooks from '#contract/outgoing-webhooks.ts';
import type { Somebody } from '#server/db/holds.ts';
import { interactionsOf } from '#server/engine/holds.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { findDueWebhooks, serveEndpoint } from './jobs.ts';
import { registerOutgoingWebhooks } from './routes.ts';

export const feature: Feature = {
  contract: { outgoingWebhooks },
  routes: registerOutgoingWebhooks,
  jobs: [findDueWebhooks, serveEndpoint],
  holds: {
    outgoing_endpoints: {
      exported: { as: 'webhooks', without: ['secret', 'old_secret', 'old_secret_until'] },
      // Its overlap with the new one is over.
      ages: [{ keep: 0, at: 'old_secret_until', clears: sql`old_secret = null, old_secret_until = null` }],
    },
    outgoing_events: {
      exported: { leftOut: 'a queue; what it tells is in interactions, deliveries, people and clicks' },
      person: {
        rows: toldOf,
        first: (who) => [
          sql`
            delete from outgoing_events where creator_id = ${who.creatorId} and exists (
              select from interactions where id in (${interactionsOf(who)}) and username is not null
                and strpos(lower(data ->> 'text'), '@' || lower(username)) > 0
            )`,
        ],
        copied: { as: 'told_other_tools', without: ['endpoint_id', 'log'] },
      },
      account: ({ creatorId, connectionId }) => sql`
        creator_id = ${creatorId} and data ->> 'connectionId' = ${connectionId}::text`,
      // Events still to be sent stay.
      ages: [{ keep: 'webhookLogDays', at: 'happened_at', only: sql`state <> 'queued'` }],
    },
  },
};

function toldOf(who: Somebody) {
  return sql`(
    (data ->> 'connectionId' = ${who.connectionId}::text and data ->> 'personId' = any(${who.ids}))
    or data ->> 'contactId' = any(${who.contactIds}::text[])
    or data ->> 'interactionId' in (select id::text from (${interactionsOf(who)}) as theirs)
  )`;
}

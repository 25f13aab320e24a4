import { sql } from 'kysely';
import * as newsletterTools from '#contract/newsletter-tools.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { askTools } from './changes.ts';
import { registerNewsletterTools } from './routes.ts';
import { findDueTools, syncTool } from './sync.ts';

const EVENTS_DAYS = 30;

export const feature: Feature = {
  contract: { newsletterTools },
  routes: registerNewsletterTools,
  jobs: [findDueTools, syncTool, askTools],
  holds: {
    data_integrations: {
      exported: {
        as: 'newsletterTools',
        without: ['secret', 'refresh_secret', 'hook_secret', 'hook_token', 'recent_calls'],
      },
    },
    integration_contacts: {
      exported: { as: 'newsletterToolContacts' },
      person: {
        rows: 'contact_id',
        // Whom a tool never heard of. The others go there first.
        first: (who) => [
          sql`delete from integration_contacts where creator_id = ${who.creatorId} and contact_id = any(${who.contactIds}::uuid[]) and remote_id is null`,
        ],
        erased: { state: sql`'removing'`, failure: sql`null`, sent: sql`null`, due_at: sql`now()` },
        copied: { as: 'in_newsletter_tool', named: ['integration_id', 'contact_id'] },
      },
      // Whom the account alone knew is gone from here; what a tool has of them they gave it by their own yes.
      account: ({ creatorId }) => sql`
        creator_id = ${creatorId} and state <> 'removing'
        and not exists (select from contacts c where c.creator_id = ${creatorId} and c.id = contact_id and c.source <> 'dm')`,
      ages: [],
    },
    integration_events: {
      exported: { leftOut: 'ids of events that were read' },
      requests: 'insert select',
      large: true,
      ages: [{ keep: EVENTS_DAYS, at: 'read_at' }],
    },
  },
};

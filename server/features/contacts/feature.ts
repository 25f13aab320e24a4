import { sql } from 'kysely';
import * as contacts from '#contract/contacts.ts';
import * as imports from '#contract/imports.ts';
import * as segments from '#contract/segments.ts';
import * as suppressions from '#contract/suppressions.ts';
import * as tags from '#contract/tags.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { addressJobs } from './given-addresses.ts';
import { importHolds } from './importing/holds.ts';
import { importContacts } from './importing/imports.ts';
import { registerImports } from './importing/routes.ts';
import { listNoMail } from './no-mail/listing.ts';
import { contactJobs } from './profiles.ts';
import { registerContacts } from './routes.ts';

export const feature: Feature = {
  contract: { contacts, imports, segments, suppressions, tags },
  routes: (app, deps) => {
    registerContacts(app, deps);
    registerImports(app, deps);
  },
  jobs: [...contactJobs, ...addressJobs, importContacts, listNoMail],
  holds: {
    ...importHolds,
    contact_tags: {
      exported: { as: 'contactTags' },
      person: {
        rows: 'contact_id',
        copied: {
          as: 'tag',
          named: ['tag_id', 'contact_id'],
          with: sql`jsonb_build_object('name', (
            select name from tags where tags.creator_id = t.creator_id and tags.id = t.tag_id))`,
        },
      },
      // They go with their contacts.
      account: 'stays',
      ages: [],
    },
    tags: { exported: { as: 'tags' } },
    segments: { exported: { as: 'segments' } },
    contacts: {
      exported: { as: 'contacts', without: ['name_key', 'name_last'] },
      person: {
        rows: ({ contactIds }) => sql`id = any(${contactIds}::uuid[])`,
        copied: { as: 'contact', without: ['name_key', 'name_last'] },
      },
      // Whom the account alone knows: members are known by what they pay or were given.
      account: ({ creatorId, connectionId }) => sql`
        creator_id = ${creatorId} and newsletter <> 'confirmed' and source not in ('blog', 'file', 'tool', 'team')
        and not exists (select from passes where passes.creator_id = contacts.creator_id and passes.contact_id = contacts.id)
        and id in (select contact_id from people where creator_id = ${creatorId} and connection_id = ${connectionId})`,
      ages: [],
    },
    joins: {
      exported: { as: 'joins' },
      person: {
        rows: ({ connectionId, ids, contactIds }) => sql`(
          contact_id = any(${contactIds}::uuid[]) or other_contact_id = any(${contactIds}::uuid[])
          or (connection_id = ${connectionId} and person_id = any(${ids})))`,
        copied: { as: 'join' },
      },
      account: 'goes',
      ages: [],
    },
    suppressions: { exported: { as: 'suppressions', without: ['email_hash'] } },
    creator_secrets: { exported: { leftOut: 'a secret of ours' }, requests: 'insert select update' },
    contact_changes: {
      exported: { as: 'contactChanges' },
      person: { rows: 'person_id', copied: { as: 'change' } },
      account: 'goes',
      ages: [{ keep: 'historyDays', at: 'changed_at' }],
    },
    erased_people: { exported: { leftOut: 'hashes of who was erased' } },
  },
};

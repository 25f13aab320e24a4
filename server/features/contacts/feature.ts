import * as contacts from '#contract/contacts.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { contactJobs } from './profiles.ts';
import { registerContacts } from './routes.ts';

export const feature: Feature = {
  contract: { contacts },
  routes: registerContacts,
  jobs: contactJobs,
  holds: {
    contact_changes: {
      exported: { as: 'contactChanges' },
      person: { rows: 'person_id', copied: { as: 'change' } },
      account: 'goes',
      ages: [{ keep: 'historyDays', at: 'changed_at' }],
    },
    erased_people: { exported: { leftOut: 'hashes of who was erased' } },
  },
};

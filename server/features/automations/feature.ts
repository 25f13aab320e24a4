import * as automationDrafts from '#contract/automation-drafts.ts';
import * as automations from '#contract/automations.ts';
import * as clashes from '#contract/clashes.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerAutomations } from './routes.ts';

export const feature: Feature = {
  contract: { automations, automationDrafts, clashes },
  routes: registerAutomations,
  holds: {
    automations: {
      exported: { as: 'automations' },
      // Their names were kept for the activity, which is gone by now.
      ages: [{ keep: 'historyDays', forAll: true, at: 'archived_at' }],
    },
    links: { exported: { as: 'links' } },
  },
};

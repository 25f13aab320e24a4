import { sql } from 'kysely';
import type { Feature } from '#server/features/app-deps.ts';

/** 13 months: a season, and the same one a year later. */
const SUBMISSION_DAYS = 396;

export const feature: Feature = {
  holds: {
    submissions: {
      exported: { as: 'submissions', without: ['network', 'network_until', 'address_key'] },
      person: {
        rows: 'contact_id',
        copied: { as: 'submission', without: ['network', 'network_until', 'address_key'] },
      },
      account: 'stays',
      ages: [
        { keep: SUBMISSION_DAYS, at: 'received_at' },
        { keep: 0, at: 'network_until', clears: sql`network = null, network_until = null` },
      ],
    },
    saved_recipes: {
      exported: { as: 'savedRecipes', without: ['address_key', 'page_key'] },
      person: { rows: 'contact_id', copied: { as: 'saved_recipe', without: ['address_key', 'page_key'] } },
      account: 'stays',
      ages: [],
    },
  },
};

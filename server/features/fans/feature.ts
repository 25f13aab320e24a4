import { sql } from 'kysely';
import type { Feature } from '#server/features/app-deps.ts';
import { registerFanPages } from './routes.ts';

const stays = () => sql`false`;

export const feature: Feature = {
  routes: registerFanPages,
  holds: {
    tiers: { exported: { as: 'tiers' } },
    passes: {
      exported: { as: 'passes' },
      person: { rows: 'contact_id', copied: { as: 'pass' } },
      account: stays,
      ages: [],
    },
    fan_devices: {
      exported: { as: 'memberDevices', without: ['secret_hash'] },
      person: { rows: 'contact_id', copied: { as: 'member_device', without: ['secret_hash'] } },
      account: stays,
      ages: [{ keep: 400, at: 'seen_at' }],
    },
    fan_entries: {
      exported: { leftOut: 'codes by which members enter, good for ten minutes' },
      person: { rows: 'contact_id', copied: { as: 'entry', without: ['code_hash', 'start', 'grant_hash'] } },
      account: stays,
      ages: [{ keep: 7, at: 'asked_at' }],
    },
  },
};

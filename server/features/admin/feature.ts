import { sql } from 'kysely';
import * as admin from '#contract/admin.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { forgettingAudit } from './audit.ts';
import { registerAdmin } from './routes.ts';

export const feature: Feature = {
  contract: { admin },
  routes: registerAdmin,
  holds: {
    admin_visits: {
      exported: { as: 'supportVisits', without: ['return_to'] },
      requests: 'select',
      ages: [{ keep: 'auditLogDays', at: 'until' }],
    },
    audit_log: {
      exported: { leftOut: 'the log of the operator; visits are in supportVisits' },
      requests: 'nothing',
      // Support's acts are noted by addresses, and a contact's address has their id.
      erasedByEngine: ({ creatorId, connectionId, ids }) => sql`
        select erase_from_audit(${creatorId}, ${connectionId} || '.' || one.id) from unnest(${ids}::text[]) as one(id)`,
      // Who did what when stays, not why.
      deleted: (creatorId) => sql`select clear_audit_of(${creatorId})`,
      ages: [{ keep: 'auditLogDays', at: 'at', steps: forgettingAudit }],
    },
  },
};

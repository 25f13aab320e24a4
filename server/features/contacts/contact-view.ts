import type { Contact } from '#contract/contacts.ts';
import { writeContactId } from './contact-id.ts';
import type { ContactRow } from './queries.ts';

export function viewOf(row: ContactRow, now: Date): Contact {
  const isTakenOver = row.taken_over_for_good || (row.taken_over_until !== null && row.taken_over_until > now);
  return {
    id: writeContactId({ connectionId: row.connection_id, personId: row.id }),
    connectionId: row.connection_id,
    platform: row.platform,
    accountUsername: row.account_username,
    username: row.username,
    name: row.name,
    pictureUrl: row.picture_url,
    email: row.email,
    follows: row.follows,
    lastSeenAt: row.last_seen_at.toISOString(),
    stoppedAt: row.stopped_at?.toISOString() ?? null,
    takenOver: isTakenOver ? { until: row.taken_over_until?.toISOString() ?? null } : null,
    blockedAt: row.blocked_at?.toISOString() ?? null,
    last: row.last,
  };
}

import type { Contact } from '#contract/contacts.ts';
import { writeContactId } from './contact-id.ts';
import type { ContactRow } from './contact-rows.ts';

export function viewOf(row: ContactRow, now: Date): Contact {
  const isTakenOver = row.taken_over_for_good || (row.taken_over_until !== null && row.taken_over_until > now);
  const own =
    row.connection_id === null ? null : writeContactId({ connectionId: row.connection_id, personId: row.person_id });
  const seen = [row.contact_last_seen_at, row.person_last_seen_at].flatMap((at) => at?.getTime() ?? []);
  return {
    id: row.contact_id ?? own!,
    connectionId: row.connection_id,
    platform: row.platform,
    accountUsername: row.account_username,
    identities: identitiesOf(row),
    newsletter: row.newsletter ?? 'none',
    savedCount: row.saved_count ?? 0,
    username: row.username,
    name: row.name ?? row.contact_name,
    pictureUrl: row.picture_url,
    email: row.contact_email ?? row.email,
    follows: row.follows,
    lastSeenAt: new Date(Math.max(...seen)).toISOString(),
    stoppedAt: row.stopped_at?.toISOString() ?? null,
    takenOver: isTakenOver ? { until: row.taken_over_until?.toISOString() ?? null } : null,
    blockedAt: row.blocked_at?.toISOString() ?? null,
    last: row.last,
  };
}

function identitiesOf(row: ContactRow): Contact['identities'] {
  const { platform, connection_id: connectionId, username, account_username: accountUsername } = row;
  const only = connectionId === null ? [] : [{ platform, connectionId, username, accountUsername }];
  const emails = [row.contact_email ?? (row.contact_id === null ? row.email : null), ...(row.other_emails ?? [])];
  return [
    ...(row.accounts ?? only).map((account) => ({ kind: 'account' as const, ...account })),
    ...emails.flatMap((email) => (email === null ? [] : [{ kind: 'email' as const, email }])),
  ].slice(0, 20);
}

/** How a connection is, in words a creator understands. */
import type { Connection } from '#contract/connections.ts';
import type { ConnectionRow, TokenRow } from './queries.ts';

/** So late a sign-in should have been renewed long ago: the creator must do it herself before it ends. */
export const ENDS_SOON_MS = 3 * 24 * 3600_000;

const RECONNECT_BECAUSE: Record<string, string> = {
  expired: 'The sign-in ran out. Connect the account again.',
  password_changed: 'The password was changed, or all devices were logged out. Connect the account again.',
  app_removed: 'Creator HQ was removed in the settings of Instagram or Facebook. Connect the account again.',
  checkpoint: 'Meta wants you to confirm something: log in at instagram.com or facebook.com, then connect again.',
  unconfirmed: 'Your Meta account is not confirmed yet. Confirm it there, then connect again.',
  role_lost: 'You no longer have the role on the Page that this needs. Get it back, then connect again.',
  page_link_broken:
    'The link between the Instagram account, its Page and you is broken, or two-factor login is required. Check it at Facebook, then connect again.',
  no_access: 'Meta does not let us see this account. Connect it again and leave every box ticked.',
};

export function healthOf(
  row: ConnectionRow,
  token: TokenRow | undefined,
  now: Date,
): { health: Connection['health']; detail: string | null } {
  if (row.disconnected_at !== null) {
    return { health: 'disconnected', detail: RECONNECT_BECAUSE[row.disconnected_reason ?? ''] ?? 'Not connected.' };
  }
  if (row.requires_auth_at !== null) {
    const because = RECONNECT_BECAUSE[row.requires_auth_reason ?? ''];
    return { health: 'needs_reconnect', detail: because ?? 'Meta no longer accepts the sign-in. Connect it again.' };
  }
  const endsAt = token?.expires_at?.getTime();
  if (endsAt !== undefined && endsAt - now.getTime() < ENDS_SOON_MS) {
    return {
      health: 'needs_reconnect',
      detail: 'The sign-in ends within three days and could not be renewed. Connect the account again.',
    };
  }
  if (row.policy_blocked) return { health: 'blocked', detail: policyInWords(row.policy_reason) };
  if (row.barred_until !== null && row.barred_until > now) {
    return {
      health: 'barred',
      detail: 'Instagram paused messages from this account for a while. We go on by ourselves when it lifts.',
    };
  }
  if (row.missing_permissions.length > 0) {
    return {
      health: 'missing_permissions',
      detail: 'A box was unticked when signing in. Connect the account again and leave every box ticked.',
    };
  }
  if (row.missing_webhooks.length > 0) {
    return {
      health: 'missing_webhooks',
      detail: 'Meta does not tell us of everything that happens on this account. Press "Check again".',
    };
  }
  return { health: 'working', detail: null };
}

/** Meta's own reason stands last: nobody can say how long it is. */
export function policyInWords(reason: string | null): string {
  const words =
    'Meta has blocked this Page from sending messages. Ask for a review in the Page’s Support Inbox on Facebook. Messages can go out again once Meta lifts the block.';
  return reason === null ? words : `${words} Meta says: ${reason}`;
}

/** How a connection is, in words a creator understands. */
import type { Connection } from '#contract/connections.ts';
import type { ConnectionRow, TokenRow } from './queries.ts';

/** So late a sign-in should have been renewed long ago: the creator must do it before it ends. */
export const ENDS_SOON_MS = 3 * 24 * 3600_000;

const RECONNECT_BECAUSE: Record<string, string> = {
  expired: 'The login expired. Reconnect the account.',
  password_changed: 'The password was changed, or all devices were logged out. Reconnect the account.',
  app_removed: 'Creator HQ was removed in Instagram’s or Facebook’s settings. Reconnect the account.',
  checkpoint:
    'Instagram or Facebook needs you to confirm something. Log in at instagram.com or facebook.com, then reconnect.',
  unconfirmed: 'Your Facebook account isn’t confirmed yet. Confirm it on Facebook, then reconnect.',
  role_lost: 'You no longer have the role on the Page that’s needed. Ask for it back, then reconnect.',
  page_link_broken:
    'The link between the Instagram account, its Page and you is broken, or two-factor login is required. Check it on Facebook, then reconnect.',
  no_access: 'We can’t see this account. Reconnect it and leave every box checked.',
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
    return { health: 'needs_reconnect', detail: because ?? 'Instagram signed us out. Reconnect the account.' };
  }
  const endsAt = token?.expires_at?.getTime();
  if (endsAt !== undefined && endsAt - now.getTime() < ENDS_SOON_MS) {
    return {
      health: 'needs_reconnect',
      detail: 'The connection expires within 3 days and couldn’t be renewed. Reconnect the account.',
    };
  }
  if (row.policy_blocked) return { health: 'blocked', detail: policyInWords(row.policy_reason) };
  if (row.barred_until !== null && row.barred_until > now) {
    return {
      health: 'barred',
      detail: 'Instagram paused messages from this account. We’ll continue when the pause ends.',
    };
  }
  if (row.missing_permissions.length > 0) {
    return {
      health: 'missing_permissions',
      detail: 'A box was unchecked when you connected. Reconnect the account and leave every box checked.',
    };
  }
  if (row.missing_webhooks.length > 0) {
    return {
      health: 'missing_webhooks',
      detail: 'Instagram isn’t sending us everything that happens on this account. Tap “Test connection”.',
    };
  }
  return { health: 'working', detail: null };
}

/** Meta's own reason stands last: nobody can say how long it is. */
export function policyInWords(reason: string | null): string {
  const words =
    'Facebook blocked this Page from sending messages. Request a review in the Page’s Support Inbox on Facebook. Messages can be sent again once the block ends.';
  return reason === null ? words : `${words} Facebook says: ${reason}`;
}

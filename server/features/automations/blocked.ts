/** Why an automation can't fire: an "on" that can't is worse than an "off". */
import type { ErrorCode } from '#contract/errors.ts';
import type { ConnectionState } from './queries.ts';

export type Blocked = { code: ErrorCode; because: string };

/** Without these Meta tells us of no comment, or lets us answer none. Pages have names of their own for both. */
const NEEDED_PERMISSION = /manage_comments|manage_messages|pages_messaging|pages_manage_engagement/;
const NEEDED_WEBHOOK = /^(comments|feed)$/;

export function blockedBy(connection: ConnectionState | undefined, post: { gone: boolean }): Blocked | null {
  if (connection === undefined || connection.disconnected_at !== null) {
    const account = connection === undefined ? 'Its account' : `@${connection.username}`;
    return { code: 'not_connected', because: `${account} is not connected. Connect it again in Settings.` };
  }
  const account = `@${connection.username}`;
  if (connection.requires_auth_at !== null) {
    return { code: 'needs_reconnect', because: `${account} must be reconnected: Meta no longer accepts its sign-in.` };
  }
  const permissions = connection.missing_permissions.filter((permission) => NEEDED_PERMISSION.test(permission));
  if (permissions.length > 0) {
    return {
      code: 'needs_reconnect',
      because: `${account} lacks a permission (${permissions.join(', ')}). Reconnect it in Settings and leave every box ticked.`,
    };
  }
  if (connection.missing_webhooks.some((webhook) => NEEDED_WEBHOOK.test(webhook))) {
    return {
      code: 'needs_reconnect',
      because: `Meta does not tell us of comments on ${account}. Press “Check again” next to it in Settings.`,
    };
  }
  if (post.gone) {
    return { code: 'invalid_input', because: 'This post is no longer on Instagram, so nobody can comment on it.' };
  }
  return null;
}

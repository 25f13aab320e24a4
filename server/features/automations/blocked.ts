/** Why an automation can't fire: an "on" that can't is worse than an "off". */
import type { Trigger } from '#contract/automations.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { ConnectionState } from './queries.ts';

export type Blocked = { code: ErrorCode; because: string };

/** Without these Meta tells us of nothing, or lets us answer nothing. Pages have names of their own for both. */
const NEEDED_PERMISSIONS: Record<'comments' | 'messages', RegExp> = {
  comments: /manage_comments|manage_messages|pages_messaging|pages_manage_engagement/,
  messages: /manage_messages|pages_messaging/,
};

/** Which webhooks tell of each trigger, and what they tell of in words. */
const NEEDED: Record<Trigger, { webhook: RegExp; says: string; permissions: RegExp }> = {
  comment: { webhook: /^(comments|feed)$/, says: 'comments on', permissions: NEEDED_PERMISSIONS.comments },
  live_comment: {
    webhook: /^(live_comments|feed)$/,
    says: 'comments in live videos of',
    permissions: NEEDED_PERMISSIONS.comments,
  },
  story_reply: { webhook: /^messages$/, says: 'story replies to', permissions: NEEDED_PERMISSIONS.messages },
  story_mention: { webhook: /^messages$/, says: 'story mentions of', permissions: NEEDED_PERMISSIONS.messages },
  direct_message: { webhook: /^messages$/, says: 'messages to', permissions: NEEDED_PERMISSIONS.messages },
};

/** Taps on our buttons come by a webhook of their own. */
const TAPS_WEBHOOK = 'messaging_postbacks';

/** @param use.taps it waits for a tap before it sends the link */
export function blockedBy(
  connection: ConnectionState | undefined,
  use: { trigger: Trigger; taps: boolean; gone: boolean },
): Blocked | null {
  const needed = NEEDED[use.trigger];
  if (connection === undefined || connection.disconnected_at !== null) {
    const account = connection === undefined ? 'Its account' : `@${connection.username}`;
    return { code: 'not_connected', because: `${account} isn’t connected. Reconnect it in Settings.` };
  }
  const account = `@${connection.username}`;
  if (connection.requires_auth_at !== null) {
    return { code: 'needs_reconnect', because: `${account} needs to be reconnected: Instagram signed us out.` };
  }
  const permissions = connection.missing_permissions.filter((permission) => needed.permissions.test(permission));
  if (permissions.length > 0) {
    return {
      code: 'needs_reconnect',
      because: `${account} is missing a permission (${permissions.join(', ')}). Reconnect it in Settings and leave every box checked.`,
    };
  }
  if (connection.missing_webhooks.some((webhook) => needed.webhook.test(webhook))) {
    return {
      code: 'needs_reconnect',
      because: `Instagram isn’t sending us ${needed.says} ${account}. Tap “Test connection” next to it in Settings.`,
    };
  }
  if (use.taps && connection.missing_webhooks.includes(TAPS_WEBHOOK)) {
    return {
      code: 'needs_reconnect',
      because: `Instagram isn’t sending us button taps on ${account}. Tap “Test connection” next to it in Settings.`,
    };
  }
  if (use.gone) {
    return { code: 'invalid_input', because: 'This post is no longer on Instagram, so no one can comment on it.' };
  }
  return null;
}

/** The reason that holds up a whole queue, in words a creator understands. The platform's slow-downs are shown as what they are. */
import type { HoldUp } from '#contract/queue.ts';
import type { QueueRow } from './queries.ts';

export type HeldUp = { by: HoldUp; says: string; until: Date | null };

/** The reason that must end last comes first: resuming a queue helps nobody whose account must be reconnected. */
export function heldUp(row: QueueRow): HeldUp | null {
  const platform = row.platform === 'facebook' ? 'Facebook' : 'Instagram';
  if (row.requires_auth) {
    return {
      by: 'needs_reconnect',
      until: null,
      says: 'Reconnect the account in Settings to send again.',
    };
  }
  if (row.platform_paused) {
    return {
      by: 'platform_paused',
      until: null,
      says: 'Instagram has an outage. Waiting messages will be sent when it’s over.',
    };
  }
  if (row.paused_at !== null) {
    return {
      by: 'paused_by_you',
      until: null,
      says: 'You paused the queue. New messages wait until you resume it.',
    };
  }
  if (row.policy_blocked) {
    return { by: 'barred', until: null, says: 'Facebook blocked this Page from sending messages. See Settings.' };
  }
  if (row.closed_until === null) return null;
  switch (row.closed_reason) {
    case 'barred':
      return {
        by: 'barred',
        until: row.closed_until,
        says: `${platform} paused messages from your account for a while. We’ll try again when the pause ends.`,
      };
    case 'rate_limited':
      return {
        by: 'rate_limited',
        until: row.closed_until,
        says: `${platform} asked us to slow down. We’ll continue shortly.`,
      };
    default:
      return {
        by: 'setting',
        until: null,
        says: `A setting in your ${platform} account or a missing permission stops messages from being sent. See Settings.`,
      };
  }
}

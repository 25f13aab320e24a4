/** What holds a queue up as a whole, in words a creator understands. The platform's slow-downs are shown as what they are. */
import type { HoldUp } from '#contract/queue.ts';
import type { QueueRow } from './queries.ts';

export type HeldUp = { by: HoldUp; says: string; until: Date | null };

/** What must end last comes first: resuming a queue helps nobody whose account must be reconnected. */
export function heldUp(row: QueueRow): HeldUp | null {
  const platform = row.platform === 'facebook' ? 'Facebook' : 'Instagram';
  if (row.requires_auth) {
    return {
      by: 'needs_reconnect',
      until: null,
      says: 'The account must be reconnected in Settings before anything can go out.',
    };
  }
  if (row.platform_paused) {
    return {
      by: 'platform_paused',
      until: null,
      says: 'Meta has an outage. Everything that waits goes out by itself when it is over.',
    };
  }
  if (row.paused_at !== null) {
    return {
      by: 'paused_by_you',
      until: null,
      says: 'You paused the queue. New comments join it; nothing goes out until you resume.',
    };
  }
  if (row.policy_blocked) {
    return { by: 'barred', until: null, says: 'Meta has blocked this Page from sending messages. See Settings.' };
  }
  if (row.closed_until === null) return null;
  switch (row.closed_reason) {
    case 'barred':
      return {
        by: 'barred',
        until: row.closed_until,
        says: `${platform} has stopped messages from your account for a while. We try again by ourselves when it is over.`,
      };
    case 'rate_limited':
      return {
        by: 'rate_limited',
        until: row.closed_until,
        says: `${platform} asked us to slow down. We go on by ourselves.`,
      };
    default:
      return {
        by: 'setting',
        until: null,
        says: `A setting of your ${platform} account or a missing permission keeps messages from going out. See Settings.`,
      };
  }
}

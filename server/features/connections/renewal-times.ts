/**
 * When a sign-in is renewed. It ends after 60 days: from 20 days before, it is tried once a day until it works. Meta renews
 * Instagram's tokens only 24 hours after their making, and never once they have ended (reference 1.2). Pure.
 */
const DAY_MS = 24 * 3600_000;
const RENEW_BEFORE_END_MS = 20 * DAY_MS;
const OLD_ENOUGH_MS = DAY_MS;

/** Those that end before the one and were made by the other are due. */
export function dueForRenewal(now: Date): { expiresBefore: Date; issuedBefore: Date } {
  return {
    expiresBefore: new Date(now.getTime() + RENEW_BEFORE_END_MS),
    issuedBefore: new Date(now.getTime() - OLD_ENOUGH_MS),
  };
}

/** Null: it never ends. */
export function hasEnded({ expires_at }: { expires_at: Date | null }, now: Date): boolean {
  return expires_at !== null && expires_at <= now;
}

import { type RawBuilder, sql } from 'kysely';
import type { ContactFilter } from '#contract/contacts.ts';

/** What narrows `people p` down. */
export const CONTACT_FILTERS: Record<ContactFilter, (now: Date) => RawBuilder<unknown>> = {
  with_email: () => sql`p.email is not null`,
  followers: () => sql`p.follows = true`,
  // PostgreSQL reads `= false` as `not`, from which it does not see that the index of those known will do.
  not_followers: () => sql`p.follows is not null and p.follows = false`,
  following_unknown: () => sql`p.follows is null`,
  stopped: () => sql`p.stopped_at is not null`,
  taken_over: (now) => sql`p.taken_over_until is not null and p.taken_over_until > ${now}`,
  blocked: () => sql`p.blocked_at is not null`,
};

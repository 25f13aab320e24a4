import { type RawBuilder, sql } from 'kysely';
import type { ContactFilter } from '#contract/contacts.ts';

type OfContacts = 'from_blog' | 'newsletter_confirmed' | 'newsletter_unconfirmed' | 'newsletter_unsubscribed';
export type PeopleFilter = Exclude<ContactFilter, OfContacts>;

/** Conditions on people. `p` is what the query calls their table. */
export const PEOPLE_FILTERS: Record<PeopleFilter, (now: Date, p?: string) => RawBuilder<unknown>> = {
  with_email: (_, p = 'p') => sql`${sql.ref(`${p}.email`)} is not null`,
  followers: (_, p = 'p') => sql`${sql.ref(`${p}.follows`)} = true`,
  // PostgreSQL reads `= false` as `not`, from which it does not see that the index of those known will do.
  not_followers: (_, p = 'p') => sql`${sql.ref(`${p}.follows`)} is not null and ${sql.ref(`${p}.follows`)} = false`,
  following_unknown: (_, p = 'p') => sql`${sql.ref(`${p}.follows`)} is null`,
  stopped: (_, p = 'p') => sql`${sql.ref(`${p}.stopped_at`)} is not null`,
  taken_over: (now, p = 'p') =>
    sql`${sql.ref(`${p}.taken_over_until`)} is not null and ${sql.ref(`${p}.taken_over_until`)} > ${now}`,
  blocked: (_, p = 'p') => sql`${sql.ref(`${p}.blocked_at`)} is not null`,
};

/** Conditions on `contacts c`, as their indexes say it. */
export const ADDRESS_FILTERS: Record<OfContacts, RawBuilder<unknown>> = {
  from_blog: sql`c.source = 'blog' or c.saved_count > 0`,
  newsletter_confirmed: sql`c.newsletter_of_all = 'confirmed'`,
  newsletter_unconfirmed: sql`c.newsletter_of_all = 'unconfirmed'`,
  newsletter_unsubscribed: sql`c.newsletter_of_all = 'unsubscribed'`,
};

export function isPeopleFilter(filter: ContactFilter): filter is PeopleFilter {
  return filter in PEOPLE_FILTERS;
}

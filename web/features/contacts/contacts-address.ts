import type { ContactFilter } from '#contract/contacts.ts';
import { readSegment } from '#contract/segments.ts';

/** The state of the contacts page in its address. */
export type ContactsView = {
  search: string;
  filter: ContactFilter | null;
  /** Only whom this automation answered. */
  automation: string | null;
  /** Only who has this tag. */
  tag: string | null;
  /** Only who is in it; as text. */
  segment: string | null;
  /** Whose page is open. */
  contact: string | null;
};

export const NO_FILTER = { filter: null, automation: null, tag: null, segment: null } as const;

export const FILTERS: readonly { value: ContactFilter; label: string }[] = [
  { value: 'with_email', label: 'Gave their email' },
  { value: 'taken_over', label: 'You’re handling the chat' },
  { value: 'followers', label: 'Follow you' },
  { value: 'not_followers', label: 'Don’t follow you' },
  { value: 'following_unknown', label: 'Not known if they follow' },
  { value: 'stopped', label: 'Wrote STOP' },
  { value: 'blocked', label: 'Blocked in Creator HQ' },
  { value: 'from_blog', label: 'From your blog' },
  { value: 'newsletter_confirmed', label: 'Newsletter: confirmed' },
  { value: 'newsletter_unconfirmed', label: 'Newsletter: unconfirmed' },
  { value: 'newsletter_unsubscribed', label: 'Newsletter: unsubscribed' },
];

/** Anything unknown in the address counts as not there: links grow old. */
export function readContactsView(params: URLSearchParams): ContactsView {
  const segment = params.get('segment');
  return {
    // Older links name a handle.
    search: params.get('search') ?? params.get('handle') ?? '',
    filter: FILTERS.find(({ value }) => value === params.get('filter'))?.value ?? null,
    automation: params.get('automation') || null,
    tag: params.get('tag') || null,
    segment: segment !== null && readSegment(segment) !== null ? segment : null,
    contact: params.get('contact') || null,
  };
}

export function writeContactsView(view: ContactsView): URLSearchParams {
  const params = new URLSearchParams();
  if (view.search !== '') params.set('search', view.search);
  if (view.filter !== null) params.set('filter', view.filter);
  if (view.automation !== null) params.set('automation', view.automation);
  if (view.tag !== null) params.set('tag', view.tag);
  if (view.segment !== null) params.set('segment', view.segment);
  if (view.contact !== null) params.set('contact', view.contact);
  return params;
}

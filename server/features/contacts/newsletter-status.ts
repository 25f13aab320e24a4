/** The next newsletter status of a contact; every caller asks this table. */
import type { SuppressionReason } from '#contract/suppressions.ts';

export const STATUSES = ['none', 'unconfirmed', 'confirmed', 'unsubscribed', 'bounced', 'complained'] as const;
export type NewsletterStatus = (typeof STATUSES)[number];

/** Those get no newsletter until somebody's act says otherwise. */
export const AWAY: readonly NewsletterStatus[] = ['unsubscribed', 'bounced', 'complained'];

/**
 * - `ticks`: they tick the box of a form.
 * - `taps`: they say yes to the mail that asks.
 * - `bounces`: the mail server says that the address does not exist.
 * - `told_confirmed`: a file or a newsletter tool says that they agreed.
 * - `not_me`: they never gave this address.
 * - `taken_back`: the team says, with a note, that they may be written to again after a complaint.
 */
export const ACTS = [
  'ticks',
  'taps',
  'unsubscribes',
  'bounces',
  'complains',
  'told_confirmed',
  'not_me',
  'taken_back',
] as const;
export type NewsletterAct = (typeof ACTS)[number];

export type Cell = {
  becomes: NewsletterStatus;
  /** A mail asks them to confirm: once a day at most, three times in all. */
  asks?: true;
  /** The address is not written to from here on. */
  suppresses?: 'bounced' | 'complained' | 'not_me';
  /** Addresses suppressed for one of these reasons may be written to again. */
  lifts?: SuppressionReason[];
  /** The contact goes when there is nothing else about them. */
  mayGo?: true;
};

/** Only their own act brings back whom these keep away. */
const COMES_BACK: SuppressionReason[] = ['unsubscribed', 'erased'];

export const NEWSLETTER_TABLE: Record<NewsletterStatus, Record<NewsletterAct, Cell>> = {
  none: {
    ticks: { becomes: 'unconfirmed', asks: true, lifts: COMES_BACK },
    taps: { becomes: 'none' },
    unsubscribes: { becomes: 'none' },
    bounces: { becomes: 'bounced', suppresses: 'bounced' },
    complains: { becomes: 'complained', suppresses: 'complained' },
    told_confirmed: { becomes: 'confirmed' },
    not_me: { becomes: 'none', suppresses: 'not_me', mayGo: true },
    taken_back: { becomes: 'none' },
  },
  unconfirmed: {
    ticks: { becomes: 'unconfirmed', asks: true, lifts: COMES_BACK },
    taps: { becomes: 'confirmed' },
    unsubscribes: { becomes: 'unsubscribed' },
    bounces: { becomes: 'bounced', suppresses: 'bounced' },
    complains: { becomes: 'complained', suppresses: 'complained' },
    told_confirmed: { becomes: 'confirmed' },
    not_me: { becomes: 'none', suppresses: 'not_me', mayGo: true },
    taken_back: { becomes: 'unconfirmed' },
  },
  confirmed: {
    ticks: { becomes: 'confirmed' },
    taps: { becomes: 'confirmed' },
    unsubscribes: { becomes: 'unsubscribed' },
    bounces: { becomes: 'bounced', suppresses: 'bounced' },
    complains: { becomes: 'complained', suppresses: 'complained' },
    told_confirmed: { becomes: 'confirmed' },
    not_me: { becomes: 'unsubscribed', suppresses: 'not_me' },
    taken_back: { becomes: 'confirmed' },
  },
  unsubscribed: {
    ticks: { becomes: 'unconfirmed', asks: true, lifts: COMES_BACK },
    // The page offers to come back.
    taps: { becomes: 'unsubscribed' },
    unsubscribes: { becomes: 'unsubscribed' },
    bounces: { becomes: 'unsubscribed', suppresses: 'bounced' },
    complains: { becomes: 'complained', suppresses: 'complained' },
    told_confirmed: { becomes: 'unsubscribed' },
    not_me: { becomes: 'unsubscribed', suppresses: 'not_me' },
    taken_back: { becomes: 'unsubscribed' },
  },
  bounced: {
    ticks: { becomes: 'unconfirmed', asks: true, lifts: ['bounced', ...COMES_BACK] },
    taps: { becomes: 'confirmed', lifts: ['bounced'] },
    unsubscribes: { becomes: 'unsubscribed' },
    bounces: { becomes: 'bounced', suppresses: 'bounced' },
    complains: { becomes: 'complained', suppresses: 'complained' },
    told_confirmed: { becomes: 'bounced' },
    not_me: { becomes: 'bounced', suppresses: 'not_me' },
    taken_back: { becomes: 'bounced' },
  },
  complained: {
    ticks: { becomes: 'complained' },
    taps: { becomes: 'complained' },
    unsubscribes: { becomes: 'complained' },
    bounces: { becomes: 'complained' },
    complains: { becomes: 'complained', suppresses: 'complained' },
    told_confirmed: { becomes: 'complained' },
    not_me: { becomes: 'complained', suppresses: 'not_me' },
    taken_back: { becomes: 'unsubscribed' },
  },
};

/** While an address is kept away for one of these, no yes counts: neither theirs, which anybody may have given, nor a file's. */
const SHUT: SuppressionReason[] = ['complained', 'not_me', 'team'];

export function cellOf(status: NewsletterStatus, act: NewsletterAct, suppressed: SuppressionReason | null): Cell {
  const isYes = act === 'ticks' || act === 'taps' || act === 'told_confirmed';
  if (isYes && suppressed !== null && SHUT.includes(suppressed)) return { becomes: status };
  return NEWSLETTER_TABLE[status][act];
}

/** As what an address begins that was suppressed while no contact had it: erased, or of a backup that was restored. */
export const BEGINS_AS: Record<SuppressionReason, NewsletterStatus> = {
  bounced: 'bounced',
  complained: 'complained',
  not_me: 'unsubscribed',
  unsubscribed: 'unsubscribed',
  erased: 'unsubscribed',
  team: 'unsubscribed',
};

/** Of two addresses of one person: what both allow. */
export const STRICTEST: NewsletterStatus[] = [
  'complained',
  'unsubscribed',
  'confirmed',
  'unconfirmed',
  'bounced',
  'none',
];
export function strictest(statuses: NewsletterStatus[]): NewsletterStatus {
  return STRICTEST.find((one) => statuses.includes(one)) ?? 'none';
}

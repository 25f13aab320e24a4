import { amountLabel } from '#contract/amounts.ts';
import type { Probe } from '#contract/locks.ts';
import { MEMBER_STATES, type Member, type MemberState } from '#contract/members.ts';
import type { Tier } from '#contract/tiers.ts';
import type { BadgeTone } from '#web/ui/Badge.tsx';
import { dayOf } from '#web/ui/moment.ts';
import { numerals } from '#web/ui/numerals.ts';

export const MEMBERSHIPS = {
  title: 'Memberships',
  says: 'Paid memberships for your blog: fewer ads, members-only recipes.',
  tabs: { overview: 'Overview', members: 'Members', tiers: 'Tiers', locks: 'Locks', money: 'Money' },
  loading: 'Loading your memberships',
  failed: 'Couldn’t load your memberships',
  none: 'Not turned on here',
  noneSays: 'The people who run this Creator HQ can turn memberships on: FAN_MEMBERSHIPS=on.',
  off: 'No one can pay on this Creator HQ yet: the people who run it have to set up Stripe. You can give memberships meanwhile.',
  play: 'Play money: nothing is charged. Payments go to a stand-in for Stripe.',
};

export const STEPS = {
  title: 'Three steps to your first member',
  connect: 'Connect Stripe',
  connectNow: 'Connect Stripe',
  price: 'Set a price',
  priceSays: 'What members get, and what it costs by the month or the year.',
  priceNow: 'Add a tier',
  lock: 'Lock something',
  lockSays: 'In WordPress: a block “Members only”, or whole posts, categories and tags. Readers see where to join.',
  share: 'Share where readers join',
};

export const ACCOUNT = {
  title: 'Your Stripe account',
  needs: (needs: string[]) => `Stripe still needs: ${needs.join(', ')}.`,
  due: (day: string) => `By ${day}.`,
  goOn: 'Go on at Stripe',
  check: 'Check status',
  checked: 'This is what Stripe says now.',
  fee: (percent: number) =>
    percent === 0
      ? 'Stripe’s fees are the only ones: this Creator HQ takes nothing of what members pay.'
      : `This Creator HQ takes ${percent}% of each payment, besides Stripe’s fees.`,
  owner: 'An owner of this account can connect Stripe.',
};

export const FIGURES = {
  title: 'Members',
  members: 'Members',
  paying: 'Paying',
  joined: 'Joined in 30 days',
  left: 'Left in 30 days',
  late: 'Payment late',
  monthly: 'They pay a month',
  joinUrl: 'Readers join here',
  copy: 'Copy address',
};

export const TIERS = {
  title: 'Tiers',
  add: 'Add a tier',
  none: 'No tiers yet',
  noneSays: 'A tier says what members get and what it costs. One is enough to begin.',
  edit: 'Change',
  close: 'Close for new members',
  reopen: 'Open again',
  closed: 'Closed',
  newTitle: 'New tier',
  editTitle: (name: string) => `Change ${name}`,
  name: 'Name',
  description: 'What members get',
  descriptionHint: 'As readers see it where they join.',
  currency: 'Currency',
  currencyStays: 'Members have paid in it, so it stays.',
  month: 'Price a month',
  year: 'Price a year',
  priceHint: 'Leave empty where it can’t be paid like that. Prices include taxes.',
  trial: 'Days free for new members',
  keeps: 'Another price is for new members. Present ones keep theirs.',
  save: 'Save',
  cancel: 'Cancel',
  members: (count: number) => `${numerals(count)} ${count === 1 ? 'member' : 'members'}`,
  wrongAmount: 'Enter an amount, as in 4 or 4.50. In yen, without a point.',
};

export function pricesOf({ month, year, currency, trialDays }: Tier): string {
  return [
    month !== null && `${amountLabel(month, currency)} a month`,
    year !== null && `${amountLabel(year, currency)} a year`,
    trialDays > 0 && `${trialDays} days free`,
  ]
    .filter(Boolean)
    .join(' · ');
}

export const MEMBERS = {
  search: 'Search in members',
  searchHint: 'Address or name',
  filter: 'Show',
  all: 'All members',
  loading: 'Loading members',
  failed: 'Couldn’t load members',
  none: 'No members yet',
  noneSays: 'Share where readers join, or give someone a membership.',
  notFound: 'No members match this',
  showAll: 'Show all',
  give: 'Give a membership',
  why: 'They can’t get in',
  open: 'Open ',
};

export const MEMBER_TONES: Record<MemberState, BadgeTone> = {
  ...{ in: 'accent', trial: 'accent', given: 'accent', ending: 'warning', late: 'error', over: 'neutral' },
};

export function stateLabel({ state }: Pick<Member, 'state'>): string {
  return MEMBER_STATES[state];
}

/** What they pay, and what comes next. */
export function memberWords({ amount, currency, interval, state, until, renewsAt }: Member): string {
  const price = amount === null || currency === null ? '' : `${amountLabel(amount, currency)} a ${interval}`;
  const next =
    state === 'over'
      ? until && `ended ${dayOf(until)}`
      : until !== null
        ? `until ${dayOf(until)}`
        : renewsAt !== null
          ? `renews ${dayOf(renewsAt)}`
          : state === 'given' && 'for good';
  return [price, next].filter(Boolean).join(' · ');
}

export const MEMBER = {
  tier: 'Tier',
  pays: 'Pays',
  joined: 'Joined',
  seen: 'Last seen on the blog',
  never: 'Never',
  note: 'Your note',
  story: 'Story',
  devices: 'Devices',
  noDevices: 'They have never entered on a device.',
  device: (entered: string, seen: string) => `Entered ${entered}, last used ${seen}`,
  signedOut: 'Logged out',
  stripe: 'Open in Stripe',
  sendCode: 'Mail them how to get in',
  signOut: 'Log out everywhere',
  endGiven: 'End what was given',
  cancel: 'Cancel for them',
  cancelTitle: 'Cancel this membership?',
  cancelSays: 'They read on until the end of what they paid, or you give all of it back and it ends now.',
  keep: 'Keep it',
  atTheEnd: 'At the end',
  refund: 'Now, with a refund',
};

export const GIVE = {
  title: 'Give a membership',
  says: 'They read without paying. They’re not told by email: tell them to press “Enter as a member” on your blog.',
  email: 'Email',
  tier: 'Tier',
  days: 'For how many days',
  daysHint: 'Leave empty for good.',
  note: 'Note',
  noteHint: 'For you and your team.',
  act: 'Give it',
  cancel: 'Cancel',
  noTiers: 'Add a tier first.',
};

export const WHY = {
  title: 'They can’t get in?',
  says: 'Type the address they use. We look at everything, from the payment to your blog.',
  email: 'Their email address',
  act: 'Look',
  nearest: (email: string) => `Is it ${email}?`,
  look: 'Look at this one',
  remedy: {
    send_code: 'Mail them how to get in',
    send_pay_link: 'Mail them the page to pay on',
    give_days: 'Give them days',
  },
  signOutAll: 'Log them out everywhere',
  open: 'See their story',
};

export const MONEY = {
  loading: 'Loading your money',
  failed: 'Couldn’t load your money',
  none: 'No payments yet',
  noneSays: 'What members pay stands here by month, with fees and payouts, and adds up with Stripe.',
  addsUp: 'Adds up with Stripe',
  inStripe: (sum: string) => (sum === '' ? '' : `In your Stripe account: ${sum}.`),
  differs: (amount: string) =>
    `This doesn’t add up with Stripe yet: ${amount} is missing here. We ask Stripe again every hour.`,
  figures: {
    gross: 'Members paid',
    refunds: 'Given back',
    disputes: 'Disputes',
    stripeFees: 'Stripe’s fees',
    ourFee: 'Fee of this Creator HQ',
    other: 'Other than memberships',
    net: 'Yours',
    paidOut: 'Paid out to your bank',
  },
  open: (figure: string) => `Show the lines of ${figure}: `,
  noLines: 'No lines.',
  category: (category: string) => category.replaceAll('_', ' '),
  fees: (fee: string, net: string) => `${fee} fees, ${net} left`,
  payouts: 'Payouts',
  payoutStates: {
    pending: 'On the way',
    in_transit: 'On the way',
    paid: 'Paid',
    failed: 'Failed',
    canceled: 'Canceled',
  },
};

export const LOCKS = {
  loading: 'Loading your locks',
  failed: 'Couldn’t load your locks',
  none: 'No WordPress is connected',
  noneSays: 'Install the Creator HQ plugin on your blog and connect it. Then you can lock posts there.',
  connect: 'Connect WordPress',
  away: (name: string) => `${name} hasn’t called for more than two days. Last heard of`,
  title: 'What is locked',
  notTold: 'Your blog hasn’t told yet how many posts are locked. Update the Creator HQ plugin.',
  posts: ({ locked, all }: { locked: number; all: number }) =>
    `${numerals(locked)} of ${numerals(all)} posts ${locked === 1 ? 'has' : 'have'} something locked` +
    (all === 0 ? '.' : `, ${Math.round((100 * locked) / all)}%.`),
  notChecked: 'We haven’t looked at a locked post yet.',
  line: ({ seen, words, ways, membersSee }: Probe) =>
    `Strangers see ${numerals(seen)} of ${numerals(words)} locked words by ${ways} ways in; members see ${membersSee ? 'all' : 'none'}.`,
  leaks: (ways: string[]) => `By: ${ways.join(', ')}.`,
  checked: 'Checked',
  page: 'the page we looked at',
  shows: { inline: 'members get whole pages', fragment: 'locked parts load after the page' },
  cache: (said: string) => `cache seen: ${said}`,
  check: 'Check the locks',
  checking: 'Checking your blog. It takes up to a minute.',
  checkingSoon: 'Checking your blog',
  hacked: {
    title: 'If your site was hacked',
    says: 'Clean it first. Then replace the API key in Settings, as others may have copied it, and connect again. Last, replace the signing key here.',
    ask: 'My site was hacked',
    owner: 'An owner of this account can do this.',
    question: 'Replace the signing key of your site?',
    means:
      'All members are logged out on your blog and enter again with a code by email. Links in emails you sent open nothing anymore.',
    keep: 'Cancel',
    act: 'Replace key',
    done: 'Replaced. Members enter again.',
  },
};

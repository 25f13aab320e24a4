import { amountLabel } from '#contract/amounts.ts';
import { CODE_STATES, type DiscountCode } from '#contract/discount-codes.ts';
import type { Probe } from '#contract/locks.ts';
import { MOVE_VERDICTS, type MoveUse, type MoveVerdict } from '#contract/member-moves.ts';
import { MEMBER_STATES, type Member, type MemberState } from '#contract/members.ts';
import type { Tier } from '#contract/tiers.ts';
import type { BadgeTone } from '#web/ui/Badge.tsx';
import { dayOf } from '#web/ui/moment.ts';
import { numerals } from '#web/ui/numerals.ts';

export const MEMBERSHIPS = {
  title: 'Memberships',
  says: 'Paid memberships for your blog: fewer ads, members-only recipes.',
  tabs: {
    ...{ overview: 'Overview', members: 'Members', tiers: 'Tiers', locks: 'Locks', money: 'Money' },
    settings: 'Settings',
  },
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
  priceOwner: 'An owner of this account can set a price.',
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
  loading: 'Counting your members',
  failed: 'Couldn’t count your members',
  title: 'Members',
  members: 'Members',
  paying: 'Paying',
  joined: 'Joined in 30 days',
  byPassing: (many: number) => `${numerals(many)} by a passed recipe`,
  left: 'Left in 30 days',
  leftBecause: 'Why members canceled',
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
  loading: 'Loading your tiers',
  failed: 'Couldn’t load your tiers',
  newTitle: 'New tier',
  editTitle: (name: string) => `Change ${name}`,
  name: 'Name',
  description: 'What members get',
  descriptionHint: 'As readers see it where they join.',
  picture: 'Link to a picture',
  wrongPicture: 'Enter a link that starts with https://',
  pictureShown: 'The tier’s picture',
  pictureHint: 'Shown where readers join. Copy the address of a picture on your blog.',
  currency: 'Currency',
  currencyStays: 'Members have paid in it, so it stays.',
  month: 'Price a month',
  year: 'Price a year',
  priceHint: 'Leave empty where it can’t be paid like that. Prices include taxes.',
  trial: 'Days free for new members',
  keeps: 'Another price is for new members. Present ones keep theirs.',
  save: 'Save',
  cancel: 'Cancel',
  members: people,
  order: 'The highest first: each tier opens what is locked for those below it.',
  move: (name: string, up: boolean) => `Move ${name} ${up ? 'up' : 'down'}`,
  wrongAmount: 'Enter an amount, as in 4 or 4.50. In yen, without a point.',
  earlier: ({ members, told }: Tier['earlier'][number], price: string) =>
    `${people(members)} ${members === 1 ? 'pays' : 'pay'} ${price}${told > 0 ? `; ${people(told)} mailed about the new price` : ''}.`,
  moveTo: (price: string) => `Move to ${price}`,
  moveTitle: (members: number, price: string) => `Move ${people(members)} to ${price}?`,
  moveSays: (before: string, price: string) =>
    `We email them now. They pay ${price} instead of ${before} from their first payment in 30 days or later. Anyone who cancels until then isn’t moved.`,
  moveKeep: 'Keep their price',
  moveAct: 'Email them and move',
};

export const AD_FREE = {
  title: 'What does ad-free cost you?',
  income: 'Your ad income a year',
  views: 'Page views a year',
  reads: 'Pages a member reads a month',
  says: (reads: number, costs: string, pays: string | null) =>
    `A member who reads ${numerals(reads)} ${reads === 1 ? 'page' : 'pages'} a month costs you ${costs} in ads${pays === null ? '.' : ` and pays ${pays}.`}`,
  more: 'That’s more than they pay.',
};

export const READERS = {
  title: 'Free readers',
  price: 'Free',
  says: 'Anyone who enters their email and types the code reads what you lock for readers. They become a contact, and an ended member stays a free reader.',
  off: 'Off',
  turnOn: 'Let readers enter for free',
  turnOff: 'Turn off',
};

export const LATE = {
  title: 'Late payments',
  says: 'When a payment fails, Stripe tries again for some days, and members are mailed. They read on meanwhile, as long as you choose.',
  days: 'Members read on for',
  option: (days: number) => (days === 0 ? 'Not at all' : days === 1 ? '1 day' : `${days} days`),
  save: 'Save',
  loading: 'Loading your settings',
  failed: 'Couldn’t load your settings',
};

export const FREE_OPENS = {
  title: 'Free opens',
  says: 'Readers who entered without paying can open some members’ posts each month, and see how many are left. What is for a higher tier stays locked.',
  label: 'Posts a month',
  choices: ['None', '1 post', '2 posts', '3 posts'],
  off: 'Readers can’t enter for free yet: let them in under Tiers.',
};

export const CODES = {
  title: 'Discount codes',
  says: 'Readers type them where they join, or follow a link that has them.',
  add: 'New code',
  loading: 'Loading your codes',
  failed: 'Couldn’t load your codes',
  none: 'No codes yet.',
  states: CODE_STATES,
  newOnlySays: 'new members only',
  until: (day: string) => `until ${dayOf(`${day}T12:00:00Z`)}`,
  used: ({ uses, mostUses }: DiscountCode) =>
    mostUses === null
      ? `used ${numerals(uses)} ${uses === 1 ? 'time' : 'times'}`
      : `used ${numerals(uses)} of ${numerals(mostUses)} ${mostUses === 1 ? 'time' : 'times'}`,
  copy: 'Copy link',
  close: 'Close',
  newTitle: 'New code',
  newSays: 'It takes the place of days free. A code can’t be changed later: close it and make another.',
  make: 'Make code',
  cancel: 'Cancel',
  code: 'Code',
  codeHint: 'As in SPRING20. Capital and small letters are the same.',
  off: 'Takes off',
  unit: 'In',
  percent: 'Percent',
  duration: 'Off what',
  months: 'For how many months',
  tier: 'Tier',
  anyTier: 'Any',
  mostUses: 'Most uses',
  lastDay: 'Last day',
  newOnly: 'For new members only',
  wrongOff: 'Enter 1 to 100 percent, or an amount, as in 4 or 4.50.',
  closeTitle: (code: string) => `Close ${code}?`,
  closeSays:
    'No one can join with it anymore, and it can’t be opened again. Members who joined with it keep what they pay.',
  wrongMonths: 'Enter a whole number from 1 to 12.',
  wrongUses: 'Enter a whole number up to 100,000.',
};

function people(count: number): string {
  return `${numerals(count)} ${count === 1 ? 'member' : 'members'}`;
}

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
  searchHint: 'Address, name or handle',
  filter: 'Show',
  all: 'All members',
  tier: 'Tier',
  allTiers: 'All tiers',
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
  ...{
    in: 'accent',
    trial: 'accent',
    given: 'accent',
    gift: 'accent',
    ending: 'warning',
    late: 'error',
    over: 'neutral',
  },
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
  loading: 'Loading this member',
  failed: 'Couldn’t load this member',
  tier: 'Tier',
  pays: 'Pays',
  reads: 'Reads',
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
  blocked: 'Blocked',
  unblock: 'Let them in again',
  endPassed: (many: number) => `End ${many === 1 ? 'the recipe' : `${numerals(many)} recipes`} passed to friends`,
  ends: {
    cancel: {
      act: 'Cancel for them',
      title: 'Cancel this membership?',
      says: () => 'They read on until the end of what they paid, or you give all of it back and it ends now.',
      keep: 'Keep it',
      refund: 'Now, with a refund',
      plain: 'At the end',
    },
    block: {
      act: 'Block',
      title: 'Block this reader?',
      says: (hasPaid: boolean) =>
        'They’re logged out now, get no code, and can’t join again with this address.' +
        (hasPaid ? ' Nothing more is charged, and they’re told so. You can give back all they paid, too.' : ''),
      keep: 'Don’t block',
      refund: 'Block, with a refund',
      plain: 'Block',
    },
  },
  payments: 'Payments',
  noPayments: 'No payments yet.',
  payment: { paid: 'Paid', refunded: 'Given back', disputed: 'Disputed', dispute_won: 'Dispute won' },
  mails: 'Emails of the last 30 days',
  noMails: 'None.',
  fates: { under_way: 'Under way', sent: 'Sent', came_back: 'Came back' },
};

export const REFUND = {
  act: 'Give it back',
  title: 'Give a payment back',
  says: 'A part of it, or all. They’re told by email, and have it in 5 to 10 days.',
  loading: 'Loading the payment',
  failed: 'Couldn’t load the payment',
  open: 'Give back',
  of: (amount: string) => `Give back ${amount}`,
  nothing: 'Nothing of it is left: it was given back, or the bank took it back.',
  amount: (currency: string) => `Amount in ${currency}`,
  hint: (left: string) => `Up to ${left}. Their last payment, given back in full, lets them read no more.`,
  wrong: (left: string) => `Enter an amount up to ${left}.`,
  ends: 'End their membership now',
  endsHint: 'They read no more, and nothing more is charged.',
  cancel: 'Cancel',
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
    give_tier: 'Give them the higher tier',
    unblock: 'Let them in again',
  },
  signOutAll: 'Log them out everywhere',
  open: 'See their story',
};

export const MONEY = {
  loading: 'Loading your money',
  failed: 'Couldn’t load your money',
  none: 'No payments yet',
  noneSays: 'See what members pay by month, with fees and payouts, and that it adds up with Stripe.',
  addsUp: 'Adds up with Stripe',
  inStripe: (sum: string) => (sum === '' ? '' : `In your Stripe account: ${sum}.`),
  differs: (amount: string, since: string | null) =>
    `This doesn’t add up with Stripe ${since === null ? 'yet' : `since ${since}`}: ${amount} is missing here. We ask Stripe again every hour.`,
  taxes: 'Taxes are in Stripe’s own report',
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
  disputes: 'Disputes to look at',
  disputesSay: 'A bank took these payments back for now. Members read on again once it decides for you.',
  answerBy: (day: string) => `Answer at Stripe by ${day}, or it’s lost.`,
  reason: (reason: string) => `Reason: ${reason.replaceAll('_', ' ')}.`,
  bankDecides: 'Answered: the bank is deciding.',
  answer: 'Open in Stripe',
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
  away: (name: string) => `${name} hasn’t called for more than two days. Last heard from`,
  title: 'What is locked',
  proof: 'Does the wall work?',
  notTold: 'Your blog hasn’t told us yet how many posts are locked. Update the Creator HQ plugin.',
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
  blog: {
    title: 'Who reads what',
    says: 'As your blog says now: locked ones first, then its most used categories and tags. Days of single posts, and parts of them, are set in WordPress.',
    loading: 'Asking your blog',
    failed: 'Couldn’t read the locks of your blog',
    search: 'Find a category, tag or post',
    none: 'Nothing found',
    nothing: 'Your blog has no categories, tags or locked posts yet.',
    kinds: { category: 'Category', tag: 'Tag', post: 'Post' },
    posts: (posts: number) => (posts === 1 ? '1 post' : `${numerals(posts)} posts`),
    days: (days: number) =>
      days === 0 ? 'For good' : `Open to all ${days === 1 ? 'a day' : `${numerals(days)} days`} after publishing`,
    opens: (name: string) => `Until when ${name} is locked`,
    inText: 'a part of its text is locked, too',
    holds: (whom: string) => `now: ${whom}`,
    noTitle: '(no title)',
    whoReads: (name: string) => `Who reads ${name}`,
    everyone: 'Everyone',
    asTerms: 'As its categories and tags say',
    card: (whom: string) => `Recipe card only for: ${whom}`,
    highest: 'Members of the highest tier',
    done: 'Changed on your blog',
    much: 'Lock that much?',
    keep: 'Cancel',
    lock: 'Lock',
  },
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

export const MOVE = {
  title: 'Move members in',
  says: 'A CSV file from Memberful, Patreon, Substack, Ghost or a spreadsheet: address, tier, and the day until which they paid. They read here until that day, and can go on from it without paying twice. 10,000 rows at most. Nothing changes until you say so.',
  back: 'Settings of memberships',
  states: { ready: 'Waiting for you', running: 'Under way', done: 'Done', undone: 'Undone' },
  loading: 'Loading the file',
  failed: 'Couldn’t load the file',
  notFound: 'File not found',
  notFoundSays: 'Files that weren’t used within a week are deleted. Upload yours again.',
  columns: 'What is in the file',
  columnsSay: 'Check what each column is. The rows are counted again when you change one.',
  from: 'Where they come from',
  fromHint: 'Named in the email to them.',
  elsewhere: 'Elsewhere',
  tier: (name: string) => (name === '' ? 'Their tier here' : `“${name}” is here`),
  noTier: 'None: leave them out',
  rows: (rows: number) => (rows === 1 ? '1 row' : `${numerals(rows)} rows`),
  becomes: { ready: 'What will happen', running: 'Letting them in', done: 'What happened', undone: 'Undone' },
  count: (many: number, verdict: MoveVerdict) => `${numerals(many)}: ${MOVE_VERDICTS[verdict].toLowerCase()}`,
  mails:
    'Each of them gets an email with the way in, and a link to go on from their day. Nothing is charged before it.',
  stopThere: 'End the renewals where they paid until now yourself. We can’t do that there.',
  run: (many: number) =>
    many === 0 ? 'No one to let in' : `Let ${many === 1 ? '1 member' : `${numerals(many)} members`} in`,
  progress: (done: number, many: number) => `${numerals(done)} of ${numerals(many)}`,
  undo: 'Undo',
  undoSays: (day: string) => `You can undo this until ${day}. Those who pay here by then stay members.`,
  list: 'Rows',
  show: 'Show',
  noRows: 'Rows are kept for a week.',
  noEmail: 'No address',
  line: (line: number) => `Line ${numerals(line)}`,
  until: (day: string) => `paid until ${day}`,
};

export const MOVE_USES: Record<MoveUse, string> = {
  ignore: 'Don’t use',
  email: 'Email address',
  name: 'Name',
  tier: 'Tier',
  paid_until: 'Paid until',
  interval: 'By the month or year',
};

const payers = (many: number) => (many === 1 ? '1 paying member' : `${numerals(many)} paying members`);

export const END = {
  file: 'Your members as a file',
  fileSays:
    'Everyone who is or was a member: address, tier, price, status, paid until, and their ids at Stripe. Yours to keep.',
  loading: 'Loading what becomes of your memberships',
  failed: 'Couldn’t load what becomes of your memberships',
  cancel: 'Cancel',
  type: (handle: string) => `Type ${handle} to confirm`,
  progress: (done: number, many: number) => `${numerals(done)} of ${numerals(many)} memberships so far.`,
  keeping: 'Keeping your memberships',
  keepingSays: 'Memberships that closing canceled are being kept again. Each member gets an email.',
  ways: {
    leave: {
      title: 'Leave with your members',
      says: 'Members go on paying into your Stripe account, and this Creator HQ no longer takes anything.',
      ask: 'Leave with your members',
      question: (many: number) => `Leave with ${payers(many)}?`,
      means:
        'Our fee is taken off every subscription, then this Creator HQ is disconnected from your Stripe account. No one new can join here. Your blog knows of what is paid until now: each member reads on until that ends.',
      act: 'Leave',
      doing: 'Leaving with your members',
      done: 'You left with your members',
      doneSays: (many: number) =>
        `No fee is taken now, and nothing is asked of your Stripe account. ${payers(many)} ${many === 1 ? 'reads' : 'read'} on here until what was paid by then ends.`,
      keep: 'Connect again',
    },
    close: {
      title: 'Close memberships',
      says: 'No one new can join, and each membership ends when what is paid for it is over.',
      ask: 'Close memberships',
      question: (many: number) => `Close memberships of ${payers(many)}?`,
      means:
        'Each member gets an email with the day on which theirs ends. Nothing more is charged. You can call it off for those that haven’t ended.',
      act: 'Close memberships',
      doing: 'Closing memberships',
      done: 'Memberships are closed',
      doneSays: (many: number, lastEndsAt: string | null) =>
        many === 0 || lastEndsAt === null
          ? 'No one pays now.'
          : `${payers(many)} ${many === 1 ? 'reads' : 'read'} on until the end of what is paid, the last until ${dayOf(lastEndsAt)}.`,
      keep: 'Keep memberships',
    },
  },
};

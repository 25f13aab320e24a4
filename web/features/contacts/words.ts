import type {
  Consent,
  Contact,
  ContactDetails,
  ContactMail,
  Identity,
  NewsletterStatus,
  Suggestion,
  TimelineEntry,
  WritingWindow,
} from '#contract/contacts.ts';
import { outcomeLabel, whatTheyDid } from '#web/features/activity/words.ts';
import type { BulkAct, Done } from '#web/features/contacts/bulk.ts';
import { momentOf, timeOf } from '#web/ui/moment.ts';
import { numerals } from '#web/ui/numerals.ts';

/** Until when: a time of today, of tomorrow, or with its day. */
function endOf(at: string, nowMs: number): string {
  const daysApart = Math.round((new Date(at).setHours(0, 0, 0, 0) - new Date(nowMs).setHours(0, 0, 0, 0)) / DAY_MS);
  return daysApart === 1 ? `tomorrow, ${timeOf(at)}` : momentOf(at, nowMs);
}

const DAY_MS = 24 * 3_600_000;

type Named = Pick<Contact, 'name' | 'username'> & { email?: string | null };

/** How to call somebody: by name where it is known. */
export function callOf({ name, username, email = null }: Named): string {
  return name ?? (username === null ? (email ?? 'Someone') : `@${username}`);
}

const PLATFORMS = { instagram: 'Instagram', facebook: 'Facebook' };

/** How somebody is known: by Instagram, by Facebook, or by email alone. */
export function knownBy({ platform }: Pick<Contact, 'platform'>): string {
  return platform === null ? 'Email only' : PLATFORMS[platform];
}

export function identityWords(identity: Identity): string {
  if (identity.kind === 'email') return identity.email;
  const who = identity.username === null ? 'Someone' : `@${identity.username}`;
  return `${who} on ${PLATFORMS[identity.platform]}`;
}

export const NEWSLETTER: Record<NewsletterStatus, string> = {
  none: 'Not subscribed',
  unconfirmed: 'Not confirmed yet',
  confirmed: 'Confirmed',
  unsubscribed: 'Unsubscribed',
  bounced: 'Their address doesn’t work',
  complained: 'Marked your email as spam',
};

type Newsletter = Pick<ContactDetails, 'newsletter' | 'newsletterAt' | 'consents'>;

/** "Confirmed with one tap in an email (May 3, 2026)" */
export function newsletterWords({ newsletter, newsletterAt, consents }: Newsletter): string {
  const line = consents.find(({ purpose, act }) => purpose === 'newsletter' && act === ACT_OF[newsletter]);
  const how = howWords(line?.how ?? null, line?.place);
  const said = how === null ? NEWSLETTER[newsletter] : `${NEWSLETTER[newsletter]} ${how}`;
  return newsletterAt === null || newsletter === 'none' ? said : `${said} (${momentDay(newsletterAt)})`;
}

/** The ledger's act behind a status, where it says more than the status. */
const ACT_OF: Partial<Record<NewsletterStatus, Consent['act']>> = {
  unconfirmed: 'given',
  confirmed: 'confirmed',
  unsubscribed: 'withdrawn',
};

const HOW: Record<string, string> = {
  opened: 'with one tap in an email',
  pressed: 'with a button on a page from an email',
  one_click: 'in their mail app',
  not_asked: 'without a confirmation email',
  by_hand: 'by your team',
  box: 'with a box on your form',
  button: 'with your form’s button',
  in_dm: 'in a DM',
};

function howWords(how: string | null, place: string | undefined): string | null {
  if (how === null) return null;
  return HOW[how] ?? (place === 'file' || place === 'tool' ? `through ${how}` : null);
}

/** What comes next, and who can do it. */
export const NEWSLETTER_NEXT: Record<NewsletterStatus, string> = {
  none: 'They didn’t ask for your newsletter. A form on your blog can ask them.',
  unconfirmed: 'They get your newsletter once they tap the link in their email.',
  confirmed: 'They get your newsletter until they unsubscribe.',
  unsubscribed: 'Only they can sign up again.',
  bounced: 'If they enter their address on a form again, we try it once more.',
  complained: 'We don’t send them anything.',
};

export const LEAVING = {
  button: 'Unsubscribe them',
  title: (who: string) => `Unsubscribe ${who}?`,
  means: 'They no longer get your newsletter. Only they can sign up again. Recipes they save still reach them.',
  keep: 'Keep them subscribed',
  done: 'Unsubscribed',
};

const KINDS: Record<string, string> = {
  save: 'Recipe email',
  confirmation: 'Confirmation email',
  correction: 'Correction',
  welcome: 'Welcome email',
};

/** "Recipe email: Shakshuka" */
export function mailWords({ kind, title }: Pick<ContactMail, 'kind' | 'title'>): string {
  const what = KINDS[kind] ?? 'Newsletter';
  return title === null ? what : `${what}: ${title}`;
}

const FATES: Record<ContactMail['state'], string> = {
  waiting: 'Waiting to be sent',
  sending: 'Sending now',
  accepted: 'Sent',
  delivered: 'Delivered',
  deferred: 'Sent, not delivered yet',
  bounced: 'Came back',
  complained: 'Marked as spam',
  held: 'On hold',
  suppressed: 'Not sent',
  failed: 'Not sent',
  cancelled: 'Canceled',
  expired: 'Not sent in time',
};

/** "Came back. This address doesn’t exist: 550 No such user" */
export function fateWords({ state, says, isClicked }: Pick<ContactMail, 'state' | 'says' | 'isClicked'>): string {
  const isWell = state === 'accepted' || state === 'delivered';
  if (isClicked && (isWell || state === 'deferred')) return 'Clicked';
  return says === null || isWell ? FATES[state] : `${FATES[state]}. ${says}`;
}

function momentDay(at: string): string {
  return new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(Date.parse(at));
}

type Line = Pick<Consent, 'act' | 'purpose'>;

/** What a line of the ledger says; null where somebody's own words say it. */
export function consentWords({ act, purpose }: Line): string {
  if (act === 'confirmed') return 'Confirmed the newsletter';
  if (act === 'withdrawn') return 'Unsubscribed';
  if (act === 'declined') return 'Said no';
  if (act === 'imported') return 'Added from a file or a tool';
  if (act === 'not_me') return 'Said this isn’t their address';
  return purpose === 'save' ? 'Saved a recipe' : 'Agreed';
}

export const JOINING = {
  title: 'Probably the same person',
  why: {
    same_address: 'The same email, typed in a DM. Anyone can type an email, so check before you join them.',
    gmail: 'Gmail delivers both addresses to one inbox.',
  } satisfies Record<Suggestion['why'], string>,
  join: 'Join',
  dismiss: 'Not the same',
  joined: 'Joined',
  joinedDetail: 'You can separate them for 30 days.',
  joinedTitle: 'Joined lately',
  part: 'Separate',
  parted: 'Separated',
};

/** "You have it until 14:20" */
export function takenOverWords(until: string | null, nowMs: number): string {
  return until === null ? 'You’re handling this chat' : `You’re handling this chat until ${endOf(until, nowMs)}`;
}

export function windowWords({ how, until, says }: WritingWindow, nowMs: number): string {
  if (how === 'closed' || until === null) return says;
  if (how === 'private_reply') return `You can send one DM in reply to their comment until ${endOf(until, nowMs)}.`;
  return `You can write until ${endOf(until, nowMs)}.`;
}

type Change = Extract<TimelineEntry, { what: 'change' }>;

const CHANGES: Record<Change['change'], string> = {
  taken_over: 'paused automations for this person',
  handed_back: 'resumed automations for this person',
  blocked: 'blocked them in Creator HQ',
  unblocked: 'unblocked them',
};

export function changeWords({ change, by, until }: Change, nowMs: number): string {
  const ends = change === 'taken_over' && until !== null ? ` until ${endOf(until, nowMs)}` : '';
  return `${by ?? 'Someone'} ${CHANGES[change]}${ends}`;
}

type Message = Extract<TimelineEntry, { what: 'message' }>;

/** Who wrote a message to them. */
export function senderWords({ from, name, public: isPublic }: Message): string {
  const where = isPublic ? ', under their comment' : '';
  if (from === 'app') return `You, in the app${where}`;
  if (from === 'team') return `${name ?? 'Your team'}, by hand${where}`;
  return `${name ?? 'Automation'}${where}`;
}

export function stateWords({ state, readAt, failure }: Message): string {
  if (state === 'sent') return readAt === null ? 'Sent' : 'Opened';
  if (state === 'queued') return 'Waiting in the queue';
  if (state === 'sending') return 'Sending now';
  if (state === 'cancelled') return failure === null ? 'Canceled' : `Canceled. ${failure}`;
  return `${state === 'expired' ? 'Not sent in time' : 'Not sent'}${failure === null ? '' : `. ${failure}`}`;
}

/** Oldest first, with a line before the first entry of each day. */
export function byDay(newestFirst: readonly TimelineEntry[]): { day: string; entries: TimelineEntry[] }[] {
  const days: { day: string; entries: TimelineEntry[] }[] = [];
  for (const entry of newestFirst.toReversed()) {
    const day = DAY.format(Date.parse(entry.at));
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}

const DAY = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' });

/** What somebody wrote last, or did where that has no words, and what became of it. */
export function lastWords(last: NonNullable<Contact['last']>): { words: string; became: string } {
  return { words: last.text === '' ? whatTheyDid(last.kind) : last.text, became: outcomeLabel(last) };
}

function people(count: number): string {
  return count === 1 ? '1 person' : `${numerals(count)} people`;
}

export const TAGS = {
  title: 'Tags',
  placeholder: 'Add a tag',
  hint: 'Press Enter or comma after each.',
  cancel: 'Cancel',
  filter: 'Tag',
  give: {
    label: 'Add tags',
    ask: (count: number) => `Add tags to ${people(count)}`,
    done: (count: number) => `Tags added to ${people(count)}`,
  },
  take: {
    label: 'Remove tags',
    ask: (count: number) => `Remove tags from ${people(count)}`,
    done: (count: number) => `Tags removed from ${people(count)}`,
  },
};

export const BULK = {
  start: 'Select',
  stop: 'Done',
  all: (count: number) => `Select all ${numerals(count)}`,
  none: 'Select none',
  choose: (who: string) => `Select ${who}`,
  actions: (count: number) => (count === 0 ? 'Actions' : `Actions for ${numerals(count)}`),
  export: 'Export their data',
  undo: 'Undo',
  cancel: 'Cancel',
  typeToConfirm: (word: string) => `Type ${word} to confirm`,
};

type ActWords = {
  label: string;
  ask: (count: number) => string;
  means: string;
  sure: string;
  done: (count: number) => string;
};

export const BULK_ACTS: Record<BulkAct, ActWords> = {
  pause: {
    label: 'Pause automations',
    ask: (count) => `Pause automations for ${people(count)}?`,
    means: 'You handle these chats until you resume automations. Messages waiting for them are canceled.',
    sure: 'Pause automations',
    done: (count) => `Automations are paused for ${people(count)}.`,
  },
  resume: {
    label: 'Resume automations',
    ask: (count) => `Resume automations for ${people(count)}?`,
    means: 'Automations reply to them again.',
    sure: 'Resume automations',
    done: (count) => `Automations reply to ${people(count)} again.`,
  },
  block: {
    label: 'Block in Creator HQ',
    ask: (count) => `Block ${people(count)} in Creator HQ?`,
    means:
      'Automations won’t reply to them, and messages waiting for them are canceled. They won’t be blocked on Instagram.',
    sure: 'Block',
    done: (count) => `${people(count)} blocked in Creator HQ.`,
  },
  unblock: {
    label: 'Unblock',
    ask: (count) => `Unblock ${people(count)}?`,
    means: 'Automations reply to them again.',
    sure: 'Unblock',
    done: (count) => `${people(count)} unblocked.`,
  },
  erase: {
    label: 'Erase contacts',
    ask: (count) => `Erase ${people(count)}?`,
    means:
      'Their names, emails, messages and comments are deleted for good. Your totals stay the same. If they comment or write again, they’ll be new contacts.',
    sure: 'Erase for good',
    done: (count) => `${people(count)} erased.`,
  },
};

/** What was done, and why the rest was not. */
export function doneWords({ act, people: changed, problem }: Done): string {
  const done = BULK_ACTS[act].done(changed.length);
  return problem === null ? done : `${changed.length === 0 ? '' : `${done} `}Then it stopped: ${problem.message}`;
}

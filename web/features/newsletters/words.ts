import { checkEmailDesign } from '#contract/email-template-problems.ts';
import { TOOL_NAMES } from '#contract/newsletter-tools.ts';
import type {
  BroadcastFigures,
  BroadcastState,
  BroadcastSummary,
  Newsletter,
  WeeklyMode,
} from '#contract/newsletters.ts';
import type { WelcomeMail, WelcomeSeries } from '#contract/welcome-series.ts';
import type { BadgeTone } from '#web/ui/Badge.tsx';
import { momentOf } from '#web/ui/moment.ts';
import { numerals } from '#web/ui/numerals.ts';

function people(many: number): string {
  return many === 1 ? '1 person' : `${numerals(many)} people`;
}

export const NEWSLETTERS = {
  title: 'Newsletter',
  description: 'Emails you write to everyone who said yes, or to some of them.',
  back: 'Newsletter',
  write: 'Write a newsletter',
  loading: 'Loading your newsletters',
  failed: 'Couldn’t load your newsletters',
  loadingOne: 'Loading the newsletter',
  failedOne: 'Couldn’t load this newsletter',
  loadingSettings: 'Loading what sends your newsletters',
  failedSettings: 'Couldn’t load what sends your newsletters',
  none: 'No newsletters yet',
  noneSays: 'Write to everyone who said yes on your forms. No one gets it until you send it.',
  noSubject: 'No subject yet',
  missing: 'Before you can send',
  setUp: 'Set up sending',
  toolSends: (tool: string) => `${tool} sends your newsletters`,
  toolSendsSays: 'Nothing goes out from here, so no one gets two. Change it below.',
  everyone: 'Everyone on your newsletter',
  savers: 'Everyone who saved the recipe',
  toSegment: 'To a segment',
  asked: (by: string) => `${by} asks you to send this.`,
  askedShort: 'Waiting for the owner',
};

export const WRITER = {
  title: 'I send newsletters from',
  here: 'Here',
  hereSays: 'You write and send them on this page.',
  toolSays: (tool: string) => `You write them in ${tool}. It gets everyone who confirms.`,
  connectFirst: (tool: string) => `Connect ${tool} first.`,
  connect: 'Connect a newsletter tool',
  ownersOnly: 'Only owners can change this.',
  ask: (tool: string) => `Send newsletters from ${tool}?`,
  means: 'What is being sent here pauses, and what is scheduled becomes a draft again.',
  sure: (tool: string) => `Send from ${tool}`,
  keep: 'Keep sending from here',
};

export const SEASON = {
  title: 'Saved last season',
  says: (title: string, many: number) =>
    `${people(many)} on your newsletter saved ${title} around this time last year. Send it to them again?`,
  write: 'Write the draft',
  decline: 'Not now',
};

export const WEEKLY = {
  title: 'Weekly recipes',
  says: 'An email with the recipes you added since the last one. A week without a new recipe sends none.',
  modes: {
    off: { label: 'Off', hint: 'You write every newsletter yourself.' },
    approve: { label: 'Make a draft for me to send', hint: 'Owners get an email when it’s ready.' },
    send: { label: 'Send by itself', hint: 'To everyone on your newsletter.' },
  } satisfies Record<WeeklyMode, { label: string; hint: string }>,
  day: 'Day',
  hour: 'Time',
  zone: (zone: string) => `In your time zone, ${zone.replaceAll('_', ' ')}.`,
  changeZone: 'Change time zone',
  saving: 'Saving…',
};

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** "9 AM" of the hours 0 to 23. */
export function hourWords(hour: number): string {
  return `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** @param timeZone the creator's. @returns null while it is off */
export function nextWeeklyWords({ writer, missing, weekly }: Newsletter, timeZone: string): string | null {
  const { mode, nextAt } = weekly;
  if (mode === 'off' || nextAt === null) return null;
  if (writer !== 'here') return `${TOOL_NAMES[writer]} sends your newsletters, so none is made here.`;
  const at = new Intl.DateTimeFormat('en', {
    ...{ weekday: 'long', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZone },
  }).format(Date.parse(nextAt));
  if (mode === 'send' && missing.length === 0) return `Next one goes out ${at}.`;
  return mode === 'send'
    ? `Next draft: ${at}. Once sending is set up, they go out by themselves.`
    : `Next draft: ${at}.`;
}

export const WELCOME = {
  title: 'Welcome series',
  says: 'Emails for new readers, one after the other, from when they confirm.',
  on: 'On',
  off: 'Off',
  loading: 'Loading your welcome series',
  failed: 'Couldn’t load your welcome series',
  none: 'No emails yet. Start with who you are and the recipes people love most.',
  add: 'Add an email',
  full: (many: number) => `${many} emails is the limit.`,
  timeOf: (place: number) => `When email ${place + 1} is sent`,
  when: 'When',
  save: 'Save',
  cancel: 'Cancel',
  figures: ({ underWay, done, stopped }: Pick<WelcomeSeries, 'underWay' | 'done' | 'stopped'>) =>
    [
      ...(underWay > 0 ? [`${people(underWay)} in it now`] : []),
      ...(done > 0 ? [`${people(done)} got all of it`] : []),
      ...(stopped > 0 ? [`${people(stopped)} left before the end`] : []),
    ].join(' · '),
  missing: 'Before you can turn it on',
  waits: 'Nothing is sent until you fix this',
  turnOn: 'Turn on',
  turnedOn: 'On for everyone who confirms from now on',
  turnOff: 'Turn off',
  turnedOff: 'Welcome series turned off',
  offAsk: 'Turn off the welcome series?',
  offSays: (underWay: number) => `${people(underWay)} in it now won’t get the rest, even if you turn it on again.`,
  keepOn: 'Keep it on',
  saved: 'Email saved',
  isSaved: 'Saved',
  isSent: 'Saved. New readers get it like this.',
  remove: 'Delete',
  removeAsk: 'Delete this email?',
  removeSays: 'Readers who didn’t get it yet go on with the next one. This can’t be undone.',
  keep: 'Keep email',
  removed: 'Email deleted',
  gone: 'This email was deleted',
  goneSays: 'What you wrote is still here. Copy what you need into another email.',
  toSeries: 'Back to the newsletter',
};

/** "Sent to 412 people · 37 clicked", of an email of the series; empty while nobody got it. */
export function welcomeFiguresWords({
  sent,
  clicked,
  bounced,
  complained,
  unsubscribed,
}: WelcomeMail['figures']): string {
  if (sent === 0) return '';
  const all: [number, string][] = [
    [clicked, 'clicked'],
    [unsubscribed, 'unsubscribed'],
    [bounced, 'came back'],
    [complained, 'marked as spam'],
  ];
  const rest = all.filter(([many]) => many > 0).map(([many, what]) => `${numerals(many)} ${what}`);
  return [`Sent to ${people(sent)}`, ...rest].join(' · ');
}

/** Of the email at this place, which comes so many days after the one before. */
export function daysWords(days: number, place: number): string {
  const after = place === 0 ? 'they confirm' : `email ${place}`;
  if (days === 0) return `Right after ${after}`;
  return days === 1 ? `1 day after ${after}` : `${days} days after ${after}`;
}

export function welcomeTimeWords({ days, hour }: Pick<WelcomeMail, 'days' | 'hour'>, place: number): string {
  return days === 0 ? daysWords(days, place) : `${daysWords(days, place)}, at ${hourWords(hour)}`;
}

/** @returns what keeps the series from being sent, a sentence each */
export function missingForWelcome({ writer, missing }: Newsletter, { mails }: Pick<WelcomeSeries, 'mails'>): string[] {
  const broken = mails.flatMap(({ design }, at) =>
    checkEmailDesign('welcome', design).length > 0 ? [`Fix email ${at + 1}.`] : [],
  );
  return [
    ...(mails.length === 0 ? ['Add an email.'] : []),
    ...broken,
    ...(writer === 'here' ? [] : [`${TOOL_NAMES[writer]} sends your newsletters now.`]),
    ...missing,
  ];
}

export const TELLING = {
  title: (many: number) => `${people(many)} saved it`,
  says: 'Did you correct it? They have the old version in their inbox.',
  tell: (many: number) => (many === 1 ? 'Tell the person who saved it' : `Tell the ${numerals(many)} who saved it`),
  wait: (at: string, nowMs: number) =>
    `They heard of a mistake within the last 7 days. You can tell them again ${momentOf(at, nowMs)}.`,
  means: (many: number) =>
    `${people(many)} can get it, once a week at most. It’s no newsletter: they asked for this recipe. You see the email before it’s sent.`,
  text: 'What was wrong, and what is right',
  example: 'It’s 1 teaspoon of salt, not 1 tablespoon.',
  write: 'Write the email',
  cancel: 'Cancel',
};

export const STATES: Record<BroadcastState, { label: string; tone: BadgeTone }> = {
  draft: { label: 'Draft', tone: 'neutral' },
  scheduled: { label: 'Scheduled', tone: 'info' },
  gathering: { label: 'Sending', tone: 'info' },
  sending: { label: 'Sending', tone: 'info' },
  paused: { label: 'Paused', tone: 'warning' },
  done: { label: 'Sent', tone: 'accent' },
  cancelled: { label: 'Canceled', tone: 'neutral' },
};

export const WRITING = {
  save: 'Save draft',
  saved: 'Draft saved',
  unsaved: 'Not saved yet',
  isSaved: 'Saved as a draft',
  next: 'Next',
  remove: 'Delete draft',
  removeAsk: 'Delete this draft?',
  removeSays: 'What you wrote is gone for good.',
  keep: 'Keep draft',
  removed: 'Draft deleted',
  fix: (many: number) => `Fix ${many === 1 ? 'this' : `these ${many} things`} to send it`,
};

export const SENDING_STEP = {
  back: 'Back to writing',
  whoTitle: 'Who gets it',
  who: 'Readers',
  whoSays: 'A segment narrows it down. Only people who confirmed your newsletter get it.',
  segments: 'Your segments',
  otherSegment: 'A segment that isn’t saved',
  newSegment: 'Make a segment',
  counting: 'Counting who gets it',
  countFailed: 'Couldn’t count who gets it',
  tooMany: 'So many that counting takes too long. They’re counted while it’s sent.',
  nobody: 'No one would get it now.',
  gets: (many: number) => `${people(many)} ${many === 1 ? 'gets' : 'get'} it`,
  leftOut: 'Left out',
  what: 'What they get',
  edit: 'Edit',
  test: 'Send a test',
  when: 'When',
  now: 'In a minute',
  nowSays: 'You can cancel until it starts.',
  later: 'At a time you choose',
  laterSays: (zone: string) => `In your time zone, ${zone}.`,
  at: 'Date and time',
  noTime: 'Choose a date and time.',
  past: 'Choose a time that hasn’t passed.',
  send: (many: number | null) => (many === null ? 'Send' : `Send to ${people(many)}`),
  schedule: (many: number | null) => (many === null ? 'Schedule' : `Schedule for ${people(many)}`),
  scheduled: 'Scheduled. You can cancel until it starts.',
  ask: 'Ask the owner to send it',
  askSays: 'Only owners can send newsletters. They get an email with a link to this one.',
  asked: 'The owner was asked',
};

export const REPORT = {
  startsIn: (seconds: number) => `Starts in ${seconds === 1 ? '1 second' : `${seconds} seconds`}`,
  starting: 'Starting…',
  startsAt: (at: string, nowMs: number) => `Goes out ${momentOf(at, nowMs)}`,
  takeBack: 'Cancel',
  tookBack: 'Canceled. It’s a draft again.',
  gathering: 'Finding everyone who gets it. The first ones have it already.',
  progress: ({ sent, leftOut, total }: BroadcastFigures) =>
    total === 0 ? 'Sending is starting.' : `${numerals(sent + leftOut)} of ${numerals(total)} emails are done.`,
  slowed: ({ aDay, nextAt }: NonNullable<BroadcastSummary['slowed']>, nowMs: number) =>
    `${numerals(aDay)} go today: your domain is new to mail services. The next ones go ${momentOf(nextAt, nowMs)}.`,
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel the rest',
  cancelAsk: 'Send no more of this newsletter?',
  cancelSays: (waiting: number) => `${people(waiting)} won’t get it. This can’t be undone.`,
  keep: 'Keep sending',
  keepPaused: 'Keep it paused',
  cancelled: 'Canceled. Emails that left before stay sent.',
  ownersOnly: 'Only owners can pause or cancel it.',
  figures: 'Results',
  sentTo: 'Sent',
  waiting: 'Waiting',
  leftOut: 'Left out',
  leftOutSays: 'They unsubscribed meanwhile, or their address is blocked.',
  bounced: 'Bounced',
  unsubscribed: 'Unsubscribed',
  complained: 'Marked as spam',
  clicked: 'Clicked',
  clickedSays: 'People who followed a link',
  topLinks: 'Where they went',
  clickedBy: (many: number) => people(many),
  noOpens: 'Opens aren’t counted: mail apps open emails by themselves.',
  looks: 'What they get',
};

export function readersWords({ kind, segment }: Pick<BroadcastSummary, 'kind' | 'segment'>): string {
  if (kind === 'correction') return NEWSLETTERS.savers;
  return segment === null ? NEWSLETTERS.everyone : NEWSLETTERS.toSegment;
}

/** "Sent to 412 people", in a list. */
export function figuresWords(state: BroadcastState, { sent, total, waiting }: BroadcastFigures): string {
  if (state === 'done') return `Sent to ${people(sent)}`;
  if (state === 'cancelled') return sent === 0 ? 'No one got it' : `Sent to ${people(sent)}, then canceled`;
  if (state === 'draft' || state === 'scheduled' || total === 0) return '';
  return `${numerals(sent)} sent, ${numerals(waiting)} waiting`;
}

/** @param at an ISO timestamp. @param nowMs epoch milliseconds. @returns null once it is more than the hold away */
export function holdWords(at: string, nowMs: number, holdSeconds: number): string | null {
  const seconds = Math.ceil((Date.parse(at) - nowMs) / 1000);
  if (seconds > holdSeconds) return null;
  return seconds <= 0 ? REPORT.starting : REPORT.startsIn(seconds);
}

/** Mails to members of a creator about their account. */
import { healthOf, policyInWords } from '#server/features/connections/health.ts';
import type { Mail } from '#server/platforms/email/mail-later.ts';
import type { TroubledConnection } from './queries.ts';

export type Trouble = 'requires_auth' | 'missing_permissions' | 'missing_webhooks' | 'ends_soon' | 'policy_blocked';

type Person = { name: string; email: string };

const SETTINGS = '/creator-hq/settings';

export function connectionTrouble(
  person: Person,
  baseUrl: string,
  { connection, troubles }: { connection: TroubledConnection; troubles: Trouble[] },
): Mail {
  const account = `${connection.platform === 'instagram' ? 'Instagram' : 'Facebook'} account ${connection.username}`;
  const subject = subjectOf(troubles, connection.username);
  return {
    kind: 'connection_trouble',
    to: person.email,
    letter: {
      subject,
      heading: subject,
      paragraphs: [
        `Hello ${person.name}, this is about the ${account}.`,
        ...troubles.map((trouble) => inWords(trouble, connection)),
      ],
      button: { label: 'Open Settings', url: baseUrl + SETTINGS },
      footnote: 'We send one email per problem. You can choose your emails in Settings > Replies & notifications.',
    },
  };
}

function subjectOf(troubles: Trouble[], username: string): string {
  if (troubles.includes('requires_auth')) return `Messages from ${username} stopped: please reconnect`;
  if (troubles.includes('policy_blocked')) return `Facebook blocked messages from ${username}`;
  return `${username} needs your attention`;
}

function inWords(trouble: Trouble, connection: TroubledConnection): string {
  switch (trouble) {
    case 'requires_auth': {
      const { detail } = healthOf(connection, undefined, connection.requires_auth_at!);
      return `${detail} Until then, no messages are sent. Waiting messages go out afterward, if Instagram’s time limit allows.`;
    }
    case 'missing_permissions':
      return 'A permission is missing, so some comments and messages can’t get a reply. Reconnect the account and leave every box checked.';
    case 'missing_webhooks':
      return 'Instagram isn’t sending us everything that happens on the account, so some comments may not get a reply. Tap “Test connection” in Settings. If that doesn’t help, reconnect.';
    case 'policy_blocked':
      return policyInWords(connection.policy_reason);
    case 'ends_soon':
      return `The connection expires on ${dayInWords(connection.ends_at!)} and couldn’t be renewed. Reconnect the account before then so nothing stops.`;
  }
}

export function weeklyFigures(
  person: Person,
  baseUrl: string,
  week: {
    handle: string;
    /** From Monday to Sunday, `2026-11-16`. */
    days: string[];
    figures: { comments: number; matched: number; sent: number; opened: number; clicked: number };
  },
): Mail {
  const { comments, matched, sent, opened, clicked } = week.figures;
  const from = dayInWords(new Date(`${week.days[0]}T00:00:00Z`));
  const to = dayInWords(new Date(`${week.days.at(-1)}T00:00:00Z`));
  return {
    kind: 'weekly_figures',
    to: person.email,
    letter: {
      subject: `Last week at ${week.handle}: ${count(sent, 'message')} sent`,
      heading: `Last week at ${week.handle}`,
      paragraphs: [
        `Hello ${person.name}, from ${from} to ${to} there ${comments === 1 ? 'was' : 'were'} ${count(comments, 'comment')}; ${matched.toLocaleString('en-US')} matched a keyword.`,
        `${count(sent, 'message')} sent, ${opened.toLocaleString('en-US')} opened, ${count(clicked, 'link click')}.`,
      ],
      button: { label: 'See your results', url: `${baseUrl}/creator-hq` },
    },
  };
}

/** The new access by which data leaves an account. */
export type Access =
  | { kind: 'webhook'; url: string; types: readonly string[] }
  | { kind: 'API token'; name: string; scopes: readonly string[] }
  | { kind: 'newsletter tool'; name: string }
  | { kind: 'API key' };

export function newAccess(
  owner: Person,
  baseUrl: string,
  { handle, by, at, access }: { handle: string; by: Person; at: Date; access: Access },
): Mail {
  const tab = access.kind === 'API key' ? 'api-key' : 'other-tools';
  return {
    kind: 'new_access',
    to: owner.email,
    letter: {
      subject: `New ${access.kind} for ${handle}`,
      heading: `New ${access.kind} for ${handle}`,
      paragraphs: [
        `Hello ${owner.name}, ${by.name} (${by.email}) added it on ${momentInWords(at)}.`,
        whatItDoes(access),
        `If you don’t know what it’s for, ask ${by.name}, or remove it in Settings.`,
      ],
      button: { label: 'Open Settings', url: `${baseUrl}${SETTINGS}?tab=${tab}` },
      footnote: 'Owners get this email. You can choose your emails in Settings > Replies & notifications.',
    },
  };
}

function whatItDoes(access: Access): string {
  switch (access.kind) {
    case 'webhook':
      return `The webhook sends ${new URL(access.url).host} every new ${access.types.join(', ')}.`;
    case 'API token':
      return `The token “${access.name}” can: ${access.scopes.join(', ')}.`;
    case 'newsletter tool':
      return `${access.name} gets the email addresses of contacts who confirmed the newsletter.`;
    case 'API key':
      return 'The WordPress plugin uses it to sign in. Any earlier key no longer works.';
  }
}

export function supportVisit(
  owner: Person,
  baseUrl: string,
  { handle, adminName, reason, until }: { handle: string; adminName: string; reason: string; until: Date },
): Mail {
  return {
    kind: 'support_visit',
    to: owner.email,
    letter: {
      subject: `Support entered ${handle}`,
      heading: `Support entered ${handle}`,
      paragraphs: [
        `Hello ${owner.name}, ${adminName} entered your account until ${momentInWords(until)} at the latest. Their reason:`,
        `“${reason}”`,
        'They can see and change what you can, but can’t connect accounts, erase contacts, or change the team or billing. Everything they open and change is logged.',
      ],
      button: { label: 'See support visits', url: `${baseUrl}${SETTINGS}?tab=visits` },
    },
  };
}

export function leftBehind(
  owner: Person,
  baseUrl: string,
  { handle, name, webhookHosts, apiKey }: { handle: string; name: string; webhookHosts: string[]; apiKey: boolean },
): Mail {
  const off = `Webhooks to ${webhookHosts.join(', ')} are off now, because ${name} added them. Turn on the ones you still use.`;
  const key = `${name} created the current API key and may still have it. Replace it if they shouldn’t.`;
  return {
    kind: 'left_behind',
    to: owner.email,
    letter: {
      subject: `Someone left the team of ${handle}`,
      heading: `${name} left the team of ${handle}`,
      paragraphs: [
        `Hello ${owner.name}, ${name} no longer has access, and their API tokens stopped working.`,
        ...(webhookHosts.length > 0 ? [off] : []),
        ...(apiKey ? [key] : []),
      ],
      button: {
        label: 'Open Settings',
        url: `${baseUrl}${SETTINGS}?tab=${webhookHosts.length > 0 ? 'other-tools' : 'api-key'}`,
      },
      footnote: 'Owners get this email. You can choose your emails in Settings > Replies & notifications.',
    },
  };
}

function momentInWords(at: Date): string {
  return `${at.toLocaleString('en-US', { timeZone: 'UTC', dateStyle: 'long', timeStyle: 'short' })} UTC`;
}

function count(number: number, what: string): string {
  return `${number.toLocaleString('en-US')} ${what}${number === 1 ? '' : 's'}`;
}

function dayInWords(at: Date): string {
  return at.toLocaleDateString('en-US', { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long' });
}

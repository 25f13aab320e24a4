/** Mails to the owners of a creator that is to be deleted. */
import type { Mail } from '#server/platforms/email/mail-later.ts';

type Person = { name: string; email: string };

const SETTINGS = '/creator-hq/settings';

export function deletionRequested(
  owner: Person,
  baseUrl: string,
  { handle, by, at }: { handle: string; by: string; at: Date },
): Mail {
  return {
    kind: 'deletion_requested',
    to: owner.email,
    letter: {
      subject: `${handle} will be deleted on ${dayOf(at)}`,
      heading: `${handle} will be deleted on ${dayOf(at)}`,
      paragraphs: [
        `Hello ${owner.name}, ${by} asked to delete the creator account ${handle} and everything in it: automations, comments, figures, links and connections.`,
        'Nothing is sent from it anymore. Until then, any owner can keep it with one click. After that, it can’t be restored. To keep a copy of your data, download it before then.',
      ],
      button: { label: 'Open Settings', url: baseUrl + SETTINGS },
    },
  };
}

export function deletionCancelled(owner: Person, baseUrl: string, handle: string): Mail {
  return {
    kind: 'deletion_cancelled',
    to: owner.email,
    letter: {
      subject: `${handle} stays`,
      heading: `${handle} stays`,
      paragraphs: [
        `Hello ${owner.name}, the creator account ${handle} won’t be deleted. Everything is still there, and automations reply again.`,
        'Comments that came in meanwhile didn’t get a reply. You’ll find them in your activity.',
      ],
      button: { label: 'Open Creator HQ', url: `${baseUrl}/creator-hq` },
    },
  };
}

export function creatorDeleted(owner: Person, handle: string): Mail {
  return {
    kind: 'creator_deleted',
    to: owner.email,
    letter: {
      subject: `${handle} was deleted`,
      heading: `${handle} was deleted`,
      paragraphs: [
        `Hello ${owner.name}, as requested 14 days ago, the creator account ${handle} and everything in it was deleted. You keep your login.`,
      ],
    },
  };
}

function dayOf(at: Date): string {
  return at.toLocaleDateString('en-US', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' });
}

/** Mails to members about links. */
import { LINK_PROBLEMS, type LinkProblem } from '#contract/link-guard.ts';
import type { Mail } from '#server/platforms/email/mail-later.ts';

type Person = { name: string; email: string };
type Told = { url: string; automations: string[] };

const POSTS = '/creator-hq/comment-for-dm/posts-and-reels';
const NAMED_AT_MOST = 3;

export function linkBroken(person: Person, baseUrl: string, link: Told & { problem: LinkProblem }): Mail {
  const subject = 'A link in your messages is broken';
  return {
    kind: 'link_broken',
    to: person.email,
    letter: {
      subject,
      heading: subject,
      paragraphs: [
        `Hello ${person.name}, we checked ${link.url} twice. ${LINK_PROBLEMS[link.problem].says}`,
        `${named(link.automations)} it. In the automation, choose what to do until it works: send anyway, hold messages or use another link. Other links to the same site may be broken, too.`,
        'We’ll keep checking and email you when it works again.',
      ],
      button: { label: 'See your automations', url: baseUrl + POSTS },
      footnote: 'You can choose your emails in Settings > Replies & notifications.',
    },
  };
}

export function linkWorks(person: Person, baseUrl: string, link: Told): Mail {
  const subject = 'The link in your messages works again';
  return {
    kind: 'link_works',
    to: person.email,
    letter: {
      subject,
      heading: subject,
      paragraphs: [
        `Hello ${person.name}, ${link.url} works again.`,
        'Held messages are being sent now. Links in messages already sent work again.',
      ],
      button: { label: 'See your automations', url: baseUrl + POSTS },
      footnote: 'You can choose your emails in Settings > Replies & notifications.',
    },
  };
}

function named(automations: string[]): string {
  const shown = automations.slice(0, NAMED_AT_MOST).map((name) => `“${name}”`);
  const more = automations.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more use`;
  return `${shown.join(', ')} ${shown.length === 1 ? 'uses' : 'use'}`;
}

/** What we write to members about links, without being asked. */
import { LINK_PROBLEMS, type LinkProblem } from '#contract/link-guard.ts';
import type { Mail } from '#server/platforms/email/mail-later.ts';

type Person = { name: string; email: string };
type Told = { url: string; automations: string[] };

const POSTS = '/creator-hq/comment-for-dm/posts-and-reels';
const NAMED_AT_MOST = 3;

export function linkBroken(person: Person, baseUrl: string, link: Told & { problem: LinkProblem }): Mail {
  const subject = 'A link in your messages does not work';
  return {
    kind: 'link_broken',
    to: person.email,
    letter: {
      subject,
      heading: subject,
      paragraphs: [
        `Hello ${person.name}, we looked at ${link.url} twice. ${LINK_PROBLEMS[link.problem].says}`,
        `${named(link.automations)} it. In the automation you can choose what happens meanwhile: the messages go out all the same, wait until it works, or lead somewhere else. Other links to the same site may be affected too.`,
        'We keep looking and write when it works again.',
      ],
      button: { label: 'Open your automations', url: baseUrl + POSTS },
      footnote: 'You can choose your mails in Settings > Notifications.',
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
        `Hello ${person.name}, ${link.url} answers again.`,
        'What waited for it goes out now. Links in messages already sent lead there as before.',
      ],
      button: { label: 'Open your automations', url: baseUrl + POSTS },
      footnote: 'You can choose your mails in Settings > Notifications.',
    },
  };
}

function named(automations: string[]): string {
  const shown = automations.slice(0, NAMED_AT_MOST).map((name) => `“${name}”`);
  const more = automations.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more send`;
  return `${shown.join(', ')} ${shown.length === 1 ? 'sends' : 'send'}`;
}

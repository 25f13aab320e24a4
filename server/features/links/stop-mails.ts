import type { Mail } from '#server/platforms/email/mail-later.ts';

type Person = { name: string; email: string };

export function linksStopped(
  person: Person,
  baseUrl: string,
  { code, all, why }: { code: string; all: boolean; why: string },
): Mail {
  const subject = all ? 'Your short links were stopped' : 'One of your short links was stopped';
  return {
    kind: 'links_stopped',
    to: person.email,
    letter: {
      subject,
      heading: subject,
      paragraphs: [
        `Hello ${person.name}, the people who run this Creator HQ stopped ${all ? 'all of your short links' : `${baseUrl}/l/${code}`}. They say: ${why}`,
        `People who open ${all ? 'one' : 'it'} read that it was stopped. Nothing of yours is deleted. If this is a mistake, write to them.`,
      ],
      button: { label: 'See your links', url: `${baseUrl}/creator-hq/app-links` },
      footnote: 'You get this email because you own the account.',
    },
  };
}

export function linksAllowed(person: Person, baseUrl: string): Mail {
  const subject = 'Your short links work again';
  return {
    kind: 'links_allowed',
    to: person.email,
    letter: {
      subject,
      heading: subject,
      paragraphs: [`Hello ${person.name}, the people who run this Creator HQ let your short links work again.`],
      button: { label: 'See your links', url: `${baseUrl}/creator-hq/app-links` },
      footnote: 'You get this email because you own the account.',
    },
  };
}

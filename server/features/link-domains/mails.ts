import { DOMAIN_PROBLEMS, type DomainProblem } from '#contract/link-domains.ts';
import type { Mail } from '#server/platforms/email/mail-later.ts';

export function linkDomainLost(
  person: { name: string; email: string },
  baseUrl: string,
  { host, problem }: { host: string; problem: DomainProblem },
): Mail {
  const subject = 'Your links’ own address stopped working';
  return {
    kind: 'link_domain_lost',
    to: person.email,
    letter: {
      subject,
      heading: subject,
      paragraphs: [
        `Hello ${person.name}, ${host} worked before, and doesn’t lead to Creator HQ now. ${DOMAIN_PROBLEMS[problem]}`,
        'Links that you shared with it don’t work until it’s back. New links are made with our address meanwhile, and we look again every ten minutes.',
      ],
      button: { label: 'See what to do', url: `${baseUrl}/creator-hq/shop-the-recipe/settings` },
      footnote: 'You can choose your emails in Settings > Replies & notifications.',
    },
  };
}

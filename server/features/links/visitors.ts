/** Who follows a link: a person, or a machine that looks at it for one. Only people count as clicks. */
import { readAgent } from '#contract/agents.ts';

/** What the opening page tells of somebody who counted when they followed the link. */
export const TOLD = ['opened', 'stayed'] as const;

/** Reasons stored with a click that does not count. */
export type NotCounted = 'head' | 'prefetch' | 'previewer' | 'bot' | 'no_user_agent' | (typeof TOLD)[number];

/** Null for a person. */
export function notCountedBecause(request: {
  method: string;
  headers: Record<string, string | string[] | undefined>;
}): NotCounted | null {
  const header = (name: string) => String(request.headers[name] ?? '');
  if (request.method === 'HEAD') return 'head';
  // Browsers that fetch a page before anybody opened it.
  if (
    /prefetch|prerender|preview/i.test(
      `${header('sec-purpose')} ${header('purpose')} ${header('x-moz')} ${header('x-purpose')}`,
    )
  ) {
    return 'prefetch';
  }
  const agent = header('user-agent');
  if (agent === '') return 'no_user_agent';
  const { who } = readAgent(agent);
  return who === 'person' ? null : who;
}

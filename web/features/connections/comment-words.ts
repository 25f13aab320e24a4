import type { Connection } from '#contract/connections.ts';
import { numerals } from '#web/ui/numerals.ts';

/** How comments of this account reach us, as far as it was seen, and what to do where they come late or not at all. */
export type CommentWords = { says: string; steps: string[]; wrong: boolean };

export function commentWords({ platform, comments }: Pick<Connection, 'platform' | 'comments'>): CommentWords {
  const { byWebhook, lastByWebhookAt, byReading, reading, platformCounts } = comments;
  const name = platform === 'instagram' ? 'Instagram' : 'Facebook';
  const post = platform === 'instagram' ? 'post' : 'Page post';
  const test = `Comment on your newest ${post} from another account, then check back here in a few minutes.`;
  const access = [
    'The Meta app behind Creator HQ must be published and have Advanced Access for comments from App Review. The people who run Creator HQ can request it.',
    ...(platform === 'instagram' ? ['Your account must be public.'] : []),
  ];
  if (byWebhook > 0 && lastByWebhookAt !== null) {
    return {
      says: `${name} sends us comments as they’re written: ${count(byWebhook)} so far.`,
      steps: [],
      wrong: false,
    };
  }
  if (byWebhook > 0) {
    return {
      says: `${name} has sent us ${count(byWebhook)} so far, but none in the last 7 days.`,
      steps: [`If people did comment, tap “Test connection”. ${test}`],
      wrong: false,
    };
  }
  switch (reading) {
    case 'nothing_to_find':
      return { says: `No comment has come in yet, by ${name} or by checking your posts.`, steps: [test], wrong: false };
    case 'finds': {
      const found = byReading > 0 ? `finds them (${numerals(byReading)} so far)` : 'finds them';
      return {
        says: `${name} has never sent us a comment as it was written. Checking your posts ${found}, so replies go out minutes later, on older posts up to a day later.`,
        steps: access,
        wrong: true,
      };
    }
    case 'finds_none':
      return {
        says: `${name} has never sent us a comment, and checking your posts finds none, although ${name} counts ${numerals(platformCounts)}. Comments can’t get a reply; story replies and DMs can.`,
        steps: access,
        wrong: true,
      };
  }
}

function count(comments: number): string {
  return comments === 1 ? '1 comment' : `${numerals(comments)} comments`;
}

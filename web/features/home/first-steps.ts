import type { ResponseOf } from '#contract/endpoint.ts';
import type { getHome } from '#contract/figures.ts';
import { paths, settingsPath } from '#web/paths.ts';

export type Step = ResponseOf<typeof getHome>['steps'][number];

/** What each first step is called, why, and where it is done. */
export const STEP_WORDS: Record<Step['id'], { title: string; says: string; action: string; to: string }> = {
  connect: {
    title: 'Connect your Instagram account',
    says: 'A professional account (creator or business). Instagram asks you once.',
    action: 'Connect',
    to: settingsPath('connections'),
  },
  automation: {
    title: 'Set up a reply for one of your posts',
    says: 'Pick a reel, check the word, write the message, switch it on.',
    action: 'Pick a post',
    to: paths.postsAndReels,
  },
  test: {
    title: 'Send yourself a test',
    says: 'Comment your word from a second account and watch each step.',
    action: 'Open your automations',
    to: paths.commentForDm,
  },
  first_reply: {
    title: 'Your first follower gets her link',
    says: 'Nothing to do: it happens by itself when somebody writes your word.',
    action: 'See your automations',
    to: paths.commentForDm,
  },
};

/** The step to do now; null when all are done. */
export function nextStep(steps: readonly Step[]): Step | null {
  return steps.find((step) => !step.done) ?? null;
}

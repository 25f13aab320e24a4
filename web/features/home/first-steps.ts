import type { ResponseOf } from '#contract/endpoint.ts';
import type { getHome } from '#contract/home.ts';
import { paths, settingsPath } from '#web/paths.ts';

export type Step = ResponseOf<typeof getHome>['steps'][number];

/** Each first step: its name, reason and place. */
export const STEP_WORDS: Record<Step['id'], { title: string; says: string; action: string; to: string }> = {
  connect: {
    title: 'Connect your Instagram account',
    says: 'You need a professional account (creator or business). Instagram asks you once.',
    action: 'Connect',
    to: settingsPath('connections'),
  },
  automation: {
    title: 'Set up a reply for one of your posts',
    says: 'Choose a reel, check the keyword, write your message and turn it on.',
    action: 'Choose a post',
    to: paths.postsAndReels,
  },
  test: {
    title: 'Test it yourself',
    says: 'Comment your keyword from another account and watch each step.',
    action: 'See your automations',
    to: paths.commentForDm,
  },
  first_reply: {
    title: 'Your first follower gets your link',
    says: 'Nothing to do here. It happens when someone comments your keyword.',
    action: 'See your automations',
    to: paths.commentForDm,
  },
};

/** The step to do now; null when all are done. */
export function nextStep(steps: readonly Step[]): Step | null {
  return steps.find((step) => !step.done) ?? null;
}

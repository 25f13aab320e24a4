import type { Connection } from '#contract/connections.ts';
import { nameOf } from '#web/features/connections/words.ts';

export const SETUP = {
  pageTitle: 'Set up your account',
  instagramFirst: ['Connect Instagram', 'Your handle'],
  handleFirst: ['Your handle', 'Connect'],
  connectTitle: 'Connect your Instagram',
  anotherTitle: 'Start another creator account',
  connectLead: 'You need a professional account (creator or business). Switching is free.',
  connect: 'Connect with Instagram',
  byHandle: 'Use Facebook instead, or connect later',
  handleTitle: 'What do followers call you?',
  handleHint: 'Letters, numbers, periods and underscores.',
  later: 'Do this later',
  laterMeans: ': you can look around, but automations only reply once you connect an account.',
  loading: 'Loading your account',
  failed: 'Couldn’t load your account',
  done: 'Go to Creator HQ',
} as const;

export const setupWords = {
  cancel: (handle: string) => `Cancel, back to @${handle}`,
  handleLead: (isAnother: boolean) =>
    `Most people use their Instagram handle. This is ${isAnother ? 'the' : 'your'} account’s name in Creator HQ.`,
  connectTitle: (handle: string) => `Connect your account, @${handle}`,
  connectedAs: (connection: Connection) => `Connected as ${nameOf(connection)}`,
};

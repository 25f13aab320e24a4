import type { Feature } from '#server/features/app-deps.ts';
import { readBounceMailbox } from './read-mailbox.ts';
import { registerMailFeedback } from './routes.ts';
import { forgetEvents } from './take-reports.ts';

export const feature: Feature = {
  routes: registerMailFeedback,
  jobs: [
    readBounceMailbox,
    { name: 'forget-mail-feedback', everyMs: 24 * 3_600_000, deletesByAge: true, run: forgetEvents },
  ],
};

/** Mails the worker sends by itself. */
import { mailConnectionTroubles } from './connection-trouble.ts';
import { mailWeeklyFigures } from './weekly-figures.ts';

const MINUTE_MS = 60_000;

export const noticeJobs = [
  { name: 'mail-connection-troubles', everyMs: 5 * MINUTE_MS, run: mailConnectionTroubles },
  // Looks whether it is Monday, seven o'clock.
  { name: 'mail-weekly-figures', everyMs: 5 * MINUTE_MS, run: mailWeeklyFigures },
];

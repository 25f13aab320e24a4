import type { Feature } from '#server/features/app-deps.ts';
import { noticeJobs } from './jobs.ts';
import { registerNotices } from './routes.ts';

export const feature: Feature = {
  routes: registerNotices,
  jobs: noticeJobs,
  holds: {
    notices_sent: { exported: { leftOut: 'which mails went out to whom' }, requests: 'select' },
  },
};

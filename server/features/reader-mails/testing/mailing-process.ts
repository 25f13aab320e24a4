/** A worker that does nothing but mail readers, for tests that kill it: `DATABASE`, `SMTP_URL`, `ENCRYPTION_KEY`. */
import { pino } from 'pino';
import { systemClock, systemIds } from '#server/clock.ts';
import { connectDatabase } from '#server/db/database.ts';
import { findDueReaderMails, sendToDomain } from '#server/features/reader-mails/send-reader-mails.ts';
import { runJobs } from '#server/jobs/run-jobs.ts';
import { createMailTransport } from '#server/platforms/email/transport.ts';
import { createGuardedFetch } from '#server/platforms/guarded-fetch.ts';

const { DATABASE, SMTP_URL, ENCRYPTION_KEY } = process.env;
const deps = {
  db: connectDatabase({ connectionString: DATABASE! }),
  clock: systemClock,
  ids: systemIds,
  keys: { secretKey: '', encryptionKeys: [{ id: 'test', key: Buffer.from(ENCRYPTION_KEY!, 'base64') }] },
  config: {
    ...{ baseUrl: 'https://hq.example.test', smtpUrl: SMTP_URL!, trying: false },
    bounces: { address: null, imapUrl: null, services: {} },
  },
  fetching: createGuardedFetch(),
  live: { publish: () => {} },
  log: pino({ level: 'silent' }),
  readerTransport: createMailTransport({ smtpUrl: SMTP_URL!, from: 'Creator HQ <mail@hq.example.test>' }),
};
await runJobs([findDueReaderMails, sendToDomain], deps, new AbortController().signal);

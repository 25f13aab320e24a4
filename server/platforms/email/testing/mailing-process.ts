/** A worker that does nothing but mail, for tests that kill it: `DATABASE`, `SMTP_URL`. */
import { pino } from 'pino';
import { systemClock, systemIds } from '#server/clock.ts';
import { connectDatabase } from '#server/db/database.ts';
import { runJobs } from '#server/jobs/run-jobs.ts';
import { sendMail } from '#server/platforms/email/send-mail.ts';
import { createMailTransport } from '#server/platforms/email/transport.ts';

const { DATABASE, SMTP_URL } = process.env;
const transport = createMailTransport({ smtpUrl: SMTP_URL!, from: 'Creator HQ <no-reply@hq.example.test>' });
const db = connectDatabase({ connectionString: DATABASE! });
const deps = { db, clock: systemClock, ids: systemIds, log: pino({ level: 'silent' }), transport };
await runJobs([sendMail], deps, new AbortController().signal);

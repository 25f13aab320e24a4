/** `/webhooks/mail/{service}`: mail services tell what became of a mail. Raw bytes are verified before anything reads them. */
import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/errors.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { mailMarksOf } from '#server/platforms/email/bounces/mail-marks.ts';
import { MAIL_SERVICES, type MailService } from '#server/platforms/email/bounces/services.ts';
import type { ReadFeedback } from '#server/platforms/email/feedback/calls.ts';
import { readMailgun } from '#server/platforms/email/feedback/mailgun.ts';
import { readPostmark } from '#server/platforms/email/feedback/postmark.ts';
import { readResend } from '#server/platforms/email/feedback/resend.ts';
import { readSes } from '#server/platforms/email/feedback/ses.ts';
import { type ReportDeps, takeReports } from './take-reports.ts';

/** What SNS sends at most; the others send less. */
const MAX_BODY_BYTES = 256 * 1024;

const READERS: Record<MailService, ReadFeedback> = {
  ses: readSes,
  postmark: readPostmark,
  mailgun: readMailgun,
  resend: readResend,
};

type Deps = ReportDeps & Pick<AppDeps, 'config' | 'fetching'>;

export async function registerMailFeedback(app: FastifyInstance, deps: Deps): Promise<void> {
  const { config, clock, keys, fetching } = deps;
  const marks = mailMarksOf(config, keys);

  await app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    // SNS says text/plain.
    raw.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    const options = { bodyLimit: MAX_BODY_BYTES, config: { webhook: 'mail_provider', crossSite: 'allowed' } } as const;
    raw.post('/webhooks/mail/:service', options, async (request, reply) => {
      const { service: name } = request.params as { service: string };
      const service = MAIL_SERVICES.find((one) => one === name);
      const secret = service && config.bounces.services[service];
      if (service === undefined || secret === undefined) {
        throw new AppError('not_found', 'This email service isn’t set up here. Name it in MAIL_FEEDBACK.');
      }
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const now = clock.now();
      const feedback = await READERS[service]({ headers: request.headers, bytes }, { secret, now, marks, fetching });
      if (feedback === null) {
        throw new AppError(
          'not_allowed',
          'This call isn’t from the email service, is too old, or the secret here is wrong.',
        );
      }
      await takeReports(deps, { name: service, eventId: feedback.eventId }, feedback.reports);
      return reply.type('text/plain').send('OK');
    });
  });
}

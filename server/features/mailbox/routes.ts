/** The mailbox page: where somebody who tries the program reads its mails. They hold links that open accounts. */
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { AppError } from '#server/errors.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { listSentReaderMails, readSentReaderMail } from '#server/features/reader-mails/sent-mails.ts';
import { refuseUnlessTrying } from '#server/http/nearby.ts';
import { listPage, mailPage } from './pages.ts';

const SHOWN = 100;

export function registerMailbox(
  app: FastifyInstance,
  deps: Pick<AppDeps, 'config' | 'db' | 'ids' | 'keys' | 'clock'>,
): void {
  const { config, db } = deps;
  if (config.smtpUrl !== null || !config.trying) return;

  app.get('/mailbox', async (request, reply) => {
    refuseUnlessTrying(request, config);
    const mails = await db.engine
      .selectFrom('mails')
      .select(['id', 'recipient', 'subject', 'created_at'])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(SHOWN)
      .execute();
    const all = [...mails, ...(await listSentReaderMails(deps, SHOWN))]
      .sort((a, b) => b.created_at.getTime() - a.created_at.getTime())
      .slice(0, SHOWN);
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(listPage(all));
  });

  app.get<{ Params: { id: string } }>('/mailbox/:id', async (request, reply) => {
    refuseUnlessTrying(request, config);
    const id = z.safeParse(z.uuid(), request.params.id);
    const teamMail = id.success
      ? await db.engine
          .selectFrom('mails')
          .select(['id', 'recipient', 'subject', 'created_at', 'html', 'text'])
          .where('id', '=', id.data)
          .executeTakeFirst()
      : undefined;
    const mail = teamMail ?? (id.success ? await readSentReaderMail(deps, id.data) : null);
    if (mail === null) throw new AppError('not_found', 'This email doesn’t exist.');
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(mailPage(mail));
  });
}

/** The mailbox page: where somebody who tries the program reads its mails. They hold links that open accounts. */
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { refuseUnlessTrying } from '#server/http/nearby.ts';
import { listPage, mailPage } from './pages.ts';

const SHOWN = 100;

export function registerMailbox(app: FastifyInstance, { config, db }: { config: Config; db: Database }): void {
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
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(listPage(mails));
  });

  app.get<{ Params: { id: string } }>('/mailbox/:id', async (request, reply) => {
    refuseUnlessTrying(request, config);
    const id = z.safeParse(z.uuid(), request.params.id);
    const mail = id.success
      ? await db.engine
          .selectFrom('mails')
          .select(['id', 'recipient', 'subject', 'created_at', 'html', 'text'])
          .where('id', '=', id.data)
          .executeTakeFirst()
      : undefined;
    if (mail === undefined) throw new AppError('not_found', 'This email doesn’t exist.');
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(mailPage(mail));
  });
}

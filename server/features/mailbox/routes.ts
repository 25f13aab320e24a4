/** The mailbox page: where mails are read while no mail server is set up. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { listPage, mailPage } from '#server/features/mailbox/pages.ts';

const SHOWN = 100;

export function registerMailbox(app: FastifyInstance, { config, db }: { config: Config; db: Database }): void {
  if (config.smtpUrl !== null) return;

  function refuseStrangers(request: FastifyRequest): void {
    // With simulators on nothing here is anybody's. Else mails hold links that open accounts.
    if (config.simulators || isFromThisMachine(request)) return;
    throw new AppError('not_found', 'There is nothing at this address.');
  }

  app.get('/mailbox', async (request, reply) => {
    refuseStrangers(request);
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
    refuseStrangers(request);
    const id = z.safeParse(z.uuid(), request.params.id);
    const mail = id.success
      ? await db.engine
          .selectFrom('mails')
          .select(['id', 'recipient', 'subject', 'created_at', 'html', 'text'])
          .where('id', '=', id.data)
          .executeTakeFirst()
      : undefined;
    if (mail === undefined) throw new AppError('not_found', 'This mail is not here.');
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(mailPage(mail));
  });
}

const LOOPBACK_ADDRESS = /^(127\.|::1$|::ffff:127\.)/;
const LOOPBACK_NAME = /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/;

/**
 * Somebody sitting here. A proxy on this machine also connects from here, but says for whom, or names a public host; so does a
 * page that had its name point to this machine to read along (DNS rebinding).
 */
function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  const proxied = headers['x-forwarded-for'] ?? headers['x-real-ip'] ?? headers.forwarded ?? headers.via;
  return (
    proxied === undefined && LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') && LOOPBACK_NAME.test(headers.host ?? '')
  );
}

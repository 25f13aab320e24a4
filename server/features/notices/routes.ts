/**
 * Unsubscribing from weekly figures by the link in the mail, without logging in (RFC 8058): a GET asks, because programs
 * that look through mails open every link; a POST does it, from the page or from the mail program itself.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppDeps } from '#server/features/app-deps.ts';
import { changeChoices } from '#server/features/settings/notifications.ts';
import { askPage, donePage, unknownPage } from './pages.ts';
import { readUnsubscribeToken } from './unsubscribe-token.ts';
import { UNSUBSCRIBE_PATH } from './weekly-figures.ts';

export function registerNotices(app: FastifyInstance, deps: Pick<AppDeps, 'db' | 'keys'>): void {
  const whoseLink = async (request: FastifyRequest) => {
    const { token } = request.params as { token: string };
    const whose = readUnsubscribeToken(deps.keys.secretKey, token);
    if (whose === null) return null;
    const creator = await deps.db.engine
      .selectFrom('creators')
      .innerJoin('memberships', 'memberships.creator_id', 'creators.id')
      .select('handle')
      .where('creators.id', '=', whose.creatorId)
      .where('memberships.user_id', '=', whose.userId)
      .executeTakeFirst();
    return creator === undefined ? null : { ...whose, handle: creator.handle };
  };

  app.register(async (scope) => {
    // Mail programs send `List-Unsubscribe=One-Click` in either of two ways; what it says is in the address already.
    scope.addContentTypeParser(
      ['multipart/form-data', 'application/x-www-form-urlencoded'],
      { bodyLimit: 10_000, parseAs: 'string' },
      (_request, _body, done) => done(null, null),
    );

    scope.get(UNSUBSCRIBE_PATH(':token'), async (request, reply) => {
      const whose = await whoseLink(request);
      return whose === null ? sendPage(reply, unknownPage(), 404) : sendPage(reply, askPage(whose.handle));
    });

    scope.post(UNSUBSCRIBE_PATH(':token'), { config: { crossSite: 'allowed' } }, async (request, reply) => {
      const whose = await whoseLink(request);
      if (whose === null) return sendPage(reply, unknownPage(), 404);
      await deps.db.withCreator(whose.creatorId, (trx) => changeChoices(trx, whose, { weeklyFigures: false }));
      return sendPage(reply, donePage(whose.handle));
    });
  });
}

function sendPage(reply: FastifyReply, page: string, status = 200) {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .send(page);
}

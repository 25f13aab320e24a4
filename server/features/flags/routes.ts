/**
 * OFREP, the OpenFeature Remote Evaluation Protocol: bulk evaluation, the one call that its web provider makes
 * (https://github.com/open-feature/protocol, service/openapi.yaml). Its clients know its errors, not problem documents.
 */
import { createHash } from 'node:crypto';
import type { FastifyError, FastifyInstance } from 'fastify';
import { evaluateFlags } from '#contract/flags.ts';
import type { Database } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { handleError } from '#server/http/problems.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { evaluate } from './flags.ts';

export function registerFlags(app: FastifyInstance, deps: ServeDeps & { db: Database }): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error: FastifyError | AppError, request, reply) => {
      if (error instanceof AppError && error.code === 'invalid_input') {
        return reply.code(400).send({ errorCode: 'INVALID_CONTEXT', errorDetails: error.message });
      }
      if (!(error instanceof AppError) && error.statusCode === 400) {
        return reply.code(400).send({ errorCode: 'PARSE_ERROR', errorDetails: 'We couldn’t read the request.' });
      }
      return handleError(error, request, reply);
    });

    // Pages ask every minute and nearly always hear the same.
    scope.addHook('onSend', async (request, reply, payload) => {
      if (reply.statusCode !== 200 || typeof payload !== 'string') return payload;
      const etag = `"${createHash('sha256').update(payload).digest('base64url')}"`;
      reply.header('etag', etag).header('cache-control', 'private, no-cache');
      if (!isAmong(etag, request.headers['if-none-match'])) return payload;
      reply.code(304).removeHeader('content-type');
      return null;
    });

    // NOTE: the context that a page sends says nothing that we would believe: who asks is in the session.
    serve(scope, deps, evaluateFlags, async ({ signedIn }) => ({
      flags: await evaluate(deps, signedIn.currentCreatorId),
    }));
  });
}

/** A list of tags; proxies that compress mark them weak. */
function isAmong(etag: string, ifNoneMatch: string | undefined): boolean {
  return (ifNoneMatch ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

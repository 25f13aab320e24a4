/** Meta's deauthorize and data-deletion callbacks, and the page that tells how a deletion stands (docs/privacy.md). */
import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { AppError } from '#server/errors.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { readSignedRequest } from '#server/platforms/meta/signed-request.ts';
import { deauthorize, deletePersonsData, deletionStatus } from './data-deletion.ts';
import { deletionPage } from './deletion-page.ts';

const Body = z.object({ signed_request: z.string().check(z.maxLength(10_000)) });

export function registerLeaving(
  app: FastifyInstance,
  deps: Pick<AppDeps, 'clock' | 'config' | 'connectionChanged' | 'db' | 'ids' | 'keys' | 'live' | 'log' | 'meta'>,
): void {
  const { config } = deps;
  const { appSecret, instagramAppSecret, oldAppSecrets } = config.meta;
  const secrets = [instagramAppSecret, appSecret, ...oldAppSecrets].filter((secret) => secret !== null);

  /** @throws AppError malformed_request, not_allowed */
  function personIn(body: unknown): string {
    const form = z.safeParse(Body, body);
    if (!form.success) throw new AppError('malformed_request', 'This address is for Meta: signed_request is expected.');
    const request = readSignedRequest(form.data.signed_request, secrets);
    if (request === null) throw new AppError('not_allowed', 'The signed_request is not signed with our app secret.');
    return request.userId;
  }

  // The signature is the proof; there is no browser and no cookie in these calls.
  const options = { config: { crossSite: 'allowed' as const } };

  app.register(async (scope) => {
    await scope.register(formbody);

    scope.post('/webhooks/meta/deauthorize', options, async (request) => {
      await deauthorize(deps, personIn(request.body));
      return { success: true };
    });

    scope.post('/webhooks/meta/data-deletion', options, async (request) => {
      const code = await deletePersonsData(deps, personIn(request.body));
      return { url: `${config.baseUrl}/data-deletion/${code}`, confirmation_code: code };
    });
  });

  app.get('/data-deletion/:code', async (request, reply) => {
    const { code } = request.params as { code: string };
    const status = await deletionStatus(deps, code);
    return reply
      .code(status.is === 'unknown' ? 404 : 200)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .send(deletionPage(code, status));
  });
}

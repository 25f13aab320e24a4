import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { endpoint } from '#contract/endpoint.ts';
import { CreatorParams } from '#contract/shapes.ts';
import type { AppDeps } from '#server/app.ts';
import { AppError } from '#server/errors.ts';
import { countTry } from '#server/features/people/guessing.ts';
import { serve } from '#server/http/serve.ts';
import { exportCreator } from './export.ts';

/** `EXPORT_PATH` of the contract: the browser goes there as to a page, so it is no call of its client. */
const downloadExport = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/export',
  access: 'creator',
  needs: 'export',
  summary: 'Everything of the creator as one JSON file',
  params: CreatorParams,
  stream: true,
});

/** Each holds a connection to the database while it runs; the rest of them answer requests. */
const MOST_AT_ONCE = 2;

export function registerExport(app: FastifyInstance, deps: AppDeps): void {
  let underWay = 0;

  serve(app, deps, downloadExport, async ({ creatorId, reply }) => {
    if (underWay >= MOST_AT_ONCE) {
      const detail = 'Other downloads are under way. Please try again in a minute.';
      throw new AppError('too_many_requests', detail, { retryAfterSeconds: 60 });
    }
    await countTry(deps.db.engine, deps.clock.now(), 'exports_by_creator', creatorId);
    const file = Readable.from(exportCreator(deps.db, creatorId, deps.clock.now()));
    underWay++;
    file.once('close', () => {
      underWay--;
    });
    const day = deps.clock.now().toISOString().slice(0, 10);
    reply
      .type('application/json; charset=utf-8')
      .header('content-disposition', `attachment; filename="creator-hq-${day}.json"`)
      .header('cache-control', 'no-store')
      .send(file);
  });
}

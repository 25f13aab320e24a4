import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/imports.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import * as imports from './imports.ts';

const DEFAULT_NAME = 'contacts.csv';

export function registerImports(app: FastifyInstance, deps: ServeDeps & Pick<AppDeps, 'ids' | 'keys'>): void {
  const whose = (creatorId: string, { importId }: { importId: string }) => ({ creatorId, importId });

  // The file is read as it comes: no more of it is in memory than a piece.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    serve(scope, deps, contract.uploadImport, async ({ creatorId, query, signedIn, request, reply, inCreator }) => {
      const file = request.body as AsyncIterable<Buffer> | undefined;
      try {
        const importId = await imports.upload(deps, {
          creatorId,
          userId: signedIn.user.id,
          fileName: query.fileName || DEFAULT_NAME,
          file: file ?? null,
        });
        return await inCreator((trx) => imports.show(trx, { creatorId, importId }));
      } finally {
        // Bytes that nobody read would be taken for the next request; so few are read away, of more the connection ends.
        if (Number(request.headers['content-length'] ?? Infinity) <= contract.MOST_IMPORT_BYTES) request.raw.resume();
        else reply.header('connection', 'close');
      }
    });
  });

  serve(app, deps, contract.listImports, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => imports.list(trx, creatorId, query)),
  );

  serve(app, deps, contract.getImport, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => imports.show(trx, whose(creatorId, params))),
  );

  serve(app, deps, contract.listImportRows, ({ creatorId, params, query, inCreator }) =>
    inCreator((trx) => imports.listRows(trx, whose(creatorId, params), query)),
  );

  serve(app, deps, contract.changeImportColumns, ({ creatorId, params, body, inCreator }) =>
    inCreator((trx) => imports.changeColumns(deps, trx, whose(creatorId, params), body.uses)),
  );

  serve(app, deps, contract.runImport, ({ creatorId, params, body, inCreator }) =>
    inCreator((trx) => imports.begin(deps, trx, whose(creatorId, params), body)),
  );

  for (const [endpoint, act] of [
    [contract.cancelImport, imports.cancel],
    [contract.undoImport, imports.undo],
  ] as const) {
    serve(app, deps, endpoint, ({ creatorId, params, inCreator }) =>
      inCreator((trx) => act(deps, trx, whose(creatorId, params))),
    );
  }
}

import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/imports.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { takeFile, withFiles } from '#server/http/sent-file.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import * as imports from './imports.ts';

const DEFAULT_NAME = 'contacts.csv';

export function registerImports(app: FastifyInstance, deps: ServeDeps & Pick<AppDeps, 'ids' | 'keys'>): void {
  const whose = (creatorId: string, { importId }: { importId: string }) => ({ creatorId, importId });

  withFiles(app, (scope) => {
    serve(scope, deps, contract.uploadImport, ({ creatorId, query, signedIn, request, reply, inCreator }) =>
      takeFile(request, reply, {
        maxBytes: contract.MOST_IMPORT_BYTES,
        work: async (file) => {
          const given = { creatorId, userId: signedIn.user.id, fileName: query.fileName || DEFAULT_NAME, file };
          const importId = await imports.upload(deps, given);
          return inCreator((trx) => imports.show(trx, { creatorId, importId }));
        },
      }),
    );
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

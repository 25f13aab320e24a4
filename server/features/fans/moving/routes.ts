import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/member-moves.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { takeFile, withFiles } from '#server/http/sent-file.ts';
import { serve } from '#server/http/serve.ts';
import * as moves from './moves.ts';

const DEFAULT_NAME = 'members.csv';

export function registerMoves(app: FastifyInstance, deps: RouteDeps): void {
  withFiles(app, (scope) => {
    serve(scope, deps, contract.uploadMemberMove, ({ creatorId, query, signedIn, request, reply, inCreator }) =>
      takeFile(request, reply, {
        maxBytes: contract.MOST_MOVED_BYTES,
        work: async (file) => {
          const given = { creatorId, userId: signedIn.user.id, fileName: query.fileName || DEFAULT_NAME, file };
          const moveId = await moves.uploadMove(deps, given);
          return inCreator((trx) => moves.showMove(trx, { creatorId, moveId }));
        },
      }),
    );
  });

  serve(app, deps, contract.listMemberMoves, ({ inCreator }) => inCreator(moves.listMoves));

  serve(app, deps, contract.getMemberMove, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => moves.showMove(trx, { creatorId, moveId: params.moveId })),
  );

  serve(app, deps, contract.listMoveRows, ({ creatorId, params, query, inCreator }) =>
    inCreator((trx) => moves.listRows(trx, { creatorId, moveId: params.moveId }, query)),
  );

  serve(app, deps, contract.changeMemberMove, ({ creatorId, params, body, inCreator }) =>
    inCreator((trx) => moves.changeMove(deps, trx, { creatorId, moveId: params.moveId }, body)),
  );

  serve(app, deps, contract.runMemberMove, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => moves.runMove(deps, trx, { creatorId, moveId: params.moveId })),
  );

  serve(app, deps, contract.undoMemberMove, async ({ creatorId, params, inCreator }) => {
    const shown = await inCreator((trx) => moves.undoMove(deps, trx, { creatorId, moveId: params.moveId }));
    deps.live.publish(creatorId, { what: 'account' });
    return shown;
  });
}

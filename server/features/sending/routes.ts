import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/sending.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { countTry } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import { checkNow } from './domain-checks.ts';
import { removeMailServer, setMailServer } from './mail-servers.ts';
import { addDomain, changeSender, removeDomain, show } from './sending.ts';

export function registerSending(app: FastifyInstance, deps: AppDeps): void {
  serve(app, deps, contract.getSending, ({ creatorId, inCreator }) => inCreator((trx) => show(deps, trx, creatorId)));

  serve(app, deps, contract.changeSender, ({ creatorId, body, inCreator }) =>
    inCreator((trx) => changeSender(deps, trx, creatorId, body)),
  );

  serve(app, deps, contract.addSendingDomain, async ({ creatorId, body, inCreator }) => {
    await countTry(deps.db.engine, deps.clock.now(), 'domains_by_creator', creatorId);
    return inCreator((trx) => addDomain(deps, trx, creatorId, body.domain));
  });

  serve(app, deps, contract.checkSendingDomain, async ({ creatorId, params, inCreator }) => {
    await checkNow(deps, { creatorId, domainId: params.domainId });
    return inCreator((trx) => show(deps, trx, creatorId));
  });

  serve(app, deps, contract.removeSendingDomain, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => removeDomain(deps, trx, creatorId, params.domainId)),
  );

  serve(app, deps, contract.setMailServer, async ({ creatorId, body, signedIn, inCreator }) => {
    await countTry(deps.db.engine, deps.clock.now(), 'mail_servers_by_creator', creatorId);
    await setMailServer(deps, { creatorId, login: body, tester: signedIn.user.email });
    return inCreator((trx) => show(deps, trx, creatorId));
  });

  serve(app, deps, contract.removeMailServer, ({ creatorId, inCreator }) =>
    inCreator(async (trx) => {
      await removeMailServer(trx, creatorId);
      return show(deps, trx, creatorId);
    }),
  );
}

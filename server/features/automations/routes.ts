import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/automations.ts';
import { resolveClash } from '#contract/clashes.ts';
import type { AppDeps } from '#server/app.ts';
import { serve } from '#server/http/serve.ts';
import * as automations from './automations.ts';
import * as clashes from './clash-resolving.ts';

export function registerAutomations(app: FastifyInstance, deps: AppDeps): void {
  const changed = async (creatorId: string) => {
    await deps.automationsChanged({ creatorId });
    deps.live.publish(creatorId, { what: 'automations' });
  };

  serve(app, deps, contract.listAutomations, async ({ creatorId, query, inCreator }) => ({
    items: await inCreator((trx) => automations.list(trx, creatorId, query)),
  }));

  serve(app, deps, contract.getAutomation, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => automations.get(trx, creatorId, params.automationId)),
  );

  serve(app, deps, contract.createAutomation, async ({ creatorId, body, inCreator }) => {
    const created = await inCreator((trx) => automations.create(deps, trx, creatorId, body));
    await changed(creatorId);
    return created;
  });

  serve(app, deps, contract.updateAutomation, async ({ creatorId, params, body, inCreator }) => {
    const updated = await inCreator((trx) => automations.change(deps, trx, creatorId, params.automationId, body));
    await changed(creatorId);
    return updated;
  });

  serve(app, deps, contract.switchAutomation, async ({ creatorId, params, body, signedIn, inCreator }) => {
    const by = { on: body.on, userId: signedIn.user.id };
    const switched = await inCreator((trx) => automations.switchTo(deps, trx, creatorId, params.automationId, by));
    await changed(creatorId);
    return switched;
  });

  serve(app, deps, resolveClash, async ({ creatorId, params, body, inCreator }) => {
    const decision = { id: params.automationId, ...body };
    const message = await inCreator((trx) => clashes.resolveClash(deps, trx, creatorId, decision));
    await changed(creatorId);
    return { message };
  });

  serve(app, deps, contract.deleteAutomation, async ({ creatorId, params, inCreator }) => {
    await inCreator((trx) => automations.remove(deps, trx, creatorId, params.automationId));
    await changed(creatorId);
    return { message: 'Automation deleted. What it did stays in your activity.' };
  });

  serve(app, deps, contract.testComment, ({ creatorId, body, inCreator }) =>
    inCreator((trx) => automations.testComment(deps, trx, creatorId, body)),
  );
}

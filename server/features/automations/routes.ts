import type { FastifyInstance } from 'fastify';
import * as draftContract from '#contract/automation-drafts.ts';
import * as contract from '#contract/automations.ts';
import { resolveClash } from '#contract/clashes.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import * as automations from './automations.ts';
import * as clashes from './clash-resolving.ts';
import * as drafts from './drafts.ts';

export function registerAutomations(
  app: FastifyInstance,
  deps: ServeDeps & Pick<AppDeps, 'automationsChanged' | 'config' | 'deliveriesQueued' | 'ids' | 'live'>,
): void {
  const changed = async (creatorId: string, freed: string[] = []) => {
    await deps.automationsChanged({ creatorId });
    for (const connectionId of freed) await deps.deliveriesQueued({ creatorId, connectionId });
    deps.live.publish(creatorId, { what: 'automations' });
  };

  serve(app, deps, contract.listAutomations, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => automations.list(trx, creatorId, query)),
  );

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
    await changed(creatorId, updated.freed);
    return updated.automation;
  });

  serve(app, deps, contract.switchAutomation, async ({ creatorId, params, body, signedIn, inCreator }) => {
    const by = { on: body.on, userId: signedIn.user.id };
    const switched = await inCreator((trx) => automations.switchTo(deps, trx, creatorId, params.automationId, by));
    await changed(creatorId, switched.freed);
    return switched.automation;
  });

  // A draft answers nobody: only the screens hear of it.
  serve(app, deps, draftContract.saveDraft, async ({ creatorId, params, body, signedIn, inCreator }) => {
    const saved = await inCreator((trx) => drafts.save(deps, trx, creatorId, params.automationId, body, signedIn.user));
    deps.live.publish(creatorId, { what: 'automations' });
    return saved;
  });

  serve(app, deps, draftContract.publishDraft, async ({ creatorId, params, body, inCreator }) => {
    const published = await inCreator((trx) => drafts.publish(deps, trx, creatorId, params.automationId, body));
    await changed(creatorId, published.freed);
    return published.automation;
  });

  serve(app, deps, draftContract.discardDraft, async ({ creatorId, params, body, inCreator }) => {
    const left = await inCreator((trx) => drafts.discard(trx, creatorId, params.automationId, body.draftVersion));
    deps.live.publish(creatorId, { what: 'automations' });
    return left;
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
    return { message: 'Automation deleted. Its activity stays.' };
  });

  serve(app, deps, contract.testComment, ({ creatorId, body, inCreator }) =>
    inCreator((trx) => automations.testComment(deps, trx, creatorId, body)),
  );
}

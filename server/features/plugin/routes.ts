import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/plugin.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { printAll } from '#server/features/forms/forms.ts';
import { noteSite, siteOf } from '#server/features/sites/sites.ts';
import { submitAll } from '#server/features/submissions/submissions.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';

export function registerPluginCalls(
  app: FastifyInstance,
  deps: ServeDeps & Pick<AppDeps, 'config' | 'ids' | 'keys' | 'live'>,
): void {
  serve(app, deps, contract.registerPlugin, async ({ body, creatorId, plugin, inCreator, reply }) => {
    reply.header('cache-control', 'no-store');
    const { noted, forms } = await inCreator(async (trx) => ({
      noted: await noteSite(deps, trx, plugin, body),
      forms: await printAll(deps, trx, creatorId),
    }));
    if (noted.changed) deps.live.publish(creatorId, { what: 'account' });
    const { id, is_live } = noted.row;
    return {
      handle: plugin.handle,
      expectedPluginVersion: deps.config.plugin.version,
      site: { id, state: is_live ? ('live' as const) : ('copy' as const) },
      signingKeys: noted.signingKeys,
      forms,
    };
  });

  serve(app, deps, contract.submitForms, async ({ body, creatorId, plugin, inCreator }) => ({
    results: await submitAll(
      deps,
      { creatorId, inCreator, siteOf: (trx, pageUrl) => siteOf(deps, trx, plugin, pageUrl) },
      body.submissions,
    ),
  }));

  serve(app, deps, contract.listPrintedForms, async ({ creatorId, inCreator }) => ({
    forms: await inCreator((trx) => printAll(deps, trx, creatorId)),
  }));
}

import type { FastifyInstance } from 'fastify';
import { endpoint } from '#contract/endpoint.ts';
import * as contract from '#contract/plugin.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { printAll } from '#server/features/forms/forms.ts';
import { noteSite, signingKeyOf, siteOf } from '#server/features/sites/sites.ts';
import { submitAll } from '#server/features/submissions/submissions.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { packagesOf, updateFor } from './updates.ts';

/** A link and WordPress open it: no call of the browser's client. */
const pluginZip = endpoint({
  method: 'GET',
  path: '/plugin/creator-hq.zip',
  access: 'public',
  summary: 'The WordPress plugin',
  stream: true,
});

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

  const packed = packagesOf(deps.config.baseUrl);

  serve(app, deps, pluginZip, async ({ reply }) => {
    const { zip } = await packed();
    reply.type('application/zip').header('content-disposition', 'attachment; filename="creator-hq.zip"').send(zip);
  });

  serve(app, deps, contract.getPluginUpdate, async ({ creatorId, query, inCreator }) => {
    const signingKey = await inCreator((trx) => signingKeyOf(deps, trx, creatorId, query.siteUrl ?? ''));
    return { update: signingKey === null ? null : updateFor(await packed(), signingKey) };
  });
}

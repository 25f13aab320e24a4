import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/link-reports.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { serve } from '#server/http/serve.ts';
import { allow, dismiss, listReported, stop } from './reported-links.ts';

/** Links are remembered for a moment by every process. */
const WITHIN = 'within ten seconds';

export function registerReportedLinks(app: FastifyInstance, deps: RouteDeps): void {
  serve(app, deps, contract.adminListReportedLinks, ({ query }) => listReported(deps, query));

  serve(app, deps, contract.adminStopLink, async ({ params, body, signedIn }) => {
    await stop(deps, signedIn, params.linkCode, body);
    return { message: body.all ? `All links of this creator stop ${WITHIN}` : `The link stops ${WITHIN}` };
  });

  serve(app, deps, contract.adminAllowLink, async ({ params, signedIn }) => {
    await allow(deps, signedIn, params.linkCode);
    return { message: `It works again ${WITHIN}` };
  });

  serve(app, deps, contract.adminDismissReports, async ({ params, signedIn }) => {
    await dismiss(deps, signedIn, params.linkCode);
    return { message: 'Reports dismissed' };
  });
}

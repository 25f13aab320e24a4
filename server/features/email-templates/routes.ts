import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/email-templates.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import * as templates from './email-templates.ts';
import * as previews from './previews.ts';

export function registerEmailTemplates(app: FastifyInstance, deps: ServeDeps & Pick<AppDeps, 'ids' | 'config'>): void {
  serve(app, deps, contract.listEmailTemplates, ({ creatorId, inCreator }) =>
    inCreator((trx) => templates.list(trx, creatorId)),
  );

  serve(app, deps, contract.getEmailTemplate, ({ params, inCreator }) =>
    inCreator((trx) => templates.get(trx, params)),
  );

  serve(app, deps, contract.saveEmailDraft, ({ params, body, signedIn, inCreator }) =>
    inCreator((trx) => templates.saveDraft(deps, trx, params, body, signedIn.user)),
  );

  serve(app, deps, contract.publishEmailDraft, ({ params, body, signedIn, inCreator }) =>
    inCreator((trx) => templates.publish(deps, trx, params, body, signedIn.user)),
  );

  serve(app, deps, contract.discardEmailDraft, ({ params, body, inCreator }) =>
    inCreator((trx) => templates.discard(trx, params, body)),
  );

  serve(app, deps, contract.resetEmailTemplate, ({ params, body, inCreator }) =>
    inCreator((trx) => templates.reset(trx, params, body)),
  );

  serve(app, deps, contract.listEmailVersions, ({ params, inCreator }) =>
    inCreator((trx) => templates.listVersions(trx, params)),
  );

  serve(app, deps, contract.previewEmail, ({ params, body, inCreator }) =>
    inCreator((trx) => previews.preview(deps, trx, { ...params, ...body })),
  );

  serve(app, deps, contract.testEmail, ({ params, body, byEngine }) =>
    byEngine((trx) => previews.sendTest(deps, trx, { ...params, ...body })),
  );

  serve(app, deps, contract.listEmailSamples, ({ creatorId, signedIn, inCreator }) =>
    inCreator((trx) => previews.samples(trx, creatorId, signedIn.user.email)),
  );
}

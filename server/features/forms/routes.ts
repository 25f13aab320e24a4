import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/forms.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { figures } from './figures.ts';
import { archive, change, create, get, list } from './forms.ts';
import { printForm } from './print-form.ts';

const NO_KEY = '0'.repeat(22);

export function registerForms(app: FastifyInstance, deps: ServeDeps & Pick<AppDeps, 'ids'>): void {
  serve(app, deps, contract.listForms, ({ creatorId, inCreator }) => inCreator((trx) => list(deps, trx, creatorId)));

  serve(app, deps, contract.getFormFigures, ({ creatorId, inCreator }) =>
    inCreator((trx) => figures(deps, trx, creatorId)),
  );

  serve(app, deps, contract.getForm, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => get(deps, trx, creatorId, params.formId)),
  );

  serve(app, deps, contract.createForm, ({ creatorId, body, inCreator }) =>
    inCreator((trx) => create(deps, trx, creatorId, body)),
  );

  serve(app, deps, contract.updateForm, ({ creatorId, params, body, inCreator }) =>
    inCreator((trx) => change(deps, trx, creatorId, params.formId, body)),
  );

  serve(app, deps, contract.archiveForm, async ({ creatorId, params, inCreator }) => {
    await inCreator((trx) => archive(deps, trx, creatorId, params.formId));
    return { message: 'Form archived. It leaves your blog within minutes.' };
  });

  serve(app, deps, contract.previewForm, async ({ body: { kind, design } }) => {
    const { languages } = printForm({ key: NO_KEY, kind, name: '', version: 0, design });
    return { languages };
  });
}

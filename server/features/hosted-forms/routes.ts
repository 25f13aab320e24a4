/** `/f/{key}`: a form at an address of its own, for profile links and blogs without our plugin. Reads no cookie. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FormTexts } from '#contract/forms.ts';
import type { FilledIn } from '#server/features/forms/print-form.ts';
import {
  type Fields,
  FORM_PATH,
  findHosted,
  type HostedDeps,
  type HostedForm,
  makeStamp,
  take,
  textsFor,
} from './hosted-forms.ts';
import * as pages from './pages.ts';

const MAX_BODY_BYTES = 8 * 1024;

export function registerHostedForms(app: FastifyInstance, deps: HostedDeps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );

    scope.get(`${FORM_PATH}/:key`, async (request, reply) => {
      const form = await findHosted(deps.db.engine, keyOf(request));
      if (form === null) return send(reply, pages.formGonePage(), 404);
      if (form.kind === 'save') return send(reply, pages.recipeNeededPage(form));
      return send(reply, pageOf(deps, form, textsOf(form, request), null));
    });

    scope.post(
      `${FORM_PATH}/:key`,
      { config: { crossSite: 'allowed' }, bodyLimit: MAX_BODY_BYTES },
      async (request, reply) => {
        const form = await findHosted(deps.db.engine, keyOf(request));
        if (form === null) return send(reply, pages.formGonePage(), 404);
        if (form.kind === 'save') return send(reply, pages.recipeNeededPage(form), 422);
        return answer(deps, form, request, reply);
      },
    );

    scope.get(`${FORM_PATH}/:key/:result`, async (request, reply) => {
      const form = await findHosted(deps.db.engine, keyOf(request));
      const { result: slug } = request.params as { result: string };
      const result = pages.RESULTS.find((one) => pages.slugOf(one) === slug);
      if (form === null || result === undefined) return send(reply, pages.formGonePage(), 404);
      return send(reply, pages.resultPage(form, textsOf(form, request), result, senderOf(deps, form)));
    });
  });
}

async function answer(deps: HostedDeps, form: HostedForm, request: FastifyRequest, reply: FastifyReply) {
  const fields = (request.body ?? {}) as Fields;
  const texts = textsOf(form, request);
  const printed = Number(queryOf(request, 'version'));
  const version = Number.isInteger(printed) && printed > 0 && printed < form.version ? printed : form.version;
  const taken = await take(deps, form, fields, { ip: request.ip, language: texts.language, version });
  const again = (status: number, says: string, more: Partial<FilledIn> = {}) => {
    const { email = '', first_name: firstName = '', newsletter } = fields;
    const filledIn = { email, firstName, newsletter: newsletter === '1', says, isWrong: false, suggestion: null };
    return send(reply, pageOf(deps, form, texts, { ...filledIn, ...more }), status);
  };
  if (taken.kind === 'spam') return again(422, 'That didn’t look like a person. Try again.');
  if (taken.kind === 'old') return again(422, 'This page was too old. Press the button again.');
  if (taken.kind === 'misspelt')
    return again(422, 'Did you mean this address? If not, press the other button again.', {
      suggestion: taken.suggestion,
    });
  const { result, code, message } = taken.answer;
  if (result !== 'refused') {
    const language = encodeURIComponent(texts.language);
    return reply.redirect(`${FORM_PATH}/${form.key}/${pages.slugOf(result)}?lang=${language}`, 303);
  }
  if (code === 'form_gone') return send(reply, pages.formGonePage(), 404);
  if (code === 'too_many_requests') return again(429, message ?? 'Too many tries from here. Try again later.');
  if (code === 'consent_needed') return again(422, message ?? '');
  if (code !== 'invalid_email') return again(422, 'That didn’t work. Check what you typed.');
  const says = fields.email?.trim() ? (message ?? 'Check what you typed.') : 'Enter your email address.';
  return again(422, says, { isWrong: true });
}

function pageOf(deps: HostedDeps, form: HostedForm, texts: FormTexts, filledIn: FilledIn | null): pages.Page {
  const shown = new URLSearchParams({ lang: texts.language, version: String(form.version) });
  const places = {
    action: `${FORM_PATH}/${form.key}?${shown}`,
    stamp: makeStamp(deps, form.key),
    ...{ post: '', recipe: '', attempt: '' },
  };
  return pages.formPage(form, texts, places, filledIn);
}

/** As mail programs show it. */
function senderOf({ config }: HostedDeps, { creatorName }: HostedForm): string {
  const address = config.mailFrom.split(/[\s<>]+/).find((part) => part.includes('@'));
  return address === undefined ? creatorName : `${creatorName} <${address}>`;
}

function textsOf({ design }: HostedForm, request: FastifyRequest): FormTexts {
  return textsFor(design, queryOf(request, 'lang'), request.headers['accept-language']);
}

function queryOf(request: FastifyRequest, name: string): string {
  const value = (request.query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}

function keyOf(request: FastifyRequest): string {
  return (request.params as { key: string }).key;
}

function send(reply: FastifyReply, { html, policy }: pages.Page, status = 200) {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex')
    .send(html);
}

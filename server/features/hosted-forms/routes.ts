/**
 * `/f/{key}`: a form at an address of its own, for profile links, and what blogs without our plugin need: its script, and where
 * it is sent to from there. Reads no cookie.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkFormPage, type FormTexts } from '#contract/forms.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { get } from '#server/features/forms/forms.ts';
import type { FilledIn } from '#server/features/forms/print-form.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { checkPage, findSite, isOriginOfSite, pageAddress } from './blog-pages.ts';
import { embedScript } from './embed.ts';
import {
  type Fields,
  FORM_PATH,
  findHosted,
  type HostedDeps,
  type HostedForm,
  makeStamp,
  type Taken,
  take,
  textsFor,
} from './hosted-forms.ts';
import * as pages from './pages.ts';

const MAX_BODY_BYTES = 8 * 1024;
/** A change of the form is on the blog within it. */
const SCRIPT_KEPT = 'public, max-age=300';

export function registerHostedForms(app: FastifyInstance, deps: HostedDeps & ServeDeps & Pick<AppDeps, 'live'>): void {
  serve(app, deps, checkFormPage, async ({ creatorId, params, body, inCreator }) => {
    const { key } = await inCreator((trx) => get(deps, trx, creatorId, params.formId));
    const checked = await checkPage(deps, { creatorId, key, given: body.url });
    if (checked.found) deps.live.publish(creatorId, { what: 'account' });
    return checked;
  });

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );

    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
      done(null, fieldsOf(body as string)),
    );

    scope.get(`${FORM_PATH}/:key`, async (request, reply) => {
      const form = await findHosted(deps.db.engine, keyOf(request));
      if (form === null) return send(reply, pages.formGonePage(), 404);
      const post = await recipeBehind(deps, form, request);
      if (form.kind === 'save' && post === '') return send(reply, pages.recipeNeededPage(form));
      return send(reply, pageOf(deps, form, textsOf(form, request), post, null));
    });

    scope.get(`${FORM_PATH}/:key(^[0-9A-Za-z]+).js`, async (request, reply) => {
      const form = await findHosted(deps.db.engine, keyOf(request));
      // On pages of other websites.
      reply.type('text/javascript; charset=utf-8').header('cross-origin-resource-policy', 'cross-origin');
      if (form === null || form.kind === 'gate') return reply.code(404).send('// This form is gone.');
      return reply.header('cache-control', SCRIPT_KEPT).send(await embedScript(deps, form));
    });

    scope.options(`${FORM_PATH}/:key`, async (request, reply) => {
      const form = await findHosted(deps.db.engine, keyOf(request));
      if (form !== null && (await mayBeRead(deps, form, request, reply))) {
        const allowed = { methods: 'POST', headers: 'content-type', 'max-age': '600' };
        for (const [what, value] of Object.entries(allowed)) reply.header(`access-control-allow-${what}`, value);
      }
      return reply.code(204).send();
    });

    scope.post(
      `${FORM_PATH}/:key`,
      { config: { crossSite: 'allowed' }, bodyLimit: MAX_BODY_BYTES },
      async (request, reply) => {
        const form = await findHosted(deps.db.engine, keyOf(request));
        if (/json/.test(request.headers['content-type'] ?? '')) return answerScript(deps, form, request, reply);
        if (form === null) return send(reply, pages.formGonePage(), 404);
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
  if (form.kind === 'save' && !fields.post) return send(reply, pages.recipeNeededPage(form), 422);
  const texts = textsOf(form, request);
  const taken = await take(deps, form, fields, { ...pressOf(form, request, texts), isAsked: true });
  const result = taken.kind === 'answer' ? taken.answer.result : 'refused';
  if (result !== 'refused') {
    const language = encodeURIComponent(texts.language);
    return reply.redirect(`${FORM_PATH}/${form.key}/${pages.slugOf(result)}?lang=${language}`, 303);
  }
  const { status, code, says } = refusalOf(taken, fields);
  if (code === 'form_gone') return send(reply, pages.formGonePage(), 404);
  const { email = '', first_name: firstName = '', newsletter, post = '' } = fields;
  const suggestion = taken.kind === 'misspelt' ? taken.suggestion : null;
  const isWrong = code === 'invalid_email';
  const filledIn = { email, firstName, newsletter: newsletter === '1', says, isWrong, suggestion };
  return send(reply, pageOf(deps, form, texts, post, filledIn), status);
}

/** To `widgets/form`, on a page of the form's own websites. */
async function answerScript(deps: HostedDeps, form: HostedForm | null, request: FastifyRequest, reply: FastifyReply) {
  const refuse = ({ status, code, says }: Refusal) =>
    reply.code(status).send({ result: 'refused', code, message: says });
  if (form === null) return refuse(GONE);
  const isOurs = await mayBeRead(deps, form, request, reply);
  if (!isOurs && request.headers.origin !== undefined) return refuse(ELSEWHERE);
  const fields = (request.body ?? {}) as Fields;
  const texts = textsOf(form, request);
  // There is no button for the other address: pressing again would ask again.
  const taken = await take(deps, form, fields, { ...pressOf(form, request, texts), isAsked: false });
  if (taken.kind !== 'answer' || taken.answer.result === 'refused') return refuse(refusalOf(taken, fields));
  const { result, message } = taken.answer;
  return { result, message: message ?? pages.lineOf(result, form.kind, texts, senderOf(deps, form)) };
}

function pressOf(form: HostedForm, request: FastifyRequest, { language }: FormTexts) {
  const printed = Number(queryOf(request, 'version'));
  const version = Number.isInteger(printed) && printed > 0 && printed < form.version ? printed : form.version;
  return { ip: request.ip, language, version };
}

type Refusal = { status: number; code: string; says: string };

const GONE: Refusal = { status: 404, code: 'form_gone', says: 'This form is no longer in use.' };
const ELSEWHERE: Refusal = { status: 403, code: 'elsewhere', says: 'This form isn’t set up for this page.' };

function refusalOf(taken: Taken, fields: Fields): Refusal {
  switch (taken.kind) {
    case 'spam':
      return { status: 422, code: 'spam', says: 'That didn’t look like a person. Try again.' };
    case 'old':
      return { status: 422, code: 'stamp', says: 'This page was too old. Reload it, then press the button again.' };
    case 'elsewhere':
      return ELSEWHERE;
    case 'misspelt':
      return {
        ...{ status: 422, code: 'misspelt' },
        says: 'Did you mean this address? If not, press the other button again.',
      };
  }
  const { code, message } = taken.answer;
  if (code === 'form_gone') return GONE;
  if (code === 'too_many_requests') {
    return { status: 429, code, says: message ?? 'Too many tries from here. Try again later.' };
  }
  if (code === 'consent_needed') return { status: 422, code, says: message ?? '' };
  if (code !== 'invalid_email') {
    return { status: 422, code: code ?? 'refused', says: 'That didn’t work. Check what you typed.' };
  }
  const says = fields.email?.trim() ? (message ?? 'Check what you typed.') : 'Enter your email address.';
  return { status: 422, code, says };
}

function pageOf(
  deps: HostedDeps,
  form: HostedForm,
  texts: FormTexts,
  post: string,
  filledIn: FilledIn | null,
): pages.Page {
  const shown = new URLSearchParams({ lang: texts.language, version: String(form.version) });
  const places = {
    action: `${FORM_PATH}/${form.key}?${shown}`,
    stamp: makeStamp(deps, form.key),
    ...{ post, recipe: '', attempt: '' },
  };
  return pages.formPage(form, texts, places, filledIn);
}

/** The page whose link led here: of a blog where our script did not run. Empty: none that counts. */
async function recipeBehind({ db }: HostedDeps, { creatorId }: HostedForm, request: FastifyRequest): Promise<string> {
  const url = pageAddress(request.headers.referer ?? '');
  return url !== null && (await findSite(db.engine, creatorId, url)) !== null ? url : '';
}

/** Lets the form's own websites read the answer, and no others. */
async function mayBeRead({ db }: HostedDeps, form: HostedForm, request: FastifyRequest, reply: FastifyReply) {
  const { origin } = request.headers;
  reply.header('vary', 'Origin');
  if (origin === undefined || !(await isOriginOfSite(db.engine, form.creatorId, origin))) return false;
  reply.header('access-control-allow-origin', origin);
  return true;
}

/** Texts alone: whatever else a program sends is not there. */
function fieldsOf(json: string): Fields {
  let sent: unknown = null;
  try {
    sent = JSON.parse(json);
  } catch {
    // As an empty form.
  }
  const entries = typeof sent === 'object' && sent !== null ? Object.entries(sent) : [];
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'));
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

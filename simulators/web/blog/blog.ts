/**
 * The demo creator's blog: twelve recipes with cards, and our forms in them, as a WordPress with the plugin prints and sends
 * them. See ../README.md for how to use it and ../DIFFERENCES.md for where a real blog differs.
 */
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { demoPicture } from '#simulators/meta/demo/pictures.ts';
import { ANCHOR, escapeHtml, homePage, pictureOf, recipePage, resultPage, sitemap } from './pages.ts';
import { type BlogRecipe, blogRecipes } from './recipes.ts';

const PLUGIN_VERSION = '0.1.0';
const HUB_ANSWERS_WITHIN_MS = 4_000;
const MAX_BODY_BYTES = 8 * 1024;
const MOST_WAITING = 5_000;
const MOST_AT_ONCE = 50;
const NOTHING_LOCKED = { locked: 0, all: blogRecipes.length };
/** The plugin does it every quarter of an hour; nobody tries a demo for so long. */
const FORMS_RENEWED_AFTER_MS = 5_000;

export interface BlogOptions {
  /** 0 or absent: any free port. Listens on 127.0.0.1. */
  port?: number;
  /** Where Creator HQ listens. */
  hubUrl: string;
}

export interface Blog {
  readonly url: string;
  /**
   * Connects as somebody who pastes the API key: the blog reports itself and gets its forms.
   *
   * @returns false where the hub refuses the key
   * @throws when the hub does not answer
   */
  connect(key: string): Promise<boolean>;
  /** As somebody without the plugin, who pastes a form's snippet into the template of their posts. Null: takes it out again. */
  embed(snippet: string | null): void;
  close(): Promise<void>;
}

interface PrintedForm {
  key: string;
  kind: string;
  version: number;
  languages: { language: string; html: string }[];
}

type Result = 'on_its_way' | 'please_confirm' | 'already_sent' | 'later' | 'refused';
interface Waiting {
  attempt: string;
  [fact: string]: unknown;
}

const SAYS: Record<Result | 'kept', string> = {
  on_its_way: 'It’s on its way. Look in your inbox.',
  please_confirm: 'It’s on its way. Open the email and confirm.',
  already_sent: 'Already sent a minute ago. Look in your inbox.',
  later: 'You’ve saved a lot today. It comes with the next email.',
  refused: 'That didn’t work. Check the address and try again.',
  kept: 'Saved. It comes as soon as we can send.',
};

export async function startBlog({ port = 0, hubUrl }: BlogOptions): Promise<Blog> {
  const stampKey = randomBytes(32);
  let key: string | null = null;
  let forms: PrintedForm[] = [];
  let outbox: Waiting[] = [];
  let formsAt = 0;
  let embedded: string | null = null;

  const server = createServer((request, response) => {
    void answer(request).then(
      ({ status = 200, type = 'text/html; charset=utf-8', body, location }) => {
        response.writeHead(status, { 'content-type': type, ...(location !== undefined && { location }) }).end(body);
      },
      () => endWith(response, 500),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  type Answer = { status?: number; type?: string; body: string; location?: string };

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    if (request.method === 'POST' && pathname === '/save') return save(await readBody(request));
    if (searchParams.get('rest_route') === '/creator-hq/v1/hub') return { type: 'application/json', body: toHub() };
    const picture = demoPicture(pathname);
    if (picture !== undefined) return { type: picture.contentType, body: picture.body };
    if (pathname === '/') return { body: homePage() };
    if (pathname === '/wp-sitemap.xml') return { type: 'application/xml', body: sitemap(url) };
    const recipe = blogRecipes.find(({ slug }) => pathname === `/${slug}/`);
    if (recipe === undefined) return { status: 404, body: resultPage('There is no such page.', '/') };
    void renewForms();
    return { body: recipePage({ url, recipe, form: embedded ?? formFor(recipe) }) };
  }

  /** To whatever the hub asks: nothing is locked here. */
  function toHub(): string {
    const about = { plugin: 'creator-hq', time: Math.floor(Date.now() / 1000) };
    const nothing = { post: null, cookie: '', openAt: `${url}/open`, whom: [], items: [], question: '' };
    return JSON.stringify({ ...about, ...nothing, posts: NOTHING_LOCKED });
  }

  /** Beside the page view, which does not wait for it. */
  async function renewForms(): Promise<void> {
    if (key === null || Date.now() - formsAt < FORMS_RENEWED_AFTER_MS) return;
    formsAt = Date.now();
    const answer = await call('GET', '/plugin/forms').catch(() => null);
    if (answer?.ok) forms = ((await answer.json()) as { forms: PrintedForm[] }).forms;
  }

  function formFor(recipe: BlogRecipe): string {
    const form = forms.find(({ kind }) => kind === 'save');
    if (form === undefined) return '';
    const values = {
      action: '/save',
      post: recipe.slug,
      recipe: ANCHOR,
      stamp: stampOf(form.key, recipe.slug, Date.now()),
      attempt: randomUUID(),
    };
    return Object.entries(values).reduce(
      (html, [name, value]) => html.replaceAll(`%%chq-${name}%%`, escapeHtml(value)),
      form.languages[0]?.html ?? '',
    );
  }

  async function save(body: string | null): Promise<Answer> {
    const fields = new URLSearchParams(body ?? '');
    const recipe = blogRecipes.find(({ slug }) => slug === fields.get('post'));
    const form = forms.find(({ key: formKey }) => formKey === fields.get('form'));
    if (body === null || recipe === undefined || form === undefined || !isStamped(fields)) {
      return { status: 400, body: resultPage('This form is no longer valid. Reload the page.', '/') };
    }
    const back = `/${recipe.slug}/`;
    // Filled in by programs only.
    if ((fields.get('website') ?? '') !== '') return { body: resultPage(SAYS.on_its_way, back) };
    const submission = {
      attempt: fields.get('attempt') ?? randomUUID(),
      formKey: form.key,
      formVersion: form.version,
      email: fields.get('email') ?? '',
      firstName: fields.get('first_name') || null,
      newsletter: fields.get('newsletter') === '1',
      language: 'en',
      submittedAt: new Date().toISOString(),
      network: createHmac('sha256', stampKey).update('127.0.0.0/24').digest('base64url'),
      page: {
        url: `${url}${back}`,
        title: recipe.title,
        pictureUrl: pictureOf(url, recipe.slug),
        recipe: {
          name: recipe.title,
          anchor: ANCHOR,
          ingredients: recipe.ingredients,
          totalMinutes: recipe.minutes,
          yield: recipe.yield,
        },
      },
    };
    outbox = [...outbox, submission].slice(-MOST_WAITING);
    const results = await sendWaiting();
    const result = results.get(submission.attempt);
    return { body: resultPage(result?.message ?? SAYS[result?.result ?? 'kept'], back) };
  }

  /** By attempt. What the hub did not answer waits for the next one. */
  async function sendWaiting(): Promise<Map<string, { result: Result; message: string | null }>> {
    const batch = outbox.slice(0, MOST_AT_ONCE);
    const answer = await call('POST', '/plugin/submissions', { submissions: batch }).catch(() => null);
    if (answer === null || !answer.ok) return new Map();
    const { results } = (await answer.json()) as {
      results: { attempt: string; result: Result; message: string | null }[];
    };
    const done = new Map(results.map((result) => [result.attempt, result]));
    outbox = outbox.filter(({ attempt }) => !done.has(attempt));
    return done;
  }

  function call(method: 'GET' | 'POST', path: string, body?: object): Promise<Response> {
    return fetch(`${hubUrl}/api/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key ?? ''}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(HUB_ANSWERS_WITHIN_MS),
    });
  }

  function stampOf(form: string, post: string, at: number): string {
    const mac = createHmac('sha256', stampKey).update(`${form} ${post} ${at}`).digest('base64url');
    return `${at}.${mac}`;
  }

  function isStamped(fields: URLSearchParams): boolean {
    const stamp = fields.get('stamp') ?? '';
    const right = stampOf(fields.get('form') ?? '', fields.get('post') ?? '', Number(stamp.split('.')[0]));
    return stamp.length === right.length && timingSafeEqual(Buffer.from(stamp), Buffer.from(right));
  }

  return {
    url,
    async connect(given) {
      key = given;
      const answer = await call('POST', '/plugin/register', {
        pluginVersion: PLUGIN_VERSION,
        siteUrl: url,
        cards: ['demo-card'],
        caches: [],
        outboxDepth: outbox.length,
        cronIsHealthy: true,
        locks: NOTHING_LOCKED,
      });
      if (answer.status === 401) return false;
      if (!answer.ok) throw new Error(`The hub answered ${answer.status} to the demo blog.`);
      forms = ((await answer.json()) as { forms?: PrintedForm[] }).forms ?? [];
      formsAt = Date.now();
      return true;
    },
    embed: (snippet) => {
      embedded = snippet;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Null: more than a form has. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  let body = '';
  for await (const part of request.setEncoding('utf8')) {
    body += part;
    if (body.length > MAX_BODY_BYTES) return null;
  }
  return body;
}

function endWith(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

/** `/join/{handle}/enter`: where the blog's button "Enter as a member" leads. Reads and sets no cookie: what was typed stands in the form. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { ERRORS } from '#contract/errors.ts';
import type { Config } from '#server/config.ts';
import { AppError } from '#server/errors.ts';
import { openOrNull, seal } from '#server/secrets.ts';
import { askForCode, type Begun, type Creator, type EnteringDeps, enterCode } from './entering.ts';
import * as pages from './pages.ts';

type Deps = EnteringDeps & { config: Pick<Config, 'fanMemberships'> };
type Fields = Record<string, string>;

const MAX_BODY_BYTES = 8 * 1024;
const LONGEST_PATH = 500;
const State = z.object({ creatorId: z.string(), entryId: z.string(), email: z.string() });
type State = z.infer<typeof State>;

export function registerFanPages(app: FastifyInstance, deps: Deps): void {
  if (!deps.config.fanMemberships) return;

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );

    scope.get('/join/:handle/enter', async (request, reply) => {
      const creator = await findCreator(deps, request);
      if (creator === null) return send(reply, pages.sayingPage('', 'Not found', 'There is no such page.'), 404);
      if (begunBy(request) === null) return send(reply, beginOnTheBlog(creator));
      return send(reply, pages.emailPage(creator.handle));
    });

    scope.post('/join/:handle/enter', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
      const creator = await findCreator(deps, request);
      if (creator === null) return send(reply, pages.sayingPage('', 'Not found', 'There is no such page.'), 404);
      const begun = begunBy(request);
      if (begun === null) return send(reply, beginOnTheBlog(creator));
      const fields = (request.body ?? {}) as Fields;
      if (fields.again !== undefined)
        return send(reply, pages.emailPage(creator.handle, { email: fields.typed ?? '' }));
      if (fields.state !== undefined) return takeCode(deps, creator, fields, reply);
      return takeEmail(deps, creator, { email: fields.email ?? '', ip: request.ip, begun }, reply);
    });
  });
}

async function takeEmail(
  deps: Deps,
  creator: Creator,
  asked: { email: string; ip: string; begun: Begun },
  reply: FastifyReply,
) {
  const email = asked.email.trim().slice(0, 300);
  try {
    const entryId = await askForCode(deps, creator, { ...asked, email });
    const state = JSON.stringify({ creatorId: creator.id, entryId, email } satisfies State);
    return send(reply, pages.codePage(creator.handle, { email, state: seal(deps.keys.encryptionKeys, state) }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return send(reply, pages.emailPage(creator.handle, { email, wrong: error.message }), ERRORS[error.code].status);
  }
}

async function takeCode(deps: Deps, creator: Creator, { state = '', code = '' }: Fields, reply: FastifyReply) {
  const text = openOrNull(deps.keys.encryptionKeys, state);
  const read = text?.startsWith('{') ? State.safeParse(JSON.parse(text)) : null;
  if (read?.success !== true || read.data.creatorId !== creator.id) return send(reply, pages.emailPage(creator.handle));
  const { entryId, email } = read.data;
  try {
    const { grant, siteUrl, goesByPath } = await enterCode(deps, creator, { entryId, code: code.slice(0, 20) });
    const base = siteUrl.replace(/\/+$/, '');
    const url = goesByPath ? `${base}/creator-hq-entered/${grant}/` : `${base}/?creator-hq-entered=${grant}`;
    return send(reply, pages.enteredPage(creator.handle, url));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return send(
      reply,
      pages.codePage(creator.handle, { email, state, wrong: error.message }),
      ERRORS[error.code].status,
    );
  }
}

function beginOnTheBlog({ handle }: Creator): string {
  return pages.sayingPage(handle, 'Begin on the blog', 'Open the recipe there, and press “Enter as a member”.');
}

/** Null: nobody came from a blog. */
function begunBy({ query }: FastifyRequest): Begun | null {
  const { site, start, to, back } = query as Record<string, unknown>;
  if (!z.uuid().safeParse(site).success || typeof start !== 'string' || !/^[A-Za-z0-9_-]{43}$/.test(start)) return null;
  const isPath = typeof to === 'string' && /^\/(?![/\\])/.test(to) && to.length <= LONGEST_PATH;
  return { siteId: site as string, start, to: isPath ? to : '/', goesByPath: back !== 'query' };
}

async function findCreator({ db }: Deps, { params }: FastifyRequest): Promise<Creator | null> {
  const { handle } = params as { handle: string };
  const row = await db.engine
    .selectFrom('creators')
    .select(['id', 'handle'])
    .where((eb) => eb(eb.fn('lower', ['handle']), '=', handle.toLowerCase()))
    .where('delete_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

function send(reply: FastifyReply, html: string, status = 200) {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', pages.PAGE_POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')
    .send(html);
}

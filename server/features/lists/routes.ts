/** `/s/{code}`: the list of a recipe, for whoever has its address. Outside the API; reads no cookie, keeps nothing about who asks. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppDeps } from '#server/features/app-deps.ts';
import { LIST_PATH, listUrl } from '#server/features/recipes/ingredients.ts';
import { MISSES_WAIT, MissLimit } from '#server/http/miss-limits.ts';
import { listPage, type Page, plainPage } from './list-page.ts';
import { findList, type List, readServings, workOut } from './lists.ts';

type Deps = Pick<AppDeps, 'clock' | 'config' | 'db'>;

/** More than any list has are made up. */
const MOST_TICKED = 400;

const UNKNOWN = plainPage(
  'This list isn’t here',
  'The address may be incomplete. Open it from the message again, or ask the person who sent it.',
);
const TOO_OFTEN = plainPage(
  'Too many broken links',
  'Too many broken links were opened from your network. Wait a minute, then open yours again.',
);

export function registerLists(app: FastifyInstance, deps: Deps): void {
  const misses = new MissLimit();

  async function find(request: FastifyRequest, reply: FastifyReply): Promise<List | null> {
    const nowMs = deps.clock.now().getTime();
    if (misses.isReached(request.ip, nowMs)) {
      send(reply.header('retry-after', MISSES_WAIT), TOO_OFTEN, 429);
      return null;
    }
    const list = await findList(deps.db.engine, (request.params as { code: string }).code);
    if (list !== null) return list;
    misses.countMiss(request.ip, nowMs);
    send(reply, UNKNOWN, 404);
    return null;
  }

  app.get(`${LIST_PATH}/:code`, async (request, reply) => {
    const list = await find(request, reply);
    if (list === null) return reply;
    const asked = readQuery(request);
    const wanted = readServings(list, asked.servings);
    const worked = workOut(list, wanted, []);
    const ids = [...worked.entries, ...worked.unread].map(({ id }) => id);
    return send(
      reply,
      listPage({
        ...{ list, worked, wanted, shops: [], disclosure: null, says: null },
        ticked: tickedOf(
          ids,
          asked,
          worked.entries.filter(({ item }) => item.starts !== 'ticked').map(({ id }) => id),
        ),
        url: listUrl(deps.config, list.code),
      }),
    );
  });
}

type Asked = { servings: string; ticked: Set<string>; known: Set<string> | null };

function readQuery({ query }: FastifyRequest): Asked {
  const { n, i, k } = query as Record<string, string | string[] | undefined>;
  const ticked = [i ?? []].flat().slice(0, MOST_TICKED);
  // Of two the button that was tapped comes last.
  const servings = [n ?? ''].flat().at(-1)!;
  return {
    servings,
    ticked: new Set(ticked),
    known: k === undefined ? null : new Set(String(k).split('.', MOST_TICKED)),
  };
}

/** What is on the list since the page was opened begins as everything does. */
function tickedOf(ids: string[], { ticked, known }: Asked, unticked: string[]): Set<string> | null {
  if (known === null) return null;
  return new Set(ids.filter((id) => (known.has(id) ? ticked.has(id) : !unticked.includes(id))));
}

function send(reply: FastifyReply, page: Page, status = 200) {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', page.policy)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer-when-downgrade')
    .send(page.html);
}

/**
 * The button "Shop ingredients" on websites without our plugin: `/widgets/shop-button.js`, and `/s/for`, which that asks whether the
 * recipe of a page has a list. Both read no cookie, and are the same for everyone.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/db/types.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { addressKey, recipesAt } from '#server/features/recipes/address-key.ts';
import { LIST_PATH, listUrl } from '#server/features/recipes/ingredients.ts';
import { isOpen } from '#server/features/recipes/locks.ts';
import { MISSES_WAIT, MissLimit } from '#server/http/miss-limits.ts';

/** `scripts/build.ts` makes it. */
export const BUTTON_SCRIPT = path.resolve(import.meta.dirname, '../../../dist/shop-button/shop-button.js');
const SCRIPT_KEPT = 'public, max-age=3600';
/** A list that is new is on the page within it. */
const ANSWER_KEPT = 'public, max-age=600';
const LONGEST_PAGE = 2000;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function registerShopButton(
  app: FastifyInstance,
  { db, clock, config }: Pick<AppDeps, 'clock' | 'config' | 'db'>,
): void {
  // Its own: readers of a blog with few lists go on opening those.
  const misses = new MissLimit();

  app.get(`${LIST_PATH}/for`, async (request, reply) => {
    const { creator, page } = request.query as Record<string, unknown>;
    reply
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('referrer-policy', 'no-referrer');
    const nowMs = clock.now().getTime();
    if (misses.isReached(request.ip, nowMs)) {
      return reply.code(429).header('retry-after', MISSES_WAIT).header('cache-control', 'no-store').send();
    }
    const found = isPage(page) && isId(creator) ? await findListOf(db.engine, creator, page) : null;
    reply.header('cache-control', ANSWER_KEPT);
    if (found !== null) return { url: listUrl(config, found.code), name: found.name };
    misses.countMiss(request.ip, nowMs);
    // Not 404: browsers show that as an error of the blog.
    return reply.code(204).send();
  });

  app.get('/widgets/shop-button.js', async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('cache-control', SCRIPT_KEPT)
      .send(await readFile(BUTTON_SCRIPT)),
  );
}

/**
 * The creator is named by their website: the address of a page alone would let anyone who has it in their recipes put a button
 * there.
 */
async function findListOf(
  db: Kysely<Tables>,
  creatorId: string,
  page: string,
): Promise<{ code: string; name: string } | null> {
  const { rows } = await sql<{ code: string; name: string }>`
    select i.list_code as code, r.name
    from recipes r
    join recipe_ingredients i on i.creator_id = r.creator_id and i.recipe_id = r.id and i.line_count > 0
    join creators c on c.id = r.creator_id and c.delete_at is null
    where r.creator_id = ${creatorId} and r.id = any(${recipesAt(creatorId, [addressKey(page)])}) and ${isOpen('r')}
  `.execute(db);
  return rows[0] ?? null;
}

function isId(given: unknown): given is string {
  return typeof given === 'string' && ID.test(given);
}

function isPage(given: unknown): given is string {
  return (
    typeof given === 'string' && given.length <= LONGEST_PAGE && /^https?:\/\//i.test(given) && URL.canParse(given)
  );
}

/** Who opened a list, and who went on to a shop: counted as taps of links that belong to no automation. */
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { AppDeps } from '#server/features/app-deps.ts';
import { makeLinks } from '#server/features/links/making.ts';
import { messageOfMark } from '#server/features/links/message-marks.ts';
import { notCountedBecause } from '#server/features/links/visitors.ts';
import { networksOf } from '#server/http/rate-limits.ts';
import type { List } from './lists.ts';

type Deps = Pick<AppDeps, 'clicks' | 'clock' | 'db' | 'ids' | 'keys'>;

/** @param visit.part "list", "shop ID", or of a pin: `pinParts`; @param visit.message that led there, as its address names it */
export async function countVisit(
  deps: Deps,
  request: FastifyRequest,
  list: List,
  { part, url, message }: { part: string; url: string; message: string | null },
): Promise<void> {
  deps.clicks.record({
    ...{ creatorId: list.creatorId, linkId: await linkOf(deps, list, part, url) },
    deliveryId: message === null ? null : messageOfMark(deps.keys.secretKey, message),
    network: networksOf(request.ip).at(-1)!,
    at: deps.clock.now(),
    notCountedBecause: notCountedBecause(request),
  });
}

async function linkOf(deps: Deps, list: List, part: string, url: string): Promise<string> {
  const { creatorId, id } = list;
  const of = sql.ref(list.kind === 'recipe' ? 'recipe_id' : 'meal_plan_id');
  const find = async () =>
    (
      await sql<{ id: string }>`
        select id from links
        where creator_id = ${creatorId} and ${of} = ${id} and part = ${part}
          and automation_id is null and part_of is null
      `.execute(deps.db.engine)
    ).rows[0]?.id;
  const found = await find();
  if (found !== undefined) return found;
  const target = list.kind === 'recipe' ? { recipeId: id } : { mealPlanId: id };
  // The list's own link has the list's code.
  const link = { creatorId, url, part, ...target, ...(part === 'list' && { code: list.code }) };
  await makeLinks(deps, deps.db.engine, [link]);
  return (await find())!;
}

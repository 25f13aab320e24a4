/** Posts as other features show or query them. */
import { sql } from 'kysely';
import { API_BASE } from '#contract/endpoint.ts';
import { storyPicturePath } from '#contract/stories.ts';
import type { CreatorTransaction } from '#server/db/database.ts';

/** Of `posts p`: an automation for any post of the connection answers on this one too. */
export const automationState = sql<'on' | 'off' | 'none'>`case
  when exists (
    select from automations a
    where a.creator_id = p.creator_id and a.post_id = p.id and a.archived_at is null and a.switched_on_at is not null
  ) or exists (
    select from automation_posts t join automations a on a.creator_id = t.creator_id and a.id = t.automation_id
    where t.creator_id = p.creator_id and t.post_id = p.id and a.scope = 'caption' and a.archived_at is null
      and a.switched_on_at is not null
  ) or exists (
    select from automations a
    where a.creator_id = p.creator_id and a.trigger = 'comment' and a.scope = 'any' and a.archived_at is null
      and a.switched_on_at is not null and a.connection_id = p.connection_id
  ) then 'on'
  when exists (
    select from automations a where a.creator_id = p.creator_id and a.post_id = p.id and a.archived_at is null
  ) then 'off'
  else 'none' end`;

/** Of `posts p`: our copy of its picture, else the address that Instagram gave. A new picture has a new address. */
export const pictureAddress = sql<string | null>`coalesce((
  select ${API_BASE} || '/creators/' || t.creator_id || '/posts/' || t.post_id || '/picture?v='
    || extract(epoch from t.kept_at)::bigint
  from post_pictures t where t.creator_id = p.creator_id and t.post_id = p.id
), p.picture_url)`;

/** Posts and stories as other lists show them, by id. */
export async function findPostViews(
  trx: CreatorTransaction,
  creatorId: string,
  ids: string[],
): Promise<Map<string, { caption: string; pictureUrl: string | null }>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; caption: string; pictureUrl: string | null }>`
    select id, caption, ${pictureAddress} as "pictureUrl" from posts p where creator_id = ${creatorId} and id = any(${ids})
  `.execute(trx);
  const { rows: stories } = await sql<{ id: string; caption: string; pictured: boolean }>`
    select id, caption, exists (
      select from story_pictures p where p.creator_id = s.creator_id and p.story_id = s.id
    ) as pictured
    from stories s where creator_id = ${creatorId} and id = any(${ids})
  `.execute(trx);
  return new Map([
    ...rows.map(({ id, ...post }) => [id, post] as const),
    ...stories.map(({ id, caption, pictured }) => {
      return [id, { caption, pictureUrl: pictured ? storyPicturePath(creatorId, id) : null }] as const;
    }),
  ]);
}

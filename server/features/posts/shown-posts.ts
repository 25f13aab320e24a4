/** What other features show of posts, or ask of them. */
import { sql } from 'kysely';
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

/** What lists of other things show of posts and stories, by id. */
export async function findPostViews(
  trx: CreatorTransaction,
  creatorId: string,
  ids: string[],
): Promise<Map<string, { caption: string; pictureUrl: string | null }>> {
  if (ids.length === 0) return new Map();
  const rows = await trx
    .selectFrom('posts')
    .select(['id', 'caption', 'picture_url'])
    .where('creator_id', '=', creatorId)
    .where('id', 'in', ids)
    .execute();
  const { rows: stories } = await sql<{ id: string; caption: string; pictured: boolean }>`
    select id, caption, exists (
      select from story_pictures p where p.creator_id = s.creator_id and p.story_id = s.id
    ) as pictured
    from stories s where creator_id = ${creatorId} and id = any(${ids})
  `.execute(trx);
  return new Map([
    ...rows.map(({ id, caption, picture_url }) => [id, { caption, pictureUrl: picture_url }] as const),
    ...stories.map(({ id, caption, pictured }) => {
      return [id, { caption, pictureUrl: pictured ? storyPicturePath(creatorId, id) : null }] as const;
    }),
  ]);
}

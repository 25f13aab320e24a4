import { sql } from 'kysely';
import type { CreatorTransaction } from '#server/db/database.ts';

/**
 * Take `changeLinksAlone` first. The address of a recipe's page or an app link reaches every automation that points to it, and the
 * short links of messages already sent.
 */
export async function moveLinks(
  trx: CreatorTransaction,
  creatorId: string,
  of: { recipeId: string } | { appLinkId: string },
  url: string,
): Promise<void> {
  const [[target, id]] = Object.entries(of) as [[string, string]];
  const column = sql.ref('recipeId' in of ? 'recipe_id' : 'app_link_id');
  await sql`
    update automations a set buttons = (
      select jsonb_agg(
        case when button ->> ${sql.lit(target)} = ${id} and button ->> 'part' is null
          then button || jsonb_build_object('url', ${url}::text) else button end
        order by place
      )
      from jsonb_array_elements(a.buttons) with ordinality as entry (button, place)
    )
    where a.creator_id = ${creatorId} and a.buttons @> ${JSON.stringify([of])}::jsonb
  `.execute(trx);
  await sql`update links set url = ${url} where creator_id = ${creatorId} and ${column} = ${id} and part is null`.execute(
    trx,
  );
}

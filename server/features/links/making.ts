/** Short links are made here, whoever they are for: buttons of automations, app links, lists and their shops, newsletters. The one place that writes new rows of `links`. */
import { type Kysely, sql } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { Tables } from '#server/db/types.ts';

type Deps = { clock: Clock; ids: Ids };
type Target = Partial<{ recipeId: string | null; mealPlanId: string | null; appLinkId: string | null }>;
/** `url`: where it leads, but for app links, whose own address counts. `partOf`: a newsletter. `code`: else a new one. */
export type NewLink = Target & { creatorId: string; url: string } & Partial<{
    code: string;
    automationId: string;
    part: string | null;
    partOf: string;
  }>;

/** Letters and digits: about 42 and 48 bits. */
const CODE_LENGTH = { ofButton: 7, ofOthers: 8 };

/** Those that are there already stay: of two at once, one makes it. @param db that may write these creators' rows */
export async function makeLinks(deps: Deps, db: Kysely<Tables>, links: NewLink[]): Promise<void> {
  if (links.length === 0) return;
  // Always in one order: two that make the same must not wait for each other in a circle.
  const rows = links.map((link) => rowOf(deps, link)).toSorted((a, b) => (a.code < b.code ? -1 : 1));
  await sql`
    insert into links select * from json_populate_recordset(null::links, ${JSON.stringify(rows)})
    on conflict do nothing
  `.execute(db);
}

/** @returns its code */
export async function makeLink(deps: Deps, db: Kysely<Tables>, link: Omit<NewLink, 'code'>): Promise<string> {
  for (;;) {
    const row = rowOf(deps, link);
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('links')
      .values(row)
      .onConflict((conflict) => conflict.column('code').doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 1n) return row.code;
  }
}

function rowOf({ clock, ids }: Deps, { creatorId, url, code, partOf, automationId, part, ...target }: NewLink) {
  const now = clock.now();
  const length = automationId === undefined ? CODE_LENGTH.ofOthers : CODE_LENGTH.ofButton;
  return {
    ...{ creator_id: creatorId, id: ids.uuid(now), code: code ?? ids.code(length), url, created_at: now },
    ...{ automation_id: automationId ?? null, part: part ?? null, part_of: partOf ?? null },
    ...{ recipe_id: target.recipeId ?? null, meal_plan_id: target.mealPlanId ?? null },
    app_link_id: target.appLinkId ?? null,
  };
}

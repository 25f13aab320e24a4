import { type Kysely, sql } from 'kysely';
import type { EmailDesign, EmailType } from '#contract/email-templates.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { creatorName } from '#server/features/creators/creator-name.ts';
import type { OwnForms } from './default-designs.ts';
import type { ListedRecipe, SavedPage } from './rendering/facts.ts';

/** To choose from for a preview. */
const SAMPLES = 20;
/** Many readers save the same page. */
const LOOKED_AT = 500;

export type Draft = { base: number; savedAt: string; savedBy: string; design: EmailDesign };

/** `design` null: the one that everybody begins with. */
export type TemplateRow = {
  type: EmailType;
  version: number;
  draft: Draft | null;
  draft_version: number;
  design: EmailDesign | null;
  published_at: Date | null;
  published_by: string | null;
};

export async function findAll(trx: CreatorTransaction, creatorId: string): Promise<TemplateRow[]> {
  return (await trx
    .selectFrom('email_templates as t')
    .leftJoin('email_template_versions as v', (on) =>
      on.onRef('v.creator_id', '=', 't.creator_id').onRef('v.type', '=', 't.type').onRef('v.version', '=', 't.version'),
    )
    .select(['t.type', 't.version', 't.draft', 't.draft_version', 'v.design', 'v.published_at', 'v.published_by'])
    .where('t.creator_id', '=', creatorId)
    .execute()) as TemplateRow[];
}

/** What is sent by these creators; those without a row there send what everybody begins with. */
export async function findLive(
  db: Kysely<Tables>,
  creatorIds: string[],
): Promise<{ creator_id: string; type: EmailType; version: number; design: EmailDesign }[]> {
  const { rows } = await sql<{ creator_id: string; type: EmailType; version: number; design: EmailDesign }>`
    select creator_id, type, version, v.design from email_templates t
    join email_template_versions v using (creator_id, type, version)
    where creator_id = any (${creatorIds}::uuid[])
  `.execute(db);
  return rows;
}

/** Of each creator's forms: the first language of the newest, and colors and font of the newest that has its own. */
export async function findOwnForms(db: Kysely<Tables>, creatorIds: string[]): Promise<Map<string, OwnForms>> {
  const { rows } = await sql<OwnForms & { creator_id: string }>`
    select creator_id, (array_agg(design #>> '{texts,0,language}' order by updated_at desc, id))[1] as language,
      (array_agg(jsonb_build_object('button', design #> '{look,button}', 'buttonText', design #> '{look,buttonText}',
        'font', design #> '{look,font}') order by updated_at desc, id) filter (where design #>> '{look,kind}' = 'own'))[1] as look
    from forms where creator_id = any (${creatorIds}::uuid[]) and archived_at is null
    group by creator_id
  `.execute(db);
  return new Map(rows.map(({ creator_id: id, ...own }) => [id, own]));
}

/** Makes the row where there is none, and holds it until the end of the transaction. */
export async function lock(trx: CreatorTransaction, creatorId: string, type: EmailType): Promise<void> {
  await trx
    .insertInto('email_templates')
    .values({ creator_id: creatorId, type })
    .onConflict((conflict) => conflict.columns(['creator_id', 'type']).doNothing())
    .execute();
  await trx
    .selectFrom('email_templates')
    .select('version')
    .where('creator_id', '=', creatorId)
    .where('type', '=', type)
    .forUpdate()
    .execute();
}

/** @param version the one that is live from now on; left out: the same as before */
export async function setDraft(
  trx: CreatorTransaction,
  creatorId: string,
  type: EmailType,
  { draft, version }: { draft: Draft | null; version?: number },
): Promise<void> {
  await trx
    .updateTable('email_templates')
    .set({
      draft: draft === null ? null : JSON.stringify(draft),
      draft_version: sql`draft_version + 1`,
      ...(version !== undefined && { version }),
    })
    .where('creator_id', '=', creatorId)
    .where('type', '=', type)
    .execute();
}

export async function addVersion(
  trx: CreatorTransaction,
  creatorId: string,
  type: EmailType,
  { version, design, at, by, kept }: { version: number; design: EmailDesign; at: Date; by: string; kept: number },
): Promise<void> {
  await trx
    .insertInto('email_template_versions')
    .values({
      ...{ creator_id: creatorId, type, version, design: JSON.stringify(design) },
      ...{ published_at: at, published_by: by },
    })
    .execute();
  await sql`
    delete from email_template_versions where creator_id = ${creatorId} and type = ${type} and version < (
      select min(version) from (
        select version from email_template_versions where creator_id = ${creatorId} and type = ${type}
        order by version desc limit ${kept}
      ) as newest)
  `.execute(trx);
}

export async function findVersions(trx: CreatorTransaction, creatorId: string, type: EmailType) {
  return trx
    .selectFrom('email_template_versions')
    .select(['version', 'design', 'published_at', 'published_by'])
    .where('creator_id', '=', creatorId)
    .where('type', '=', type)
    .orderBy('version', 'desc')
    .execute();
}

/** The addresses of everybody on the team, in order of joining. */
export async function findTeam(db: Kysely<Tables>, creatorId: string): Promise<{ email: string }[]> {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('users.email')
    .where('memberships.creator_id', '=', creatorId)
    .orderBy('memberships.created_at')
    .orderBy('users.id')
    .execute();
}

export async function findCreatorName(db: Kysely<Tables>, creatorId: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`select ${creatorName(sql`${creatorId}::uuid`)} as name`.execute(db);
  return rows[0]!.name;
}

export async function findSavedRecipe(
  db: Kysely<Tables>,
  creatorId: string,
  id: string,
): Promise<SavedPage | undefined> {
  const row = await db
    .selectFrom('saved_recipes')
    .select(['url', 'title', 'picture_url', 'recipe'])
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .executeTakeFirst();
  return (
    row && { url: row.url, title: row.title, pictureUrl: row.picture_url, recipe: row.recipe as SavedPage['recipe'] }
  );
}

export function findContact(db: Kysely<Tables>, creatorId: string, id: string) {
  return db
    .selectFrom('contacts')
    .select(['name', 'newsletter'])
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Each page once, those that were saved last first. */
export async function findSavedRecipes(trx: CreatorTransaction, creatorId: string) {
  const { rows } = await sql<{ id: string; title: string }>`
    select id, coalesce(nullif(recipe ->> 'name', ''), title) as title from (
      select distinct on (address_key) id, title, recipe, last_saved_at from (
        select id, address_key, title, recipe, last_saved_at from saved_recipes
        where creator_id = ${creatorId} order by last_saved_at desc limit ${LOOKED_AT}
      ) as latest order by address_key, last_saved_at desc
    ) as pages order by last_saved_at desc limit ${SAMPLES}
  `.execute(trx);
  return rows;
}

export function findContacts(trx: CreatorTransaction, creatorId: string) {
  return trx
    .selectFrom('contacts')
    .select(['id', sql<string>`coalesce(nullif(name, ''), email)`.as('name')])
    .where('creator_id', '=', creatorId)
    .where('email', 'is not', null)
    .where('joined_to', 'is', null)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(SAMPLES)
    .execute();
}

/** Those named, in that order, or the newest. */
export async function findRecipes(
  db: Kysely<Tables>,
  creatorId: string,
  { ids, most }: { ids: string[]; most: number },
): Promise<ListedRecipe[]> {
  const { rows } = await sql<ListedRecipe>`
    select name as title, url, picture_url as "pictureUrl" from recipes
    where creator_id = ${creatorId} and (${ids.length === 0} or id = any (${ids}::uuid[]))
    order by array_position(${ids}::uuid[], id), created_at desc, id desc limit ${ids.length === 0 ? most : ids.length}
  `.execute(db);
  return rows;
}

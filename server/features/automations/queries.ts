import type { Insertable, Selectable } from 'kysely';
import { sql } from 'kysely';
import type { AutomationInput } from '#contract/automations.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { AutomationsTable, ConnectionsTable } from '#server/db/types.ts';
import type { PagePosition } from '#server/http/page-position.ts';

/** Whose address it is: of one of them, or of none for a typed one. `part`: of the recipe. */
type Whose = Pick<AutomationInput['buttons'][number], 'recipeId' | 'mealPlanId' | 'appLinkId' | 'part'>;
export type StoredButton = Whose & { title: string; url: string; code: string };
/** Where a link leads, and the recipe it follows. */
export type Target = Whose & { url: string };

/** Columns that hold JSON, as they are read and written. */
type JsonColumns = {
  buttons: StoredButton[];
  variants: AutomationInput['variants'];
  translations: AutomationInput['translations'];
  card: AutomationInput['card'];
  opening: AutomationInput['opening'];
  follow_ask: AutomationInput['followAsk'];
  email_ask: AutomationInput['emailAsk'];
  follow_up: AutomationInput['followUp'];
};
type Draft = { base: number; savedAt: string; savedBy: string; input: AutomationInput };

export type AutomationRow = Omit<Selectable<AutomationsTable>, keyof JsonColumns | 'draft'> &
  JsonColumns & { draft: Draft | null };

export type ConnectionState = Pick<
  Selectable<ConnectionsTable>,
  'id' | 'platform' | 'username' | 'requires_auth_at' | 'disconnected_at' | 'missing_permissions' | 'missing_webhooks'
>;

/** Newest first, archived ones left out. */
export async function findAll(
  trx: CreatorTransaction,
  creatorId: string,
  filter: { connectionIds?: string[] } = {},
): Promise<AutomationRow[]> {
  let query = trx
    .selectFrom('automations')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('archived_at', 'is', null);
  if (filter.connectionIds !== undefined) query = query.where('connection_id', 'in', filter.connectionIds);
  return (await query.orderBy('created_at', 'desc').orderBy('id', 'desc').execute()) as unknown as AutomationRow[];
}

export type AutomationFilter = {
  postId?: string | undefined;
  id?: string | undefined;
  trigger?: AutomationInput['trigger'] | undefined;
  /** Only links on stories (see stories/links.ts). */
  storyLinks?: boolean;
};

/** Newest first, archived ones left out. */
export async function findPage(
  trx: CreatorTransaction,
  creatorId: string,
  { postId, id, trigger, storyLinks }: AutomationFilter,
  { after, limit }: { after: PagePosition | null; limit: number },
): Promise<(AutomationRow & { position: string })[]> {
  const { rows } = await sql<AutomationRow & { position: string }>`
    select *, created_at::text as position from automations
    where creator_id = ${creatorId} and archived_at is null
      ${id === undefined ? sql`` : sql`and id = ${id}`}
      ${postId === undefined ? sql`` : sql`and post_id = ${postId}`}
      ${trigger === undefined ? sql`` : sql`and trigger = ${trigger}`}
      ${storyLinks ? sql`and trigger = 'story_reply' and scope = 'one' and jsonb_array_length(buttons) > 0` : sql``}
      ${after === null ? sql`` : sql`and (created_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`}
    order by created_at desc, id desc
    limit ${limit}
  `.execute(trx);
  return rows;
}

export async function findById(
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
): Promise<AutomationRow | undefined> {
  const row = await trx
    .selectFrom('automations')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return row as unknown as AutomationRow | undefined;
}

export async function findConnections(trx: CreatorTransaction, creatorId: string): Promise<ConnectionState[]> {
  return trx
    .selectFrom('connections')
    .select([
      'id',
      'platform',
      'username',
      'requires_auth_at',
      'disconnected_at',
      'missing_permissions',
      'missing_webhooks',
    ])
    .where('creator_id', '=', creatorId)
    .execute();
}

/** Which of these posts are gone from the platform. */
export async function findGonePosts(trx: CreatorTransaction, creatorId: string, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await trx
    .selectFrom('posts')
    .select('id')
    .where('creator_id', '=', creatorId)
    .where('id', 'in', ids)
    .where('gone_at', 'is not', null)
    .execute();
  return new Set(rows.map((row) => row.id));
}

export async function findPost(trx: CreatorTransaction, creatorId: string, connectionId: string, postId: string) {
  return trx
    .selectFrom('posts')
    .select(['id', 'gone_at'])
    .where('creator_id', '=', creatorId)
    .where('id', '=', postId)
    .where('connection_id', '=', connectionId)
    .executeTakeFirst();
}

export async function insert(
  trx: CreatorTransaction,
  row: Omit<Insertable<AutomationsTable>, keyof JsonColumns> & JsonColumns,
): Promise<void> {
  await trx
    .insertInto('automations')
    .values({ ...row, ...jsonOf(row) })
    .execute();
}

function jsonOf(columns: JsonColumns) {
  const orNull = (value: object | null) => (value === null ? null : JSON.stringify(value));
  return {
    buttons: JSON.stringify(columns.buttons),
    variants: JSON.stringify(columns.variants),
    translations: JSON.stringify(columns.translations),
    card: orNull(columns.card),
    opening: orNull(columns.opening),
    follow_ask: orNull(columns.follow_ask),
    email_ask: orNull(columns.email_ask),
    follow_up: orNull(columns.follow_up),
  };
}

/** Where a caption fitted: posts by automation of scope `caption`. */
export async function findCaptionPosts(trx: CreatorTransaction, creatorId: string): Promise<Map<string, string[]>> {
  const rows = await trx
    .selectFrom('automation_posts')
    .select(['automation_id', 'post_id'])
    .where('creator_id', '=', creatorId)
    .execute();
  const posts = new Map<string, string[]>();
  for (const row of rows) posts.set(row.automation_id, [...(posts.get(row.automation_id) ?? []), row.post_id]);
  return posts;
}

export type ContentColumns = Pick<
  AutomationRow,
  | keyof JsonColumns
  | 'connection_id'
  | 'name'
  | 'trigger'
  | 'scope'
  | 'post_id'
  | 'caption_words'
  | 'keyword_ids'
  | 'reply_id'
  | 'words'
  | 'mode'
  | 'excluded_words'
  | 'typo_tolerance'
  | 'priority'
  | 'message_text'
  | 'public_replies'
  | 'repeat_after_minutes'
>;

/** False when somebody changed it since `version`. */
export async function update(
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  version: number,
  content: ContentColumns,
  now: Date,
): Promise<boolean> {
  const changed = await trx
    .updateTable('automations')
    .set({ ...content, ...jsonOf(content), ...comparedAnew(content, now), version: version + 1, updated_at: now })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .where('version', '=', version)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** Other wordings are compared from the beginning, and so are the old ones beside another first text. */
function comparedAnew({ variants, message_text }: Pick<ContentColumns, 'variants' | 'message_text'>, now: Date) {
  const given = JSON.stringify(variants);
  const changed = sql`(variants <> ${given}::jsonb or (variants <> '[]' and message_text <> ${message_text}))`;
  const unlessChanged = <Value>(column: string, changedTo: unknown) =>
    sql<Value>`case when ${changed} then ${changedTo} else ${sql.ref(column)} end`;
  return {
    variants_since: unlessChanged<Date | null>('variants_since', sql`${now}::timestamptz`),
    variant_looks: unlessChanged<number>('variant_looks', sql`0`),
    variant_winner: unlessChanged<string | null>('variant_winner', sql`null`),
    variant_decided_at: unlessChanged<Date | null>('variant_decided_at', sql`null`),
    variant_tried: unlessChanged<string | null>('variant_tried', sql`null`),
  };
}

/** Leaves an automation that is on already with the time since when it is. */
export async function switchOn(
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  by: { userId: string; now: Date },
): Promise<void> {
  await trx
    .updateTable('automations')
    .set({ switched_on_at: by.now, switched_on_by: by.userId })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .where('switched_on_at', 'is', null)
    .execute();
}

export async function switchOff(trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  await trx
    .updateTable('automations')
    .set({ switched_on_at: null, switched_on_by: null })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .execute();
}

/** False when there is none, or it was deleted before. */
export async function archive(trx: CreatorTransaction, creatorId: string, id: string, now: Date): Promise<boolean> {
  const archived = await trx
    .updateTable('automations')
    .set({
      archived_at: now,
      switched_on_at: null,
      switched_on_by: null,
      // The activity names it and its wordings; nothing asks for the rest any more.
      words: [],
      excluded_words: [],
      caption_words: [],
      public_replies: [],
      translations: '[]',
      draft: null,
    })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return archived.numUpdatedRows > 0n;
}

/** The short links that an automation has had so far, oldest first. */
export function findLinks(
  trx: CreatorTransaction,
  creatorId: string,
  automationId: string,
): Promise<{ url: string; code: string; whose: Record<keyof Whose, string | null> }[]> {
  return trx
    .selectFrom('links')
    .select([
      'url',
      'code',
      sql<Record<keyof Whose, string | null>>`jsonb_build_object(
        'recipeId', recipe_id, 'mealPlanId', meal_plan_id, 'appLinkId', app_link_id, 'part', part)`.as('whose'),
    ])
    .where('creator_id', '=', creatorId)
    .where('automation_id', '=', automationId)
    .orderBy('created_at')
    .execute();
}

/** From now on the short link leads there, in messages already sent too; with a recipe, plan or app link it follows that. */
export async function moveLink(trx: CreatorTransaction, creatorId: string, code: string, to: Target): Promise<void> {
  await trx
    .updateTable('links')
    .set({
      ...{ url: to.url, recipe_id: to.recipeId ?? null, part: to.part ?? null },
      ...{ meal_plan_id: to.mealPlanId ?? null, app_link_id: to.appLinkId ?? null },
    })
    .where('creator_id', '=', creatorId)
    .where('code', '=', code)
    .execute();
}

/** Two editors that save one automation at once must not both make a link for the same address. */
export async function lock(trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  await sql`select from automations where creator_id = ${creatorId} and id = ${id} for update`.execute(trx);
}

/** Null forgets it. Take the lock first. */
export async function setDraft(
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  draft: Draft | null,
): Promise<void> {
  await trx
    .updateTable('automations')
    .set({ draft: draft === null ? null : JSON.stringify(draft), draft_version: sql`draft_version + 1` })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .execute();
}

type Versioned = Pick<AutomationRow, 'creator_id' | 'id'>;

/** Take the lock first. */
export async function setPriority(
  trx: CreatorTransaction,
  automation: Versioned,
  priority: number,
  now: Date,
): Promise<void> {
  await changeFurther(trx, automation, { priority }, now);
}

/** Take the lock first. */
export async function setWords(
  trx: CreatorTransaction,
  automation: Versioned,
  words: string[],
  now: Date,
): Promise<void> {
  await changeFurther(trx, automation, { words }, now);
}

async function changeFurther(
  trx: CreatorTransaction,
  { creator_id, id }: Versioned,
  change: { priority?: number; words?: string[] },
  now: Date,
): Promise<void> {
  await trx
    .updateTable('automations')
    .set({ ...change, version: sql`version + 1`, updated_at: now })
    .where('creator_id', '=', creator_id)
    .where('id', '=', id)
    .execute();
}

/**
 * Tags of contacts. The one writer of `tags` and `contact_tags`. A tag is given to the contact that stands for all addresses of
 * somebody; what a joined one had before stays with it, so that parting gives it back.
 */
import { type RawBuilder, sql } from 'kysely';
import { QUOTAS } from '#contract/quotas.ts';
import { TAG_LETTERS, type Tag } from '#contract/tags.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { contactNotFound } from './contact-id.ts';
import { findHuman, type Human } from './human.ts';
import { makeWithoutAddress } from './joining.ts';

type Deps = { clock: Clock; ids: Ids };
type TagSource = 'team' | 'form' | 'file' | 'tool';

/** By name. Joined contacts count once. */
export async function list(trx: CreatorTransaction, creatorId: string): Promise<Tag[]> {
  const { rows } = await sql<Tag>`
    select tags.id, tags.name, coalesce(given.count, 0)::int as count
    from tags left join (
      select tag_id, count(*) as count from (
        select distinct t.tag_id, case when j.joined_to is null then t.contact_id else j.joined_to end
        from contact_tags t left join (
          select id, joined_to from contacts where creator_id = ${creatorId} and joined_to is not null
        ) as j on j.id = t.contact_id
        where t.creator_id = ${creatorId}
      ) as wholes group by tag_id
    ) as given on given.tag_id = tags.id
    where tags.creator_id = ${creatorId} order by lower(tags.name), tags.id
  `.execute(trx);
  return rows;
}

/** @throws AppError already_exists */
export async function create(deps: Deps, trx: CreatorTransaction, creatorId: string, name: string): Promise<Tag> {
  const [made] = await make(deps, trx, creatorId, [name]);
  if (made === undefined) throw taken(name);
  return { id: made.id, name, count: 0 };
}

/** @returns those that were not there */
async function make({ clock, ids }: Deps, trx: CreatorTransaction, creatorId: string, names: string[]) {
  if (names.length === 0) return [];
  const now = clock.now();
  return trx
    .insertInto('tags')
    .values(names.map((name) => ({ creator_id: creatorId, id: ids.uuid(now), name, created_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
}

/** @throws AppError not_found, already_exists */
export async function rename(
  trx: CreatorTransaction,
  { creatorId, tagId, name }: { creatorId: string; tagId: string; name: string },
): Promise<Tag> {
  const renamed = await trx
    .updateTable('tags')
    .set({ name })
    .where('creator_id', '=', creatorId)
    .where('id', '=', tagId)
    .executeTakeFirst()
    .catch((error: unknown) => {
      throw (error as { constraint?: unknown }).constraint === 'tags_by_name' ? taken(name) : error;
    });
  if (renamed.numUpdatedRows === 0n) throw tagNotFound();
  return (await list(trx, creatorId)).find(({ id }) => id === tagId)!;
}

/** @throws AppError not_found */
export async function remove(trx: CreatorTransaction, creatorId: string, tagId: string): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('tags')
    .where('creator_id', '=', creatorId)
    .where('id', '=', tagId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw tagNotFound();
}

/**
 * Whom an account alone knows becomes a contact. People erased meanwhile are passed over.
 *
 * @param change.give names; tags that are not there are made
 * @returns how many were there
 * @throws AppError not_found when none was
 */
export async function changeTags(
  deps: Deps,
  trx: CreatorTransaction,
  change: { creatorId: string; contactIds: string[]; give: string[]; take: string[]; source: TagSource },
): Promise<number> {
  const { creatorId, give, take, source } = change;
  await make(deps, trx, creatorId, give);
  const [given, taken] = [await findByName(trx, creatorId, give), await findByName(trx, creatorId, take)];
  let changed = 0;
  // Two who change many the other way round must not wait for each other.
  for (const contactId of [...new Set(change.contactIds)].sort()) {
    const human = await findHuman(trx, creatorId, contactId, { lock: true }).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return null;
      throw error;
    });
    if (human === null) continue;
    changed++;
    if (given.length > 0) await giveTags(deps, trx, human, given, source);
    await sql`
      delete from contact_tags where creator_id = ${creatorId} and tag_id = any(${taken}::uuid[])
        and contact_id = any(${human.contactIds}::uuid[])
    `.execute(trx);
  }
  if (changed === 0) throw contactNotFound();
  return changed;
}

async function giveTags(
  { clock, ids }: Deps,
  trx: CreatorTransaction,
  { creatorId, contactId, people }: Human,
  tagIds: string[],
  source: TagSource,
): Promise<void> {
  const at = clock.now();
  const whole = contactId ?? (await makeWithoutAddress(trx, creatorId, { id: ids.uuid(at), people, at, source: 'dm' }));
  await sql`
    insert into contact_tags (creator_id, tag_id, contact_id, source, given_at)
    select ${creatorId}, id, ${whole}, ${source}, ${at} from unnest(${tagIds}::uuid[]) as one(id)
    on conflict do nothing
  `.execute(trx);
}

/** Tags that are not there are made while there is room for more; nobody is kept from submitting by one too many. */
export async function giveTagsOfForm(
  deps: Deps,
  trx: CreatorTransaction,
  { creatorId, contactId, names }: { creatorId: string; contactId: string; names: string[] },
): Promise<void> {
  if (names.length === 0) return;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from tags where creator_id = ${creatorId}
  `.execute(trx);
  if (rows[0]!.count + names.length <= QUOTAS.tags.most) await make(deps, trx, creatorId, names);
  await sql`
    insert into contact_tags (creator_id, tag_id, contact_id, source, given_at)
    select ${creatorId}, tag_id, coalesce(joined_to, id), 'form', ${deps.clock.now()}
    from contacts, unnest(${await findByName(trx, creatorId, names)}::uuid[]) as one(tag_id)
    where creator_id = ${creatorId} and id = ${contactId}
    on conflict do nothing
  `.execute(trx);
}

/** The tag of a category of the blog. */
export function categoryTag(category: string): string {
  return [...`Category: ${category}`].slice(0, TAG_LETTERS).join('').trim();
}

/** Categories that have another name on the blog now. A tag that has the new name already stays beside the old one. */
export async function renameCategoryTags(
  trx: CreatorTransaction,
  creatorId: string,
  renamed: readonly { from: string; to: string }[],
): Promise<void> {
  for (const { from, to } of renamed) {
    await sql`
      update tags set name = ${categoryTag(to)}
      where creator_id = ${creatorId} and lower(name) = lower(${categoryTag(from)}) and not exists (
        select 1 from tags as other
        where other.creator_id = ${creatorId} and lower(other.name) = lower(${categoryTag(to)}) and other.id <> tags.id)
    `.execute(trx);
  }
}

async function findByName(trx: CreatorTransaction, creatorId: string, names: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from tags
    where creator_id = ${creatorId} and lower(name) = any(array(select lower(name) from unnest(${names}::text[]) as one(name)))
  `.execute(trx);
  return rows.map(({ id }) => id);
}

/** Names. */
export async function findTagsOf(trx: CreatorTransaction, { creatorId, contactIds }: Human): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from tags
    where creator_id = ${creatorId} and id in (
      select tag_id from contact_tags where creator_id = ${creatorId} and contact_id = any(${contactIds}::uuid[]))
    order by lower(name)
  `.execute(trx);
  return rows.map(({ name }) => name);
}

/** Selects `id` of the contacts that have it; of joined ones the one that stands for them. */
export function contactsWithTag(creatorId: string, tagId: string): RawBuilder<unknown> {
  return sql`
    select case when c.joined_to is null then c.id else c.joined_to end as id
    from contact_tags t join contacts c on c.creator_id = t.creator_id and c.id = t.contact_id
    where t.creator_id = ${creatorId} and t.tag_id = ${tagId}`;
}

function tagNotFound(): AppError {
  return new AppError('not_found', 'This tag doesn’t exist, or was deleted.');
}

function taken(name: string): AppError {
  const message = `You already have a tag named “${name}”.`;
  return new AppError('already_exists', message, { fields: [{ path: 'name', message }] });
}

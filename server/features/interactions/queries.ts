import { type Selectable, sql } from 'kysely';
import type { Reason } from '#contract/outcomes.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { DeliveriesTable, InteractionsTable } from '#server/db/types.ts';
import type { EngineAutomation } from '#server/engine/deciding/listening-automations.ts';
import type { DeliveryContent } from '#server/engine/deciding/message-plan.ts';
import { pictureAddress } from '#server/features/posts/shown-posts.ts';
import type { PagePosition } from '#server/http/page-position.ts';
import { conditionsOf, type InteractionFilter } from './interaction-filter.ts';

export type InteractionRow = Omit<Selectable<InteractionsTable>, 'reason'> & {
  reason: Reason;
  automation_name: string | null;
  post_picture_url: string | null;
  /** From their profile: messages and mentions come without a handle. */
  profile_username: string | null;
  /** We keep a copy of the story's own picture. */
  has_story_picture: boolean;
  position: string;
};

export type DeliveryRow = Omit<Selectable<DeliveriesTable>, 'content' | 'failure_reason'> & {
  content: DeliveryContent;
  failure_reason: Reason | null;
};

/** Newest first. Every filter but `from` and the handle has an index that gives its rows in this order. */
export async function findPage(
  trx: CreatorTransaction,
  creatorId: string,
  filter: InteractionFilter,
  page: { after: PagePosition | null; limit: number },
): Promise<InteractionRow[]> {
  const all = conditionsOf(creatorId, filter);
  if (page.after !== null) {
    all.push(sql`(i.occurred_at, i.id) < (${page.after.at}::timestamptz, ${page.after.id}::uuid)`);
  }
  return findWhere(trx, sql.join(all, sql` and `), page.limit);
}

export async function findById(
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
): Promise<InteractionRow | undefined> {
  const [row] = await findWhere(trx, sql`i.creator_id = ${creatorId} and i.id = ${id}`, 1);
  return row;
}

export async function findByIds(trx: CreatorTransaction, creatorId: string, ids: string[]): Promise<InteractionRow[]> {
  if (ids.length === 0) return [];
  return findWhere(trx, sql`i.creator_id = ${creatorId} and i.id = any(${ids}::uuid[])`, ids.length);
}

async function findWhere(trx: CreatorTransaction, condition: ReturnType<typeof sql>, limit: number) {
  const { rows } = await sql<InteractionRow>`
    select page.*, page.occurred_at::text as position, a.name as automation_name, ${pictureAddress} as post_picture_url,
      pe.username as profile_username,
      exists (
        select from story_pictures s where s.creator_id = page.creator_id and s.story_id = page.post_id
      ) as has_story_picture
    from (
      select i.* from interactions i where ${condition} order by i.occurred_at desc, i.id desc limit ${limit}
    ) as page
    left join automations a on a.creator_id = page.creator_id and a.id = page.automation_id
    left join people pe
      on pe.creator_id = page.creator_id and pe.connection_id = page.connection_id and pe.id = page.person_id
    left join posts p on p.creator_id = page.creator_id and p.id = page.post_id
    order by page.occurred_at desc, page.id desc
  `.execute(trx);
  return rows;
}

/** Messages and replies of these interactions, in the order in which they were made. */
export async function findDeliveries(
  trx: CreatorTransaction,
  creatorId: string,
  interactionIds: string[],
): Promise<DeliveryRow[]> {
  if (interactionIds.length === 0) return [];
  const rows = await trx
    .selectFrom('deliveries')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('interaction_id', 'in', interactionIds)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows as unknown as DeliveryRow[];
}

/** Two resends of one interaction at once go one after the other. False when there is none. */
export async function lock(trx: CreatorTransaction, creatorId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from interactions where creator_id = ${creatorId} and id = ${id} for update
  `.execute(trx);
  return rows.length > 0;
}

type Wordings = Pick<
  EngineAutomation,
  'messageText' | 'buttons' | 'card' | 'translations' | 'variants' | 'variantWinner'
>;

export type Surroundings = {
  /** When the person last wrote: Meta lets us write for 24 hours from then. */
  lastWroteAt: Date | null;
  /** The person's id in the conversation, told when a private reply opened it. */
  conversationPersonId: string | null;
  connection: { username: string; disconnected: boolean; requiresAuth: boolean } | null;
  automation: Wordings | null;
  /** Why automations keep quiet for them, if they do. */
  person: { stopped: boolean; blocked: boolean; takenOver: boolean };
  /** Of the profile, where it is known. */
  name: string | null;
  /** Keywords of the automations that are on for this post. */
  words: string[];
};

export async function findSurroundings(
  trx: CreatorTransaction,
  creatorId: string,
  interaction: { connection_id: string; post_id: string | null; person_id: string; automation_id: string | null },
  conversationPersonId: string | null,
  now: Date,
): Promise<Surroundings> {
  const connection = await trx
    .selectFrom('connections')
    .select(['username', 'disconnected_at', 'requires_auth_at'])
    .where('creator_id', '=', creatorId)
    .where('id', '=', interaction.connection_id)
    .executeTakeFirst();
  // The id of a commenter and of the same person in a conversation may differ (reference 3.2).
  const herIds = [interaction.person_id, ...(conversationPersonId === null ? [] : [conversationPersonId])];
  const { rows: people } = await sql<Surroundings['person'] & { at: Date | null; name: string | null }>`
    select max(last_wrote_at) as at, max(name) as name, coalesce(bool_or(stopped_at is not null), false) as stopped,
      coalesce(bool_or(blocked_at is not null), false) as blocked,
      coalesce(bool_or(taken_over_until > ${now}), false) as "takenOver"
    from people
    where creator_id = ${creatorId} and connection_id = ${interaction.connection_id} and id = any(${herIds})
  `.execute(trx);
  const { at: lastWroteAt, name, ...person } = people[0]!;
  const { rows: words } = await sql<{ word: string }>`
    select distinct unnest(words) as word from automations
    where creator_id = ${creatorId} and connection_id = ${interaction.connection_id} and archived_at is null
      and switched_on_at is not null and trigger = 'comment' and (scope = 'any' or post_id = ${interaction.post_id})
    limit 12
  `.execute(trx);
  const automation =
    interaction.automation_id === null
      ? undefined
      : await trx
          .selectFrom('automations')
          .select(['message_text', 'buttons', 'card', 'translations', 'variants', 'variant_winner'])
          .where('creator_id', '=', creatorId)
          .where('id', '=', interaction.automation_id)
          .executeTakeFirst();
  return {
    lastWroteAt,
    person,
    name,
    words: words.map(({ word }) => word),
    conversationPersonId,
    connection:
      connection === undefined
        ? null
        : {
            username: connection.username,
            disconnected: connection.disconnected_at !== null,
            requiresAuth: connection.requires_auth_at !== null,
          },
    automation:
      automation === undefined
        ? null
        : ({
            messageText: automation.message_text,
            buttons: automation.buttons,
            card: automation.card,
            translations: automation.translations,
            variants: automation.variants,
            variantWinner: automation.variant_winner,
          } as Wordings),
  };
}

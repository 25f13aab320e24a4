/** Everything of a creator as one JSON text, written row by row: however much there is, little of it is in memory. */
import type pg from 'pg';
import type { Database } from '#server/db/database.ts';

/**
 * What goes into the file, in this order: the table, and columns that stay here because they are secrets or mean nothing
 * outside. Rows are as in the table, with its names.
 */
export const EXPORTED: Record<string, { table: string; without: string[] }> = {
  subscription: { table: 'subscriptions', without: [] },
  team: { table: 'memberships', without: [] },
  invites: { table: 'invites', without: ['token_hash'] },
  connections: { table: 'connections', without: ['shard', 'app_scoped_id', 'facebook_user_id'] },
  automations: { table: 'automations', without: [] },
  automationPosts: { table: 'automation_posts', without: [] },
  keywords: { table: 'keywords', without: [] },
  replies: { table: 'replies', without: [] },
  recipes: { table: 'recipes', without: ['url_key'] },
  links: { table: 'links', without: [] },
  posts: { table: 'posts', without: ['caption_key'] },
  stories: { table: 'stories', without: [] },
  people: { table: 'people', without: ['name_key'] },
  conversations: { table: 'conversations', without: [] },
  consents: { table: 'consents', without: [] },
  ownMessages: { table: 'own_messages', without: [] },
  contactChanges: { table: 'contact_changes', without: [] },
  interactions: { table: 'interactions', without: [] },
  deliveries: { table: 'deliveries', without: [] },
  catchUps: { table: 'catch_ups', without: [] },
  clicks: { table: 'clicks', without: [] },
  answeredPeople: { table: 'answered_people', without: [] },
  retentionChoices: { table: 'retention_choices', without: [] },
  notificationChoices: { table: 'notification_choices', without: [] },
  apiKeys: { table: 'api_keys', without: ['key_hash'] },
  apiTokens: { table: 'api_tokens', without: ['token_hash'] },
  webhooks: { table: 'outgoing_endpoints', without: ['secret', 'old_secret', 'old_secret_until'] },
  supportVisits: { table: 'admin_visits', without: ['return_to'] },
};

/** Tables of creators that are not in the file, and why. */
export const LEFT_OUT: Record<string, string> = {
  tokens: 'secrets of Meta',
  oauth_attempts: 'sign-ins under way, secret',
  idempotency_keys: 'answers that were given already, secret',
  outcome_counts: 'sums of interactions and deliveries',
  outcome_deltas: 'sums of interactions and deliveries',
  erased_people: 'hashes of who was erased',
  prepared_candidates: 'open questions: which post an automation waits for',
  waking_posts: 'worked out from interactions',
  watched_links: 'what was found at addresses of automations, looked at again and again',
  link_uses: 'worked out from automations',
  outgoing_events: 'a queue; what it tells is in interactions, deliveries, people and clicks',
  lane_states: 'the state of our sending this minute',
  queue_controls: 'how sending goes this minute',
  queue_forecasts: 'worked out from deliveries',
  comment_readings: 'how far posts have been read',
  unread_messages: 'messages that are being read at Meta; once read they are in interactions',
  reading_states: 'how far posts have been read',
  story_pictures: 'pictures, not text; each can be saved from its story',
  notices_sent: 'which mails went out to whom',
  flag_values: 'settings of this installation',
  audit_log: 'the log of the operator; visits are in supportVisits',
};

const ROWS_AT_A_TIME = 500;

/**
 * Reads one moment of the creator's data, with her rights: other creators' rows are out of reach. `complete` at its end
 * tells a whole file from one that broke off.
 *
 * @throws in the middle of the text when the database goes away or the reader pauses too long
 */
export async function* exportCreator(db: Database, creatorId: string, now: Date): AsyncGenerator<string> {
  const client = await db.downloadPool.connect();
  let failure: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(`select set_config('app.creator_id', $1, true)`, [creatorId]);
    yield `{"format":"creator-hq-export","version":1,"exportedAt":${JSON.stringify(now)}`;
    const { rows } = await client.query<{ row: string }>('select to_jsonb(c)::text as row from creators c');
    yield `,\n"creator":${rows[0]?.row ?? 'null'}`;
    yield `,\n"teamPeople":${JSON.stringify(await findTeam(db, creatorId))}`;
    for (const [name, { table, without }] of Object.entries(EXPORTED)) {
      yield `,\n"${name}":[`;
      yield* rowsOf(client, table, ['creator_id', ...without]);
      yield ']';
    }
    yield ',\n"complete":true}\n';
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // Nothing was changed. Also when the reader left in the middle.
    await client.query('rollback').catch((error: Error) => {
      failure = error;
    });
    client.release(failure);
  }
}

async function* rowsOf(client: pg.PoolClient, table: string, without: string[]): AsyncGenerator<string> {
  const name = client.escapeIdentifier(table);
  await client.query({
    text: `declare exported no scroll cursor for select (to_jsonb(t) - $1::text[])::text as row from ${name} t`,
    values: [without],
  });
  let first = true;
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${ROWS_AT_A_TIME} from exported`);
    if (rows.length === 0) break;
    yield (first ? '\n' : ',\n') + rows.map(({ row }) => row).join(',\n');
    first = false;
  }
  await client.query('close exported');
}

/** Names and addresses behind the ids: they belong to people and are out of reach of a creator's rights. */
function findTeam(db: Database, creatorId: string) {
  return db.engine
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.id', 'users.name', 'users.email', 'memberships.role'])
    .where('memberships.creator_id', '=', creatorId)
    .orderBy('memberships.created_at')
    .execute();
}

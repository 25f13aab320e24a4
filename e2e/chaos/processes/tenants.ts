/** Creators of a schedule, put into the database as signing up and connecting would, and the people who log in for them. */
import { createHmac } from 'node:crypto';
import type { ProcessWorld } from '#e2e/chaos/processes/world.ts';
import { systemIds } from '#server/clock.ts';
import { hostCookieName } from '#server/http/cookies.ts';
import { seal } from '#server/secrets.ts';
import type { SeededCreator } from '#simulators/meta/control-client.ts';

export type ConnectedCreator = SeededCreator & { creatorId: string; connectionId: string };

/** With the cookie of somebody who is logged in as its owner. */
export type Tenant = ConnectedCreator & { cookie: string };

/** Long: the clock of a world is moved by hours and days. */
const SESSION_LASTS_MS = 400 * 24 * 3_600_000;

/** A new creator with automations that answer every comment, privately and in public, and messages. */
export async function addCreator(world: ProcessWorld): Promise<ConnectedCreator> {
  const seeded = await world.control.seedCreator({ followers: 12, posts: 2, subscribed: ['instagram'] });
  const now = new Date(await world.control.now());
  const [creatorId, connectionId] = [systemIds.uuid(now), systemIds.uuid(now)];
  const { instagramAccountId: accountId, username, tokens } = seeded;
  const secret = seal([world.encryptionKey], tokens.instagram.token);
  await insert(world, 'creators', { id: creatorId, handle: creatorId.slice(-12) });
  await insert(world, 'connections', {
    creator_id: creatorId,
    id: connectionId,
    platform: 'instagram',
    account_id: accountId,
    username,
    connected_at: now,
  });
  await insert(world, 'tokens', {
    creator_id: creatorId,
    id: systemIds.uuid(now),
    kind: 'INSTAGRAM_BUSINESS_USER',
    subject_id: accountId,
    secret,
    issued_at: now,
    expires_at: new Date(now.getTime() + 60 * 24 * 3_600_000),
  });
  const automation = (trigger: string, words: string[], text: string, publicReplies: string[]) =>
    insert(world, 'automations', {
      creator_id: creatorId,
      id: systemIds.uuid(now),
      connection_id: connectionId,
      name: text,
      trigger,
      words,
      mode: 'whole_word',
      message_text: text,
      buttons: JSON.stringify([{ title: 'Open', url: `https://example.com/${trigger}`, code: `${trigger}1` }]),
      public_replies: publicReplies,
      repeat_after_minutes: null,
      switched_on_at: now,
      created_at: now,
      updated_at: now,
    });
  await automation('comment', ['recipe'], 'The recipe', ['Look into your messages', 'On its way']);
  await automation('direct_message', ['menu'], 'The menu', []);
  return { ...seeded, creatorId, connectionId };
}

/** A new creator whose owner is logged in. */
export async function addTenant(world: ProcessWorld): Promise<Tenant> {
  const creator = await addCreator(world);
  return { ...creator, cookie: await logIn(world, creator.creatorId, new Date(await world.control.now())) };
}

type Serving = Pick<ProcessWorld, 'query' | 'secretKey' | 'baseUrl'>;

/** @returns the cookie of a new owner of this creator */
export async function logIn(world: Serving, creatorId: string, now: Date): Promise<string> {
  const [userId, token] = [systemIds.uuid(now), systemIds.code(32)];
  await insert(world, 'users', {
    id: userId,
    name: 'Owner',
    email: `${userId}@example.com`,
    email_verified: true,
  });
  await insert(world, 'memberships', {
    creator_id: creatorId,
    id: systemIds.uuid(now),
    user_id: userId,
    role: 'owner',
    created_at: now,
  });
  await insert(world, 'sessions', {
    id: systemIds.uuid(now),
    user_id: userId,
    token,
    expires_at: new Date(now.getTime() + SESSION_LASTS_MS),
    current_creator_id: creatorId,
    created_at: now,
  });
  // As better-auth writes it.
  const signature = createHmac('sha256', world.secretKey).update(token).digest('base64');
  const name = `${hostCookieName(world.baseUrl, 'creator-hq')}.session_token`;
  return `${name}=${token}.${encodeURIComponent(signature)}`;
}

const ROWS = 1600;
const CHARACTERS = 5000;

/** Interactions of long ago: a table of 8 MB, more than sockets hold for a reader that does not read. */
export async function addLongPast(world: ProcessWorld, { creatorId, connectionId }: ConnectedCreator): Promise<void> {
  const at = new Date((await world.control.now()) - 24 * 3_600_000);
  await world.query(
    `insert into interactions (creator_id, id, connection_id, kind, platform_id, person_id, text, occurred_at, received_at,
       outcome, reason, outcome_at)
     select $1::uuid, gen_random_uuid(), $2::uuid, 'comment', 'past ' || number, 'person', repeat('x', $3), $4::timestamptz, $4::timestamptz,
       'skipped', 'no_match', $4::timestamptz
     from generate_series(1, $5) as number
     where not exists (select from interactions where creator_id = $1::uuid)`,
    [creatorId, connectionId, CHARACTERS, at, ROWS],
  );
}

/** Again when the answer to the first try was lost: the row is there then. */
async function insert(world: Pick<ProcessWorld, 'query'>, table: string, row: Record<string, unknown>): Promise<void> {
  const names = Object.keys(row);
  const places = names.map((_, index) => `$${index + 1}`);
  await world.query(
    `insert into ${table} (${names.join(', ')}) values (${places.join(', ')}) on conflict do nothing`,
    Object.values(row),
  );
}

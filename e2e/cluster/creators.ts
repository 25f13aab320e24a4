/** Connected creators for a cluster under load, each with an automation that answers everybody, every time. */
import pg from 'pg';
import { systemIds } from '#server/clock.ts';
import { seal } from '#server/secrets.ts';
import type { Cluster } from './cluster.ts';

/** The automations answer this word, and nothing else. */
export const WORD = 'recipe';

export type LoadedCreator = { accountId: string; postId: string };

/** Needs `--accept-unknown-comments` at the simulator: whoever comments there is not among its people. */
export async function addCreators(cluster: Cluster, count: number): Promise<LoadedCreator[]> {
  const client = new pg.Client({ connectionString: cluster.databaseUrl });
  await client.connect();
  try {
    const creators = [];
    for (let number = 0; number < count; number++) creators.push(await addCreator(cluster, client, number));
    return creators;
  } finally {
    await client.end();
  }
}

async function addCreator(cluster: Cluster, client: pg.Client, number: number): Promise<LoadedCreator> {
  const { control, encryptionKey } = cluster;
  const accountId = `1785${String(2_000_000_000_000 + number)}`;
  await control.seedInstagramAccount({ id: accountId, username: `cluster${number}` });
  const { token } = await control.issueToken({ kind: 'INSTAGRAM_BUSINESS_USER', subjectId: accountId });
  const now = new Date();
  const [creatorId, connectionId] = [systemIds.uuid(now), systemIds.uuid(now)];
  await client.query('insert into creators (id, handle) values ($1, $2)', [creatorId, `cluster${number}`]);
  await client.query(
    `insert into connections (creator_id, id, platform, account_id, username, connected_at)
     values ($1, $2, 'instagram', $3, $4, now())`,
    [creatorId, connectionId, accountId, `cluster${number}`],
  );
  await client.query(
    `insert into tokens (creator_id, id, kind, subject_id, secret, issued_at, expires_at)
     values ($1, $2, 'INSTAGRAM_BUSINESS_USER', $3, $4, now(), now() + interval '60 days')`,
    [creatorId, systemIds.uuid(now), accountId, seal([encryptionKey], token)],
  );
  await client.query(
    `insert into automations (creator_id, id, connection_id, name, words, mode, message_text, buttons,
       repeat_after_minutes, switched_on_at, created_at, updated_at)
     values ($1, $2, $3, 'Recipe', $4, 'whole_word', 'Here is the recipe.', '[]', null, now(), now(), now())`,
    [creatorId, systemIds.uuid(now), connectionId, [WORD]],
  );
  return { accountId, postId: `179${number}00001` };
}

/**
 * `node bench/contacts.ts`: how long lists and searches take at the server with 200,000 contacts, 2,000,000 interactions and
 * 3,000 posts of one creator, over HTTP against the real program and a real PostgreSQL. Not part of the tests.
 *
 *   --people 200000  --interactions 2000000  --posts 3000  --calls 40 (of each list)
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { listContacts } from '#contract/contacts.ts';
import { API_BASE, type Endpoint } from '#contract/endpoint.ts';
import { listInteractions } from '#contract/interactions.ts';
import { listPosts } from '#contract/posts.ts';
import { getMe, loginDemo } from '#contract/session.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { freePort, startScript } from '#server/testing/processes.ts';

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '200000' },
    interactions: { type: 'string', default: '2000000' },
    posts: { type: 'string', default: '3000' },
    calls: { type: 'string', default: '40' },
  },
});
const size = { people: Number(values.people), interactions: Number(values.interactions), posts: Number(values.posts) };

const dir = await mkdtemp(join(tmpdir(), 'creator-hq-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir: dir, log: () => {} });
const [port, simulatorPort] = [await freePort(), await freePort()];
const url = `http://localhost:${port}`;
const program = await startScript(
  'server/main.ts',
  [],
  {
    PORT: String(port),
    BASE_URL: url,
    SIMULATOR_PORT: String(simulatorPort),
    SIMULATORS: 'on',
    DATA_DIR: dir,
    DATABASE_URL: postgres.connectionString,
    SECRET_KEY: randomBytes(32).toString('hex'),
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    LOG_LEVEL: 'warn',
  },
  (line) => line.includes(`is ready: ${url}`),
);
const client = new pg.Client({ connectionString: postgres.connectionString });
await client.connect();
try {
  const entered = await fetch(url + API_BASE + loginDemo.path, { method: loginDemo.method, headers: { origin: url } });
  const cookie = entered.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const me = (await (await fetch(url + API_BASE + getMe.path, { headers: { cookie } })).json()) as {
    creatorAccount: { _id: string };
  };
  const creatorId = me.creatorAccount._id;
  console.log(`Writing ${size.people} people, ${size.interactions} interactions, ${size.posts} posts…`);
  const automationId = await fill(creatorId);
  await measureAll({ creatorId, cookie, automationId });
} finally {
  await client.end();
  await program.stop();
  await postgres.stop();
  await rm(dir, { recursive: true, force: true });
}

/** @returns an automation that answered every tenth person */
async function fill(creatorId: string): Promise<string> {
  const { rows } = await client.query(
    'select a.connection_id, a.id from automations a where a.creator_id = $1 order by a.created_at limit 1',
    [creatorId],
  );
  const { connection_id: connectionId, id: automationId } = rows[0];
  const own = [creatorId, connectionId];
  // Triggers off: the counts and people that they would make are written below, in one go.
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into posts (creator_id, connection_id, id, caption, caption_key, product_type, picture_url, comments_count, posted_at, synced_at)
     select $1, $2, 'post' || n, 'Lemon cake number ' || n, 'lemon cake number ' || n, case when n % 2 = 0 then 'REELS' else 'FEED' end,
       'https://example.com/p.jpg', n, now() - n * interval '8 hours', now() from generate_series(1, $3::int) n`,
    [...own, size.posts],
  );
  await client.query(
    `insert into people (creator_id, connection_id, id, username, name, name_key, email, follows, stopped_at, taken_over_until,
       blocked_at, last_wrote_at, first_seen_at, last_seen_at)
     select $1, $2, 'person' || n, substr(translate(md5(n::text), '0123456789', 'ghijklmnop'), 1, 8) || '_' || n,
       initcap(substr(translate(md5('a' || n), '0123456789', 'ghijklmnop'), 1, 5)) || ' Müller' || n,
       substr(translate(md5('a' || n), '0123456789', 'ghijklmnop'), 1, 5) || ' muller' || n,
       case when n % 10 = 0 then 'mail' || n || '@example.com' end, case n % 5 when 0 then true when 1 then false end,
       case when n % 1000 = 0 then now() end, case when n % 2000 = 0 then now() + interval '1 day' end,
       case when n % 5000 = 0 then now() end, case when n % 3 = 0 then now() - n * interval '1 second' end,
       now() - interval '1 year', now() - n * interval '10 seconds'
     from generate_series(1, $3::int) n`,
    [...own, size.people],
  );
  // Person 1 is somebody who comments on everything.
  await client.query(
    `insert into interactions (creator_id, id, connection_id, kind, platform_id, post_id, person_id, username, text, occurred_at,
       received_at, outcome, reason, automation_id, outcome_at)
     select $1, gen_random_uuid(), $2, case when n % 20 = 0 then 'direct_message' else 'comment' end, 'past' || n,
       'post' || 1 + n % $4::int, 'person' || p, substr(translate(md5(p::text), '0123456789', 'ghijklmnop'), 1, 8) || '_' || p,
       'Looks so good, recipe please', now() - n * interval '10 seconds', now() - n * interval '10 seconds',
       case when n % 2 = 0 then 'replied' else 'skipped' end, case when n % 2 = 0 then 'sent' else 'no_match' end,
       case when n % 2 = 0 then $5::uuid end, now()
     from (select n, case when n % 1000 = 0 then 1 else 1 + n % $3::int end as p from generate_series(1, $6::int) n) as past`,
    [...own, size.people, size.posts, automationId, size.interactions],
  );
  await client.query(
    `insert into deliveries (creator_id, id, connection_id, interaction_id, automation_id, kind, lane, recipient, content, state,
       due_at, expires_at, called_at, finished_at, attempts, recipient_person_id, created_at)
     select creator_id, gen_random_uuid(), connection_id, id, automation_id, 'private_reply', 'private_replies', platform_id,
       '{"text": "Here is the recipe you asked for.", "buttons": []}', 'sent', received_at, received_at, received_at, received_at, 1,
       person_id, received_at
     from interactions where creator_id = $1 and outcome = 'replied'`,
    [creatorId],
  );
  await client.query(
    `insert into outcome_counts (creator_id, counted_by, counted_id, counted, reason, count)
     select creator_id, 'post', post_id, outcome, reason, count(*) from interactions
     where creator_id = $1 and post_id like 'post%' group by 1, 3, 4, 5`,
    [creatorId],
  );
  await client.query(
    `insert into answered_people (creator_id, automation_id, person_id, interaction_id, answered_at)
     select $1, $2, 'person' || n * 10, gen_random_uuid(), now() from generate_series(1, $3::int / 10) n`,
    [creatorId, automationId, size.people],
  );
  await client.query('set session_replication_role = origin');
  await client.query('vacuum analyze');
  return automationId;
}

async function measureAll({
  creatorId,
  cookie,
  automationId,
}: {
  creatorId: string;
  cookie: string;
  automationId: string;
}) {
  const { rows } = await client.query(
    `select connection_id, id, username from people where creator_id = $1 and id in ('person1', 'person777')`,
    [creatorId],
  );
  const person = rows.find(({ id }) => id === 'person777');
  const contactPath = (id: string) => `${listContacts.path}/${person.connection_id}.${id}`;
  const never = '00000000-0000-7000-8000-000000000000';
  const lists: [name: string, path: string | Endpoint, query: Record<string, string>][] = [
    ['contacts', listContacts, {}],
    ['contacts, one letter', listContacts, { search: 'a' }],
    ['contacts, two letters', listContacts, { search: 'ab' }],
    ['contacts, whole handle', listContacts, { search: person.username }],
    ['contacts, second word of the name', listContacts, { search: 'müller7' }],
    ['contacts, every name', listContacts, { search: 'müller' }],
    ['contacts, e-mail', listContacts, { search: 'mail77' }],
    ['contacts, nobody', listContacts, { search: 'zzzzzz' }],
    ...['with_email', 'followers', 'not_followers', 'following_unknown', 'stopped', 'taken_over', 'blocked'].map(
      (filter): [string, Endpoint, Record<string, string>] => [`contacts, ${filter}`, listContacts, { filter }],
    ),
    ['contacts, stopped and searched', listContacts, { filter: 'stopped', search: 'a' }],
    ['contacts, answered by', listContacts, { automationId }],
    ['contacts, answered by one that never did', listContacts, { automationId: never }],
    ['contact', contactPath('person777'), {}],
    ['contact who comments on everything', contactPath('person1'), {}],
    ['timeline', `${contactPath('person777')}/timeline`, {}],
    ['timeline of who comments on everything', `${contactPath('person1')}/timeline`, {}],
    ['activity', listInteractions, {}],
    ['activity, handle', listInteractions, { handle: person.username.slice(0, 4) }],
    ['activity, one letter', listInteractions, { handle: 'a' }],
    ['activity, failed', listInteractions, { outcome: 'failed' }],
    ['activity, replied', listInteractions, { outcome: 'replied' }],
    ['activity, of a post', listInteractions, { postId: 'post7' }],
    ['activity, of an automation', listInteractions, { automationId }],
    ['posts', listPosts, {}],
    ['posts, search', listPosts, { search: 'cake 29' }],
    ['posts, nothing found', listPosts, { search: 'zzz' }],
    ['posts, reels with automation', listPosts, { kind: 'reel', automation: 'on' }],
    ['posts, without automation', listPosts, { automation: 'none' }],
  ];
  for (const [name, endpoint, query] of lists) {
    const path = (typeof endpoint === 'string' ? endpoint : endpoint.path).replace(':creatorId', creatorId);
    const call = async () => {
      const from = performance.now();
      const response = await fetch(`${url}${API_BASE}${path}?${new URLSearchParams(query)}`, { headers: { cookie } });
      const body = (await response.json()) as { items?: unknown[] };
      if (!response.ok) throw new Error(`${name}: ${JSON.stringify(body)}`);
      return { ms: performance.now() - from, rows: body.items?.length ?? 1 };
    };
    const { rows: found } = await call();
    const times: number[] = [];
    for (let done = 0; done < Number(values.calls); done++) times.push((await call()).ms);
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(0);
    const tooSlow = Number(at(0.95)) > 100 ? '  TOO SLOW' : '';
    console.log(
      `${at(0.5).padStart(5)} ms p50 ${at(0.95).padStart(5)} ms p95  ${String(found).padStart(3)} rows  ${name}${tooSlow}`,
    );
  }
}

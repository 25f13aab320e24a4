/**
 * The floor: as little as a durable program can do. It verifies each webhook, commits them in batches to one table
 * without an index besides its key, answers, and calls the simulator for those that have the word. No duplicates are
 * noticed, nothing is matched, paced or written down afterwards. `npm run bench -- --floor` measures ours in turns with it; the
 * ratio says what all the rest costs.
 *
 *     node bench/floor.ts FILE     FILE: JSON of `FloorSettings`; prints one line when it listens
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import pg from 'pg';
import { Pool } from 'undici';

export type FloorSettings = {
  port: number;
  connectionString: string;
  appSecret: string;
  /** Where messages are posted: `https://graph.instagram.com/v27.0` or what stands in for it. */
  graphUrl: string;
  /** By account id. */
  tokens: Record<string, string>;
};

const settings = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as FloorSettings;
const database = new pg.Client({ connectionString: settings.connectionString });
await database.connect();
// Never vacuumed: that would happen while ours is measured.
await database.query(
  `create table floor_events (id bigint generated always as identity primary key, body text not null)
   with (autovacuum_enabled = off)`,
);
const graph = new URL(settings.graphUrl);
const meta = new Pool(graph.origin, { connections: 128 });

let waiting: { body: string; done: () => void }[] = [];
let committing = false;

async function commitAll(): Promise<void> {
  committing = true;
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    await database.query({
      name: 'append',
      text: 'insert into floor_events (body) select * from unnest($1::text[])',
      values: [batch.map(({ body }) => body)],
    });
    for (const { body, done } of batch) {
      done();
      void answer(body);
    }
  }
  committing = false;
}

async function answer(body: string): Promise<void> {
  const entry = JSON.parse(body).entry[0];
  const comment = entry.changes[0].value;
  if (!comment.text.includes('recipe')) return;
  const response = await meta.request({
    method: 'POST',
    path: `${graph.pathname}/${entry.id}/messages`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${settings.tokens[entry.id]}` },
    body: JSON.stringify({
      recipient: { comment_id: comment.id },
      message: { text: 'Here is the recipe you asked for.' },
    }),
  });
  await response.body.dump();
  if (response.statusCode !== 200) throw new Error(`the simulator answered ${response.statusCode}`);
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const bytes = Buffer.concat(parts);
    const given = Buffer.from(String(request.headers['x-hub-signature-256']).slice(7), 'hex');
    const expected = createHmac('sha256', settings.appSecret).update(bytes).digest();
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      response.writeHead(403).end();
      return;
    }
    waiting.push({ body: bytes.toString('utf8'), done: () => response.end('EVENT_RECEIVED') });
    if (!committing) void commitAll();
  });
});
server.listen(settings.port, '127.0.0.1', () => console.log('The floor listens.'));
process.once('SIGTERM', () => process.exit(0));

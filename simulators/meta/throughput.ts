/**
 * How many private replies a second the simulator answers, and how many webhooks it delivers, run by hand: `node simulators/meta/throughput.ts [seconds]`.
 * The simulator runs as its own process with limits lifted and a compact ledger, 64 connections send as fast as they are answered.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { MetaSimulatorControl } from './control-client.ts';

const CONNECTIONS = 64;
const seconds = Number(process.argv[2] ?? 4);

const simulator = spawn(
  process.execPath,
  [
    fileURLToPath(new URL('./main.ts', import.meta.url)),
    '--ledger',
    'compact',
    '--lift-limits',
    '--accept-unknown-comments',
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const line = await new Promise<string>((resolve) =>
  simulator.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())),
);
const { url } = JSON.parse(line) as { url: string };
const creator = await new MetaSimulatorControl(url).seedCreator();

const pool = new Pool(url, { connections: CONNECTIONS });
const path = `/graph.instagram.com/v27.0/${creator.instagramAccountId}/messages`;
const headers = { 'content-type': 'application/json', authorization: `Bearer ${creator.tokens.instagram.token}` };
let sent = 0;
const end = performance.now() + seconds * 1000;
const cpuBefore = process.cpuUsage();
await Promise.all(
  Array.from({ length: CONNECTIONS }, async () => {
    while (performance.now() < end) {
      sent += 1;
      const body = `{"recipient":{"comment_id":"1789422${sent + 1_000_000_000}"},"message":{"text":"Here is your recipe: https://example.com/l/abc"}}`;
      const response = await pool.request({ path, method: 'POST', headers, body });
      await response.body.dump();
      if (response.statusCode !== 200) throw new Error(`Answered ${response.statusCode}`);
    }
  }),
);
const spent = process.cpuUsage(cpuBefore);
console.log(
  `${Math.round(sent / seconds)} private replies/s over ${seconds} s; the sender used ${Math.round((spent.user + spent.system) / seconds / 10_000)} % of a core`,
);
await pool.close();

const BATCH = 20_000;
let delivered = 0;
const receiver = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(new URL(request.url!, url).searchParams.get('hub.challenge'));
    return;
  }
  request.resume();
  request.on('end', () => {
    delivered += 1;
    response.end();
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const address = receiver.address();
const control = new MetaSimulatorControl(url);
await control.updateApp({
  webhookUrl: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`,
});
const subscribed = await control.seedCreator({ subscribed: ['instagram'] });
const mediaId = subscribed.posts[0]!.mediaId;
const { personId } = subscribed.followers[0]!;
const started = performance.now();
await control.commentMany(Array.from({ length: BATCH }, () => ({ mediaId, personId, text: 'RECIPE please' })));
await control.settle();
console.log(`${Math.round((delivered / (performance.now() - started)) * 1000)} webhooks/s, one comment each`);
receiver.closeAllConnections();
receiver.close();
simulator.kill('SIGTERM');

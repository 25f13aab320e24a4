/** A NATS server with JetStream in a temporary folder, on a free port. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '#server/testing/processes.ts';

export type NatsServer = { url: string; stop(): Promise<void> };

/** Needs the program on the PATH: see scripts/nats-server.ts. */
export async function startNats(): Promise<NatsServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'creator-hq-nats-'));
  const port = await freePort();
  const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (line.includes('Server is ready')) resolve();
    });
    void ended.then(() => reject(new Error('nats-server ended before it was ready')));
  });
  return {
    url: `nats://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

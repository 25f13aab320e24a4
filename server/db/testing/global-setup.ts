import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { whenWeAreGone } from '#server/testing/processes.ts';
import { startEmbeddedPostgres } from '../embedded/supervisor.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Superuser's connection to the server on which tests create their databases. */
    testServerUrl: string;
  }
}

/** Starts one PostgreSQL for the whole test run; TEST_DATABASE_URL names one that is already there. */
export default async function setUpTestServer(project: TestProject): Promise<() => Promise<void>> {
  if (process.env.TEST_DATABASE_URL) {
    project.provide('testServerUrl', process.env.TEST_DATABASE_URL);
    return async () => {};
  }
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'creator-hq-test-'));
  const server = await startEmbeddedPostgres({
    dataDir,
    log: () => {},
    // Nobody misses rows of a test run lost in a power cut.
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '300',
      max_wal_size: '4GB',
    },
  });
  whenWeAreGone(
    'kill -QUIT "$1" 2>/dev/null; while kill -0 "$1" 2>/dev/null; do sleep 0.1; done; rm -rf "$2"',
    String(server.pid()),
    dataDir,
  );
  project.provide('testServerUrl', server.connectionString);
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { migrate } from '#server/db/migrate.ts';
import { buildWebApps } from '../scripts/build.ts';
import { launchBrowser } from './browser.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A data folder with the built-in database as the first start leaves it, but not in use. */
    dataFolderTemplate: string;
  }
}

/** The journeys use the app as users get it, built, on copies of one database that is made and migrated here. */
export default async function prepareForJourneys(project: TestProject): Promise<() => Promise<void>> {
  const template = await mkdtemp(path.join(tmpdir(), 'creator-hq-template-'));
  await Promise.all([buildWebApps(console.log), makeDatabase(template), unpackBrowser()]);
  project.provide('dataFolderTemplate', template);
  return () => rm(template, { recursive: true, force: true });
}

/** The one that packages bring along: two journeys must not unpack it at once. */
async function unpackBrowser(): Promise<void> {
  await (await launchBrowser()).close();
}

async function makeDatabase(dataDir: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: { fsync: 'off' } });
  try {
    await migrate(postgres.connectionString);
    const client = new pg.Client({ connectionString: postgres.connectionString });
    await client.connect();
    // It goes along with the copies: what a journey loses in a power cut nobody misses.
    for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
      await client.query(`alter system set ${name} = off`);
    }
    await client.end();
  } finally {
    await postgres.stop();
  }
}

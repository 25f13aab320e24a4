/** One NATS server for all tests that want one; a test's stream has a name of its own. */
import type { TestProject } from 'vitest/node';
import { startNats } from '#server/testing/nats.ts';
import { ensureNatsServer, NATS_REMEDY } from '../../scripts/nats-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Null on a machine without a NATS server. */
    natsUrl: string | null;
  }
}

export default async function startNatsForTests(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!ensureNatsServer()) {
    console.log(`No nats-server here: the tests of the event log on NATS are left out. ${NATS_REMEDY}`);
    project.provide('natsUrl', null);
    return undefined;
  }
  const nats = await startNats();
  project.provide('natsUrl', nats.url);
  return nats.stop;
}

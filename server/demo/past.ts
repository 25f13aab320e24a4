/**
 * The program at an earlier time: an engine, the addresses that Meta and followers call, and all that rules need, on a clock
 * that is moved by hand. It works on the program's own database; the program's engine must not run meanwhile.
 */
import Fastify from 'fastify';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { Engine, EngineDeps } from '#server/engine/engine.ts';
import { PostgresEventLog } from '#server/events/postgres-event-log.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { createSpeakers } from '#server/features/connections/account-tokens.ts';
import { createLinkHosts, domainConstraint } from '#server/features/link-domains/hosts.ts';
import { createClickRecorder } from '#server/features/links/clicks.ts';
import { createOpeningRules } from '#server/features/links/opening-rules-file.ts';
import { registerLinks } from '#server/features/links/routes.ts';
import { registerWebhooks } from '#server/features/webhooks/routes.ts';
import { createMetaClient } from '#server/platforms/meta/client.ts';
import { randomFrom } from '#simulators/meta/demo/random.ts';

/** In whose browser a follower opens a link. */
const AGENTS = {
  instagram: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Instagram 410.0',
  tiktok:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 musical_ly_41.0 BytedanceWebview',
  safari:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Version/19.1 Mobile Safari/604.1',
};

/** Somebody in this network opens a link of ours; `tells`: its opening page says so, where it has one. */
export type Opening = { url: string; network: string; app: keyof typeof AGENTS; tells?: 'opened' | 'stayed' };

/** Stands still until it is moved. Nobody waits in the past: loops, which can be ended, never go on; all else does at once. */
class PastClock implements Clock {
  private ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }
  now(): Date {
    return new Date(this.ms);
  }
  moveTo(ms: number): void {
    this.ms = Math.max(this.ms, ms);
  }
  sleep(_ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal === undefined || signal.aborted) setImmediate(resolve);
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

/** The program's parts, but at another time. */
export type Past = {
  deps: AppDeps;
  engine: Engine;
  /** Where the simulator tells it of what people do. */
  webhookUrl: string;
  moveTo(ms: number): void;
  open(opening: Opening): Promise<void>;
  close(): Promise<void>;
};

export type CreateEngine = (
  parts: Pick<EngineDeps, 'pool' | 'eventLog' | 'clock' | 'random' | 'meta' | 'speakerOf'>,
) => Engine;

export async function enterPast(
  now: AppDeps,
  createEngine: CreateEngine,
  { db, from }: { db: Database; from: number },
): Promise<Past> {
  const clock = new PastClock(from);
  const eventLog = new PostgresEventLog(db.enginePool);
  const shared = { ...now, db, clock, eventLog };
  const meta = createMetaClient(now.config.meta, { clock });
  const speakers = createSpeakers(shared);
  const clicks = createClickRecorder({ ...shared, secretKey: now.keys.secretKey });
  const engine = createEngine({
    pool: db.enginePool,
    eventLog,
    clock,
    meta,
    speakerOf: speakers.speakerOf,
    random: randomFrom('answers'),
  });
  const deps: AppDeps = {
    ...shared,
    meta,
    clicks,
    speakerOf: speakers.speakerOf,
    automationsChanged: ({ creatorId }) => engine.automationsChanged(creatorId),
    connectionChanged: ({ creatorId, connectionId }) => engine.connectionChanged(creatorId, connectionId),
    queueChanged: ({ creatorId, connectionId }) => engine.queueChanged(creatorId, connectionId),
    deliveriesQueued: ({ creatorId, connectionId }) => engine.deliveriesQueued(creatorId, connectionId),
  };
  const linkHosts = createLinkHosts(deps);
  const app = Fastify({ trustProxy: false, routerOptions: { constraints: { domain: domainConstraint(linkHosts) } } });
  await registerWebhooks(app, deps);
  registerLinks(app, { ...deps, linkHosts, openingRules: createOpeningRules(deps, null) });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  await engine.holdShards(true);
  return {
    deps,
    engine,
    webhookUrl: `${url}/webhooks/meta`,
    moveTo: (ms) => clock.moveTo(ms),
    async open({ url: address, network, app: browser, tells }) {
      const path = new URL(address).pathname;
      const headers = { 'user-agent': AGENTS[browser], 'accept-language': 'en-US' };
      const { statusCode } = await app.inject({ url: path, headers, remoteAddress: network });
      if (tells && statusCode === 200)
        await app.inject({ method: 'POST', url: `${path}/${tells}`, headers, remoteAddress: network });
    },
    async close() {
      await clicks.close();
      await app.close();
      await engine.stop();
      await meta.close();
      await eventLog.close();
    },
  };
}

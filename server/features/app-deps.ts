/** What the program hands to its features; each asks for the part that it uses. */
import type { FastifyBaseLogger } from 'fastify';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import type { EventLog } from '#server/events/event-log.ts';
import type { ClickRecorder } from '#server/features/links/clicks.ts';
import type { LiveUpdates } from '#server/features/live/live-updates.ts';
import type { Auth } from '#server/features/people/auth.ts';
import type { ServeDeps } from '#server/http/serve.ts';
import type { ReadDisk } from '#server/observability/disk.ts';
import type { Observed } from '#server/observability/observing.ts';
import type { MetaClient, Speaker } from '#server/platforms/meta/client.ts';
import type { Keys } from '#server/secrets.ts';

export type AppDeps = ServeDeps & {
  config: Config;
  db: Database;
  clock: Clock;
  ids: Ids;
  log: FastifyBaseLogger;
  auth: Auth;
  /** Where the simulator's phone is; null without simulators. */
  phoneUrl: string | null;
  meta: MetaClient;
  /** Seal what other services gave us; see server/secrets.ts. */
  keys: Keys;
  /** The token that speaks for a connection and the node it posts to; null when there is none that works. */
  speakerOf(connection: { creatorId: string; id: string }): Promise<Speaker | null>;
  eventLog: EventLog;
  /** Readiness asks for a worker's heartbeat, of this process or another. */
  expectWorker: boolean;
  /** The built web app; null where something else serves it. */
  webDir: string | null;
  live: LiveUpdates;
  observed: Observed;
  /** The disk that DATA_DIR is on. */
  readDisk: ReadDisk;
  clicks: ClickRecorder;
  /** Told after the change: the engine forgets what it knew of the creator's automations. */
  automationsChanged(change: { creatorId: string }): Promise<void> | void;
  /** Told after a connection began, changed or ended: what waited for it goes on. */
  connectionChanged(change: { creatorId: string; connectionId: string }): Promise<void>;
  /** Told after the creator changed how the queue goes: the engine heeds it. */
  queueChanged(change: { creatorId: string; connectionId: string }): Promise<void> | void;
  /** Told after the change: the engine looks for something to send. */
  deliveriesQueued(change: { creatorId: string; connectionId: string }): Promise<void> | void;
};

/** The parts of a feature, and the dependencies the program hands to it; each asks for those it uses. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import type { HeldTable, Holds } from '#server/db/holds.ts';
import type { Job } from '#server/db/jobs.ts';
import type { EventLog } from '#server/events/event-log.ts';
import type { AskingReadings } from '#server/features/catch-up/asked.ts';
import type { NoMailList } from '#server/features/contacts/no-mail/list.ts';
import type { LinkHosts } from '#server/features/link-domains/hosts.ts';
import type { ClickRecorder } from '#server/features/links/clicks.ts';
import type { OpeningRulesSource } from '#server/features/links/opening-rules-file.ts';
import type { LiveUpdates } from '#server/features/live/live-updates.ts';
import type { Auth } from '#server/features/people/auth.ts';
import type { ServeDeps } from '#server/http/serve.ts';
import type { SetupNote } from '#server/http/setup-notes.ts';
import type { ReadDisk } from '#server/observability/disk.ts';
import type { Observed } from '#server/observability/observability.ts';
import type { MailTransport } from '#server/platforms/email/transport.ts';
import type { GuardedFetch } from '#server/platforms/guarded-fetch.ts';
import type { MetaClient, Speaker } from '#server/platforms/meta/client.ts';
import type { StripeAccounts, StripeClient } from '#server/platforms/stripe/client.ts';
import type { Keys } from '#server/secrets.ts';

export type Feature = {
  /** Its modules of the contract, by the name that the description of the API groups their endpoints under. */
  contract?: Record<string, object>;
  routes?(app: FastifyInstance, deps: RouteDeps): Promise<void> | void;
  jobs?: Job<JobDeps>[];
  /** Tables that name followers, creators or their accounts. */
  holds?: Holds;
};

export type RouteDeps = AppDeps & {
  setupNotes(): SetupNote[];
  openingRules: OpeningRulesSource;
  linkHosts: LinkHosts;
  readings: AskingReadings;
};

/** Dependencies the worker hands to its jobs. */
export type JobDeps = AppDeps & {
  /** For pictures at addresses that Instagram gave: the simulator's are on this machine. */
  pictureFetching: GuardedFetch;
  transport: MailTransport;
  /** For mails to readers, whose number must not hold up the team's. */
  readerTransport: MailTransport;
  noMailList: NoMailList;
};

export type AppDeps = ServeDeps & {
  config: Config;
  db: Database;
  /** Tables with data of followers and creators, in the order in which it is erased. */
  held: HeldTable[];
  clock: Clock;
  ids: Ids;
  log: FastifyBaseLogger;
  auth: Auth;
  /** Where the simulator's phone is; null without simulators. */
  phoneUrl: string | null;
  /** The demo creator's blog, where simulators run. */
  blogUrl: string | null;
  /** Resolves when the demo may be entered. */
  demoMade(): Promise<unknown>;
  meta: MetaClient;
  /** Null: nothing has to be paid here. */
  stripe: StripeClient | null;
  /** Where readers can pay creators: our account at Stripe and those of creators. Null: they cannot here. */
  accounts: StripeAccounts | null;
  /** Seal what other services gave us; see server/secrets.ts. */
  keys: Keys;
  /** The token that speaks for a connection and the node it posts to; null when there is none that works. */
  speakerOf(connection: { creatorId: string; id: string }): Promise<Speaker | null>;
  eventLog: EventLog;
  /** For addresses that users gave us. */
  fetching: GuardedFetch;
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

/** Puts the program together: database, simulator, web application, engine and jobs, for the roles asked for. */
import path from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { buildApp } from '#server/app.ts';
import { type Clock, systemClock, systemIds } from '#server/clock.ts';
import { type Config, withoutSimulators } from '#server/config.ts';
import { makeDataDir } from '#server/data-dir.ts';
import { connectDatabase } from '#server/db/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import type { Job } from '#server/db/jobs.ts';
import { Notifications } from '#server/db/notifications.ts';
import { migrateLater, migrateWhenThere } from '#server/db/wait-for-database.ts';
import { startDemo } from '#server/demo/demo.ts';
import type { CreateEngine } from '#server/demo/past.ts';
import { Engine } from '#server/engine/engine.ts';
import { figureJobs } from '#server/engine/outcomes/counts.ts';
import { createSignals } from '#server/engine/signals.ts';
import { awaitEventLog } from '#server/events/awaited-event-log.ts';
import { EitherEventLog } from '#server/events/either-event-log.ts';
import type { EventLog } from '#server/events/event-log.ts';
import { connectNatsEventLog, isNatsRefusal, type NatsEventLogOptions } from '#server/events/nats-event-log.ts';
import { eventLogJobs, PostgresEventLog } from '#server/events/postgres-event-log.ts';
import { createAudit } from '#server/features/admin/audit.ts';
import type { AppDeps, JobDeps } from '#server/features/app-deps.ts';
import { createSpeakers } from '#server/features/connections/account-tokens.ts';
import { openNoMailFile } from '#server/features/contacts/no-mail/file.ts';
import type { NoMailList } from '#server/features/contacts/no-mail/list.ts';
import { takeUpNoMailList } from '#server/features/contacts/no-mail/taking-up.ts';
import { createClickRecorder } from '#server/features/links/clicks.ts';
import { createLiveUpdates } from '#server/features/live/live-updates.ts';
import { createAuth } from '#server/features/people/auth.ts';
import { createSessions } from '#server/features/people/sessions.ts';
import { FEATURES, HELD } from '#server/features/registered.ts';
import { createCallLimits } from '#server/http/call-limits.ts';
import { createOnce } from '#server/http/once.ts';
import { NO_MAIL_SERVER } from '#server/http/setup-notes.ts';
import { runJobs } from '#server/jobs/run-jobs.ts';
import { diskOf } from '#server/observability/disk.ts';
import { startObserving } from '#server/observability/observability.ts';
import { mailMarksOf } from '#server/platforms/email/bounces/mail-marks.ts';
import { sendMail } from '#server/platforms/email/send-mail.ts';
import { createMailTransport } from '#server/platforms/email/transport.ts';
import { createGuardedFetch, isPublicOrInside } from '#server/platforms/guarded-fetch.ts';
import { createMetaClient } from '#server/platforms/meta/client.ts';
import { settleSimulators } from '#server/real-meta.ts';
import { loadKeys } from './secrets.ts';

/** Meta waits five seconds for an answer (reference 2.7): time enough to try the other event log. */
const STREAM_APPENDS_WITHIN_MS = 1_000;
/** Servers that start together, or lost the one that leads them, agree on one within nine seconds. */
const STREAM_AWAITED_MS = 10_000;

export type Program = { url: string; stop(): Promise<void> };

type Surroundings = {
  log: FastifyBaseLogger;
  /** Plain lines for the person who started the program. */
  say: (line: string) => void;
  /** Default: the machine's. */
  clock?: Clock;
  /** Ends the waiting for a database that is not there yet. */
  stopping?: AbortSignal;
  /** How many days the demo creator has lived when the demo is made on the built-in database. Default 0. */
  demoDays?: number;
};

/** Starts everything; resolves when it is ready. Parts started before a failure are stopped again. */
export async function startProgram(given: Config, surroundings: Surroundings): Promise<Program> {
  const cleanUp = new AsyncDisposableStack();
  try {
    const url = await start(given, cleanUp, surroundings);
    return { url, stop: () => cleanUp.disposeAsync() };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
}

async function start(
  given: Config,
  cleanUp: AsyncDisposableStack,
  { log, say, clock = systemClock, stopping, demoDays = 0 }: Surroundings,
): Promise<string> {
  const ids = systemIds;
  await makeDataDir(given.dataDir);
  const keys = loadKeys(given);

  // The disk is for those who look at the program for the first time.
  const idle = Promise.withResolvers<void>();
  const embedded = given.databaseUrl === null ? await startEmbedded(given, cleanUp, say, idle.promise) : null;
  cleanUp.defer(() => idle.resolve());
  // A web process with an event log of its own takes webhooks before the database is there; all else needs it.
  const waits = given.nats === null || given.roles.includes('worker');
  const arriving = { connectionString: embedded?.connectionString ?? given.databaseUrl!, clock, log, say, stopping };
  const db = connectDatabase({
    connectionString: embedded?.loginString ?? given.databaseUrl!,
    onError: (error) => log.warn({ err: error }, 'an idle connection broke'),
  });
  cleanUp.defer(() => db.close());
  const settle = () => settleSimulators({ db, clock, say }, given);
  const database = waits ? await migrateWhenThere(arriving) : await migrateLater(arriving, settle);
  cleanUp.defer(() => database.stop());
  // A database that is not there cannot be asked: the simulators stay off unless they are spelled out.
  const whileAway = given.simulatorsChosen ? given : withoutSimulators(given);
  const settled = database.isThere ? await settle() : whileAway;

  // Nobody else works a database of our own.
  const withPast =
    demoDays > 0 && embedded !== null && settled.roles.includes('web') && settled.roles.includes('worker');
  // Loaded only when asked for: a production install never touches the simulators.
  const simulated = settled.simulators
    ? await listen(
        async () => (await import('#server/simulated.ts')).startSimulated(settled, { past: withPast }),
        settled.simulatorPort,
        'SIMULATOR_PORT=3101',
      )
    : null;
  if (simulated !== null) cleanUp.defer(() => simulated.close());
  const config = simulated?.config ?? settled;

  const readDisk = diskOf(config.dataDir);
  const observing = await startObserving({ config, db, clock, ids, log, keys, readDisk });
  cleanUp.defer(() => observing.close());
  await listen(() => observing.listen(), config.metrics?.port ?? 0, 'METRICS_PORT=9465');
  const meta = createMetaClient(config.meta, { clock, onCall: observing.measures.called });
  cleanUp.defer(() => meta.close());
  const speakers = createSpeakers({ db, keys, clock });
  const eventLog = observing.watch(await openEventLog(config, { pool: db.enginePool, clock, ids, log }));
  cleanUp.defer(() => eventLog.close());
  const notifications = new Notifications({ pool: db.enginePool, clock, log });
  const live = createLiveUpdates({ notifications, clock, log });
  cleanUp.defer(() => live.close());

  let engine: Engine | null = null;
  let demoMade: Promise<unknown> = Promise.resolve();
  const signals = createSignals({
    processId: ids.uuid(clock.now()),
    notifications,
    here: () => engine,
    onConnection: speakers.forget,
    onAnyConnection: speakers.forgetAll,
    log,
  });

  const fetching = createGuardedFetch({
    ...(config.privateWebhooks && { isAllowed: isPublicOrInside }),
    openOrigin: simulated?.blog?.url ?? null,
    ...(simulated !== null && { via: simulated.hosts }),
  });
  cleanUp.defer(() => fetching.close());
  const { secretKey } = keys;
  const auth = await createAuth({ baseUrl: config.baseUrl, secretKey, db, clock, ids, log });
  const paid = config.stripe ?? config.fanStripe;
  // Loaded only where something can be paid.
  const accounts = paid && (await import('#server/platforms/stripe/client.ts')).createStripeAccounts(paid);
  const deps: AppDeps = {
    config,
    db,
    held: HELD,
    clock,
    ids,
    log,
    auth,
    keys,
    meta,
    stripe: config.stripe && accounts!.platform,
    accounts: config.fanStripe && accounts,
    live,
    eventLog,
    fetching,
    observed: observing,
    readDisk,
    // Messages must go out, wherever the worker runs.
    expectWorker: true,
    webDir: path.join(import.meta.dirname, '../dist/web'),
    sessions: createSessions({ auth, secretKey, db, clock, adminsNeedTwoStep: config.adminsNeedTwoStep }),
    audit: createAudit({ db, clock, ids }),
    callLimits: createCallLimits({ most: config.apiCalls, clock }),
    once: createOnce({ db, clock, ids, keys, log }),
    phoneUrl: simulated?.phoneUrl ?? null,
    blogUrl: simulated?.blog?.url ?? null,
    demoMade: () => demoMade,
    speakerOf: speakers.speakerOf,
    clicks: createClickRecorder({
      db,
      clock,
      secretKey,
      log,
      onCounted: (creatorIds) => {
        for (const creatorId of creatorIds) live.publish(creatorId, { what: 'interactions' });
      },
    }),
    automationsChanged: ({ creatorId }) => signals.send({ what: 'automations', creatorId }),
    queueChanged: ({ creatorId, connectionId }) => signals.send({ what: 'queue', creatorId, connectionId }),
    deliveriesQueued: ({ creatorId, connectionId }) => signals.send({ what: 'deliveries', creatorId, connectionId }),
    connectionChanged: async ({ creatorId, connectionId }) => {
      await signals.send({ what: 'connection', creatorId, connectionId });
      live.publish(creatorId, { what: 'connections' });
    },
  };
  cleanUp.defer(() => deps.clicks.close());

  const createEngine: CreateEngine = (parts) =>
    new Engine({
      ids,
      limits: config.limits,
      baseUrl: config.baseUrl,
      log,
      onChanged: (creatorId, postIds) =>
        live.publish(creatorId, { what: 'interactions', ...(postIds.length > 0 && { postIds }) }),
      onStopped: (creatorId, connectionId) => {
        // A token that Meta refused must not come back after the next sign-in.
        speakers.forget(connectionId);
        live.publish(creatorId, { what: 'connections' });
      },
      alone: embedded !== null,
      observed: observing,
      ...parts,
    });
  const work = async () => {
    if (!config.roles.includes('worker')) return;
    const noMailList = await openNoMailFile(config.dataDir);
    const { takenUp, waits } = await takeUpNoMailList({ ...deps, noMailList }, { isAlone: embedded !== null });
    if (takenUp > 0) log.warn({ takenUp }, 'the database was restored: who left since then gets no more mail');
    if (waits) log.warn('the database was restored without the list of who left since then: newsletters wait');
    engine = createEngine({
      pool: db.enginePool,
      eventLog,
      clock,
      random: Math.random,
      meta,
      speakerOf: speakers.speakerOf,
    });
    await engine.start();
    working.defer(() => engine!.stop());
    working.defer(startJobs(deps, noMailList));
  };
  const working = cleanUp.use(new AsyncDisposableStack());
  const isToBeMade = simulated !== null && simulated.world === null;
  if (!isToBeMade) await work();
  const listening = notifications.start();
  if (database.isThere) await listening;
  cleanUp.defer(() => notifications.close());

  if (!config.roles.includes('web')) {
    idle.resolve();
    say('Creator HQ worker is ready.');
    return config.baseUrl;
  }
  const app = await buildApp(deps);
  cleanUp.defer(() => app.close());
  await listen(() => app.listen({ host: config.host, port: config.port }), config.port, 'PORT=3100');
  const connectDemoBlog = async () => {
    if (!simulated?.blog) return;
    const { connectBlog } = await import('#server/demo/connect-blog.ts');
    await connectBlog(deps, simulated.blog).catch((error) =>
      log.error({ err: error }, 'the demo blog is not connected'),
    );
  };
  if (simulated !== null && !isToBeMade) {
    await startDemo(deps, simulated.control, simulated.world!);
    await connectDemoBlog();
  }
  sayReady(config, say, deps);
  if (isToBeMade) {
    const stopped = new AbortController();
    const { makeDemoWithPast } = await import('#server/demo/make-demo.ts');
    const span = { end: clock.now().getTime(), days: demoDays };
    const quick = connectDatabase({ connectionString: embedded!.loginString, durable: false });
    cleanUp.defer(() => quick.close());
    const making = makeDemoWithPast(deps, simulated, { span, createEngine, db: quick, stopping: stopped.signal })
      .then(() => say(`The demo has its last ${demoDays} days.`))
      .catch((error) => stopped.signal.aborted || log.error({ err: error }, 'the demo could not be made'));
    demoMade = making
      .then(async () => {
        if (stopped.signal.aborted) return;
        await work();
        await connectDemoBlog();
      })
      .finally(() => idle.resolve());
    // Before the parts that it works with end.
    cleanUp.defer(async () => {
      stopped.abort();
      await demoMade;
    });
  } else {
    idle.resolve();
  }
  return config.baseUrl;
}

async function startEmbedded(
  config: Config,
  cleanUp: AsyncDisposableStack,
  say: (line: string) => void,
  idle: Promise<unknown>,
): Promise<EmbeddedPostgres> {
  say('Starting the database…');
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log: say, reserveWal: idle });
  cleanUp.defer(() => postgres.stop());
  return postgres;
}

/** With NATS the table is still there, for when NATS does not answer, or not yet. */
async function openEventLog(
  { nats }: Config,
  deps: Pick<NatsEventLogOptions, 'pool' | 'clock' | 'ids' | 'log'>,
): Promise<EventLog> {
  const table = new PostgresEventLog(deps.pool);
  if (nats === null) return table;
  const options = { ...deps, ...nats, subject: `${nats.stream}.webhooks`, appendWithinMs: STREAM_APPENDS_WITHIN_MS };
  const find = () => connectNatsEventLog(options);
  const first = await awaitEventLog({ find, isRefusal: isNatsRefusal, ...deps }, STREAM_AWAITED_MS);
  return new EitherEventLog({ first, second: table, ...deps });
}

/** @returns how to end them */
function startJobs(deps: AppDeps, noMailList: NoMailList): () => Promise<void> {
  const stopping = new AbortController();
  const { config, keys } = deps;
  const pictureFetching = createGuardedFetch(config.simulators ? { isAllowed: isPublicOrInside } : {});
  const mailServer = { smtpUrl: config.smtpUrl, from: config.mailFrom };
  const transport = createMailTransport(mailServer);
  const marks = mailMarksOf(config, keys);
  const readerTransport = createMailTransport({ ...mailServer, ...config.readerMails, marks });
  // Without a mail server mails wait for it, and for an admin in Operations.
  const mails = config.smtpUrl === null && !config.trying ? [] : [sendMail];
  const jobs: Job<JobDeps>[] = [...mails, ...FEATURES.flatMap(({ jobs = [] }) => jobs), ...figureJobs, ...eventLogJobs];
  const running = runJobs(jobs, { ...deps, noMailList, pictureFetching, transport, readerTransport }, stopping.signal);
  return async () => {
    stopping.abort();
    await running;
    transport.close();
    readerTransport.close();
    await pictureFetching.close();
  };
}

async function listen<T>(start: () => Promise<T>, port: number, another: string): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new PortTaken(
      `Port ${port} is taken by another program. Stop that one, or choose another port: ${another} npm start`,
    );
  }
}

export class PortTaken extends Error {}

function sayReady(
  config: Config,
  say: (line: string) => void,
  { phoneUrl, blogUrl }: Pick<AppDeps, 'phoneUrl' | 'blogUrl'>,
): void {
  say('');
  say(`Creator HQ is ready: ${config.baseUrl}`);
  if (config.trying && phoneUrl !== null) {
    say('  Log in: press "Try the demo" on the login page, or sign up with any address.');
    say(`  Be a follower: ${phoneUrl}`);
    if (blogUrl !== null) say(`  Be a reader of the demo blog: ${blogUrl}`);
    if (config.stripe?.isPlayed) say(`  Be Stripe, and the bank: ${config.stripe.url}/desk/`);
  }
  if (config.smtpUrl === null) {
    say(`  ${config.trying ? `Emails that would be sent: ${config.baseUrl}/mailbox` : NO_MAIL_SERVER}`);
  }
  say('  Stop with Ctrl+C.');
  say('');
}

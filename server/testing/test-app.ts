/** The web application for tests: real routes, a database of its own, a clock to move, and the mails it wants to send. */
import { tmpdir } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { createCreator } from '#contract/creators.ts';
import { API_BASE, type Endpoint, type RequestOf } from '#contract/endpoint.ts';
import { login, signUp, verifyEmail } from '#contract/session.ts';
import { buildApp } from '#server/app.ts';
import { type Ids, systemIds } from '#server/clock.ts';
import { type Config, readConfig } from '#server/config.ts';
import { Notifications } from '#server/db/notifications.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { PostgresEventLog } from '#server/events/postgres-event-log.ts';
import { createAudit } from '#server/features/admin/audit.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { createClickRecorder } from '#server/features/links/clicks.ts';
import { createLiveUpdates } from '#server/features/live/live-updates.ts';
import { createAuth } from '#server/features/people/auth.ts';
import { createSessions } from '#server/features/people/sessions.ts';
import { HELD } from '#server/features/registered.ts';
import { createCallLimits } from '#server/http/call-limits.ts';
import { createOnce } from '#server/http/once.ts';
import { diskOf } from '#server/observability/disk.ts';
import { measureEventLog } from '#server/observability/measured-event-log.ts';
import { createMeasures } from '#server/observability/measures.ts';
import { createGuardedFetch } from '#server/platforms/guarded-fetch.ts';
import { createMetaClient } from '#server/platforms/meta/client.ts';
import { createStripeAccounts } from '#server/platforms/stripe/client.ts';
import { createTestClock, type TestClock } from '#server/testing/test-clock.ts';

export type TestApp = {
  app: FastifyInstance;
  deps: AppDeps;
  db: TestDatabase;
  clock: TestClock;
  /** A browser without cookies, at a network address of its own. */
  visitor(): Visitor;
  /** Somebody with a confirmed address, signed in. */
  signUpAndIn(person?: { name?: string; email?: string; password?: string }): Promise<Person>;
  /** Mails queued so far, oldest first. */
  mails(to?: string): Promise<{ kind: string; recipient: string; subject: string; html: string; text: string }[]>;
  close(): Promise<void>;
};

export type Answer = {
  status: number;
  /** The parsed JSON, undefined without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
  headers: Record<string, number | string | string[] | undefined>;
};

export type Visitor = {
  address: string;
  /** By name; kept between calls like in a browser. */
  cookies: Map<string, string>;
  /** Calls an endpoint of the contract. */
  call<E extends Endpoint>(
    endpoint: E,
    ...request: object extends RequestOf<E> ? [RequestOf<E>?] : [RequestOf<E>]
  ): Promise<Answer>;
  /** Any request, for what the contract does not allow or does not know. */
  send(request: {
    method: string;
    url: string;
    body?: unknown;
    headers?: Record<string, string>;
  }): Promise<Answer & { text: string; bytes: Uint8Array }>;
};

export type Person = Visitor & {
  id: string;
  name: string;
  email: string;
  password: string;
  /** Starts a creator; it is the person's current one from then on. */
  createCreator(handle?: string): Promise<{ id: string; handle: string }>;
};

/** Tests sign hundreds of people in. */
const CHEAP_HASH = { N: 2 ** 10, r: 8, p: 1 };

/** Plans can be bought; nothing that a test without the simulator does asks Stripe. */
export const WITH_BILLING = { STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef', STRIPE_WEBHOOK_SECRETS: 'whsec_test' };

export const TEST_SECRET_KEY = 'test-secret-key-of-more-than-32-characters';

/**
 * @param options.settings environment variables, as in docs/configuration.md
 * @param options.deps replaces parts, e.g. the clock
 * @param options.db another migrated database, which closing the app drops
 */
export async function createTestApp(
  options: { settings?: Record<string, string>; deps?: Partial<AppDeps>; db?: TestDatabase } = {},
): Promise<TestApp> {
  const config: Config = readConfig({
    ENVIRONMENT: 'test',
    SECRET_KEY: TEST_SECRET_KEY,
    // Admins of tests are made by a row.
    ADMINS_NEED_TWO_STEP: 'off',
    // The clock stands still: a test's calls are all of one second.
    API_CALLS_PER_SECOND: '100000',
    API_CALLS_AT_ONCE: '1000',
    // Tests sign people up under public addresses too.
    SIGN_UP: 'open',
    // Nobody is there: what a test asks of a newsletter tool does not leave this machine.
    KIT_URL: 'http://127.0.0.1:9',
    MAILCHIMP_URL: 'http://127.0.0.1:9',
    ...options.settings,
  });
  const db = options.db ?? (await createTestDatabase());
  // better-auth reads the real time: sessions must not be born in the clock's past.
  const clock = createTestClock(new Date());
  const shared = { db, clock, ids: createTestIds(), log: pino({ level: 'silent' }), secretKey: TEST_SECRET_KEY };
  const auth = await createAuth({ ...shared, baseUrl: config.baseUrl, hashCost: CHEAP_HASH });
  const notifications = new Notifications({ pool: db.enginePool, clock, log: shared.log });
  const measures = createMeasures();
  const keys = { secretKey: TEST_SECRET_KEY, encryptionKeys: [{ id: 'test', key: Buffer.alloc(32, 7) }] };
  const deps: AppDeps = {
    ...shared,
    held: HELD,
    config,
    auth,
    sessions: createSessions({ ...shared, auth, adminsNeedTwoStep: config.adminsNeedTwoStep }),
    audit: createAudit(shared),
    callLimits: createCallLimits({ most: config.apiCalls, clock }),
    phoneUrl: config.simulators ? 'http://localhost:3001/phone' : null,
    blogUrl: null,
    demoMade: async () => {},
    meta: createMetaClient(config.meta, { clock }),
    stripe: config.stripe && createStripeAccounts(config.stripe).platform,
    accounts: config.fanStripe && createStripeAccounts(config.fanStripe),
    once: createOnce({ ...shared, keys }),
    keys,
    speakerOf: async () => null,
    eventLog: measureEventLog(new PostgresEventLog(db.enginePool), measures, null),
    fetching: createGuardedFetch(),
    readDisk: diskOf(tmpdir()),
    expectWorker: false,
    webDir: null,
    observed: { measures, tracing: null },
    live: createLiveUpdates({ ...shared, notifications }),
    clicks: createClickRecorder(shared),
    connectionChanged: async () => {},
    automationsChanged: () => {},
    deliveriesQueued: () => {},
    queueChanged: () => {},
    ...options.deps,
  };
  await notifications.start();
  const app = await buildApp(deps);
  await app.ready();

  let visitors = 0;
  let people = 0;
  let handles = 0;

  function visitor(): Visitor {
    visitors += 1;
    const address = `10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`;
    const cookies = new Map<string, string>();
    const send: Visitor['send'] = async ({ method, url, body, headers }) => {
      const response = await app.inject({
        method: method as 'GET',
        url,
        remoteAddress: address,
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '), ...headers },
        ...(body !== undefined && { payload: body as object }),
      });
      for (const cookie of response.cookies) {
        if (cookie.maxAge === 0 || cookie.value === '') cookies.delete(cookie.name);
        else cookies.set(cookie.name, encodeURIComponent(cookie.value));
      }
      const isJson = /json/.test(String(response.headers['content-type']));
      return {
        status: response.statusCode,
        headers: response.headers,
        text: response.body,
        bytes: new Uint8Array(response.rawPayload),
        body: isJson ? response.json() : undefined,
      };
    };
    return {
      address,
      cookies,
      send,
      call: (endpoint, ...[request]) => {
        const parts = (request ?? {}) as { params?: object; query?: object; body?: unknown };
        return send({ method: endpoint.method, url: urlOf(endpoint, parts), body: parts.body });
      },
    };
  }

  async function mails(to?: string) {
    const query = db.engine.selectFrom('mails').select(['kind', 'recipient', 'subject', 'html', 'text']);
    return (to === undefined ? query : query.where('recipient', '=', to)).orderBy('created_at').orderBy('id').execute();
  }

  async function signUpAndIn(given: { name?: string; email?: string; password?: string } = {}): Promise<Person> {
    people += 1;
    const person = {
      name: `Person ${people}`,
      email: `person${people}@example.test`,
      password: 'correct horse',
      ...given,
    };
    const browser = visitor();
    expectStatus(200, await browser.call(signUp, { body: person }));
    const [mail] = (await mails(person.email)).filter(({ kind }) => kind === 'confirm_email').reverse();
    expectStatus(200, await browser.call(verifyEmail, { body: { token: tokenIn(mail) } }));
    const row = await db.engine
      .selectFrom('users')
      .select('id')
      .where('email', '=', person.email)
      .executeTakeFirstOrThrow();
    return {
      ...browser,
      ...person,
      id: row.id,
      createCreator: async (handle) => {
        handles += 1;
        const answer = await browser.call(createCreator, { body: { handle: handle ?? `kitchen${handles}` } });
        expectStatus(200, answer);
        return { id: answer.body._id, handle: answer.body.handle };
      },
    };
  }

  return {
    app,
    deps,
    db,
    clock,
    visitor,
    signUpAndIn,
    mails,
    close: async () => {
      await app.close();
      await deps.live.close();
      await notifications.close();
      await Promise.all([deps.clicks.close(), deps.meta.close(), deps.eventLog.close()]);
      await db.drop();
    },
  };
}

/** The same person in another browser. */
export async function logIn(app: TestApp, { email, password }: { email: string; password: string }): Promise<Visitor> {
  const browser = app.visitor();
  expectStatus(200, await browser.call(login, { body: { email, password } }));
  return browser;
}

/** The token of the link in a mail. */
export function tokenIn(mail: { text: string } | undefined): string {
  const token = /[?&](?:token|confirm|invite)=([\w-]+)/.exec(mail?.text ?? '')?.[1];
  if (token === undefined) throw new Error(`No link with a token in: ${mail?.text ?? 'no mail'}`);
  return token;
}

/** While the clock stands still, ids still sort in the order of their making (4,096 of them). */
function createTestIds(): Ids {
  let made = 0;
  return {
    ...systemIds,
    uuid(at) {
      const id = systemIds.uuid(at);
      made = (made + 1) % 4096;
      return `${id.slice(0, 15)}${made.toString(16).padStart(3, '0')}${id.slice(18)}`;
    },
  };
}

function urlOf(endpoint: Endpoint, { params = {}, query = {} }: { params?: object; query?: object }): string {
  let path = endpoint.path;
  for (const [name, value] of Object.entries(params))
    path = path.replace(`:${name}`, encodeURIComponent(String(value)));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return API_BASE + path + (search.size === 0 ? '' : `?${search}`);
}

function expectStatus(status: number, answer: Answer): void {
  if (answer.status !== status)
    throw new Error(`Expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body)}`);
}

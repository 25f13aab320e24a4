/**
 * The role walk: every endpoint as everybody. Who may call what is read from the contract (`access`, `needs`,
 * `ownAccount`) and the table of roles; that those say what is meant stands in the last tests.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeToken, revokeToken, Scope, scopeOf } from '#contract/api-tokens.ts';
import { API_BASE, type Endpoint } from '#contract/endpoint.ts';
import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import type { Permission } from '#contract/permissions.ts';
import { ALLOWED, mayDo, type Role } from '#contract/roles.ts';
import { getMe } from '#contract/session.ts';
import { ENDPOINTS } from '#server/features/registered.ts';
import {
  bodyFor,
  everythingOf,
  furnishCreator,
  type Params,
  paramsOf,
  rowParamsOf,
  urlFor,
} from '#server/testing/endpoint-walk.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

const CALLERS = [
  'owner',
  'collaborator',
  'stranger',
  'admin inside',
  'admin outside',
  'logged out',
  // Tools of theirs: with every scope, with one, of the same person in another creator, and one that was ended.
  'token',
  'narrow token',
  'foreign token',
  'ended token',
] as const;
const NARROW: Scope = 'read:figures';
type Caller = (typeof CALLERS)[number];
type WithToken = Extract<Caller, `${string}token`>;

const ROLE_OF: Partial<Record<Caller, Role>> = {
  owner: 'owner',
  collaborator: 'collaborator',
  'admin inside': 'admin',
};

let app: TestApp;
let tokens: Record<WithToken, string>;
let people: Record<Exclude<Caller, 'logged out' | WithToken>, Person & { cookie: string }>;
let creator: Params;
let signedIn: Awaited<ReturnType<typeof readSessions>>;

beforeAll(async () => {
  app = await createTestApp();
  const person = async (name: string) => {
    const made = await app.signUpAndIn({ name });
    return { ...made, cookie: [...made.cookies].map(([key, value]) => `${key}=${value}`).join('; ') };
  };
  people = {
    owner: await person('Owner'),
    collaborator: await person('Collaborator'),
    stranger: await person('Stranger'),
    'admin inside': await person('Inside'),
    'admin outside': await person('Outside'),
  };
  creator = await furnishCreator(app, people.owner, people.collaborator);
  await people.stranger.createCreator();
  const other = (await people.owner.createCreator()).id;
  const make = async (creatorId: string, scopes: Scope[]) =>
    (await people.owner.call(makeToken, { params: { creatorId }, body: { name: 'Tool', scopes, days: null } })).body;
  const ended = await make(creator.creatorId, Scope.options);
  await people.owner.call(revokeToken, { params: { creatorId: creator.creatorId, tokenId: ended.id } });
  tokens = {
    token: (await make(creator.creatorId, Scope.options)).token,
    'narrow token': (await make(creator.creatorId, [NARROW])).token,
    'foreign token': (await make(other, Scope.options)).token,
    'ended token': ended.token,
  };
  // That it was used is noted at its first use; later ones of the same minute change nothing.
  for (const caller of CALLERS.filter(isToken)) await send(caller, 'getMe', getMe, {});
  await app.db.engine
    .updateTable('users')
    .set({ is_admin: true })
    .where('id', 'in', [people['admin inside'].id, people['admin outside'].id])
    .execute();
  await beginVisit();
  signedIn = await readSessions();
}, 60_000);
afterAll(() => app?.close());

/** Calls that are allowed end sessions and visits, and change the current creator. */
beforeEach(async () => {
  await app.db.engine
    .insertInto('sessions')
    .values(signedIn)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(asGiven))
    .execute();
  await app.db.engine.updateTable('admin_visits').set({ ended_at: null }).execute();
});

async function beginVisit(): Promise<void> {
  const now = app.clock.now();
  const id = app.deps.ids.uuid(now);
  await app.db.engine
    .insertInto('admin_visits')
    .values({
      creator_id: creator.creatorId,
      id,
      admin_id: people['admin inside'].id,
      admin_name: 'Inside',
      reason: 'They asked why nothing is sent',
      started_at: now,
      until: new Date(now.getTime() + 3_600_000),
    })
    .execute();
  await app.db.engine
    .updateTable('sessions')
    .set({ admin_visit_id: id })
    .where('user_id', '=', people['admin inside'].id)
    .execute();
}

/** Every column as in the row that was to be inserted. */
function asGiven({ ref }: { ref: (column: never) => unknown }): object {
  return Object.fromEntries(Object.keys(signedIn[0]!).map((column) => [column, ref(`excluded.${column}` as never)]));
}

function readSessions() {
  return app.db.engine.selectFrom('sessions').selectAll().execute();
}

/** The contract's answer: the code of the refusal, or null where the caller may. */
function refusalOf(endpoint: Endpoint, caller: Caller): ErrorCode | null {
  if (endpoint.access === 'public') return null;
  if (caller === 'logged out' || caller === 'ended token' || endpoint.access === 'plugin') return 'not_signed_in';
  if (isToken(caller)) return refusalOfToken(endpoint, caller);
  if (endpoint.access === 'user') return endpoint.ownAccount && caller === 'admin inside' ? 'not_allowed' : null;
  if (endpoint.access === 'admin') return caller.startsWith('admin') ? null : 'not_found';
  const role = ROLE_OF[caller];
  if (role === undefined) return 'not_found';
  return mayDo(role, endpoint.needs ?? 'work') ? null : 'not_allowed';
}

function isToken(caller: Caller): caller is WithToken {
  return caller.endsWith('token');
}

function refusalOfToken(endpoint: Endpoint, caller: WithToken): ErrorCode | null {
  if (endpoint.access === 'admin' || (endpoint.access === 'creator' && caller === 'foreign token')) return 'not_found';
  const scope = scopeOf(endpoint);
  if (scope === null || (caller === 'narrow token' && scope !== NARROW)) return 'not_allowed';
  return mayDo('owner', endpoint.needs ?? 'work') ? null : 'not_allowed';
}

/** Tokens are the owner's, and come without a cookie. */
function headersOf(caller: Caller): Record<string, string> {
  if (caller === 'logged out') return {};
  return isToken(caller) ? { authorization: `Bearer ${tokens[caller]}` } : { cookie: people[caller].cookie };
}

function personOf(caller: Exclude<Caller, 'logged out'>): Person {
  return people[isToken(caller) ? 'owner' : caller];
}

let sent = 0;
async function send(caller: Caller, name: string, endpoint: Endpoint, params: Record<string, string>) {
  const person = caller === 'logged out' ? null : personOf(caller);
  const body = bodyFor(name, endpoint, creator);
  const response = await app.app.inject({
    method: endpoint.method,
    url: urlFor(endpoint, params),
    // Of one address too many with wrong keys are refused otherwise.
    remoteAddress: endpoint.access === 'plugin' ? `10.8.${sent >> 8}.${sent++ & 255}` : (person?.address ?? '10.9.9.9'),
    headers: headersOf(caller),
    ...(body !== undefined && { payload: body as object }),
    // A stream has no end to wait for.
    payloadAsStream: endpoint.stream === true,
  });
  if (endpoint.stream === true && response.statusCode === 200) {
    response.stream().destroy();
    return { status: 200, problem: null };
  }
  const isProblem = String(response.headers['content-type']).includes('problem+json');
  return { status: response.statusCode, problem: isProblem ? await problemOf(response) : null };
}

async function problemOf(response: { stream(): AsyncIterable<Buffer> }): Promise<{ code: string; detail: string }> {
  const parts: Buffer[] = [];
  for await (const part of response.stream()) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString());
}

/** Reads find what there is. Changes meet rows that are not there: the next caller must find everything as it was. */
function paramsFor(endpoint: Endpoint, caller: Caller): Record<string, string> {
  const own = { ...creator, userId: caller === 'logged out' ? creator.userId! : personOf(caller).id };
  if (endpoint.method === 'GET') return own;
  const missing = rowParamsOf(endpoint).filter((param) => param !== 'creatorId' && param !== 'userId');
  return { ...own, ...Object.fromEntries(missing.map((param) => [param, '01890000-0000-7000-8000-00000000dead'])) };
}

/** How `serve.ts`, and a server without the route, say that there is nothing for this caller. */
const NOTHING = ['This doesn’t exist, or you don’t have access to it.', 'There’s nothing at this address.'];

const walk = CALLERS.flatMap((caller) =>
  ENDPOINTS.map(({ name, endpoint }) => ({ caller, name, endpoint, refusal: refusalOf(endpoint, caller) })),
);

describe('who may not', () => {
  test.each(walk.filter(({ refusal }) => refusal !== null))(
    '$caller: $name is refused, and nothing changes',
    async ({ caller, name, endpoint, refusal }) => {
      const before = [await everythingOf(app, creator.creatorId), await readSessions()];
      const params = { ...creator, ...(caller !== 'logged out' && { userId: personOf(caller).id }) };
      const { status, problem } = await send(caller, name, endpoint, params);
      expect(problem).toMatchObject({ code: refusal });
      expect(status).toBe(ERRORS[refusal!].status);
      expect([await everythingOf(app, creator.creatorId), await readSessions()]).toEqual(before);
    },
  );

  const ofPeople = ENDPOINTS.filter(({ endpoint }) => paramsOf(endpoint).includes('userId'));
  const others = CALLERS.filter((caller) => caller !== 'owner' && caller !== 'logged out' && !isToken(caller));
  test.each(others.flatMap((caller) => ofPeople.map((one) => ({ caller, ...one }))))(
    "$caller: $name finds nothing under somebody else's account",
    async ({ caller, name, endpoint }) => {
      const before = await everythingOf(app, creator.creatorId);
      const { problem } = await send(caller, name, endpoint, creator);
      expect(problem).toMatchObject({ code: 'not_found', detail: NOTHING[0] });
      expect(await everythingOf(app, creator.creatorId)).toEqual(before);
    },
  );
});

describe('who may', () => {
  test.each(walk.filter(({ refusal }) => refusal === null))(
    '$caller: $name is let in',
    async ({ caller, name, endpoint }) => {
      const { status, problem } = await send(caller, name, endpoint, paramsFor(endpoint, caller));
      expect(status, problem?.detail).not.toBe(500);
      expect(NOTHING).not.toContain(problem?.detail);
      if (endpoint.method === 'GET') expect(status, problem?.detail).not.toBe(404);
      const refusals = ['not_signed_in', 'not_allowed'].filter((code) => !endpoint.errors?.includes(code as ErrorCode));
      expect(refusals).not.toContain(problem?.code);
    },
  );
});

/** Pages that browsers go to and files that they fetch: not in the contract, within a creator all the same. */
const NAVIGATIONS: { path: string; needs: Permission }[] = [
  { path: '/creators/:creatorId/connections/instagram/start', needs: 'connect' },
  { path: '/creators/:creatorId/connections/facebook/start', needs: 'connect' },
  { path: '/creators/:creatorId/convert-kit/authorize', needs: 'export' },
  { path: '/creators/:creatorId/export', needs: 'export' },
  { path: '/creators/:creatorId/interactions.csv', needs: 'export' },
  { path: '/creators/:creatorId/contacts.csv', needs: 'export' },
  { path: '/creators/:creatorId/members.csv', needs: 'export' },
  { path: '/creators/:creatorId/members-money.csv', needs: 'money' },
  { path: '/creators/:creatorId/contact-imports/:importId/problems.csv', needs: 'import' },
  { path: '/creators/:creatorId/figures.csv', needs: 'work' },
  { path: '/creators/:creatorId/stories/:storyId/picture', needs: 'work' },
  { path: '/creators/:creatorId/posts/:postId/picture', needs: 'work' },
];

/** Neither in the contract nor of a creator. */
const OTHERS = [
  'GET /auth/add-new-creator',
  'GET /auth/end-creator-session',
  'GET /connections/facebook/callback',
  'GET /connections/instagram/callback',
  'GET /connections/instagram/start',
  'GET /convert-kit/callback',
  'GET /notices/unsubscribe/:token',
  'GET /openapi.json',
  'GET /plugin/creator-hq.zip',
  'POST /notices/unsubscribe/:token',
];

describe('navigations', () => {
  const navigations = CALLERS.flatMap((caller) =>
    NAVIGATIONS.map(({ path, needs }) => {
      const endpoint: Endpoint = { method: 'GET', path, access: 'creator', needs, summary: path };
      return { caller, path, endpoint, refused: refusalOf(endpoint, caller) !== null };
    }),
  );

  test.each(navigations.filter(({ refused }) => refused))(
    '$caller: $path leads nowhere',
    async ({ caller, endpoint }) => {
      const before = await everythingOf(app, creator.creatorId);
      const { statusCode, headers } = await navigate(caller, endpoint);
      if (statusCode === 302) expect(headers.location).toBe('/creator-hq/login');
      else expect([401, 403, 404]).toContain(statusCode);
      expect(await everythingOf(app, creator.creatorId)).toEqual(before);
    },
  );

  test.each(navigations.filter(({ refused }) => !refused))('$caller: $path leads on', async ({ caller, endpoint }) => {
    const { statusCode, headers } = await navigate(caller, endpoint);
    expect([200, 302]).toContain(statusCode);
    expect(headers.location).not.toBe('/creator-hq/login');
  });

  async function navigate(caller: Caller, endpoint: Endpoint) {
    return app.app.inject({ method: 'GET', url: urlFor(endpoint, creator), headers: headersOf(caller) });
  }

  test('and endpoints are everything there is under the API', () => {
    const walked = [
      ...ENDPOINTS.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`),
      ...NAVIGATIONS.map(({ path }) => `GET ${path}`),
    ];
    expect(
      registeredRoutes()
        .filter((route) => !walked.includes(route))
        .toSorted(),
    ).toEqual(OTHERS);
  });

  /** From the tree that Fastify draws: `│   ├── /:creatorId/home (GET, HEAD)`. */
  function registeredRoutes(): string[] {
    const branch: string[] = [];
    const routes: string[] = [];
    for (const line of app.app.printRoutes({ commonPrefix: false }).split('\n')) {
      const [, indent, part, methods] = /^(.*?)[├└]── (\S+) \((.+)\)$/.exec(line) ?? [];
      if (indent === undefined || part === undefined || methods === undefined) continue;
      branch.length = indent.length / 4;
      branch.push(part);
      const path = branch.join('');
      if (!path.startsWith(API_BASE)) continue;
      for (const method of methods.split(', '))
        if (method !== 'HEAD') routes.push(`${method} ${path.slice(API_BASE.length)}`);
    }
    return routes;
  }
});

describe('the table of roles', () => {
  test('lets collaborators do everything but senders, sending newsletters, prices and money, billing, team, removing connections, export and deletion', () => {
    const { owner, collaborator, admin } = ALLOWED;
    const denied = owner.filter((permission) => !collaborator.includes(permission));
    expect(denied).toEqual([
      'sending',
      'newsletter',
      'money',
      'remove_connection',
      'team',
      'billing',
      'export',
      'deletion',
    ]);
    expect(admin).toEqual(['work', 'members']);
  });

  test('is asked by each endpoint that needs more than to belong', () => {
    const needing = ENDPOINTS.filter(({ endpoint }) => endpoint.needs !== undefined);
    expect(Object.fromEntries(needing.map(({ name, endpoint }) => [name, endpoint.needs]))).toEqual({
      changeRole: 'team',
      ...{
        changeBlogLock: 'members',
        checkLocks: 'members',
        getLocks: 'members',
        listBlogLocks: 'members',
        listDiscountCodes: 'members',
        replaceSiteKey: 'money',
      },
      ...{ createDiscountCode: 'money', closeDiscountCode: 'money', movePayers: 'money' },
      changeHandle: 'team',
      listSentInvites: 'team',
      sendInvite: 'team',
      resendInvite: 'team',
      revokeInvite: 'team',
      changeBillingEmail: 'billing',
      startCheckout: 'billing',
      getCheckout: 'billing',
      cancelPlan: 'billing',
      keepPlan: 'billing',
      refundPlan: 'billing',
      previewPlanChange: 'billing',
      changePlan: 'billing',
      payDue: 'billing',
      openPortal: 'billing',
      refreshPlan: 'billing',
      listInvoices: 'billing',
      listSubscriptions: 'billing',
      getStripeAccount: 'members',
      connectStripeAccount: 'money',
      linkStripeAccount: 'money',
      checkStripeAccount: 'members',
      listTiers: 'members',
      createTier: 'money',
      changeTier: 'money',
      archiveTier: 'money',
      moveTier: 'money',
      setFreeReaders: 'money',
      setFreeOpens: 'money',
      setLateDays: 'money',
      reopenTier: 'money',
      listMembers: 'members',
      getMemberFigures: 'members',
      getMember: 'members',
      whyNotIn: 'members',
      givePass: 'members',
      endGivenPass: 'members',
      endPassedRecipes: 'members',
      sendMemberCode: 'members',
      signMemberOut: 'members',
      blockMember: 'money',
      unblockMember: 'money',
      cancelMember: 'money',
      getMemberPayment: 'money',
      giveBackPayment: 'money',
      getMembersMoney: 'money',
      listMoneyLines: 'money',
      listMemberMoves: 'money',
      uploadMemberMove: 'money',
      getMemberMove: 'money',
      listMoveRows: 'money',
      changeMemberMove: 'money',
      runMemberMove: 'money',
      undoMemberMove: 'money',
      getMembershipEnd: 'money',
      endMemberships: 'money',
      keepMemberships: 'money',
      changeFacebookAddon: 'connect',
      changeTimeZone: 'connect',
      changeInstacart: 'connect',
      makeSiteLive: 'api_key',
      keepSiteAsCopy: 'api_key',
      letSiteConnect: 'api_key',
      removeSite: 'api_key',
      makeApiKey: 'api_key',
      makeToken: 'api_key',
      revokeToken: 'api_key',
      addEndpoint: 'api_key',
      changeEndpoint: 'api_key',
      changeSecret: 'api_key',
      removeEndpoint: 'api_key',
      sendTestEvent: 'api_key',
      redeliver: 'api_key',
      connectKit: 'export',
      connectMailchimp: 'export',
      changeIntegration: 'export',
      disconnectTool: 'export',
      listTargets: 'export',
      backFill: 'export',
      retryFailed: 'export',
      leaveFailed: 'export',
      requestDeletion: 'deletion',
      cancelDeletion: 'deletion',
      changeRetention: 'deletion',
      disconnect: 'remove_connection',
      choosePages: 'connect',
      eraseContact: 'erase',
      changeSender: 'sending',
      addLinkDomain: 'connect',
      checkLinkDomain: 'connect',
      removeLinkDomain: 'connect',
      addSendingDomain: 'sending',
      checkSendingDomain: 'sending',
      removeSendingDomain: 'sending',
      setMailServer: 'sending',
      removeMailServer: 'sending',
      addSuppression: 'sending',
      takeBackSuppression: 'sending',
      sendBroadcast: 'newsletter',
      cancelBroadcast: 'newsletter',
      pauseBroadcast: 'newsletter',
      resumeBroadcast: 'newsletter',
      changeNewsletterWriter: 'newsletter',
      changeWeeklyRecipes: 'newsletter',
      switchWelcomeSeries: 'newsletter',
      addWelcomeMail: 'newsletter',
      changeWelcomeMail: 'newsletter',
      deleteWelcomeMail: 'newsletter',
      listImports: 'import',
      uploadImport: 'import',
      getImport: 'import',
      listImportRows: 'import',
      changeImportColumns: 'import',
      runImport: 'import',
      cancelImport: 'import',
      undoImport: 'import',
    });
  });

  test('opens nothing to tokens but reading, links, automations and recipes', () => {
    const opened = ENDPOINTS.filter(({ endpoint }) => scopeOf(endpoint) !== null);
    for (const { endpoint } of opened) expect(endpoint).toMatchObject({ access: 'creator' });
    const needy = opened.filter(({ endpoint }) => endpoint.needs !== undefined);
    expect(new Set(needy.map(({ endpoint }) => scopeOf(endpoint)))).toEqual(new Set(['read:members']));
    expect(opened.filter(({ endpoint }) => endpoint.method !== 'GET').map(({ name }) => name)).toEqual([
      'createAppLink',
      'changeAppLink',
      'createAutomation',
      'updateAutomation',
      'switchAutomation',
      'deleteAutomation',
      'testComment',
      'createRecipe',
      'updateRecipe',
      'deleteRecipe',
      'saveIngredients',
    ]);
  });

  test('keeps support away from what belongs to their own account', () => {
    const changes = ENDPOINTS.filter(
      ({ endpoint }) => endpoint.access === 'user' && endpoint.method !== 'GET' && !endpoint.ownAccount,
    );
    expect(changes.map(({ name }) => name).toSorted()).toEqual(['accessMembership', 'evaluateFlags']);
  });
});

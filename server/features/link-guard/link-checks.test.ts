/** The guard against a site that misbehaves on request, with the clock in hand. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAutomation, switchAutomation, updateAutomation } from '#contract/automations.ts';
import { changeLinkPlan, checkLinkAgain, getLinkPlan, type LinkCheck, listLinkChecks } from '#contract/link-guard.ts';
import { changeNotifications } from '#contract/settings.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createGuardedFetch } from '#server/platforms/guarded-fetch.ts';
import { automationInput } from '#server/testing/inputs.ts';
import { insertConnection, insertInteraction } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { linkGuardJobs } from './jobs.ts';
import { type GuardDeps, lookAt, paceLinks } from './link-checks.ts';
import { findDue } from './queries.ts';

const MINUTE_MS = 60_000;
const RECIPE = '<title>Soup</title><h1>Carrot soup</h1>';
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let app: TestApp;
let anna: Person;
let creatorId: string;
let connectionId: string;
let deps: GuardDeps;
let site: string;
/** By path; what is not named here is a recipe. */
let answers: Record<string, Answer> = {};
let asked: { path: string; at: number; headers: IncomingMessage['headers'] }[] = [];
const queued: string[] = [];

const server = createServer((request, response) => {
  asked.push({ path: request.url!, at: app.clock.now().getTime(), headers: request.headers });
  const answer = answers[request.url!];
  if (answer !== undefined) return answer(request, response);
  response.writeHead(200, { 'content-type': 'text/html' }).end(RECIPE);
});
const status =
  (code: number): Answer =>
  (_request, response) =>
    response.writeHead(code).end();
const redirect =
  (location: string): Answer =>
  (_request, response) =>
    response.writeHead(302, { location }).end();
const html =
  (text: string): Answer =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(text);

beforeAll(async () => {
  app = await createTestApp({ settings: { LINK_GUARD: 'on' } });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fetching = createGuardedFetch({ isAllowed: () => true });
  deps = {
    ...app.deps,
    fetching,
    timeoutMs: 500,
    deliveriesQueued: (change) => void queued.push(change.connectionId),
  };
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await deps.fetching.close();
  await app.close();
});
beforeEach(async () => {
  answers = {};
  // The site has one turn every few seconds: links of tests before would take it.
  await app.db.engine.deleteFrom('watched_links').execute();
  await app.db.engine.deleteFrom('link_hosts').execute();
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  connectionId = await insertConnection(app.db, creatorId);
  asked = [];
});

/** An automation that is on and sends these paths. */
async function sending(...paths: string[]): Promise<string> {
  const buttons = paths.map((path) => ({ title: 'Open', url: path.startsWith('http') ? path : site + path }));
  const body = automationInput(connectionId, { buttons });
  const { id } = (await anna.call(createAutomation, { params: { creatorId }, body })).body;
  const params = { creatorId, automationId: id };
  expect((await anna.call(switchAutomation, { params, body: { on: true } })).status).toBe(200);
  return id;
}

/** Lets the guard look until nothing is due any more, its pauses between requests included. */
async function guard(given = deps): Promise<void> {
  for (;;) {
    const due = await findDue(app.db, app.clock.now(), 50);
    if (due.length === 0) return;
    await withClock(Promise.all(due.map((link) => lookAt(given, link))));
    await app.clock.advance(4000);
  }
}
/** Moves the clock for as long as somebody waits for it. */
async function withClock<Result>(working: Promise<Result>): Promise<Result> {
  let done = false;
  const end = working.finally(() => {
    done = true;
  });
  while (!done) {
    await new Promise((resolve) => setImmediate(resolve));
    if (app.clock.sleeping() > 0) await app.clock.advance(500);
  }
  return end;
}
/** Twice, at an interval: what fails now is broken. */
async function guardTwice(): Promise<void> {
  await guard();
  await app.clock.advance(3 * MINUTE_MS);
  await guard();
}
const links = async (): Promise<LinkCheck[]> => (await anna.call(listLinkChecks, { params: { creatorId } })).body.items;
const state = async () => (await links()).map(({ state, problem }) => [state, problem]);
const mails = async () => (await app.mails(anna.email)).filter(({ kind }) => kind.startsWith('link_'));

describe('an address', () => {
  test.each<[string, Record<string, Answer>, string | null]>([
    ['answers', {}, null],
    ['moved', { '/soup': redirect('/carrot-soup') }, null],
    ['is gone', { '/soup': status(404) }, 'gone'],
    ['answers with an error', { '/soup': status(500) }, 'server_error'],
    ['leads to the home page', { '/soup': redirect('/') }, 'home_page'],
    ['leads in a circle', { '/soup': redirect('/a'), '/a': redirect('/soup') }, 'loop'],
    ['says that it was not found', { '/soup': html('<title>Page not found</title>') }, 'not_found_page'],
    ['does not answer', { '/soup': () => {} }, 'no_answer'],
    ['breaks off', { '/soup': (request) => request.socket.destroy() }, 'unreachable'],
  ])('that %s', async (_what, given, problem) => {
    answers = given;
    await sending('/soup');
    await guardTwice();
    expect(await state()).toEqual([[problem === null ? 'fine' : 'broken', problem]]);
  });

  test('that turns programs away is not called broken', async () => {
    answers = { '/soup': status(403) };
    await sending('/soup');
    await guardTwice();
    expect(await state()).toEqual([['fine', 'no_entry']]);
    expect(await mails()).toEqual([]);
  });

  test('inside the network is not asked, unless the installation allows it', async () => {
    const guarded = { ...deps, fetching: createGuardedFetch() };
    await sending('/soup');
    await guard(guarded);
    await guarded.fetching.close();
    expect(await state()).toEqual([['failing', 'private_address']]);
    expect(asked).toEqual([]);
  });

  test('of automations that are off is left alone', async () => {
    const automationId = await sending('/soup');
    await anna.call(switchAutomation, { params: { creatorId, automationId }, body: { on: false } });
    await guard();
    expect(asked).toEqual([]);
    expect(await links()).toEqual([]);
  });

  test('that several automations send is looked at once', async () => {
    await sending('/soup', '/cake');
    await sending('/soup');
    await guard();
    expect(asked.map(({ path }) => path).sort()).toEqual(['/cake', '/soup']);
    expect((await links()).find(({ url }) => url.endsWith('/soup'))!.usedBy).toHaveLength(2);
  });
});

describe('a site', () => {
  test('is asked every few seconds at most, whoever’s links lead there, and told who asks', async () => {
    answers = { '/1': redirect('/2'), '/2': redirect('/3') };
    await sending('/1', '/4', '/5');
    const begunAt = app.clock.now().getTime();
    await guard();
    expect(asked).toHaveLength(5);
    // Nobody comes before their turn; the test's clock may go on while somebody is on the way.
    for (const [place, { at }] of asked.entries()) expect(at - begunAt).toBeGreaterThanOrEqual(place * 4000);
    expect(asked[0]!.headers['user-agent']).toBe(`CreatorHQ-link-monitor/1.0 (+${app.deps.config.baseUrl})`);
  });

  test('that says what it sent before need not send it again', async () => {
    answers = {
      '/soup': (request, response) => {
        const known = request.headers['if-none-match'] === '"v1"';
        response.writeHead(known ? 304 : 200, { etag: '"v1"', 'content-type': 'text/html' }).end(known ? '' : RECIPE);
      },
    };
    await sending('/soup');
    await guard();
    await app.clock.advance(25 * 60 * MINUTE_MS);
    await guard();
    await app.clock.advance(25 * 60 * MINUTE_MS);
    await guard();
    expect(asked.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"v1"', '"v1"']);
    expect(await state()).toEqual([['fine', null]]);
  });

  test('whose page became another one is told of and not called broken', async () => {
    await sending('/soup');
    await guard();
    answers = { '/soup': html('<title>Our pans</title><h1>Buy them now</h1>') };
    await app.clock.advance(25 * 60 * MINUTE_MS);
    await guard();
    expect(await state()).toEqual([['fine', 'changed']]);
  });
});

describe('a broken link', () => {
  test('is told of at the second failure, once, and its end too', async () => {
    answers = { '/soup': status(404) };
    await sending('/soup');
    await guard();
    expect(await state()).toEqual([['failing', 'gone']]);
    expect(await mails()).toEqual([]);
    await app.clock.advance(3 * MINUTE_MS);
    await guard();
    await app.clock.advance(6 * MINUTE_MS);
    await guard();
    expect((await mails()).map(({ kind }) => kind)).toEqual(['link_broken']);
    expect((await mails())[0]!.text).toContain(`${site}/soup`);
    expect((await mails())[0]!.text).toContain('The page no longer exists.');
    answers = {};
    await app.clock.advance(6 * MINUTE_MS);
    await guard();
    expect(await state()).toEqual([['fine', null]]);
    expect((await mails()).map(({ kind }) => kind)).toEqual(['link_broken', 'link_works']);
  });

  test('on a site that is down is one mail, however many links lead there', async () => {
    answers = { '/1': status(500), '/2': status(500), '/3': status(500) };
    await sending('/1', '/2', '/3');
    await guardTwice();
    expect((await links()).map(({ state }) => state)).toEqual(['broken', 'broken', 'broken']);
    expect(await mails()).toHaveLength(1);
  });

  test('is not mailed to who does not want it', async () => {
    const body = { connectionTrouble: true, invites: true, weeklyFigures: true, brokenLinks: false, newAccess: true };
    await anna.call(changeNotifications, { params: { creatorId }, body });
    answers = { '/soup': status(404) };
    await sending('/soup');
    await guardTwice();
    expect(await state()).toEqual([['broken', 'gone']]);
    expect(await mails()).toEqual([]);
  });

  test('is looked at again when the creator asks', async () => {
    answers = { '/soup': status(404) };
    await sending('/soup');
    await guardTwice();
    answers = {};
    const [link] = await links();
    await app.clock.advance(10_000);
    await guard();
    expect(await state()).toEqual([['broken', 'gone']]);
    expect((await anna.call(checkLinkAgain, { params: { creatorId, linkCheckId: link!.id } })).status).toBe(200);
    await guard();
    expect(await state()).toEqual([['fine', null]]);
  });

  test('leads where the creator says until it works', async () => {
    answers = { '/soup': status(404) };
    const automationId = await sending('/soup');
    const params = { creatorId, automationId };
    const without = await anna.call(changeLinkPlan, { params, body: { whenBroken: 'swap', insteadUrl: null } });
    expect(without.body).toMatchObject({ code: 'invalid_input', errors: [{ path: 'insteadUrl' }] });
    const plan = { whenBroken: 'swap' as const, insteadUrl: 'https://other.example/soups' };
    expect((await anna.call(changeLinkPlan, { params, body: plan })).body).toEqual(plan);
    expect((await anna.call(getLinkPlan, { params })).body).toEqual(plan);

    const { code } = await app.db.engine
      .selectFrom('links')
      .select('code')
      .where('automation_id', '=', automationId)
      .executeTakeFirstOrThrow();
    const leads = async () => {
      // Facts about a link are forgotten by then.
      await app.clock.advance(11_000);
      return (await app.visitor().send({ method: 'GET', url: `/l/${code}` })).headers.location;
    };
    expect(await leads()).toBe(`${site}/soup`);
    await guardTwice();
    expect(await leads()).toBe('https://other.example/soups');
    answers = {};
    await app.clock.advance(6 * MINUTE_MS);
    await guard();
    expect(await leads()).toBe(`${site}/soup`);
  });

  test('that is mended in the automation is mended in messages already sent', async () => {
    answers = { '/soup': status(404) };
    const automationId = await sending('/soup', '/cake');
    const codes = async () =>
      Object.fromEntries(
        (await app.db.engine.selectFrom('links').selectAll().where('automation_id', '=', automationId).execute()).map(
          ({ code, url }) => [code, url.replace(site, '')],
        ),
      );
    const before = await codes();
    const change = (paths: string[], version: number) => {
      const buttons = paths.map((path) => ({ title: 'Open', url: site + path }));
      const body = automationInput(connectionId, { buttons, version });
      return anna.call(updateAutomation, { params: { creatorId, automationId }, body });
    };
    // While it works, another link is another link.
    expect((await change(['/stew', '/cake'], 1)).status).toBe(200);
    expect(Object.values(await codes()).sort()).toEqual(['/cake', '/soup', '/stew']);
    expect((await change(['/soup', '/cake'], 2)).status).toBe(200);
    await guardTwice();
    expect((await change(['/broth', '/cake'], 3)).status).toBe(200);
    const [soup] = Object.entries(before).find(([, url]) => url === '/soup')!;
    expect((await codes())[soup]).toBe('/broth');

    // Also by a page that the automation sends already.
    answers = { '/broth': status(404) };
    await app.clock.advance(25 * 60 * MINUTE_MS);
    await guardTwice();
    expect((await change(['/cake', '/cake'], 4)).status).toBe(200);
    expect((await codes())[soup]).toBe('/cake');
  });
});

describe('a busy link', () => {
  test('is looked at every few minutes, a quiet one once a day', async () => {
    const automationId = await sending('/soup');
    await guard();
    const nextIn = async () => {
      const [link] = await links();
      return (Date.parse(link!.nextCheckAt) - Date.parse(link!.checkedAt!)) / MINUTE_MS;
    };
    expect(await nextIn()).toBe(24 * 60);
    const asks = (many: number) =>
      Promise.all(
        Array.from({ length: many }, () =>
          insertInteraction(app.db, creatorId, connectionId, {
            automation_id: automationId,
            received_at: app.clock.now(),
          }),
        ),
      );
    await asks(1);
    await paceLinks(deps);
    expect(await nextIn()).toBe(60);
    await asks(20);
    await paceLinks(deps);
    expect(await nextIn()).toBe(5);
    await app.clock.advance(61 * MINUTE_MS);
    await paceLinks(deps);
    await guard();
    expect(await nextIn()).toBe(24 * 60);
  });
});

test('an installation that does not check links says so and asks nobody', async () => {
  await sending('/soup');
  const off = { ...deps, config: { ...app.deps.config, linkGuard: false } };
  await runDue(linkGuardJobs, off);
  await runDue(linkGuardJobs, off);
  expect(asked).toEqual([]);
});

test('the queue checks what is due', async () => {
  await sending('/soup');
  // Its turns before this test are over.
  await app.clock.advance(MINUTE_MS);
  await runDue(linkGuardJobs, deps);
  await runDue(linkGuardJobs, deps);
  expect(await state()).toEqual([['fine', null]]);
});

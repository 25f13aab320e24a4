/** The demo with a past, shortened to some days: figures come from what happened, the same each time, and never from half of it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getAppLinkFigures, listAppLinks } from '#contract/app-links.ts';
import { listContacts } from '#contract/contacts.ts';
import { getFigures } from '#contract/figures.ts';
import { getHome } from '#contract/home.ts';
import { listKeywords } from '#contract/keywords.ts';
import { listEndpoints } from '#contract/outgoing-webhooks.ts';
import { listPosts } from '#contract/posts.ts';
import { listRecipes } from '#contract/recipes.ts';
import { listReplies } from '#contract/replies.ts';
import { getMe, loginDemo } from '#contract/session.ts';
import { getTeam } from '#contract/team.ts';
import { systemIds } from '#server/clock.ts';
import { readConfig } from '#server/config.ts';
import { Engine } from '#server/engine/engine.ts';
import { createMetaClient } from '#server/platforms/meta/client.ts';
import { startProgram } from '#server/program.ts';
import { type Simulated, startSimulated } from '#server/simulated.ts';
import { freePort } from '#server/testing/processes.ts';
import { createTestApp, type TestApp, type Visitor } from '#server/testing/test-app.ts';
import { makeDemoWithPast } from './make-demo.ts';

const DAYS = 5;
const DAY_MS = 24 * 3_600_000;
/** A demo begins and ends at any hour. */
const END = Math.floor(Date.now() / 3_600_000) * 3_600_000;

/** A database and a data folder, with a simulator at a time. */
type World = { app: TestApp; simulated: Simulated; folder: string };

const open: World[] = [];

async function openWorld(before?: World): Promise<World> {
  const folder = before?.folder ?? (await mkdtemp(path.join(tmpdir(), 'creator-hq-demo-')));
  const settings = { SIMULATORS: 'on', DATA_DIR: folder, PORT: String(await freePort()), SIMULATOR_PORT: '0' };
  const simulated = await startSimulated(readConfig(settings), { past: true });
  const { config } = simulated;
  const app = before?.app ?? (await createTestApp({ deps: { config } }));
  Object.assign(app.deps, { config, meta: createMetaClient(config.meta, { clock: app.clock }) });
  const world = { app, simulated, folder };
  open.push(world);
  return world;
}

function make({ app, simulated }: World, stopping = new AbortController().signal): Promise<void> {
  const { deps, db } = app;
  const createEngine: Parameters<typeof makeDemoWithPast>[2]['createEngine'] = (parts) =>
    new Engine({
      ...parts,
      ids: systemIds,
      limits: deps.config.limits,
      baseUrl: deps.config.baseUrl,
      log: deps.log,
      onChanged: () => {},
      onStopped: () => {},
      alone: true,
    });
  return makeDemoWithPast(deps, simulated, { span: { end: END, days: DAYS }, createEngine, db, stopping });
}

async function enter({ app }: World): Promise<{ visitor: Visitor; params: { creatorId: string } }> {
  const visitor = app.visitor();
  expect((await visitor.call(loginDemo, { body: {} })).status).toBe(200);
  const me = await visitor.call(getMe);
  return { visitor, params: { creatorId: me.body.creatorAccount._id } };
}

/** The answers behind the screens. */
async function readScreens(world: World) {
  const { visitor, params } = await enter(world);
  const [home, figures, posts, contacts, team] = [
    await visitor.call(getHome, { params, query: { days: 30 } }),
    await visitor.call(getFigures, { params, query: {} }),
    await visitor.call(listPosts, { params, query: { limit: 100 } }),
    await visitor.call(listContacts, { params, query: { limit: 100 } }),
    await visitor.call(getTeam, { params }),
  ];
  return { home: home.body, figures: figures.body, posts: posts.body, contacts: contacts.body, team: team.body };
}

let world: World;

beforeAll(async () => {
  const first = await openWorld();
  const killed = new AbortController();
  const making = make(first, killed.signal);
  // In the middle of it: some have their message already.
  while ((await first.simulated.control.messagesAfter(0)).length < 15) await pause(5);
  killed.abort();
  await expect(making).rejects.toThrow();
  await first.simulated.close();
  world = await openWorld(first);
  await make(world);
}, 120_000);

afterAll(async () => {
  for (const simulated of new Set(open.map((one) => one.simulated))) await simulated.close().catch(() => {});
  for (const app of new Set(open.map((one) => one.app))) await app.close();
  for (const folder of new Set(open.map((one) => one.folder))) await rm(folder, { recursive: true, force: true });
});

test('after an end in the middle it is made again, and every figure is what the simulator reports, no more and no less', async () => {
  const { home, figures, posts, team } = await readScreens(world);
  const { control } = world.simulated;
  const [account] = (await control.accounts()).filter(({ username }) => username === 'thegoldenspoon');
  const told = new Map<string, { comments: number; sent: number }>();
  for (const { mediaId } of await control.posts(account!.accountId)) {
    const comments = (await control.comments(mediaId)).flatMap((one) => [one, ...one.replies]);
    const ofPeople = comments.filter(({ personId }) => personId !== null);
    told.set(mediaId, { comments: ofPeople.length, sent: ofPeople.filter((one) => one.privatelyReplied).length });
  }
  const began = END - DAYS * DAY_MS;
  const fresh = posts.items.filter((post: { postedAt: string }) => Date.parse(post.postedAt) > began);
  expect(fresh.length).toBeGreaterThanOrEqual(3);
  // Kwame's was answered by hand and never told of.
  const newest = fresh[0].id;
  for (const { id, comments, sent } of fresh) {
    const by = id === newest ? 1 : 0;
    expect({ comments, sent }).toEqual({ comments: told.get(id)!.comments - by, sent: told.get(id)!.sent - by });
    // The newest may be minutes old, and asked about at night.
    expect(comments).toBeGreaterThan(id === newest ? 0 : 20);
  }
  const sum = (rows: Record<string, number>[], key: string) => rows.reduce((all, row) => all + row[key]!, 0);
  for (const key of ['comments', 'matched', 'sent', 'opened', 'clicked']) {
    expect(home.figures[key], key).toBe(figures.total[key]);
    expect(sum(home.days, key), key).toBe(home.figures[key]);
    expect(home.figures[key], key).toBeGreaterThan(20);
  }
  expect(sum(home.outcomes, 'count')).toBe(home.figures.comments);
  expect(home.figures.clicked).toBeLessThan(home.figures.opened);
  expect(home.queue.waiting).toBe(0);
  expect(team.members.map((member: { name: string }) => member.name).sort()).toEqual(['Demo Creator', 'Noor Haddad']);
  expect(team.invites).toHaveLength(1);
});

test('every library has something that automations use, and every post that asks has its recipe', async () => {
  const { visitor, params } = await enter(world);
  const recipes = (await visitor.call(listRecipes, { params, query: {} })).body.items;
  for (const endpoint of [listKeywords, listReplies] as const) {
    const { items } = (await visitor.call(endpoint, { params, query: {} })).body;
    expect(items.length, endpoint.path).toBeGreaterThan(1);
    expect(
      items.some(({ usedBy }: { usedBy: unknown[] }) => usedBy.length > 0),
      endpoint.path,
    ).toBe(true);
  }
  expect(recipes.filter(({ usedBy }: { usedBy: unknown[] }) => usedBy.length > 0).length).toBeGreaterThanOrEqual(2);
  const asking = (await visitor.call(listPosts, { params, query: { automation: 'asks', limit: 100 } })).body.items;
  expect(asking.length).toBeGreaterThan(2);
  const keywords = recipes.flatMap(({ keywordIdeas }: { keywordIdeas: string[] }) => keywordIdeas);
  const words = asking.map(({ asksFor }: { asksFor: string }) => asksFor);
  expect(words.filter((word: string) => word !== 'RECIPE' && !keywords.includes(word))).toEqual([]);
});

test('a webhook told a tool of new contacts until the tool was gone', async () => {
  const { visitor, params } = await enter(world);
  const [endpoint, ...others] = (await visitor.call(listEndpoints, { params })).body.items;
  expect(others).toEqual([]);
  expect(endpoint).toMatchObject({ on: false, offBecause: 'The receiver says this URL no longer exists (410).' });
  // More than a page of its log: how many contacts there are goes by the hour.
  const events = await world.app.db.engine.selectFrom('outgoing_events').select(['type', 'state']).distinct().execute();
  expect(events.map(({ type, state }) => `${type} ${state}`)).toEqual(
    expect.arrayContaining(['test delivered', 'contact delivered']),
  );
  expect((await world.app.mails()).map(({ kind }) => kind)).toContain('webhook_off');
});

test('people followed every app link, from all its places', async () => {
  const { visitor, params } = await enter(world);
  const { items } = (await visitor.call(listAppLinks, { params, query: {} })).body;
  expect(items).toHaveLength(5);
  for (const { id, people } of items) {
    const of = { ...params, appLinkId: id };
    const figures = (await visitor.call(getAppLinkFigures, { params: of })).body;
    expect(figures).toMatchObject({ people, countries: [{ country: 'US', people }] });
    expect(people).toBeGreaterThan(20);
    expect(figures.channels.map(({ channel }: { channel: string }) => channel).sort()).toEqual(['bio', 'qr', 'story']);
  }
});

test('two people wrote STOP, and a link was broken and mended', async () => {
  const stopped = await world.app.db.engine
    .selectFrom('people')
    .select('id')
    .where('stopped_at', 'is not', null)
    .execute();
  expect(stopped).toHaveLength(2);
  const mails = (await world.app.mails()).map(({ kind }) => kind);
  expect(mails).toEqual(expect.arrayContaining(['link_broken', 'link_works', 'invitation']));
});

test('the clock, the webhooks and the settings are the simulator’s own again', async () => {
  const { control, config } = world.simulated;
  expect(Math.abs((await control.now()) - Date.now())).toBeLessThan(60_000);
  expect((await control.app()).webhookUrl).toBe(`http://127.0.0.1:${config.port}/webhooks/meta`);
  expect((await control.settings()).webhooks.maxBatch).toBe(1);
});

test('the same end gives the same demo', async () => {
  const other = await openWorld();
  await make(other);
  const [one, two] = [await readScreens(world), await readScreens(other)];
  expect(two.home.figures).toEqual(one.home.figures);
  expect(two.home.days).toEqual(one.home.days);
  expect(two.home.outcomes).toEqual(one.home.outcomes);
  expect(two.posts.total).toBe(one.posts.total);
  const names = (screens: typeof one) => screens.contacts.items.map((contact: { name: string }) => contact.name).sort();
  expect(names(two)).toEqual(names(one));
}, 60_000);

test('a start is ready before the demo is made, an end meanwhile loses nothing, and a demo is made once', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'creator-hq-demo-start-'));
  const port = await freePort();
  const settings = { DATA_DIR: folder, PORT: String(port), SIMULATOR_PORT: String(await freePort()), SIMULATORS: 'on' };
  const lines: string[] = [];
  const start = () =>
    startProgram(readConfig(settings), {
      log: pino({ level: 'silent' }),
      say: (line) => lines.push(line),
      demoDays: 3,
    });
  const ready = expect.stringContaining('is ready');
  const made = 'The demo has its last 3 days.';
  try {
    await (await start()).stop();
    expect(lines).toContainEqual(ready);
    expect(lines).not.toContain(made);

    const second = await start();
    const url = `http://localhost:${port}`;
    // Who enters waits for it.
    const entered = await fetch(`${url}/api/v1/auth/login/demo`, { method: 'POST', headers: { origin: url } });
    expect(entered.status).toBe(200);
    expect(lines.filter((line) => line === made)).toHaveLength(1);
    await second.stop();

    await (await start()).stop();
    expect(lines.filter((line) => line === made)).toHaveLength(1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);

/** Weekly recipes: what is new, on the creator's day and hour, as a draft or by itself. */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as contract from '#contract/newsletters.ts';
import { createRecipe } from '#contract/recipes.ts';
import { registerBlog } from '#server/testing/endpoint-walk.ts';
import type { Person, TestApp } from '#server/testing/test-app.ts';
import { addReader, type Kitchen, openKitchen, startKitchen } from './testing/kitchen.ts';
import { makeWeeklyRecipes } from './weekly-recipes.ts';

let kitchen: Kitchen;
let app: TestApp;
let owner: Person;
let creatorId: string;
afterEach(() => kitchen?.close());

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Their Thursday, nine o'clock; the clock stands five minutes before it. */
const THURSDAY = { day: 4, hour: 9 };
let nine: Date;

beforeEach(async () => {
  // Each begins today: a sign-in ends after weeks.
  kitchen = await startKitchen();
  ({ app } = kitchen);
  owner = await app.signUpAndIn();
  creatorId = await openKitchen(app, owner);
  await sql`update creators set time_zone = 'America/New_York' where id = ${creatorId}`.execute(app.db.engine);
  await addReader(app, creatorId, 'ada@example.test');
  await kitchen.inbox();
});

const choose = async (mode: 'off' | 'approve' | 'send'): Promise<contract.Newsletter> => {
  const body = { mode, ...THURSDAY };
  return (await owner.call(contract.changeWeeklyRecipes, { params: { creatorId }, body })).body;
};
/** Turned on, with the clock shortly before the first turn. */
async function turnOn(mode: 'approve' | 'send') {
  const { weekly } = await choose(mode);
  nine = new Date(weekly.nextAt!);
  await app.clock.advance(nine.getTime() - app.clock.now().getTime() - 5 * 60_000);
}
const add = (name: string) =>
  owner.call(createRecipe, {
    params: { creatorId },
    body: { name, url: `https://anna.example/${name}`, pictureUrl: null, keywordIdeas: [], messageText: '' },
  });
async function pass(ms: number) {
  await app.clock.advance(ms);
  await makeWeeklyRecipes.run(app.deps);
}
const drafts = () => app.db.engine.selectFrom('broadcasts').selectAll().where('creator_id', '=', creatorId).execute();

test('a post of years ago is not new because the blog tells of it now', async () => {
  await turnOn('approve');
  await add('soup');
  await add('bread');
  const { siteId } = await registerBlog(app, owner, creatorId);
  await sql`
    insert into blog_posts (creator_id, site_id, wordpress_id, url, url_key, title, categories, published_at, changed_at, synced_at, has_given, recipe_id)
    select creator_id, ${siteId}, 1, url, url, name, '[]', created_at - interval '2 years', created_at, created_at, true, id
    from recipes where creator_id = ${creatorId} and name = 'soup'`.execute(app.db.engine);
  await pass(6 * 60_000);
  const { body } = await owner.call(contract.getBroadcast, {
    params: { creatorId, broadcastId: (await drafts())[0]!.id },
  });
  const lists = (body as contract.Broadcast).design.blocks.filter((block) => block.kind === 'recipes');
  expect(lists.map(({ recipeIds }) => recipeIds.length)).toEqual([1]);
});

test('begins on the next turn of the creator’s own week', async () => {
  expect((await owner.call(contract.getNewsletter, { params: { creatorId } })).body.weekly).toEqual({
    ...{ mode: 'off', day: 4, hour: 9, nextAt: null },
  });
  const { weekly } = await choose('approve');
  const next = new Date(weekly.nextAt!);
  expect(next.toLocaleString('en-US', { timeZone: 'America/New_York', weekday: 'short', hour: 'numeric' })).toBe(
    'Thu 9 AM',
  );
  const wait = next.getTime() - app.clock.now().getTime();
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(7 * DAY_MS);
});

test('as a draft with what is new, once; owners get a mail', async () => {
  await turnOn('approve');
  await add('soup');
  await add('bread');
  await pass(0);
  expect(await drafts()).toEqual([]);
  await pass(6 * 60_000);
  await pass(HOUR_MS);
  const [draft, ...others] = await drafts();
  expect(others).toEqual([]);
  expect(draft).toMatchObject({ kind: 'digest', state: 'draft', changed_by: 'Weekly recipes' });
  const { body } = await owner.call(contract.getBroadcast, { params: { creatorId, broadcastId: draft!.id } });
  const lists = (body as contract.Broadcast).design.blocks.filter((block) => block.kind === 'recipes');
  expect(lists.map(({ recipeIds }) => recipeIds.length)).toEqual([2]);
  expect((await app.mails(owner.email)).at(-1)).toMatchObject({ kind: 'newsletter_ready' });
});

test('by itself it reaches readers with these recipes; a week without a new one sends nothing, the next has only its own', async () => {
  await add('soup');
  await turnOn('send');
  await pass(6 * 60_000);
  await app.clock.advance(contract.HOLD_SECONDS * 1000);
  await kitchen.work();
  await kitchen.deliver();
  const [mail] = await kitchen.inbox();
  expect(mail).toMatchObject({ to: 'ada@example.test', subject: 'New recipes from Anna’s Kitchen' });
  expect(mail!.text).toMatch(/^soup:\nhttp\S+\/l\/\w+\/[\w-]+$/m);
  const links = await app.db.engine.selectFrom('links').select('url').where('creator_id', '=', creatorId).execute();
  expect(links).toEqual([{ url: 'https://anna.example/soup' }]);
  await pass(7 * DAY_MS);
  expect(await drafts()).toHaveLength(1);
  await add('bread');
  await pass(7 * DAY_MS);
  await app.clock.advance(contract.HOLD_SECONDS * 1000);
  await kitchen.work();
  await kitchen.deliver();
  const [next] = await kitchen.inbox();
  expect(next!.text).toContain('bread:\n');
  expect(next!.text).not.toContain('soup:\n');
});

test('by itself without a domain it is a draft that says why; off, or while a tool writes, nothing is made', async () => {
  await add('soup');
  await turnOn('send');
  await app.db.engine.updateTable('sending_domains').set({ state: 'shaky' }).execute();
  await pass(6 * 60_000);
  expect(await drafts()).toMatchObject([{ state: 'draft', because: expect.stringContaining('verify the domain') }]);
  await add('bread');
  await sql`update newsletter_settings set writer = 'kit'`.execute(app.db.engine);
  await pass(7 * DAY_MS);
  expect(await drafts()).toHaveLength(1);
  await sql`update newsletter_settings set writer = 'here'`.execute(app.db.engine);
  await sql`update newsletter_settings set weekly = 'off'`.execute(app.db.engine);
  await pass(7 * DAY_MS);
  expect(await drafts()).toHaveLength(1);
});

/** "Shop this recipe" in emails: where a recipe has a shopping list, counted by that it stands in an email. */
import { mkdir } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type EmailDesign, previewEmail } from '#contract/email-templates.ts';
import { getListFigures } from '#contract/list-figures.ts';
import * as newsletters from '#contract/newsletters.ts';
import { saveIngredients } from '#contract/recipe-ingredients.ts';
import { createRecipe } from '#contract/recipes.ts';
// biome-ignore lint/style/noRestrictedImports: what a mail looks like only a browser shows
import { launchBrowser } from '#e2e/browser.ts';
import { defaultDesign } from '#server/features/email-templates/default-designs.ts';
import { findListLinks } from '#server/features/lists/list-links.ts';
import { addReader, type Kitchen, openKitchen, startKitchen } from '#server/features/newsletters/testing/kitchen.ts';
import type { Person, TestApp } from '#server/testing/test-app.ts';
import { queueReaderMail } from './queue-mail.ts';

const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari';
const PAGE = 'https://anna.example/lemon-pasta/';
const LINK = /\/l\/[0-9A-Za-z]{8}(?=["\n]|$)/;

let kitchen: Kitchen;
let app: TestApp;
let anna: Person;
let creatorId: string;
beforeAll(async () => {
  kitchen = await startKitchen();
  ({ app } = kitchen);
  anna = await app.signUpAndIn();
});
afterAll(() => kitchen?.close());
beforeEach(async () => {
  await app.db.engine.deleteFrom('creators').execute();
  creatorId = await openKitchen(app, anna);
  await kitchen.inbox();
});

async function recipe(url: string, texts: string[], name = 'Lemon pasta') {
  const body = { name, url, pictureUrl: null, keywordIdeas: [], messageText: '' };
  const made = await anna.call(createRecipe, { params: { creatorId }, body });
  const facts = { group: '', fixes: {}, checked: false, sourceText: null, sourceUid: null };
  const lines = texts.map((text) => ({ ...facts, id: crypto.randomUUID(), text }));
  const input = { servings: 4, minutes: null, measures: 'us' as const, language: 'en', lines, steps: [], version: 0 };
  const params = { creatorId, recipeId: made.body.id as string };
  const saved = await anna.call(saveIngredients, { params, body: input });
  return { recipeId: params.recipeId, list: new URL(saved.body.listUrl).pathname };
}

async function save(url = PAGE, email = 'ada@example.test') {
  const contactId = await addReader(app, creatorId, email, []);
  const details = { name: 'Lemon pasta', anchor: 'card', ingredients: ['2 lemons'], totalMinutes: 25, yield: '4' };
  const about = { url, title: 'Lemon pasta', pictureUrl: null, recipe: details };
  const mail = { creatorId, kind: 'save', contactId, about, newsletterQuestion: null, submissionId: null } as const;
  await app.db.withCreator(creatorId, (trx) => queueReaderMail(trx, app.deps, mail));
  await kitchen.deliver();
  return (await kitchen.inbox())[0]!;
}
const tap = (url: string, agent = PHONE) =>
  app.visitor().send({ method: 'GET', url, headers: { 'user-agent': agent } });
const clicks = async (part: string) => {
  await app.deps.clicks.flush();
  const { rows } = await sql<{ count: string }>`
    select count(*) from clicks c join links l on l.creator_id = c.creator_id and l.id = c.link_id
    where l.creator_id = ${creatorId} and l.part = ${part} and c.not_counted_because is null
  `.execute(app.db.engine);
  return Number(rows[0]!.count);
};

test('the email of a saved recipe leads to its list, and each tap is counted as one from an email', async () => {
  const { list, recipeId } = await recipe(PAGE, ['2 lemons', '1 lb pasta']);
  const mail = await save(`${PAGE}?utm_source=pin`);
  expect(mail.html).toContain('Shop this recipe');
  expect(mail.text).toMatch(/Shop this recipe:\n\S+\/l\/\w{8}\n/);
  const [link] = LINK.exec(mail.html!)!;
  const tapped = await tap(link);
  expect(tapped).toMatchObject({ status: 302, headers: { location: expect.stringMatching(new RegExp(`${list}$`)) } });
  expect((await tap(list)).status).toBe(200);
  await tap(link, 'facebookexternalhit/1.1');
  expect([await clicks('list mail'), await clicks('list')]).toEqual([1, 1]);
  // Figures of the list count who opened it, once.
  const figures = (await anna.call(getListFigures, { params: { creatorId }, query: { recipeId } })).body;
  expect(figures).toMatchObject({ opened: 1, toShops: 0, shops: [] });
  // Every email has the same one.
  expect(LINK.exec((await save(PAGE, 'bob@example.test')).html!)![0]).toBe(link);
});

test('without a list, with an empty one, and for somebody else’s recipe of this page there is none', async () => {
  const expectNone = ({ html, text }: Awaited<ReturnType<typeof save>>) => {
    expect(html).not.toContain('Shop this recipe');
    expect(text).not.toContain('Shop this recipe');
  };
  expectNone(await save());
  await recipe(PAGE, []);
  expectNone(await save(PAGE, 'bob@example.test'));
  const own = creatorId;
  creatorId = await openKitchen(app, anna);
  await recipe('https://anna.example/soup/', ['1 onion']);
  creatorId = own;
  expectNone(await save('https://anna.example/soup/', 'eve@example.test'));
});

test('of many mails at once each recipe gets one link', async () => {
  const { recipeId } = await recipe(PAGE, ['2 lemons']);
  const page = { creatorId, url: PAGE };
  const all = await Promise.all(
    Array.from({ length: 8 }, () => findListLinks(app.deps, app.db.engine, [page, page], 'mail')),
  );
  expect(new Set(all.map((linkOf) => linkOf(page))).size).toBe(1);
  const links = await app.db.engine.selectFrom('links').select('part').where('recipe_id', '=', recipeId).execute();
  expect(links).toEqual([{ part: 'list mail' }]);
});

test('recipes listed in a newsletter have theirs; the others of the list have none', async () => {
  await recipe('https://anna.example/soup/', [], 'Soup');
  const { list } = await recipe(PAGE, ['2 lemons']);
  await addReader(app, creatorId, 'ada@example.test');
  const { body } = await anna.call(newsletters.createBroadcast, { params: { creatorId } });
  const params = { creatorId, broadcastId: body.id };
  const design: EmailDesign = {
    ...body.design,
    blocks: [
      { id: 'list', hideWhen: null, kind: 'recipes', recipeIds: [], count: 2 },
      ...body.design.blocks.filter(({ kind }: { kind: string }) => kind === 'footer'),
    ],
  };
  const changed = await anna.call(newsletters.changeBroadcast, {
    params,
    body: { version: body.version, design, segment: null },
  });
  await anna.call(newsletters.sendBroadcast, { params, body: { version: changed.body.version, sendAt: null } });
  await app.clock.advance(newsletters.HOLD_SECONDS * 1000);
  await kitchen.work();
  await kitchen.deliver();
  const [mail] = await kitchen.inbox();
  expect(mail!.html!.match(/Shop this recipe/g)).toHaveLength(1);
  expect(mail!.text!.match(/Shop this recipe/g)).toHaveLength(1);
  const [link] = LINK.exec(mail!.html!)!;
  expect((await tap(link)).headers.location).toMatch(new RegExp(`${list}$`));
  // What is only looked at is not counted.
  const preview = { design, sample: 'everyday' as const, savedRecipeId: null, contactId: null };
  const shown = await anna.call(previewEmail, { params: { creatorId, type: 'digest' }, body: preview });
  expect(shown.body.html).toContain(`${list}"`);
});

test.runIf(process.env.SCREENSHOTS)('it is a link among the facts, by day and by night', async () => {
  await recipe(PAGE, ['2 lemons']);
  const { html } = await save();
  expect(defaultDesign('save-to-email', null).blocks[0]!.kind).toBe('recipe');
  const browser = await launchBrowser();
  await mkdir(process.env.SCREENSHOTS!, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 360, height: 740 }, locale: 'en-US' });
    await page.setContent(html!);
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/mail-${colorScheme}.png`, fullPage: true });
  }
  await browser.close();
});

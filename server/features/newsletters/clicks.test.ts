/** Links of newsletters as readers get them, and what is known of who followed them. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ContactDetails, eraseContact, exportContact, getContact } from '#contract/contacts.ts';
import { type EmailBlock, type EmailDesign, testEmail } from '#contract/email-templates.ts';
import * as contract from '#contract/newsletters.ts';
import { createCorrection } from '#contract/newsletters.ts';
import { createRecipe, updateRecipe } from '#contract/recipes.ts';
import { addWelcomeMail, changeWelcomeMail, getWelcomeSeries, switchWelcomeSeries } from '#contract/welcome-series.ts';
import { contactsInSegment } from '#server/features/contacts/segments.ts';
import { queueSave } from '#server/features/reader-mails/testing/asked-reader.ts';
import type { Person, TestApp } from '#server/testing/test-app.ts';
import { addReader, type Kitchen, openKitchen, startKitchen } from './testing/kitchen.ts';
import { goOnWithWelcomes } from './welcome-series.ts';

const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari';
const SOUP = 'https://anna.example/soup/';
const SHOP = 'https://shop.example/pots?a=1&b=2';

let kitchen: Kitchen;
let app: TestApp;
let owner: Person;
let creatorId: string;
let recipeId: string;
beforeAll(async () => {
  kitchen = await startKitchen();
  ({ app } = kitchen);
  owner = await app.signUpAndIn();
});
afterAll(() => kitchen?.close());
beforeEach(async () => {
  await app.db.engine.deleteFrom('creators').execute();
  creatorId = await openKitchen(app, owner);
  const { body } = await owner.call(createRecipe, { params: { creatorId }, body: recipe(SOUP) });
  recipeId = body.id;
  await kitchen.inbox();
});

const recipe = (url: string) => ({ name: 'Soup', url, pictureUrl: null, keywordIdeas: [], messageText: '' });
const own = () => `${app.deps.config.baseUrl}/f/abc`;
const text = (id: string, link: string): EmailBlock => ({
  ...{ id, hideWhen: null, kind: 'text' },
  parts: [{ kind: 'paragraph', lines: [[{ text: `words of ${id}`, bold: false, italic: false, link }]] }],
});

/** The template's words, with a link of each kind. */
const withLinks = (design: EmailDesign): EmailDesign => ({
  ...design,
  blocks: [
    text('pots', SHOP),
    { id: 'button', hideWhen: null, kind: 'button', label: 'Pots', link: SHOP },
    { id: 'list', hideWhen: null, kind: 'recipes', recipeIds: [recipeId], count: 1 },
    text('letter', 'mailto:anna@anna.example'),
    text('form', own()),
    ...design.blocks.filter(({ kind }) => kind === 'footer'),
  ],
});

async function write(): Promise<contract.Broadcast> {
  const { body } = await owner.call(contract.createBroadcast, { params: { creatorId } });
  const next = { version: body.version, design: withLinks(body.design), segment: null };
  return (await owner.call(contract.changeBroadcast, { params: paramsOf(body), body: next })).body;
}
const paramsOf = ({ id }: { id: string }) => ({ creatorId, broadcastId: id });
const read = async (one: { id: string }): Promise<contract.Broadcast> =>
  (await owner.call(contract.getBroadcast, { params: paramsOf(one) })).body;

/** Sent to its readers. @returns their mails */
async function send(broadcast: contract.Broadcast) {
  const body = { version: broadcast.version, sendAt: null };
  expect((await owner.call(contract.sendBroadcast, { params: paramsOf(broadcast), body })).status).toBe(200);
  await app.clock.advance(contract.HOLD_SECONDS * 1000);
  await kitchen.work();
  await kitchen.deliver();
  return kitchen.inbox();
}
type Mail = Awaited<ReturnType<typeof send>>[number];

/** Paths of short links, in their order. */
const shortLinks = (part: string | undefined): string[] =>
  [...(part ?? '').matchAll(/\/l\/[\w-]+\/[\w-]+/g)].map(([path]) => path);
const withoutMark = (path: string) => path.slice(0, path.lastIndexOf('/'));
const open = (url: string, agent = PHONE, method: 'GET' | 'HEAD' = 'GET') =>
  app.visitor().send({ method, url, headers: { 'user-agent': agent } });

/** Written, and counted by the job that looks after newsletters. */
async function recount(): Promise<void> {
  await app.deps.clicks.flush();
  await sql`update broadcasts set counted_at = null`.execute(app.db.engine);
  await kitchen.work();
}
const contact = async (contactId: string): Promise<ContactDetails> =>
  (await owner.call(getContact, { params: { creatorId, contactId } })).body;
const clickedWithin = async (days: number) => {
  const ids = contactsInSegment(creatorId, `all;all,clicked_within:${days}`, app.clock.now());
  const { rows } = await app.db.withCreator(creatorId, (trx) => sql<{ id: string }>`${ids}`.execute(trx));
  return rows.map(({ id }) => id);
};

test('a newsletter has one short link for each address, the same in both parts; its other links stay', async () => {
  await addReader(app, creatorId, 'ada@example.test');
  await addReader(app, creatorId, 'bob@example.test');
  const [ada, bob] = (await send(await write())) as [Mail, Mail];
  const [pots, button, soup, ...others] = shortLinks(ada.html) as [string, string, string];
  expect(others).toEqual([]);
  expect(button).toBe(pots);
  expect(shortLinks(ada.text)).toEqual([pots, pots, soup]);
  expect(shortLinks(bob.html).map(withoutMark)).toEqual([pots, pots, soup].map(withoutMark));
  expect(shortLinks(bob.html)).not.toContain(pots);
  for (const part of [ada.html, ada.text]) {
    for (const stays of ['anna@anna.example', own(), '/e/unsubscribe/']) expect(part).toContain(stays);
    expect(part).not.toContain('shop.example');
    expect(part).not.toContain(SOUP);
  }
  const rows = await app.db.engine.selectFrom('links').select(['url', 'recipe_id', 'automation_id']).execute();
  expect(rows.toSorted((one, other) => one.url.localeCompare(other.url))).toEqual([
    { url: SOUP, recipe_id: recipeId, automation_id: null },
    { url: SHOP, recipe_id: null, automation_id: null },
  ]);
  expect(await open(pots)).toMatchObject({ status: 302, headers: { location: SHOP } });
  expect((await open(pots.replace(/\/l\/[^/]+/, '/l/AAAAAAAAAAAAAA'))).status).toBe(404);
});

test('a moved recipe’s link follows it, in newsletters that were sent', async () => {
  await addReader(app, creatorId, 'ada@example.test');
  const [mail] = await send(await write());
  const soup = shortLinks(mail!.html)[2]!;
  const moved = { ...recipe('https://anna.example/best-soup'), version: 1 };
  expect((await owner.call(updateRecipe, { params: { creatorId, recipeId }, body: moved })).status).toBe(200);
  expect((await open(soup)).headers.location).toBe('https://anna.example/best-soup');
});

test('counts people, whatever they click and how often; programs, forged marks and bare links lead on and count nobody', async () => {
  const adaId = await addReader(app, creatorId, 'ada@example.test');
  const bobId = await addReader(app, creatorId, 'bob@example.test');
  const broadcast = await write();
  const [ada, bob] = (await send(broadcast)) as [Mail, Mail];
  const [pots, , soup] = shortLinks(ada.html) as [string, string, string];
  const bobs = shortLinks(bob.html)[0]!;
  const [mailId] = Buffer.from(bobs.split('/').at(-1)!, 'base64url')
    .toString('hex')
    .match(/^.{32}/)!;
  const forged = Buffer.from(mailId + '00'.repeat(8), 'hex').toString('base64url');
  for (const path of [withoutMark(pots), `${withoutMark(pots)}/nonsense`, `${withoutMark(pots)}/${forged}`]) {
    expect(await open(path)).toMatchObject({ status: 302, headers: { location: SHOP } });
  }
  await open(bobs, 'Mozilla/5.0 (compatible; Barracuda Link Scanner)');
  await open(bobs, PHONE, 'HEAD');
  await open(bobs, '');
  await recount();
  expect(await read(broadcast)).toMatchObject({ figures: { sent: 2, clicked: 0 }, topLinks: [] });
  expect(await clickedWithin(1)).toEqual([]);
  const { rows } = await sql`select from clicks where mail_id is not null`.execute(app.db.engine);
  expect(rows).toEqual([]);

  for (const path of [pots, pots, soup]) await open(path);
  await recount();
  expect((await read(broadcast)).figures).toMatchObject({ sent: 2, clicked: 1 });
  await open(bobs);
  await recount();
  expect(await read(broadcast)).toMatchObject({
    figures: { sent: 2, clicked: 2 },
    topLinks: [
      { url: SHOP, clicked: 2 },
      { url: SOUP, clicked: 1 },
    ],
  });
  expect((await contact(adaId)).mails).toMatchObject([{ kind: 'broadcast', state: 'accepted', isClicked: true }]);
  await app.clock.advance(3 * 24 * 3_600_000);
  await open(bobs);
  await app.deps.clicks.flush();
  expect(await clickedWithin(2)).toEqual([bobId]);
  expect((await clickedWithin(4)).toSorted()).toEqual([adaId, bobId].toSorted());
});

test('a mark of another newsletter counts nobody', async () => {
  await addReader(app, creatorId, 'ada@example.test');
  const [first] = await send(await write());
  const other = await write();
  const [second] = await send(other);
  const mark = shortLinks(first!.html)[0]!.split('/').at(-1)!;
  expect((await open(`${withoutMark(shortLinks(second!.html)[0]!)}/${mark}`)).status).toBe(302);
  await recount();
  expect((await read(other)).figures.clicked).toBe(0);
});

test('clicks are in a contact’s copy, and lose who it was when the contact is erased', async () => {
  const contactId = await addReader(app, creatorId, 'ada@example.test');
  const broadcast = await write();
  const [mail] = await send(broadcast);
  await open(shortLinks(mail!.html)[0]!);
  await app.deps.clicks.flush();
  const { body } = await owner.call(exportContact, { params: { creatorId, contactId } });
  expect(body.items).toContainEqual(expect.objectContaining({ what: 'click' }));
  await owner.call(eraseContact, { params: { creatorId, contactId } });
  const rows = await app.db.engine.selectFrom('clicks').select(['mail_id', 'times']).execute();
  expect(rows).toEqual([{ mail_id: null, times: 1 }]);
  // Their link still leads on.
  expect((await open(shortLinks(mail!.html)[0]!)).status).toBe(302);
  await app.deps.clicks.flush();
});

test('emails of the welcome series have short links and figures of their own', async () => {
  const params = { creatorId };
  const [mail] = (await owner.call(addWelcomeMail, { params })).body.mails;
  const { id: welcomeMailId, days, hour, version, design } = mail;
  const body = { days, hour, version, design: withLinks(design) };
  await owner.call(changeWelcomeMail, { params: { creatorId, welcomeMailId }, body });
  await owner.call(switchWelcomeSeries, { params, body: { isOn: true } });
  await addReader(app, creatorId, 'ada@example.test');
  await addReader(app, creatorId, 'bob@example.test');
  await goOnWithWelcomes.run(app.deps);
  await kitchen.deliver();
  const [arrived] = await kitchen.inbox();
  await open(shortLinks(arrived!.html)[0]!);
  await app.deps.clicks.flush();
  const { mails } = (await owner.call(getWelcomeSeries, { params })).body;
  expect(mails).toMatchObject([{ figures: { sent: 2, bounced: 0, complained: 0, unsubscribed: 0, clicked: 1 } }]);
});

test('a correction links to the recipe by a short link; its footer shows the page itself', async () => {
  const contactId = await addReader(app, creatorId, 'ada@example.test', []);
  await sql`
    insert into saved_recipes (creator_id, id, contact_id, address_key, url, title, first_saved_at, last_saved_at)
    values (${creatorId}, gen_random_uuid(), ${contactId}, 'anna.example/soup', ${SOUP}, 'Soup', now(), now())
  `.execute(app.db.engine);
  const body = { text: '1 teaspoon salt' };
  const [mail] = await send((await owner.call(createCorrection, { params: { creatorId, recipeId }, body })).body);
  const paths = shortLinks(mail!.html);
  expect(new Set(paths.map(withoutMark)).size).toBe(1);
  expect(mail!.html).toContain(`href="${SOUP}"`);
  const [row] = await app.db.engine.selectFrom('links').select(['url', 'recipe_id']).execute();
  expect(row).toEqual({ url: SOUP, recipe_id: recipeId });
});

test('saves and tests have plain addresses', async () => {
  const contactId = await addReader(app, creatorId, 'ada@example.test', []);
  await queueSave(app, { creatorId, contactId, submissionId: null });
  await kitchen.deliver();
  const [save] = await kitchen.inbox();
  expect(shortLinks(save!.html)).toEqual([]);
  const { body } = await owner.call(contract.createBroadcast, { params: { creatorId } });
  const sample = { sample: 'everyday', savedRecipeId: null, contactId: null, to: owner.email } as const;
  const params = { creatorId, type: 'broadcast' as const };
  const tested = await owner.call(testEmail, { params, body: { design: withLinks(body.design), ...sample } });
  expect(tested.status).toBe(200);
  const test = (await app.mails()).at(-1)!;
  expect(shortLinks(test.html)).toEqual([]);
  expect(test.html).toContain('shop.example/pots');
});

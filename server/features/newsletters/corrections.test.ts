/** What was wrong in a recipe reaches whoever saved it, and nobody else. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as contract from '#contract/newsletters.ts';
import { createRecipe } from '#contract/recipes.ts';
import type { NewsletterAct } from '#server/features/contacts/newsletter-status.ts';
import type { Person, TestApp } from '#server/testing/test-app.ts';
import { addReader, type Kitchen, openKitchen, startKitchen } from './testing/kitchen.ts';

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
  const body = {
    name: 'Soup',
    url: 'https://www.anna.example/soup/',
    pictureUrl: null,
    keywordIdeas: [],
    messageText: '',
  };
  recipeId = (await owner.call(createRecipe, { params: { creatorId }, body })).body.id;
  await kitchen.inbox();
});

async function addSaver(email: string, key: string, acts: NewsletterAct[] = []) {
  const contactId = await addReader(app, creatorId, email, acts);
  await sql`
    insert into saved_recipes (creator_id, id, contact_id, address_key, url, title, first_saved_at, last_saved_at)
    values (${creatorId}, gen_random_uuid(), ${contactId}, ${key}, ${`https://${key}`}, 'Grandma’s soup', now(), now())
  `.execute(app.db.engine);
}
const savers = async () => (await owner.call(contract.readSavers, { params: { creatorId, recipeId } })).body;
const write = async (): Promise<contract.Broadcast> => {
  const body = { text: '1 teaspoon salt,\nnot 1 tablespoon <b>' };
  return (await owner.call(contract.createCorrection, { params: { creatorId, recipeId }, body })).body;
};
const send = ({ id, version }: contract.Broadcast) =>
  owner.call(contract.sendBroadcast, { params: { creatorId, broadcastId: id }, body: { version, sendAt: null } });
async function arrive() {
  await app.clock.advance(contract.HOLD_SECONDS * 1000);
  await kitchen.work();
  await kitchen.deliver();
  return kitchen.inbox();
}

test('reaches savers who never asked for newsletters and who left them, not who complained, is gone or never was', async () => {
  await addSaver('saver@example.test', 'anna.example/soup');
  await addSaver('card@example.test', 'anna.example/soup#recipe-7');
  await addSaver('left@example.test', 'anna.example/soup', ['ticks', 'taps', 'unsubscribes']);
  await addSaver('angry@example.test', 'anna.example/soup', ['complains']);
  await addSaver('gone@example.test', 'anna.example/soup', ['bounces']);
  await addSaver('wrong@example.test', 'anna.example/soup', ['not_me']);
  await addSaver('other@example.test', 'anna.example/soups');
  await addReader(app, creatorId, 'reader@example.test');
  // Who said that it is not their address is found when it is sent.
  expect(await savers()).toEqual({ count: 4, nextAt: null });
  const correction = await write();
  expect(correction).toMatchObject({ kind: 'correction', state: 'draft', recipeId });
  const audience = await owner.call(contract.readAudience, { params: { creatorId, broadcastId: correction.id } });
  expect(audience.body).toEqual({
    count: 4,
    leftOut: [
      { count: 1, why: 'Their address bounced' },
      { count: 1, why: 'Marked an email as spam' },
    ],
  });
  expect((await send(correction)).status).toBe(200);
  const mails = await arrive();
  expect(mails.map(({ to }) => to)).toEqual(['card@example.test', 'left@example.test', 'saver@example.test']);
  const [mail] = mails;
  expect(mail!.subject).toBe('A correction to Grandma’s soup');
  expect(mail!.html).toContain('not 1 tablespoon &lt;b&gt;');
  expect(mail!.html).toContain('because you saved this recipe');
  expect(mail!.html).toContain('/e/not-me/');
  expect(mail!.headers.map(({ key }) => key)).not.toContain('list-unsubscribe');
});

test('at most once a week and recipe', async () => {
  await addSaver('saver@example.test', 'anna.example/soup');
  await send(await write());
  expect(await arrive()).toHaveLength(1);
  const again = await write();
  expect((await savers()).nextAt).toEqual(expect.any(String));
  expect((await send(again)).body).toMatchObject({
    code: 'not_possible_now',
    detail: expect.stringContaining('7 days'),
  });
  await app.clock.advance(7 * 24 * 3_600_000);
  expect((await savers()).nextAt).toBeNull();
  expect((await send(again)).status).toBe(200);
  expect(await arrive()).toHaveLength(1);
});

test('goes out while a tool writes newsletters: it is none', async () => {
  await addSaver('saver@example.test', 'anna.example/soup');
  await sql`insert into newsletter_settings (creator_id, writer) values (${creatorId}, 'kit')`.execute(app.db.engine);
  expect((await send(await write())).status).toBe(200);
  expect(await arrive()).toHaveLength(1);
});

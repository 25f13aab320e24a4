/// <reference lib="dom" />
/**
 * J11 on the blog: a stranger meets the wall, pays and is back at the recipe; a member enters by a code, on a second phone too, and by
 * the message that answers their comment.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { givePass } from '#contract/members.ts';
import { makeApiKey } from '#contract/settings.ts';
import { checkStripeAccount, connectStripeAccount } from '#contract/stripe-account.ts';
import { createTier } from '#contract/tiers.ts';
import { launchBrowser } from '#e2e/browser.ts';
import { systemIds } from '#server/clock.ts';
import type { WorldCreator } from '#server/engine/testing/engine-world.ts';
import { linkGivenAddresses } from '#server/features/contacts/given-addresses.ts';
import { IN_INSTAGRAM } from '#server/features/fans/testing/message-world.ts';
import { createFollowers, type Followers } from '#server/testing/followers.ts';
import { FRIENDS } from '#server/testing/inputs.ts';
import { freePort } from '#server/testing/processes.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { type StripeWorld, startStripeWorld } from '#simulators/stripe/testing.ts';
import { type Blog, connectTo, startBlog } from './blog.ts';

const EMAIL = 'cora@example.test';
const P = (text: string) => `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->`;
const SIZES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 900 } };

let app: TestApp;
let stripe: StripeWorld;
let blog: Blog;
let browser: Browser;
let followers: Followers;
let account: WorldCreator;
let give: (email: string) => Promise<unknown>;
beforeAll(async () => {
  const port = await freePort();
  stripe = await startStripeWorld(Date.now());
  const settings = {
    ...{ FAN_MEMBERSHIPS: 'on', BASE_URL: `http://localhost:${port}` },
    ...{ STRIPE_SECRET_KEY: stripe.secretKey, STRIPE_API_URL: stripe.url },
    ...{ STRIPE_WEBHOOK_SECRETS: 'whsec_unused', STRIPE_CONNECT_WEBHOOK_SECRETS: 'whsec_unused' },
  };
  [app, blog, browser] = await Promise.all([
    createTestApp({ settings }),
    startBlog({ isConnected: false }),
    launchBrowser(),
  ]);
  const anna = await app.signUpAndIn();
  const { id: creatorId } = await anna.createCreator();
  const params = { creatorId };
  const { body: page } = await anna.call(connectStripeAccount, { params });
  await stripe.submit(page.url, { act: 'submit', state: 'ready' });
  await anna.call(checkStripeAccount, { params });
  const { body: tier } = await anna.call(createTier, { params, body: FRIENDS });
  const { key } = (await anna.call(makeApiKey, { params: { creatorId } })).body;
  const hub = await app.app.listen({ port, host: '127.0.0.1' });
  await blog.wordpress.php(connectTo(hub, key));
  give = (email) => anna.call(givePass, { params, body: { email, tierId: tier.id, days: null, note: '' } });
  await give(EMAIL);
  const recipe = await blog.recipe('Secret cake');
  const gate = '<!-- wp:creator-hq/gate {"for":"members"} /-->';
  await blog.post('Cake', `${P('Hello')}${gate}${P('zqmembers')}[wprm-recipe id="${recipe}"]`);
  await blog.tellPosts();
  followers = await createFollowers(app);
  account = await followers.connect(creatorId);
  const buttons = [{ title: 'Get the recipe', url: `${blog.wordpress.url}/cake/` }];
  await followers.automation(anna, account, { words: ['recipe'], buttons });
});
afterAll(async () => {
  await browser.close();
  await followers.close();
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
  await app.close();
  await stripe.close();
});

/** @param part what is ours of a page */
async function look(page: Page, size: string, name: string, part = 'html') {
  const { violations } = await new AxeBuilder({ page: page as never }).setLegacyMode().include(part).analyze();
  const bad = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(bad.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`)).toEqual([]);
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${size}-${name}.png`) });
}

test.each(Object.entries(SIZES))('a member enters on a %s', async (size, viewport) => {
  const context = await browser.newContext({ viewport, locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(`${blog.wordpress.url}/cake/`);
  expect(await page.content()).not.toContain('zqmembers');
  const wall = page.locator('.chq-locked');
  await look(page, size, 'wall', '.chq-locked');
  await wall.getByRole('button', { name: 'Enter as a member' }).click();
  await page.getByRole('heading', { name: 'Enter as a member' }).waitFor();
  await look(page, size, 'email');
  await page.getByLabel('Email').fill(EMAIL);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Type the code' }).waitFor();
  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Enter', exact: true }).click();
  await page.getByRole('alert').waitFor();
  await look(page, size, 'wrong-code');
  await page.getByLabel('Code').fill((await app.mails(EMAIL)).at(-1)!.subject.slice(0, 6));
  await page.keyboard.press('Enter');
  await page.getByText('zqmembers').waitFor();
  expect(page.url()).toBe(`${blog.wordpress.url}/cake/`);
  await page.getByText('1 1/2 cups').waitFor();
  expect(await wall.count()).toBe(0);
  await look(page, size, 'open', '.wprm-recipe-container');
  await page.reload();
  await page.getByText('zqmembers').waitFor();
  await context.close();
});

test.each(Object.entries(SIZES))(
  'a reader becomes a member on a %s, and is back at the recipe',
  async (size, viewport) => {
    const context = await browser.newContext({ viewport, locale: 'en-US' });
    const page = await context.newPage();
    const email = `reader-${size}@example.test`;
    await page.goto(`${blog.wordpress.url}/cake/`);
    await page.locator('.chq-locked').getByRole('button', { name: 'Become a member' }).click();
    await page.getByRole('heading', { name: 'Become a member' }).waitFor();
    await look(page, size, 'join');
    await page.getByLabel('Yearly').check();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Join and pay' }).click();
    await page.getByText('Total due today: $40.00').waitFor();
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByRole('heading', { name: 'You’re a member' }).waitFor();
    await page.getByText(email).waitFor();
    await look(page, size, 'joined');
    await page.getByRole('link', { name: 'Back to the recipe' }).click();
    await page.getByText('zqmembers').waitFor();
    expect(page.url()).toBe(`${blog.wordpress.url}/cake/`);
    const [mail] = await app.mails(email);
    expect(mail!.subject).toContain('You’re a member: Friends');
    await context.close();
  },
);

/** Somebody comments RECIPE. @param email they gave it in a DM @returns the link in the message to them */
async function askForRecipe(email: string | null): Promise<string> {
  const { deliveryId } = await followers.ask(account, { text: 'RECIPE please' });
  const { rows } = await app.db.enginePool.query(
    `select content #>> '{buttons,0,url}' as url, recipient_person_id as person from deliveries where id = $1`,
    [deliveryId],
  );
  if (email !== null) {
    await app.db.enginePool.query(
      `insert into consents (creator_id, id, connection_id, person_id, email, wording, place, agreed_at)
       values ($1, $2, $3, $4, $5, 'You get my letter.', 'instagram_message', $6)`,
      [account.creatorId, systemIds.uuid(new Date()), account.connectionId, rows[0].person, email, app.clock.now()],
    );
    await linkGivenAddresses(app.deps);
  }
  // The engine of tests is at another address.
  return app.deps.config.baseUrl + new URL(rows[0].url).pathname;
}

test.each(Object.entries(SIZES))(
  'a member who comments opens the recipe on a %s without logging in, once',
  async (size, viewport) => {
    const email = `mia-${size}@example.test`;
    const link = await askForRecipe(email);
    const options = { viewport, locale: 'en-US', userAgent: IN_INSTAGRAM };
    const context = await browser.newContext(options);
    const page = await context.newPage();
    // Not a member yet: the teaser, and by the same message in once they are.
    await page.goto(link);
    expect(page.url()).toBe(`${blog.wordpress.url}/cake/`);
    expect(await page.content()).not.toContain('zqmembers');
    await give(email);

    await page.goto(link);
    await page.getByRole('heading', { name: 'Open as a member' }).waitFor();
    await look(page, size, 'message');
    await page.getByRole('button', { name: 'Open as a member' }).click();
    await page.getByText('zqmembers').waitFor();
    expect(page.url()).toBe(`${blog.wordpress.url}/cake/`);
    await page.getByText('1 1/2 cups').waitFor();
    await look(page, size, 'message-opened', '.wprm-recipe-container');
    await page.goto(link);
    await page.getByText('zqmembers').waitFor();
    expect(page.url()).toBe(`${blog.wordpress.url}/cake/`);
    await context.close();

    // A friend to whom the link was passed on.
    const theirs = await browser.newContext(options);
    const friend = await theirs.newPage();
    await friend.goto(link);
    await friend.locator('.chq-locked').getByRole('button', { name: 'Enter as a member' }).waitFor();
    expect(friend.url()).toBe(`${blog.wordpress.url}/cake/`);
    expect(await friend.content()).not.toContain('zqmembers');
    await theirs.close();
  },
);

test('whoever comments and is no member gets the teaser by their message, and after joining that very recipe', async () => {
  const context = await browser.newContext({ viewport: SIZES.phone, locale: 'en-US', userAgent: IN_INSTAGRAM });
  const page = await context.newPage();
  await page.goto(await askForRecipe(null));
  await page.locator('.chq-locked').getByRole('button', { name: 'Become a member' }).click();
  await page.getByLabel('Email').fill('newcomer@example.test');
  await page.getByRole('button', { name: 'Join and pay' }).click();
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await page.getByRole('link', { name: 'Back to the recipe' }).click();
  await page.getByText('zqmembers').waitFor();
  expect(page.url()).toBe(`${blog.wordpress.url}/cake/`);
  await context.close();
});

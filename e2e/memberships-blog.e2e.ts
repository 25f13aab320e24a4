/** J11, whole: a creator's real WordPress is connected and locked; a reader pays, reads without ads, in print and on a second phone, and cancels. */
import type { Page } from 'playwright';
import { afterEach, beforeEach, test } from 'vitest';
import { type Blog, logIn, startBlog } from '../wordpress-plugin/tests/blog.ts';
import { DEVICES, enterDemo, expect, type RunningApp, startApp, type Visit } from './journey.ts';
import { connectStripe, enterByCode } from './memberships.ts';

const P = (text: string) => `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->`;
const SECRET = 'Whisk the yolks with the sugar until they are pale, and fold in the whites.';

let app: RunningApp;
let blog: Blog;
beforeEach(async () => {
  // The blog is on this machine.
  app = await startApp({ FAN_MEMBERSHIPS: 'on', PRIVATE_WEBHOOKS: 'on' });
  blog = await startBlog({ isConnected: false, cameFrom: app.url, plugins: ['fake-ads'] });
});
afterEach(async () => {
  await blog.close();
  await app.close();
});

test.each(DEVICES)('J11: from a price to “they can’t get in”, with a real blog, on a %s', async (device) => {
  const member = 'mia@example.test';
  const locked = `${blog.wordpress.url}/cake/`;
  const recipe = await blog.recipe('Secret cake');
  const card = `[wprm-recipe id="${recipe}"]`;
  await blog.post('Cake', `${P('Hello')}${card}`);
  const whole = await blog.post('Bread', `${P('Hello')}${P('A long story')}${P('of bread')}${P(SECRET)}`);
  await blog.wordpress.php(`
    $cat = wp_insert_term('Inner circle', 'category');
    wp_set_post_categories(${whole}, array($cat['term_id']));`);

  const creator = await app.visit(device);
  const { page } = creator;
  const dialog = page.getByRole('dialog');
  // The picture of who is logged in at WordPress.
  creator.expectComplaint(/gravatar\.com/);
  await enterDemo(creator);
  await connectBlog(creator);
  await connectStripe(creator);
  await page.getByRole('button', { name: 'Add a tier' }).click();
  await page.getByRole('button', { name: 'Add a tier' }).click();
  await dialog.getByLabel('Name').fill('Friends');
  await dialog.getByLabel('Price a month').fill('4');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('$4.00 a month')).toBeVisible();
  await blog.register();

  await page.goto('/creator-hq/memberships?tab=locks');
  await page.getByLabel('Who reads Inner circle').selectOption({ label: 'Members' });
  // One of three posts is more than 30 %.
  await dialog.getByRole('button', { name: 'Lock' }).click();
  await expect(page.getByText('Changed on your blog')).toBeVisible();
  await page.getByLabel('Find a category, tag or post').fill('Cake');
  await page.getByLabel('Who reads Cake').selectOption({ label: 'Recipe card only for: Members' });
  await page.getByLabel('Find a category, tag or post').fill('');
  await expect(page.getByText('Post · now: Members')).toBeVisible();
  await expect(page.getByText('2 of 3 posts have something locked, 67%.')).toBeVisible();
  await creator.checkBothThemes('what is locked on the blog');

  await page.goto(locked);
  for (const [whom, sees] of [
    ['Stranger', false],
    ['Member', true],
  ] as const) {
    await openViewAs(page, whom);
    await expect(page.getByText(`You see this page as: ${whom}.`)).toBeVisible();
    await expect(page.locator('.wprm-recipe-ingredient')).toHaveCount(sees ? 2 : 0);
    await creator.takePicture(page, device, `the blog as ${whom}`);
    await page.getByRole('link', { name: 'Back to your own view' }).click();
  }
  await page.goto('/creator-hq/memberships?tab=locks');
  await page.getByRole('button', { name: 'Check the locks' }).click();
  await expect(page.getByText(/posts have something locked/)).toBeVisible();
  await expect(page.getByText(/^Strangers see 0 of \d+ locked words by \d+ ways in; members see all\.$/)).toBeVisible();
  await creator.checkBothThemes('locks that were checked');
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.getByText(/^Strangers see 0 of \d+ locked words/)).toBeVisible();
  await creator.checkBothThemes('memberships whose wall works');

  const reader = await app.visit(device);
  await reader.page.goto(`${blog.wordpress.url}/bread/`);
  await expect(reader.page.getByText('A long story')).toBeVisible();
  await expect(reader.page.getByText(SECRET)).toHaveCount(0);
  await reader.page.goto(locked);
  await expect(reader.page.locator('.ad-slot').first()).toBeAttached();
  await reader.takePicture(reader.page, device, 'the wall of a card');
  await expect(reader.page.locator('.wprm-recipe-ingredient')).toHaveCount(0);
  await reader.page.locator('.chq-locked').getByRole('button', { name: 'Become a member' }).click();
  await reader.page.getByLabel('Email').fill(member);
  await reader.page.getByRole('button', { name: 'Join and pay' }).click();
  await reader.page.getByRole('button', { name: 'Subscribe' }).click();
  await reader.page.getByRole('link', { name: 'Back to the recipe' }).click();
  await expect(reader.page).toHaveURL(locked);
  await expect(reader.page.locator('.wprm-recipe-ingredient')).toHaveCount(2);
  await expect(reader.page.locator('.ad-slot')).toHaveCount(0);
  await reader.takePicture(reader.page, device, 'a locked card that a member reads');
  await reader.page.goto(`${blog.wordpress.url}/bread/`);
  await expect(reader.page.getByText(SECRET)).toBeVisible();
  await reader.page.goto(`${blog.wordpress.url}/?fake_print=1`);
  await expect(reader.page.locator('.ad-slot')).toHaveCount(0);

  await reader.page.goto(locked);
  await reader.page.getByRole('button', { name: 'Pass this recipe to a friend (3 left this month)' }).click();
  const link = await reader.page.getByLabel('Send this link to your friend.').inputValue();
  const friend = await app.visit('phone');
  await friend.page.goto(link);
  await friend.page.getByRole('button', { name: 'Open the recipe' }).click();
  await expect(friend.page).toHaveURL(locked);
  await expect(friend.page.locator('.wprm-recipe-ingredient')).toHaveCount(2);
  await expect(friend.page.locator('.ad-slot').first()).toBeAttached();
  await friend.takePicture(friend.page, device, 'a recipe that was passed');
  await friend.end();

  const second = await app.visit('phone');
  await second.page.goto(locked);
  await second.page.locator('.chq-locked').getByRole('button', { name: 'Enter as a member' }).click();
  await enterByCode(second, member);
  await expect(second.page.locator('.wprm-recipe-ingredient')).toHaveCount(2);
  await expect(second.page.locator('.ad-slot')).toHaveCount(0);
  await second.end();

  await page.getByRole('tab', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'They can’t get in' }).click();
  await dialog.getByLabel('Their email address').fill(member);
  await dialog.getByRole('button', { name: 'Look', exact: true }).click();
  await expect(dialog.getByText('Everything is right: they read on.')).toBeVisible();
  await dialog.getByRole('button', { name: 'See their story' }).click();
  await expect(page.getByText(/^Joined Friends/)).toBeVisible();
  await creator.checkBothThemes('a member with two browsers');
  await page.getByRole('button', { name: 'End the recipe passed to friends' }).click();
  await expect(page.getByText('Ended. Friends meet the wall again.')).toBeVisible();

  // They cancel by themselves, read on until the end, and their creator sees it.
  await reader.page.goto(`${app.url}/join/thegoldenspoon/cancel`);
  await reader.page.getByLabel('Email address of the membership').fill(member);
  await reader.page.getByRole('button', { name: 'Cancel now' }).click();
  await expect(reader.page.getByRole('heading', { name: 'Your cancellation was received' })).toBeVisible();
  await expect(page.getByText(/^Canceled for /)).toBeVisible();
  await reader.page.goto(locked);
  await expect(reader.page.locator('.wprm-recipe-ingredient')).toHaveCount(2);
  await reader.end();
  await creator.end();
  expect(await blog.wordpress.complaints()).toEqual([]);
});

/** As a person does it, in wp-admin and at the hub. */
async function connectBlog({ page }: Visit): Promise<void> {
  const cookies = (await logIn(blog, 'administrator')).split('; ').map((pair) => pair.split(/=(.*)/s));
  const url = blog.wordpress.url;
  await page.context().addCookies(cookies.map(([name, value]) => ({ name: name!, value: value!, url })));
  await page.goto(`${url}/wp-admin/options-general.php?page=creator-hq`);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('button', { name: 'Connect blog' }).click();
  await expect(page.getByText(/Connected as @/).first()).toBeVisible();
  // The demo has a blog.
  await page.goto('/creator-hq/settings?tab=api-key');
  await page.getByRole('button', { name: 'It moved: make this my live blog' }).click();
  await expect(page.getByText('This is your live blog now')).toBeVisible();
}

async function openViewAs(page: Page, whom: string): Promise<void> {
  const link = page.locator('#wpadminbar').getByRole('menuitem', { name: whom, exact: true, includeHidden: true });
  await page.goto((await link.getAttribute('href'))!);
}

/** From a post's caption to a shopping list behind the word it asks for, and on to the follower who writes it. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { connectInstagram, DEVICES, expect, type RunningApp, signUp, startApp, type Visit } from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

const CAPTION = [
  'Skillet lasagna 🍝',
  'Comment LASAGNA and I’ll send you the list. https://blog.example/skillet-lasagna',
  '',
  'Ingredients',
  '1 lb ground beef',
  '2 cups marinara sauce',
  '3 tbsp zorblat paste',
  'Method',
  'Brown the beef, add the rest.',
].join('\n');

describe.each(DEVICES)('on a %s', (device) => {
  test('from caption to shoppable in one go: list, word and both buttons, undone and made again', async () => {
    const username = `shopper.${device}`;
    const creator = await app.control.seedCreator({
      username,
      followers: [{ username: `hungry.${device}` }],
      posts: [
        { product: 'REELS', mediaType: 'VIDEO', caption: 'Behind the scenes, nothing to cook' },
        { product: 'REELS', mediaType: 'VIDEO', caption: CAPTION },
      ],
    });
    const [hungry] = creator.followers;
    const visit = await app.visit(device);
    const { page } = visit;
    await signUp(visit, { name: 'Ada Cook', email: `shoppable.${device}@example.com` }, { checkScreens: false });
    await connectInstagram(visit, username, { checkScreens: false });
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/creators/') && asked.push(request.url()));
    const dialog = await openOn(visit, /Skillet lasagna/);

    await expect(dialog.getByText('3 ingredients')).toBeVisible();
    await expect(dialog.getByLabel('Recipe', { exact: true })).toHaveValue('Skillet lasagna');
    await expect(dialog.getByLabel('Recipe page')).toHaveValue('https://blog.example/skillet-lasagna');
    await expect(dialog.getByLabel('Followers comment')).toHaveValue('LASAGNA');
    await visit.checkBothThemes('make it shoppable');
    const make = dialog.getByRole('button', { name: 'Make it shoppable' });
    await make.click();

    // Taken back, and nothing is left of it.
    const done = page.getByRole('dialog', { name: 'This post is shoppable' });
    await expect(done.getByText('1 line to check first')).toBeVisible();
    await visit.checkBothThemes('made shoppable');
    await done.getByRole('button', { name: 'Undo' }).click();
    await expect(make).toBeVisible();
    const creatorId = /creators\/([0-9a-f-]{36})/.exec(asked.at(-1) ?? '')![1];
    const recipes = await page.request.get(`/api/v1/creators/${creatorId}/recipes`);
    expect(await recipes.json()).toMatchObject({ items: [] });

    await make.click();
    await done.getByRole('button', { name: 'Open the automation' }).click();
    const panel = page.getByRole('dialog');
    await expect(panel.getByRole('button', { name: 'Turn on' }).first()).toBeVisible();
    await panel.getByRole('button', { name: 'Turn on' }).first().click();
    await expect(panel.getByText(/^On since/)).toBeVisible();
    await visit.checkScreen();

    await app.control.comment({
      mediaId: creator.posts[1]!.mediaId,
      personId: hungry!.personId,
      text: 'lasagna please',
    });
    const sent = async () => (await app.control.inbox(hungry!.personId)).flatMap(({ messages }) => messages);
    await expect.poll(sent).toHaveLength(1);
    expect(JSON.stringify(await sent())).toMatch(/Get the recipe.*Shop ingredients/);

    // On their phone: from the message to the list, and on to the shop.
    const phone = await visit.newPage();
    const { instagramAccountId: account } = creator;
    await phone.goto(
      `${app.phoneUrl}?${new URLSearchParams({ as: hungry!.personId, account, messages: 'inbox', thread: account })}`,
    );
    const opened = phone.waitForEvent('popup');
    await phone.getByRole('link', { name: 'Shop ingredients' }).click();
    const list = await opened;
    await expect(list.getByRole('checkbox', { name: 'marinara' })).toBeChecked();
    await list.getByRole('button', { name: /^Shop at Instacart/ }).click();
    await expect(list.getByText('Simulated Instacart')).toBeVisible();
    await expect(list.getByRole('listitem').filter({ hasText: 'beef' })).toBeVisible();

    // Opened again, the post keeps to the recipe that its automation leads to.
    const again = await openOn(visit, /Skillet lasagna/);
    await expect(again.getByText('Skillet lasagna is one of your recipes.')).toBeVisible();
    await visit.end();
  });

  test('a caption without ingredients asks for the page of the recipe', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    await page.goto('/creator-hq/login');
    await page.getByLabel('Email').fill(`shoppable.${device}@example.com`);
    await page.getByLabel('Password', { exact: true }).fill('a pinch of smoked salt');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await expect(page).toHaveURL(/\/creator-hq$/);
    const dialog = await openOn(visit, /Behind the scenes/);
    await expect(dialog.getByText('No ingredients in the caption')).toBeVisible();
    await expect(dialog.getByLabel('Address of a recipe')).toBeVisible();
    await visit.checkBothThemes('nothing shoppable');
    await visit.end();
  });
});

async function openOn({ page }: Visit, caption: RegExp) {
  await page.goto('/creator-hq/comment-for-dm/posts-and-reels');
  await page.getByRole('link', { name: caption }).first().click();
  await page.getByRole('button', { name: 'Make it shoppable' }).click();
  return page.getByRole('dialog', { name: 'Make it shoppable' });
}

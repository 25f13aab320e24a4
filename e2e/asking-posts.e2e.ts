/** Posts that ask for a word before anything replies: seen on cards, turned on from home, and the first link told once. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { connectInstagram, DEVICES, expect, type RunningApp, signUp, startApp } from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

describe.each(DEVICES)('on a %s', (device) => {
  test('from the steps alone to a funnel, with one tap for a post that asks', async () => {
    const username = `asking.${device}`;
    const creator = await app.control.seedCreator({
      username,
      followers: [{ username: `fan.${device}` }],
      posts: [
        { caption: 'Creamy coconut curry. Comment CURRY and I send it.' },
        { caption: 'Soup of the week. Comment "soup" for the recipe: https://example.com/soup' },
        { caption: 'A quiet Sunday at home.' },
      ],
    });
    await app.control.updateAccount(creator.instagramAccountId, { website: 'https://ada.example/' });
    const visit = await app.visit(device);
    const { page } = visit;
    await page.addInitScript(`
      globalThis.falling = [];
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...how) {
        falling.push(this);
        return animate.apply(this, how);
      };
    `);
    await signUp(visit, { name: 'Ada Cook', email: `asking.${device}@example.com` }, { checkScreens: false });
    await connectInstagram(visit, username);

    // Home of a new creator: the steps and nothing else.
    await page.goto('/creator-hq');
    await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible();
    await expect(page.getByText('2 posts already ask for a word')).toBeVisible();
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText(['First steps']);
    await visit.checkBothThemes('home of a new creator');

    // The cards say so, and the first picture is in view.
    await page.goto('/creator-hq/comment-for-dm/posts-and-reels');
    const curry = page.getByRole('link', { name: /Creamy coconut curry/ });
    await expect(curry).toContainText('Asks for CURRY · nothing replies yet');
    await visit.checkBothThemes('posts that ask');
    if (device === 'phone') {
      const picture = await page
        .getByRole('list', { name: /^Posts 1 to/ })
        .locator('img')
        .first()
        .boundingBox();
      expect(picture!.y).toBeLessThan(240);
      await page.getByRole('button', { name: 'Filter and sort' }).click();
      await expect(page.getByRole('link', { name: 'Set up the automation now' })).toBeVisible();
    }
    await page.getByLabel('Sort', { exact: true }).selectOption('Most comments');
    await page.getByLabel('Automation', { exact: true }).selectOption('Asks, no reply yet');
    await expect(page.getByText(/^2 posts found/)).toBeVisible();
    await expect(page.getByText('A quiet Sunday')).toBeHidden();
    await visit.checkBothThemes('posts that ask, filtered');

    // One tap each, the message before it; without a link nothing is turned on.
    await page.goto('/creator-hq');
    await page.getByRole('button', { name: 'Turn them on' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText("Here's what you asked for. Enjoy!").first()).toBeVisible();
    await expect(dialog.getByText('https://example.com/soup', { exact: true })).toBeVisible();
    await expect(dialog.getByLabel('Link', { exact: true })).toHaveValue('https://ada.example/');
    await dialog.getByRole('button', { name: 'Preview for CURRY' }).click();
    await expect(dialog.getByText('“Get the recipe” opens https://ada.example/')).toBeVisible();
    await dialog.getByRole('button', { name: 'Hide preview for CURRY' }).click();
    await dialog.getByLabel('Link', { exact: true }).fill('');
    await dialog.getByRole('button', { name: 'Turn on for CURRY' }).click();
    await expect(dialog.getByText(/https:\/\//).last()).toBeVisible();
    await expect(dialog.getByRole('status')).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Preview for soup' }).click();
    await expect(dialog.getByRole('region', { name: "Preview on a follower's phone" })).toBeVisible();
    await visit.checkBothThemes('turning on posts that ask');
    await dialog.getByRole('button', { name: 'Turn on for soup' }).click();
    await expect(dialog.getByRole('status')).toContainText('New comments with soup get a reply.');
    await dialog.getByLabel('Link', { exact: true }).fill('example.com/curry');
    await dialog.getByRole('button', { name: 'Turn on for CURRY' }).click();
    await expect(dialog.getByRole('status')).toHaveCount(2);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText(/already ask/)).toHaveCount(0);

    // The first follower gets it: said once, with what the days brought, and confetti for those who like motion.
    const [fan] = creator.followers;
    const likesMotion = device === 'phone';
    if (likesMotion) await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.evaluate('falling.length = 0');
    await app.control.comment({ mediaId: creator.posts[0]!.mediaId, personId: fan!.personId, text: 'CURRY please' });
    await expect(page.getByText('Your first follower got your link 🎉')).toBeVisible();
    await app.control.comment({ mediaId: creator.posts[0]!.mediaId, personId: fan!.personId, text: 'So good' });
    await expect(page.getByText('So good')).toBeVisible();
    // Each piece falls once, although home was drawn again.
    const pieces = likesMotion ? 24 : 0;
    expect(await page.evaluate('[falling.length, new Set(falling).size]')).toEqual([pieces, pieces]);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect(page.getByRole('heading', { name: 'Results' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Top posts' })).toBeVisible();
    await visit.checkBothThemes('home with the first link');
    await page.getByLabel('Period').selectOption('Last 30 days');
    await expect(page.getByRole('heading', { name: 'Last 30 days', exact: true })).toBeVisible();
    await page.reload();
    await expect(page.getByLabel('Period')).toHaveValue('30');
    await expect(page.getByText('Your first follower got your link 🎉')).toHaveCount(0);
    await visit.end();
  });
});

/** J1: "My first automation, on my phone, between two takes." */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { connectInstagram, DEVICES, expect, goToStep, type RunningApp, signUp, startApp } from './journey.ts';

const RECIPE = 'https://example.com/lemon-pasta';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp({}, { firstStart: true });
});
afterAll(() => app?.close());

describe.each(DEVICES)('on a %s', (device) => {
  test('from signing up to a follower’s message, its click and its story', async () => {
    const username = `supper.${device}`;
    const creator = await app.control.seedCreator({
      username,
      name: 'Supper Club',
      followers: [
        { username: `noura.${device}`, name: 'نورا 🍋' },
        { username: `tester.${device}`, name: '<b>Tess</b>' },
      ],
      posts: [
        { product: 'REELS', mediaType: 'VIDEO', caption: 'Soup of the week.' },
        {
          product: 'REELS',
          mediaType: 'VIDEO',
          caption: 'Lemon pasta in ten minutes. Comment LEMON and I send it to you.',
        },
      ],
    });
    const [noura, tess] = creator.followers;
    const visit = await app.visit(device);
    const { page } = visit;

    await signUp(visit, { name: 'Ada Cook', email: `ada.${device}@example.com` });
    await connectInstagram(visit, username);

    // Pick the reel: the word of its caption is there already.
    await page.goto('/creator-hq/comment-for-dm/posts-and-reels');
    await expect(page.getByRole('link', { name: /Lemon pasta/ })).toBeVisible();
    await visit.checkScreen();
    await page.getByRole('link', { name: /Lemon pasta/ }).click();
    const panel = page.getByRole('dialog');
    await goToStep(panel, 'Keyword');
    await expect(panel.getByRole('button', { name: 'Remove LEMON' })).toBeVisible();
    await expect(panel.getByText(/^Matches “LEMON please”/)).toBeVisible();
    await goToStep(panel, 'Message');
    await panel.getByLabel('Message', { exact: true }).fill('Hi {{username|there}}, here is the lemon pasta 🍋');
    await addLinkButton();
    await goToStep(panel, 'Turn it on');
    await panel.getByLabel(/^Public replies/).fill('Sent, look into your messages');
    await panel.getByLabel('What a follower might write').fill('lemon please');
    await expect(panel.getByText('This gets a reply.')).toBeVisible();
    await visit.checkScreen();
    // The answer to switching on says so itself: the creator does not see "Turn on" again until the automation is read again.
    const isOn = Promise.withResolvers<void>();
    await page.route(/\/automations\/[0-9a-f-]{36}$/, async (route) => {
      if (route.request().method() === 'GET') await isOn.promise;
      await route.continue();
    });
    await panel.getByRole('button', { name: 'Turn on' }).click();
    await expect(panel.getByText(/^On since/)).toBeVisible();
    await expect(panel.getByRole('button', { name: 'Turn off' })).toBeVisible();
    isOn.resolve();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await visit.checkScreen();

    // From the live test, the phone opens at this account and post.
    await panel.getByRole('tab', { name: 'Test it live' }).click();
    const opened = page.waitForEvent('popup');
    await panel.getByRole('link', { name: 'Open phone' }).click();
    const beside = await opened;
    await expect(beside.getByLabel('Add a comment')).toBeVisible();
    await expect(beside.getByText(/Lemon pasta in ten minutes/)).toBeVisible();
    await expect(beside.getByText(username, { exact: true }).first()).toBeVisible();
    await beside.close();

    // A follower comments on their phone; the message is there, and its story on the creator's screen.
    await panel.getByRole('tab', { name: 'Comments' }).click();
    const phone = await visit.newPage();
    const at = (place: Record<string, string>) =>
      `${app.phoneUrl}?${new URLSearchParams({ as: noura!.personId, ...place })}`;
    await phone.goto(at({ account: creator.instagramAccountId, post: creator.posts[1]!.mediaId }));
    await phone.getByLabel('Add a comment').fill('LEMON 🍋🍋 please');
    const startedAt = performance.now();
    await phone.getByRole('button', { name: 'Post', exact: true }).click();
    await expect.poll(() => messagesTo(noura!.personId), { intervals: [20] }).toHaveLength(1);
    console.log(
      `J1 on a ${device}: the message came ${Math.round(performance.now() - startedAt)} ms after the comment`,
    );
    await expect(phone.getByText('Sent, look into your messages')).toBeVisible();
    const line = panel.getByRole('button', { name: new RegExp(`@noura\\.${device}.*LEMON`) });
    await expect(line).toContainText('Sent');
    await visit.checkScreen();

    // They open it in their inbox and follow the button to the recipe.
    await phone.goto(
      at({ account: creator.instagramAccountId, messages: 'inbox', thread: creator.instagramAccountId }),
    );
    await expect(phone.getByText(`Hi noura.${device}, here is the lemon pasta 🍋`)).toBeVisible();
    // Not whether the page shows: not every Chromium lets a test answer what a new window is redirected to.
    const opening = phone.context().waitForEvent('request', (request) => request.url() === RECIPE);
    await phone.getByRole('link', { name: 'Get the recipe' }).click();
    await opening;
    await expect(line).toContainText(/Link clicked/);

    // HTML is text, on this screen and on the home screen.
    await app.control.comment({
      mediaId: creator.posts[1]!.mediaId,
      personId: tess!.personId,
      text: '<img src=x onerror=alert(1)> lemon نورا',
    });
    await expect(panel.getByText('<img src=x onerror=alert(1)>')).toBeVisible();
    await page.goto('/creator-hq');
    await expect(page.getByRole('button', { name: new RegExp(`@noura\\.${device}.*LEMON`) })).toBeVisible();
    await expect(page.getByText('<img src=x onerror=alert(1)>')).toBeVisible();
    await visit.checkScreen();

    // On the home screen a new comment appears by itself.
    await app.control.comment({
      mediaId: creator.posts[1]!.mediaId,
      personId: noura!.personId,
      text: 'Made it, loved it',
    });
    await expect(page.getByText('Made it, loved it')).toBeVisible();

    // In the list it is off at once, and does not look on again while the list is read again.
    await page.goto('/creator-hq/comment-for-dm');
    const onOff = page.getByRole('switch', { name: 'LEMON' });
    await expect(onOff).toBeChecked();
    const isRead = Promise.withResolvers<void>();
    await page.route(/\/automations(\?.*)?$/, async (route) => {
      await isRead.promise;
      await route.continue();
    });
    const reading = page.waitForRequest(/\/automations(\?.*)?$/);
    await onOff.click();
    await reading;
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    expect(await onOff.isChecked()).toBe(false);
    isRead.resolve();
    await expect(onOff).toHaveAccessibleName('LEMON Off');
    await page.unrouteAll({ behavior: 'ignoreErrors' });

    async function addLinkButton() {
      const title = panel.getByLabel('Button text');
      if ((await title.count()) === 0) await panel.getByRole('button', { name: 'Add a button' }).click();
      await title.fill('Get the recipe');
      await panel.getByLabel('Button link').fill(RECIPE);
    }
    async function messagesTo(personId: string) {
      return (await app.control.inbox(personId)).flatMap((thread) => thread.messages);
    }
    await visit.end();
  });
});

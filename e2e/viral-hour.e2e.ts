/** J3: "It goes viral overnight", with five private replies an hour instead of 750. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { connectInstagram, DEVICES, expect, goToStep, type RunningApp, signUp, startApp } from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp({ PRIVATE_REPLIES_PER_HOUR: '5' });
});
afterAll(() => app?.close());

describe.each(DEVICES)('on a %s', (device) => {
  test('the queue, its hand brake, the misspelling and catching up', async () => {
    const username = `viral.${device}`;
    const creator = await app.control.seedCreator({
      username,
      name: 'Viral Kitchen',
      followers: Array.from({ length: 14 }, (_, n) => ({ username: `fan${n}.${device}` })),
      posts: [
        { product: 'REELS', mediaType: 'VIDEO', caption: 'Crispy potatoes. Comment RECIPE and I send it to you.' },
      ],
    });
    const mediaId = creator.posts[0]!.mediaId;
    const fans = creator.followers.map(({ personId }) => personId);
    const comment = (people: string[], text: string, notify = true) =>
      app.control.commentMany(people.map((personId) => ({ mediaId, personId, text, notify })));
    const answered = async () => {
      const threads = await Promise.all(fans.map((fan) => app.control.inbox(fan)));
      return threads.filter((own) => own.some((thread) => thread.messages.some((message) => message.viaApi))).length;
    };
    const visit = await app.visit(device);
    const { page } = visit;
    await signUp(visit, { name: 'Vi Ral', email: `vi.${device}@example.com` }, { checkScreens: false });
    await connectInstagram(visit, username);

    // Two asked before anything listened.
    await comment(fans.slice(0, 2), 'recipe please');
    await page.goto('/creator-hq/comment-for-dm/posts-and-reels');
    await page.getByRole('link', { name: /Crispy potatoes/ }).click();
    const panel = page.getByRole('dialog');
    await goToStep(panel, 'Keyword');
    await expect(panel.getByRole('button', { name: 'Remove RECIPE' })).toBeVisible();
    await goToStep(panel, 'Message');
    await panel.getByLabel('Message', { exact: true }).fill('Here is the recipe.');
    await panel.getByLabel('Button link').fill('https://example.com/potatoes');
    await goToStep(panel, 'Turn it on');
    await panel.getByRole('button', { name: 'Turn on' }).click();
    await expect(panel.getByText(/^On since/)).toBeVisible();
    await expect(panel.getByText('2 people asked in the last 7 days and didn’t get your link')).toBeVisible();
    await visit.checkBothThemes('catch up after switching on');
    await panel.getByRole('button', { name: 'Send to 2 people' }).click();
    await expect(panel.getByText('2 of 2 sent.')).toBeVisible();
    expect(await answered()).toBe(2);

    // Overnight: seven more ask, three misspell it, one was never told to us.
    await comment(fans.slice(2, 9), 'RECIPE 🔥');
    await comment(fans.slice(9, 12), 'recypee plz');
    await comment(fans.slice(12, 13), 'recipe!', false);
    await page.goto('/creator-hq');
    const queue = page.getByRole('region', { name: `Queue of @${username}` });
    await expect(queue.getByText(/^[45] messages are waiting; everyone gets theirs by/)).toBeVisible();
    await expect(queue.getByText(/^Sending 5 an hour, Instagram’s limit/)).toBeVisible();
    await expect(queue.getByText(/[45] waiting, done by/)).toBeVisible();
    await visit.checkBothThemes('home with a queue');
    expect(await answered()).toBe(5);

    // Slow down, pause, resume.
    await queue.getByText('Change speed or order').click();
    await queue.getByLabel('Speed').selectOption('half');
    await expect(queue.getByText(/^2 an hour instead of 5, as you chose until/)).toBeVisible();
    await queue.getByRole('button', { name: 'Pause' }).click();
    await expect(queue.getByText(/^You paused the queue/)).toBeVisible();
    await visit.checkBothThemes('home with a paused queue');
    await queue.getByRole('button', { name: 'Resume' }).click();
    await queue.getByLabel('Speed').selectOption('full');
    await expect(queue.getByText(/^Sending 5 an hour/)).toBeVisible();

    // The misspelling, and those who wrote it.
    await page.goto('/creator-hq/comment-for-dm/posts-and-reels');
    await page.getByRole('link', { name: /Crispy potatoes/ }).click();
    await panel.getByRole('tab', { name: 'Comments' }).click();
    await expect(panel.getByText(/looks like RECIPE/)).toBeVisible();
    await visit.checkBothThemes('words not listened for');
    await panel.getByRole('button', { name: 'Add recypee' }).click();
    await expect(panel.getByText('3 people asked in the last 7 days and didn’t get your link')).toBeVisible();
    await panel.getByRole('button', { name: 'Send to 3 people' }).click();
    await expect(panel.getByText(/^0 of 3 sent, 3 waiting/)).toBeVisible();
    await visit.checkBothThemes('catching up in a queue');
    await panel.getByRole('button', { name: 'Cancel the rest' }).click();
    await expect(panel.getByText(/3 canceled/)).toBeVisible();
    await visit.end();
  });

  test('more than 20 people get a message only after it was shown and asked about', async () => {
    const username = `many.${device}`;
    const creator = await app.control.seedCreator({
      username,
      followers: Array.from({ length: 21 }, (_, n) => ({ username: `many${n}.${device}` })),
      posts: [{ caption: 'Lentil soup. Comment SOUP and I send it to you.' }],
    });
    const mediaId = creator.posts[0]!.mediaId;
    const people = creator.followers.map(({ personId }) => personId);
    const visit = await app.visit(device);
    const { page } = visit;
    await signUp(visit, { name: 'May Many', email: `may.${device}@example.com` }, { checkScreens: false });
    await connectInstagram(visit, username);
    await app.control.commentMany(people.map((personId) => ({ mediaId, personId, text: 'soup please' })));

    await page.goto('/creator-hq/comment-for-dm/posts-and-reels');
    await page.getByRole('link', { name: /Lentil soup/ }).click();
    const panel = page.getByRole('dialog');
    await goToStep(panel, 'Message');
    await panel.getByLabel('Message', { exact: true }).fill('Here is the soup.');
    await panel.getByLabel('Button link').fill('https://example.com/soup');
    await goToStep(panel, 'Turn it on');
    await panel.getByRole('button', { name: 'Turn on' }).click();
    await expect(panel.getByText('21 people asked in the last 7 days and didn’t get your link')).toBeVisible();
    await expect(panel.getByRole('list', { name: 'Message' })).toContainText('Here is the soup.');

    await panel.getByRole('button', { name: 'Send to 21 people' }).click();
    const question = page.getByRole('dialog', { name: 'Send this to 21 people?' });
    await expect(question.getByRole('list', { name: 'Message' })).toContainText('Here is the soup.');
    await visit.checkBothThemes('asked before sending to many');
    await question.getByRole('button', { name: 'Not now' }).click();
    await expect(question).toHaveCount(0);
    await expect(panel.getByRole('button', { name: 'Send to 21 people' })).toBeVisible();

    await panel.getByRole('button', { name: 'Send to 21 people' }).click();
    await question.getByRole('button', { name: 'Send now' }).click();
    await expect(panel.getByText(/^5 of 21 sent, 16 waiting/)).toBeVisible();
    await visit.end();
  });
});

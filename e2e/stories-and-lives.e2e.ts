/** J6: "Story, live, mention." */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { connectInstagram, DEVICES, expect, goToStep, type RunningApp, signUp, startApp } from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

describe.each(DEVICES)('on a %s', (device) => {
  test('a word in a story, a live while it runs and after it, one thank-you a day', async () => {
    const username = `saucery.${device}`;
    const creator = await app.control.seedCreator({
      username,
      name: 'The Saucery',
      followers: ['mia', 'ole', 'zoe'].map((name) => ({ username: `${name}.${device}`, name })),
    });
    const [mia, ole, zoe] = creator.followers.map(({ personId }) => personId) as [string, string, string];
    const accountId = creator.instagramAccountId;
    const visit = await app.visit(device);
    const { page } = visit;
    await signUp(visit, { name: 'Sol Sauce', email: `sol.${device}@example.com` }, { checkScreens: false });
    await connectInstagram(visit, username);

    // Nothing is up yet.
    await page.goto('/creator-hq/comment-for-dm/stories-and-lives');
    await expect(page.getByText('No stories right now')).toBeVisible();
    await visit.checkBothThemes('stories empty');

    // A story goes up: word SAUCE, with typos and as an emoji.
    const story = await app.control.seedPost({ accountId, product: 'STORY', caption: 'Sauce day', views: 1200 });
    await lookNow();
    await expect(page.getByText('24 hours left')).toBeVisible();
    await page.getByRole('link', { name: /Sauce day/ }).click();
    const panel = page.getByRole('dialog');
    await addWords('SAUCE', '🍝');
    await goToStep(panel, 'Message');
    await panel.getByLabel('Message', { exact: true }).fill('Here is the sauce, {{username|there}}');
    await panel.getByLabel('Button link').fill('https://example.com/sauce');
    await visit.checkBothThemes('story automation');
    await switchOn();
    await app.control.storyReply({ storyId: story.mediaId, personId: mia, text: 'suace pleeease' });
    await app.control.storyReply({ storyId: story.mediaId, personId: ole, text: '🍝🍝' });
    await expect.poll(() => messagesTo(mia)).toHaveLength(1);
    await expect.poll(() => messagesTo(ole)).toHaveLength(1);
    await panel.getByRole('tab', { name: 'Replies' }).click();
    await expect(panel.getByRole('button', { name: /suace pleeease/ })).toContainText('Sent');
    await expect(panel.getByText('Instagram insights')).toBeVisible();
    await visit.checkBothThemes('story replies');
    await panel.getByRole('button', { name: 'Close' }).first().click();

    // Taken down: its picture and its figures stay, apart from those of posts.
    await app.control.deletePost(story.mediaId);
    await lookNow();
    const over = page.getByRole('region', { name: 'Past stories' });
    await expect(over.getByRole('link', { name: /Sauce day/ })).toContainText('2 sent');
    await expect(over.locator('img')).toHaveJSProperty('complete', true);
    await expect(over.locator('img')).not.toHaveJSProperty('naturalWidth', 0);

    // A live: nobody answers yet, one tap and a word later everybody does, at once.
    const live = await app.control.seedPost({ accountId, product: 'LIVE', caption: 'Cooking together' });
    await lookNow();
    await expect(page.getByText('Comments on this live aren’t getting a reply')).toBeVisible();
    await visit.checkBothThemes('live begins');
    await page.getByRole('link', { name: 'Reply to comments' }).click();
    await addWords('PAN');
    await goToStep(panel, 'Message');
    await panel.getByLabel('Button link').fill('https://example.com/pan');
    await switchOn();
    await panel.getByRole('button', { name: 'Close' }).first().click();
    const before = (await messagesTo(zoe)).length;
    await app.control.comment({ mediaId: live.mediaId, personId: zoe, text: 'which PAN is that?' });
    await expect.poll(async () => (await messagesTo(zoe)).length).toBe(before + 1);
    await expect(page.getByRole('button', { name: /which PAN is that/ })).toContainText('Sent');
    await visit.checkBothThemes('live console');

    // Instagram has a hiccup at the last one, and the live ends: the follower was missed, and the screen says so.
    await app.control.addFault({
      match: { operation: 'private_reply', accountId },
      action: { kind: 'error', code: 2, httpStatus: 500 },
      times: 0,
    });
    await app.control.comment({ mediaId: live.mediaId, personId: mia, text: 'pan please!' });
    await expect(page.getByRole('button', { name: /pan please!/ })).toContainText('Waiting');
    await app.control.endLive(live.mediaId);
    await lookNow();
    await expect(page.getByText('This live has ended, so replies can’t be sent')).toBeVisible();
    await expect(page.getByText('One person was missed.')).toBeVisible();
    await expect(page.getByRole('button', { name: /pan please!/ })).toContainText('Missed');
    await app.control.clearFaults();
    await visit.checkBothThemes('live over');

    // Analytics: stories and lives apart from posts.
    await page.getByRole('link', { name: 'Analytics' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Story analytics' })).toBeVisible();
    await expect(page.getByText('4 replies in this period')).toBeVisible();
    await visit.checkBothThemes('story analytics');

    // A follower tags me twice: one thank-you.
    await page.goto('/creator-hq/story-mentions');
    await expect(page.getByText('No mentions yet')).toBeVisible();
    await visit.checkBothThemes('mentions empty');
    await page.getByRole('link', { name: 'Write a thank-you' }).click();
    await goToStep(panel, 'Message');
    await panel.getByLabel('Message', { exact: true }).fill('Thank you for the love, {{username|you}}!');
    await visit.checkBothThemes('thank-you');
    await switchOn();
    await panel.getByRole('button', { name: 'Close' }).first().click();
    const thanked = (await messagesTo(ole)).length;
    await app.control.storyMention({ accountId, personId: ole });
    await expect.poll(async () => (await messagesTo(ole)).length).toBe(thanked + 1);
    // By their handle, or by "you" while their profile has not been read yet.
    await expect(page.getByText(/Thank you for the love, (ole|you)/)).toBeVisible();
    await app.control.storyMention({ accountId, personId: ole });
    await expect(page.getByText('They got your thank-you less than a day ago.')).toBeVisible();
    expect((await messagesTo(ole)).length).toBe(thanked + 1);
    await visit.checkBothThemes('mentions');
    await visit.end();

    async function lookNow() {
      await page.getByRole('button', { name: 'Refresh' }).click();
      await expect(page.getByText('Up to date with Instagram').last()).toBeVisible();
    }
    async function addWords(...words: string[]) {
      const field = panel.getByLabel('Words or phrases', { exact: true });
      for (const word of words) {
        await field.fill(word);
        await field.press('Enter');
      }
    }
    async function switchOn() {
      await goToStep(panel, 'Turn it on');
      await panel.getByRole('button', { name: 'Turn on' }).click();
      await expect(panel.getByText(/^On since/)).toBeVisible();
    }
    async function messagesTo(personId: string) {
      const threads = await app.control.inbox(personId);
      return threads.flatMap((thread) => thread.messages).filter(({ from }) => from !== 'person');
    }
  });
});

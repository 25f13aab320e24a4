/** J2: "I prepare before I post." Never attached to the wrong post, no old comments answered unasked. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { WakingPost } from '#contract/prepared-posts.ts';
import {
  changeAnswer,
  connectInstagram,
  DEVICES,
  expect,
  goToStep,
  openMore,
  type RunningApp,
  signUp,
  startApp,
  type Visit,
} from './journey.ts';

const WAKING: WakingPost = {
  post: {
    id: 'old',
    caption: 'Soup from last winter',
    pictureUrl: null,
    permalink: null,
    postedAt: '2026-01-10T12:00:00Z',
  },
  foundAt: '2026-06-01T12:00:00Z',
  comments: 25,
  usual: 2,
  asking: 12,
  prepared: [{ automationId: '01890000-0000-7000-8000-000000000001', name: 'Lemon soup' }],
};

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

describe.each(DEVICES)('on a %s', (device) => {
  test('an automation made at noon finds the evening’s reel, asks when two fit, and mends a caption', async () => {
    const username = `ahead.${device}`;
    const creator = await app.control.seedCreator({
      username,
      followers: [{ username: `early.${device}` }, { username: `late.${device}` }],
      posts: [{ product: 'REELS', mediaType: 'VIDEO', caption: 'Old reel, long gone by. PASTA for everybody' }],
    });
    const [early, late] = creator.followers;
    const visit = await app.visit(device);
    const { page } = visit;
    const publish = (caption: string) =>
      app.control.seedPost({ accountId: creator.instagramAccountId, product: 'REELS', mediaType: 'VIDEO', caption });
    const messagesTo = async (personId: string) =>
      (await app.control.inbox(personId)).flatMap((thread) => thread.messages);

    await signUp(visit, { name: 'Ada Ahead', email: `ahead.${device}@example.com` }, { checkScreens: false });
    await connectInstagram(visit, username);
    await openPosts(visit);
    await expect(page.getByRole('link', { name: /Old reel/ })).toBeVisible();

    // At noon: for the next post.
    await page.getByRole('link', { name: 'Set up the automation now' }).click();
    const panel = page.getByRole('dialog', { name: /Automation|pasta|reel/i });
    await expect(panel.getByRole('radio', { name: /My next post/ })).toBeChecked();
    await panel.getByRole('button', { name: 'Use recipe' }).click();
    await expect(panel.getByRole('button', { name: 'Remove RECIPE' })).toBeVisible();
    await goToStep(panel, 'Message');
    await panel.getByLabel('Button link').fill('https://example.com/lemon-pasta');
    await visit.checkScreen();
    await goToStep(panel, 'Turn it on');
    await panel.getByRole('button', { name: 'Turn on' }).click();
    await expect(panel.getByText(/^On since/)).toBeVisible();
    await panel.getByRole('button', { name: 'Close' }).first().click();
    await expect(page.getByText(/Attaches itself to your next post/)).toBeVisible();

    // Two posts at once, neither with its word: it asks, and attaches to neither by itself.
    await publish('Behind the scenes');
    const right = await publish('Lemon pasta is online. Comment PASTA and I send it');
    await app.control.comment({ mediaId: right.mediaId, personId: early!.personId, text: 'RECIPE' });
    await page.getByRole('button', { name: 'Sync posts' }).click();
    await expect(page.getByText('2 new posts could be it.')).toBeVisible();
    await visit.checkBothThemes('prepared asks');
    await page.goto('/creator-hq');
    await expect(page.getByText('Which post is “RECIPE” for?')).toBeVisible();
    await visit.checkScreen();
    await page.getByRole('button', { name: 'Choose post' }).click();
    const asking = page.getByRole('dialog', { name: /Which post is/ });
    await asking.getByRole('radio', { name: /Lemon pasta is online/ }).check();
    await visit.checkScreen();
    await asking.getByRole('button', { name: 'Attach' }).click();

    // The note with the picture, and the caption that asks for another word.
    await expect(page.getByText('“RECIPE” found its post')).toBeVisible();
    await expect(page.getByText('Your caption asks for PASTA, but you listen for RECIPE')).toBeVisible();
    await visit.checkBothThemes('prepared attached and caption');
    await page.getByRole('button', { name: 'Listen for PASTA too' }).click();
    await expect(page.getByText('Your caption asks for PASTA')).toHaveCount(0);

    // Who does what the caption says gets the link; who wrote before it was attached is not answered unasked.
    await app.control.comment({ mediaId: right.mediaId, personId: late!.personId, text: 'pasta please' });
    await expect.poll(() => messagesTo(late!.personId)).toHaveLength(1);
    expect(await messagesTo(early!.personId)).toEqual([]);

    // Last week's real comments, tried on the automation as it stands.
    await openPosts(visit);
    await expect(page.getByText('Attached', { exact: true })).toBeVisible();
    await visit.checkScreen();
    await page
      .getByRole('link', { name: /Lemon pasta is online/ })
      .last()
      .click();
    await openMore(panel);
    await panel.getByRole('button', { name: 'Try it on last week’s comments' }).click();
    await expect(panel.getByText(/2 would get your message/)).toBeVisible();
    await panel.getByText(/2 would get your message/).click();
    await panel.getByText(/2 would get your message/).scrollIntoViewIfNeeded();
    await visit.checkBothThemes('prepared replay');

    // Waking up takes hours: the screen is shown what the server will say then.
    const waking = { items: [WAKING] };
    await changeAnswer(page, '**/home-notices', (notices) => ({ ...notices, wakingPosts: waking }));
    await changeAnswer(page, '**/waking-posts', () => waking);
    await page.goto('/creator-hq');
    await expect(page.getByText('25 comments in 3 hours; 2 are usual.')).toBeVisible();
    await visit.checkBothThemes('waking post');
    await visit.end();
  });
});

async function openPosts({ page, device }: Visit): Promise<void> {
  await page.goto('/creator-hq/comment-for-dm/posts-and-reels');
  // On a phone the pictures come first: what stands above them is behind a button.
  if (device === 'phone') await page.getByRole('button', { name: /^Filter and sort/ }).click();
}

/** One recipe, one truth: its page is told once, looked after while an automation sends it, and moved in one place. Drafts beside it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { LinkCheck } from '#contract/link-guard.ts';
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
} from './journey.ts';

/** The creator's blog. */
const blog = createServer((request, response) => {
  if (request.url === '/gone') return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<!doctype html><html lang="en"><title>Pasta</title><h1>Lemon pasta</h1></html>');
});
let site: string;
let app: RunningApp;
beforeAll(async () => {
  await new Promise<void>((done) => void blog.listen(0, '127.0.0.1', done));
  site = `http://127.0.0.1:${(blog.address() as AddressInfo).port}`;
  app = await startApp({ LINK_GUARD: 'on', PRIVATE_WEBHOOKS: 'on' });
});
afterAll(async () => {
  await app?.close();
  blog.closeAllConnections();
  blog.close();
});

/** Many screens, each looked at by axe. */
const A_LONG_WALK = { timeout: 480_000 };

describe.each(DEVICES)('on a %s', A_LONG_WALK, (device) => {
  test('a recipe is added once, sent, looked after, moved; a draft waits beside what is live', async () => {
    const username = `truth.${device}`;
    const creator = await app.control.seedCreator({
      username,
      followers: [{ username: `first.${device}` }, { username: `second.${device}` }],
      posts: [{ product: 'REELS', mediaType: 'VIDEO', caption: 'Lemon pasta. Comment RECIPE and I send it.' }],
    });
    const [first, second] = creator.followers;
    const visit = await app.visit(device);
    const { page } = visit;
    const comment = (personId: string) =>
      app.control.comment({ mediaId: creator.posts[0]!.mediaId, personId, text: 'RECIPE please' });
    const messagesTo = async (personId: string) =>
      (await app.control.inbox(personId)).flatMap((thread) => thread.messages);

    await signUp(visit, { name: 'Tina Truth', email: `truth.${device}@example.com` }, { checkScreens: false });
    await connectInstagram(visit, username);

    // Added once; a second time is told.
    await page.goto('/creator-hq/shop-the-recipe/recipes');
    await expect(page.getByText('No recipes yet')).toBeVisible();
    await visit.checkBothThemes('recipes empty');
    await page.getByRole('link', { name: 'Add a recipe' }).click();
    await page.getByLabel('Name').fill('Lemon pasta');
    await page.getByLabel('Recipe page link').fill(`${site}/pasta`);
    await page.getByLabel(/^Keywords/).fill('PASTA');
    await page.getByLabel('Message').fill('Hi {{username|there}}, your lemon pasta is here.');
    await visit.checkBothThemes('recipe new');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('link', { name: /Lemon pasta/ })).toContainText('Not used');
    await page.getByRole('link', { name: 'Add a recipe' }).click();
    await page.getByLabel('Name').fill('The same');
    await page.getByLabel('Recipe page link').fill(`${site}/pasta/?utm_source=instagram`);
    visit.expectComplaint(/409 \(Conflict\)/);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText(/“Lemon pasta” already has this link/)).toBeVisible();

    // Pointed to, and on: its page is looked at.
    await page.goto('/creator-hq/comment-for-dm/posts-and-reels');
    await page.getByRole('link', { name: /Lemon pasta/ }).click();
    const panel = page.getByRole('dialog', { name: /Lemon pasta/ });
    await goToStep(panel, 'Message');
    await panel.getByRole('button', { name: 'Use a recipe, meal plan or app link' }).click();
    const picking = page.getByRole('dialog', { name: 'Choose where it leads' });
    await expect(picking.getByRole('button', { name: /Lemon pasta/ })).toBeVisible();
    await visit.checkScreen();
    await picking.getByRole('button', { name: /Lemon pasta/ }).click();
    await expect(panel.getByRole('link', { name: 'Lemon pasta' })).toBeVisible();
    await goToStep(panel, 'Message');
    await panel.getByLabel('Message', { exact: true }).fill('Hi {{username|there}}, here is the pasta.');
    await goToStep(panel, 'Turn it on');
    await panel.getByRole('button', { name: 'Turn on' }).click();
    await expect(panel.getByText(/^On since/)).toBeVisible();
    await openMore(panel);
    await panel.getByText('Link checks and what to do').click();
    await expect(panel.getByText('Works, checked just now')).toBeVisible();
    await panel.getByRole('button', { name: 'Check again' }).click();
    await expect(page.getByText('Checking now')).toBeVisible();
    await visit.checkBothThemes('links of an automation');
    await panel.getByText('Hold messages').click();
    await expect(page.getByText('Saved. It applies from now on.')).toBeVisible();

    // Sent; then the page moves, and the message follows.
    await comment(first!.personId);
    await expect.poll(() => messagesTo(first!.personId)).toHaveLength(1);
    const link = JSON.stringify(await messagesTo(first!.personId)).match(/http[^"\\]*\/l\/[\w/-]+/)![0];
    const leads = async () => (await fetch(link, { redirect: 'manual' })).headers.get('location');
    expect(await leads()).toBe(`${site}/pasta`);
    await page.goto('/creator-hq/shop-the-recipe/recipes');
    await page.getByRole('link', { name: /Lemon pasta/ }).click();
    await page.getByRole('tab', { name: 'Used in' }).click();
    await expect(page.getByRole('heading', { name: 'Used by' })).toBeVisible();
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByLabel('Recipe page link').fill(`${site}/better-pasta`);
    await expect(page.getByText(/all messages already sent will lead to the new address/)).toBeVisible();
    await visit.checkBothThemes('recipe used');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('link', { name: /Lemon pasta/ })).toContainText('Used by 1 automation');
    await expect.poll(leads).toBe(`${site}/better-pasta`);

    // A draft answers nobody until it is published.
    await page.getByRole('link', { name: /Lemon pasta/ }).click();
    await page.getByRole('tab', { name: 'Used in' }).click();
    await page.getByRole('link', { name: 'RECIPE', exact: true }).click();
    await goToStep(panel, 'Message');
    await panel.getByLabel('Message', { exact: true }).fill('Hi {{username|there}}, the better pasta is here.');
    await panel.getByRole('button', { name: 'Save as draft' }).click();
    await expect(panel.getByText('This is a draft')).toBeVisible();
    await panel.getByRole('button', { name: 'Show changes' }).click();
    await expect(panel.getByText('Live', { exact: true })).toBeVisible();
    await visit.checkBothThemes('draft');
    await comment(second!.personId);
    await expect.poll(() => messagesTo(second!.personId)).toHaveLength(1);
    expect(JSON.stringify(await messagesTo(second!.personId))).toContain('here is the pasta');
    // Thought better of, once; then meant.
    await panel.getByRole('button', { name: 'Discard draft' }).click();
    const discarding = page.getByRole('dialog', { name: 'Discard the draft?' });
    await visit.checkScreen();
    await discarding.getByRole('button', { name: 'Keep it' }).click();
    await panel.getByRole('button', { name: 'Publish changes' }).click();
    await expect(page.getByText('Your changes are live')).toBeVisible();
    await expect(panel.getByText('This is a draft')).toHaveCount(0);
    await goToStep(panel, 'Message');
    await expect(panel.getByLabel('Message', { exact: true })).toHaveValue(/better pasta/);

    // A break is believed after two minutes: the screens are shown what the server will say then.
    const breaking = ({ items, ...answer }: Record<string, unknown>) => ({
      ...answer,
      items: (items as LinkCheck[]).map((one) => ({
        ...one,
        state: 'broken',
        problem: 'gone',
        brokenSince: new Date().toISOString(),
      })),
    });
    await changeAnswer(page, '**/link-checks', breaking);
    await changeAnswer(page, '**/home-notices', ({ linkChecks, ...others }) => ({
      ...others,
      linkChecks: breaking(linkChecks as Record<string, unknown>),
    }));
    await page.goto('/creator-hq');
    await expect(page.getByText(/A link in your messages is broken/)).toBeVisible();
    await visit.checkBothThemes('broken link on home');
    await page.getByRole('link', { name: 'Open it' }).click();
    await expect(panel.getByText(/Broken link/)).toBeVisible();
    await visit.checkBothThemes('broken link in the editor');
    await visit.end();
  });
});

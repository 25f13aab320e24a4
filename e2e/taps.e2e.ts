/** J1 counted: how little it takes on a phone from signing up to an automation that is on. */
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest';
import { expect, goToStep, PASSWORD, type RunningApp, startApp } from './journey.ts';

const MOST_TAPS = 11;
const MOST_TYPED = 4;
const SCREEN_PX = 740;

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

test('from signing up to “On” it takes at most eleven taps and four typed fields, and the editor three screens', async () => {
  const username = 'three.taps';
  await app.control.seedCreator({
    username,
    name: 'Three Taps',
    posts: [{ product: 'REELS', mediaType: 'VIDEO', caption: 'Lemon pasta. Comment LEMON for the recipe.' }],
  });
  const visit = await app.visit('phone');
  const { page } = visit;
  const taps: string[] = [];
  const typed: string[] = [];
  const tap = async (what: string, target: Locator) => {
    await target.click();
    taps.push(what);
  };
  const type = async (what: string, target: Locator, text: string) => {
    await target.fill(text);
    typed.push(what);
  };

  await page.goto('/creator-hq/signup');
  await type('name', page.getByLabel('Your name'), 'Three Taps');
  await type('email', page.getByLabel('Email'), 'taps@example.com');
  await type('password', page.getByRole('textbox', { name: 'Password' }), PASSWORD);
  await tap('create account', page.getByRole('button', { name: 'Create account' }));
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  // Her own mailbox, where the mail is on top.
  await page.goto('/mailbox');
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('link').filter({ hasText: 'taps@example.com' }).first()).toBeVisible({ timeout: 500 });
  }).toPass();
  await tap('the mail', page.getByRole('link').filter({ hasText: 'taps@example.com' }).first());
  await tap('confirm', page.frameLocator('iframe[title="The email"]').getByRole('link', { name: 'Confirm' }).first());
  await expect(page).toHaveURL(/\/creator-hq\/account-setup/);

  const handle = page.getByLabel('Handle');
  const connect = page.getByRole('link', { name: /^Connect (with )?Instagram/ });
  await tap('connect', connect);
  await tap('the account', page.getByRole('link', { name: username }));
  await tap('allow', page.getByRole('button', { name: 'Allow' }));
  await expect(handle).toHaveValue(username);
  await tap('go on', page.getByRole('button', { name: 'Go to Creator HQ' }));
  const post = page.getByRole('link', { name: /Lemon pasta/ });
  const onward = page.getByRole('link', { name: /Choose a post|Set up|automation/i });
  await expect(post.or(onward).first()).toBeVisible();
  if (!(await post.first().isVisible())) await tap('first automation', onward.first());
  await tap('the post', post.first());
  const panel = page.getByRole('dialog');
  await type('link', panel.getByLabel('Button link'), 'https://example.com/lemon-pasta');
  // All three steps of it, looked at on the side.
  const heights: number[] = [];
  for (const step of ['Keyword', 'Message', 'Turn it on'] as const) {
    await goToStep(panel, step);
    heights.push(await heightOf(page));
    await visit.checkBothThemes(`editor ${step}`);
  }
  await goToStep(panel, 'Message');
  await tap('next', panel.getByRole('button', { name: 'Next' }));
  await tap('turn on', panel.getByRole('button', { name: 'Turn on' }));
  await expect(panel.getByText(/^On since/)).toBeVisible();
  console.log(`J1: ${taps.length} taps (${taps.join(', ')}), ${typed.length} fields typed (${typed.join(', ')})`);

  console.log(`The editor's steps: ${heights.join(', ')} px`);
  expectValue(heights.reduce((sum, height) => sum + height, 0)).toBeLessThanOrEqual(3 * SCREEN_PX);
  expectValue(taps.length).toBeLessThanOrEqual(MOST_TAPS);
  expectValue(typed.length).toBeLessThanOrEqual(MOST_TYPED);
  await visit.end();
});

/** Of the automation's form, on its step. */
function heightOf(page: Page): Promise<number> {
  return page
    .getByRole('form', { name: 'New automation' })
    .evaluate((form) => Math.ceil((form as unknown as { scrollHeight: number }).scrollHeight));
}

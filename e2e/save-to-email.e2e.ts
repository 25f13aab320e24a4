/** J7: a reader of the demo blog saves a recipe: form, email, one tap, contact with all that became of it. */
import { afterAll, beforeAll, test } from 'vitest';
import { type Blog, startBlog } from '#simulators/web/blog/blog.ts';
import { DEVICES, enterDemo, expect, type RunningApp, startApp } from './journey.ts';
import { openMail, saveRecipe, signUpToNewsletter } from './readers.ts';

let app: RunningApp;
let blogUrl: string;
let otherBlog: Blog;
beforeAll(async () => {
  // We read the other blog's pages, which are on this machine.
  app = await startApp({ PRIVATE_WEBHOOKS: 'on' });
  otherBlog = await startBlog({ hubUrl: app.url });
  ({ blogUrl } = (await (await fetch(`${app.url}/api/v1/env`)).json()) as { blogUrl: string });
});
afterAll(async () => {
  await otherBlog?.close();
  await app?.close();
});

test.each(DEVICES)(
  'J7: a creator changes the form, a reader saves with it and becomes a contact, on a %s',
  async (device) => {
    const heading = `Keep it for later (${device})`;
    const address = `reader-${device}@example.test`;
    const creator = await app.visit(device);
    const { page } = creator;
    await enterDemo(creator);
    await page.goto('/creator-hq/save-to-email');
    await expect(page.getByRole('heading', { level: 1, name: 'Save to Email' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Email me the recipe', includeHidden: true }).first()).toBeAttached();
    await creator.checkBothThemes('save to email');
    await page.getByRole('link', { name: 'Save this recipe', exact: true }).click();
    await page.getByLabel('Heading').fill(heading);
    await expect(page.getByText(heading)).toBeVisible();
    await creator.checkBothThemes('form designer');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();

    await page.getByRole('link', { name: 'Save to Email', exact: true }).first().click();
    await page.getByRole('button', { name: 'New form', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Subscribers only', exact: true }).click();
    await expect(page.getByText('Lock posts on your blog')).toBeVisible();
    await expect(page.getByText('the rest of this recipe opens right here')).toBeVisible();
    await creator.checkBothThemes('form for subscribers');

    const reader = await creator.newPage();
    await expect(async () => {
      await reader.goto(`${blogUrl}/shakshuka/`);
      await expect(reader.getByText(heading)).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await creator.checkScreen(reader);
    await saveRecipe(reader, address);

    await openMail(app, reader, address);
    const mail = reader.frameLocator('iframe');
    await expect(mail.getByText('6 eggs')).toBeVisible();
    await creator.checkBothThemes('save mail', reader);
    await mail.getByRole('link', { name: /new recipes/ }).click();
    await expect(reader).toHaveURL(/\/e\/confirm\//);
    await creator.checkBothThemes('confirm page', reader);
    await signUpToNewsletter(reader);

    await page.goto('/creator-hq/save-to-email');
    await expect(page.getByText('New subscribers')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Saved most' }).getByRole('link')).toHaveAttribute(
      'href',
      `${blogUrl}/shakshuka/`,
    );
    await creator.checkBothThemes('save to email with figures');

    await page.goto('/creator-hq/contacts');
    await expect(page.getByText(address)).toBeVisible();
    await creator.checkBothThemes('contacts with a reader');
    await page.getByRole('link', { name: new RegExp(address) }).click();
    await expect(page.getByText('“Yes, send me new recipes too”').first()).toBeVisible();
    await creator.checkBothThemes('contact from the blog');
    // Source page, wording, time, and the fate of the email.
    const details = page.getByRole('button', { name: 'Details', exact: true });
    if (await details.isVisible()) await details.click();
    await expect(page.getByText(/^Confirmed with a button on a page from an email \(/)).toBeVisible();
    const saves = page.getByRole('region', { name: 'Recipes they saved' });
    await expect(saves.getByRole('link')).toHaveAttribute('href', `${blogUrl}/shakshuka/`);
    await expect(page.getByRole('region', { name: 'Emails to them' })).toContainText(/Recipe email: .+Sent/);
    const agreed = page.getByRole('region', { name: 'Email consent' });
    await expect(agreed.getByRole('link').first()).toHaveAttribute('href', `${blogUrl}/shakshuka/`);
    await creator.checkBothThemes('details of a contact from the blog');
    // They ask to be taken off the list.
    await page.getByRole('button', { name: 'Unsubscribe them' }).click();
    await creator.checkBothThemes('unsubscribing a contact');
    await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe them' }).click();
    await expect(page.getByText(/^Unsubscribed by your team \(/)).toBeVisible();
    await page.goto('/creator-hq/settings?tab=api-key');
    await expect(page.getByText('Readers who save here get their email.')).toBeVisible();
    await creator.checkBothThemes('api key with a blog');
    await creator.end();
  },
);

/** Runs in the browser, as text: this file is checked with Node's types. */
const LAYOUT_SHIFT = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value; }).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
})`;

test.each(DEVICES)(
  'a blog without the plugin: the snippet, found on a recipe, saves there with and without its script, on a %s',
  async (device) => {
    const creator = await app.visit(device);
    const { page } = creator;
    await enterDemo(creator);
    await page.goto('/creator-hq/save-to-email');
    await page.getByRole('link', { name: 'Save this recipe', exact: true }).click();
    const snippet = page.getByText('<script async');
    await expect(snippet).toContainText(/min-height:[1-9]/);
    await page.getByLabel('Address of one recipe on your blog').fill(`${otherBlog.url}/shakshuka/`);
    otherBlog.embed(null);
    await page.getByRole('button', { name: 'Look for the form' }).click();
    await expect(page.getByText('this form isn’t in it')).toBeVisible();
    otherBlog.embed((await snippet.textContent())!);
    await page.getByRole('button', { name: 'Look for the form' }).click();
    await expect(page.getByText('Found.', { exact: true })).toBeVisible();
    await expect(page.getByText('Sunday Shakshuka')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Remove 127\.0\.0\.1/ })).toBeVisible();
    await creator.checkBothThemes('another blog');

    const reader = await creator.newPage();
    const address = `other-${device}@example.test`;
    await reader.goto(`${otherBlog.url}/lemon-tart/`);
    await expect(reader.getByLabel('Your email')).toBeVisible();
    await expect(reader.getByRole('link', { name: 'Email me the recipe' })).toHaveCount(0);
    expect(await reader.evaluate(LAYOUT_SHIFT)).toBe(0);
    await creator.checkBothThemes('form on another blog', reader);
    await reader.getByLabel('Your email').fill(address);
    await reader.getByRole('button', { name: 'Email me the recipe' }).click();
    await expect(reader.getByRole('status').getByText(/on its way/)).toBeVisible();
    expect(reader.url()).toBe(`${otherBlog.url}/lemon-tart/`);
    expect(await reader.context().cookies(otherBlog.url)).toEqual([]);
    await openMail(app, reader, address);
    const mail = reader.frameLocator('iframe');
    await expect(mail.getByText('4 lemons')).toBeVisible();
    await expect(mail.getByRole('heading', { name: 'Very Lemon Tart' })).toBeVisible();
    await expect(mail.getByRole('img')).toHaveAttribute('src', `${otherBlog.url}/pictures/demo/lemon-tart.svg`);
    await creator.checkBothThemes('mail from another blog', reader);

    creator.expectComplaint(/ERR_FAILED.*\.js/);
    await reader.route('**/f/*.js', (route) => route.abort());
    await reader.goto(`${otherBlog.url}/focaccia/`);
    await reader.getByRole('link', { name: 'Email me the recipe' }).click();
    await reader.getByLabel('Your email').fill(`plain-${device}@example.test`);
    await reader.getByRole('button', { name: 'Email me the recipe' }).click();
    await expect(reader.getByRole('heading', { name: /on its way/ })).toBeVisible();
    await expect(async () => {
      await reader.goto(`${app.url}/mailbox`);
      await expect(reader.getByRole('link', { name: new RegExp(`plain-${device}`) })).toContainText('Focaccia', {
        timeout: 1_000,
      });
    }).toPass();
    await creator.end();
  },
);

/** A creator changes the email of a saved recipe, and the next reader gets it that way. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, test } from 'vitest';
import { DEVICES, type Device, enterDemo, expect, type RunningApp, startApp } from './journey.ts';

let app: RunningApp;
let blogUrl: string;
beforeAll(async () => {
  app = await startApp();
  ({ blogUrl } = (await (await fetch(`${app.url}/api/v1/env`)).json()) as { blogUrl: string });
});
afterAll(() => app?.close());

const blocksOf = (page: Page) => page.getByRole('list', { name: 'Blocks' }).getByRole('listitem');
const blockOf = (page: Page, name: string) => blocksOf(page).filter({ hasText: name });
const previewOf = (page: Page) => page.frameLocator('iframe[title="The email as readers get it"]');

/** On a phone the fields of a block are over the list. */
async function done(page: Page, device: Device): Promise<void> {
  if (device === 'phone') await page.getByRole('button', { name: 'Done' }).click();
}

test.each(DEVICES)('a creator edits the email of a saved recipe and a reader gets it, on a %s', async (device) => {
  const address = `reader-${device}@example.test`;
  const greeting = `Enjoy it (${device})`;
  const creator = await app.visit(device);
  const { page } = creator;
  await enterDemo(creator);
  await page.goto('/creator-hq/save-to-email');
  await page.getByRole('link', { name: 'Emails' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Emails' })).toBeVisible();
  await expect(page.locator('iframe')).toHaveCount(7);
  await creator.checkBothThemes('emails');
  await page.getByRole('link', { name: 'Saved recipe' }).click();
  await expect(blockOf(page, 'Footer')).toBeVisible();
  await creator.checkBothThemes('email editor');

  // A heading behind the recipe, with a field in it.
  await blockOf(page, 'Recipe card').getByRole('button').first().click();
  await done(page, device);
  await blockOf(page, 'Recipe card').getByRole('button').first().focus();
  await page.getByRole('button', { name: 'Add block' }).click();
  await page.getByRole('menuitem', { name: 'Heading' }).click();
  const heading = page.getByRole('textbox', { name: 'Heading' });
  await heading.fill(`${greeting}, `);
  await page.getByRole('button', { name: 'Insert field' }).click();
  await page.getByRole('button', { name: 'First name', exact: true }).click();
  await expect(heading).toHaveText(`${greeting}, First name`);
  await creator.checkBothThemes('email heading');
  await done(page, device);

  // Formatted text: what else is pasted stays out.
  await page.getByRole('button', { name: 'Add block' }).click();
  await page.getByRole('menuitem', { name: 'Text' }).click();
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  await text.click();
  await page.getByRole('button', { name: 'Bold' }).click();
  await page.keyboard.type('Salt the water');
  await page.getByRole('button', { name: 'Bulleted list' }).click();
  await page.keyboard.press('Enter');
  await text.evaluate((element) => {
    const data = new DataTransfer();
    const html =
      '<h1 onclick="x()">Taste <a href="javascript:x()">bad</a> <a href="https://example.com/a">good</a></h1><script>x()</script><img src="https://example.com/x.png">';
    data.setData('text/html', html);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await expect(text.locator('li strong').first()).toHaveText('Salt the water');
  await expect(text.getByRole('link')).toHaveCount(1);
  await expect(text.locator('h1, script, img:not(.ProseMirror-separator), [onclick]')).toHaveCount(0);
  await creator.checkBothThemes('email text');
  await done(page, device);

  // Blocks move by keyboard, which is said; undo and redo by keys.
  const names = () =>
    blocksOf(page).evaluateAll((items) => items.map((item) => item.querySelector('button')!.textContent));
  await expect(blockOf(page, greeting)).toBeVisible();
  const before = await names();
  await blockOf(page, greeting).getByRole('button').first().focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(page.getByRole('status').filter({ hasText: /^Heading moved to \d of \d$/ })).toHaveCount(1);
  await expect(blockOf(page, greeting).getByRole('button').first()).toBeFocused();
  const moved = await names();
  expect(moved).not.toEqual(before);
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(names).toEqual(before);
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect.poll(names).toEqual(moved);

  // A button without a link is objected to at its block; unsaved work survives a reload.
  await page.getByRole('button', { name: 'Add block' }).click();
  await page.getByRole('menuitem', { name: 'Button' }).click();
  await page.getByRole('textbox', { name: 'Button' }).fill('');
  await expect(page.getByText('Enter what the button says.').last()).toBeVisible();
  await page.reload();
  await expect(page.getByText('We brought back what you changed before.')).toBeVisible();
  await done(page, device);
  await creator.checkBothThemes('email with a problem');
  const button = blocksOf(page).filter({ has: page.getByRole('img', { name: 'Needs a fix' }) });
  await button.getByRole('button', { name: 'More for Button' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect(page.getByText('Fix this to publish')).toBeHidden();

  // Everyday, and a hard case; in the dark, and as plain text.
  if (device === 'phone') await page.getByRole('button', { name: 'Preview' }).click();
  await expect(previewOf(page).getByText(greeting)).toBeVisible();
  await page.getByLabel('Recipe', { exact: true }).selectOption('Arabic');
  await expect(
    previewOf(page)
      .getByText(/[\u0600-\u06ff]/)
      .first(),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Dark' }).click();
  await page.getByRole('button', { name: 'Wide' }).click();
  await expect(previewOf(page).locator('body')).toHaveCSS('background-color', 'rgb(29, 26, 23)');
  await creator.checkBothThemes('email preview');
  await page.getByRole('button', { name: 'Plain text' }).click();
  await expect(page.locator('pre').filter({ hasText: 'Salt the water' })).toBeVisible();
  if (device === 'phone') await page.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Send a test' }).click();
  await creator.checkBothThemes('email test');
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText('This is a draft')).toBeVisible();
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Everything is live')).toBeVisible();

  const reader = await creator.newPage();
  await reader.goto(`${blogUrl}/shakshuka/`);
  await reader.getByLabel('Your email').fill(address);
  await reader.getByRole('button', { name: 'Email me the recipe' }).click();
  await expect(reader.getByRole('heading', { name: /on its way/ })).toBeVisible();
  await expect(async () => {
    await reader.goto(`${app.url}/mailbox`);
    await expect(reader.getByRole('link', { name: new RegExp(address) })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await reader.getByRole('link', { name: new RegExp(address) }).click();
  await expect(reader.frameLocator('iframe').getByText(greeting)).toBeVisible();
  await expect(reader.frameLocator('iframe').getByText('Salt the water')).toBeVisible();
  await reader.goto(`${app.url}/mailbox`);
  await expect(reader.getByRole('link', { name: /\[Test\]/ }).first()).toBeVisible();
  await reader.close();

  // The version can be taken up again after a reset.
  await page.getByRole('button', { name: 'Reset' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
  await expect(blockOf(page, greeting)).toBeHidden();
  await page.getByRole('button', { name: 'Versions' }).click();
  await creator.checkBothThemes('email versions');
  await page.getByRole('button', { name: 'Restore' }).first().click();
  await expect(blockOf(page, greeting)).toBeVisible();

  // Someone else saves meanwhile: both stand side by side.
  const other = await creator.newPage();
  await other.goto('/creator-hq/save-to-email/emails/save-to-email?block=email');
  await other.getByRole('textbox', { name: 'Subject' }).fill('Theirs');
  await done(other, device);
  await other.getByRole('button', { name: 'Save draft' }).click();
  await expect(other.getByText('Saved as a draft')).toBeVisible();
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByText('Someone else saved this email while you were editing')).toBeVisible();
  await expect(page.getByText('Theirs', { exact: true }).last()).toBeVisible();
  await creator.checkBothThemes('email changed meanwhile');
  await page.getByRole('button', { name: 'Use theirs' }).click();
  await expect(page.getByText('Saved as a draft')).toBeVisible();
  await page.getByRole('button', { name: 'Discard draft' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click();
  await expect(page.getByText('Everything is live')).toBeVisible();
  creator.expectComplaint(/409 \(Conflict\)|400 \(Bad Request\)|422/);
  await creator.end();
});

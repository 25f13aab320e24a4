/** The editor at work: what is drawn while somebody types, and what its keys and buttons promise. */
import type { Locator } from 'playwright';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { drawnElsewhere, watchDrawing } from './drawn-parts.ts';
import {
  connectInstagram,
  DEVICES,
  expect,
  goToStep,
  type RunningApp,
  signUp,
  startApp,
  type Visit,
} from './journey.ts';

const TWENTY_LETTERS = 'twenty letters typed';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

describe.each(DEVICES)('on a %s', (device) => {
  test('twenty letters typed draw the field and the preview, and nothing else of the editor', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    await watchDrawing(page);
    const panel = await newAutomation(visit, `quick.${device}`, 'Lemon pasta. Comment LEMON for the recipe.');
    const footer = panel.getByText('New, not saved yet').locator('xpath=ancestor::*[contains(@class, "sticky")]');
    const previews = [
      panel.getByRole('region', { name: "Preview on a follower's phone", includeHidden: true }).locator('..'),
      panel.getByRole('button', { name: 'Preview', includeHidden: true }).locator('..'),
    ];
    /** @param part all that may be drawn besides the preview */
    const type = async (field: Locator, part: Locator) => {
      const [first, ...others] = TWENTY_LETTERS;
      await field.focus();
      // That it is not saved any more is said once.
      expect(await drawnElsewhere(page, [part, ...previews, footer], () => field.pressSequentially(first!))).toEqual(
        [],
      );
      expect(await drawnElsewhere(page, [part, ...previews], () => field.pressSequentially(others.join('')))).toEqual(
        [],
      );
    };
    const message = panel.getByLabel('Message', { exact: true });
    const reply = panel.getByLabel(/^Public replies/);
    const keyword = panel.getByLabel('Words or phrases', { exact: true });
    const tried = panel.getByLabel('What a follower might write');
    const typeEverywhere = async () => {
      await goToStep(panel, 'Message');
      await type(message, message.locator('xpath=ancestor::section/div[.//textarea]'));
      await goToStep(panel, 'Turn it on');
      await type(reply, reply.locator('xpath=ancestor::section/div[.//textarea]'));
      await type(tried, tried.locator('xpath=ancestor::section[1]'));
      await goToStep(panel, 'Keyword');
      await type(keyword, keyword.locator('xpath=ancestor::div[.//label][1]'));
      await keyword.clear();
    };
    await typeEverywhere();
    // Once it was refused, every letter is checked.
    await panel.getByRole('button', { name: 'Save' }).click();
    await expect(panel.getByText('Enter a link that starts with https://')).toBeVisible();
    await typeEverywhere();
    await visit.end();
  });

  /** The editor of the only post of a new creator. */
  async function newAutomation(visit: Visit, username: string, caption: string): Promise<Locator> {
    const { page } = visit;
    await app.control.seedCreator({ username, posts: [{ product: 'REELS', mediaType: 'VIDEO', caption }] });
    await signUp(visit, { name: 'Quinn', email: `${username}@example.com` }, { checkScreens: false });
    await connectInstagram(visit, username);
    await page.goto('/creator-hq/comment-for-dm/posts-and-reels');
    await page
      .getByRole('list', { name: /^Posts \d/ })
      .getByRole('link')
      .first()
      .click();
    return page.getByRole('dialog');
  }
});

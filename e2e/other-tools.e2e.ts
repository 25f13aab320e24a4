/** An automation's figures, a wordings comparison, a webhook and a token, by hand. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { DEVICES, enterDemo, expect, type RunningApp, startApp } from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

describe.each(DEVICES)('on a %s', (device) => {
  test('another tool is told what happens, let in with a token, and shut out again', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    await enterDemo(visit);
    await page.goto('/creator-hq/settings?tab=other-tools');
    await expect(page.getByText('No webhooks yet.')).toBeVisible();
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByRole('textbox', { name: 'Address' }).fill('ftp://tool.example');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await expect(page.getByText('Enter a link that starts with https://')).toBeVisible();
    await page.getByRole('textbox', { name: 'Address' }).fill('tool.example/hook');
    await page.getByRole('textbox', { name: 'Address' }).blur();
    await expect(page.getByRole('textbox', { name: 'Address' })).toHaveValue('https://tool.example/hook');
    await page.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9/hook');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await expect(page.getByText(/^whsec_/)).toBeVisible();
    await visit.checkBothThemes('webhook added');

    // It stands in our own network: the log says why nothing gets there.
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect(
      page
        .getByRole('list', { name: 'Log' })
        .getByText(/inside a private network/)
        .first(),
    ).toBeVisible();
    await visit.checkBothThemes('webhook log');
    await page.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('No webhooks yet.')).toBeVisible();

    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByLabel('What is it for?').fill('Spreadsheet');
    await page.getByRole('checkbox', { name: 'Read figures' }).check();
    await visit.checkBothThemes('token form');
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = await page
      .getByText(/^chqt_\w{40}$/)
      .first()
      .textContent();
    const creatorId = await page.evaluate(async () => {
      const me = (await (await fetch('/api/v1/auth/me')).json()) as { creatorAccount: { _id: string } };
      return me.creatorAccount._id;
    });
    const call = (what: string) =>
      fetch(`${app.url}/api/v1/creators/${creatorId}/${what}`, { headers: { authorization: `Bearer ${token}` } });
    expect((await call('figures')).status).toBe(200);
    expect((await call('interactions')).status).toBe(403);
    await page.getByRole('button', { name: /^Revoke.*Spreadsheet/ }).click();
    await expect(page.getByText('No tokens yet.')).toBeVisible();
    expect((await call('figures')).status).toBe(401);
    await visit.end();
  });

  test('a post tells what it brought, also to a spreadsheet', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    await enterDemo(visit);
    await page.goto('/creator-hq/comment-for-dm/posts-and-reels');
    await page
      .getByRole('link', { name: /COOKIE|cookie/ })
      .first()
      .click();
    await page.getByRole('tab', { name: 'Results' }).click();
    await expect(page.getByRole('heading', { name: 'Last 30 days', exact: true })).toBeVisible();
    await visit.checkBothThemes('post figures');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^figures-.*\.csv$/);
    await visit.end();
  });
});

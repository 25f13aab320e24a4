/** A creator connects Kit with one tap and Mailchimp with a key; who confirms on the demo blog is there a moment later. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest';
import { type Kit, startKit } from '#simulators/kit/kit.ts';
import { type Mailchimp, startMailchimp } from '#simulators/mailchimp/mailchimp.ts';
import { DEVICES, enterDemo, expect, type RunningApp, startApp } from './journey.ts';
import { openMail, saveRecipe, signUpToNewsletter } from './readers.ts';

let kit: Kit;
let mailchimp: Mailchimp;
let app: RunningApp;
let blogUrl: string;
beforeAll(async () => {
  [kit, mailchimp] = await Promise.all([startKit(), startMailchimp()]);
  app = await startApp({
    KIT_URL: kit.url,
    KIT_CLIENT_ID: kit.app.clientId,
    KIT_CLIENT_SECRET: kit.app.clientSecret,
    MAILCHIMP_URL: mailchimp.url,
  });
  ({ blogUrl } = (await (await fetch(`${app.url}/api/v1/env`)).json()) as { blogUrl: string });
});
afterAll(async () => {
  await app?.close();
  await Promise.all([kit?.close(), mailchimp?.close()]);
});

test.each(DEVICES)('connects tools, sees who goes there and who does not, reconnects, on a %s', async (device) => {
  const address = `reader-${device}@example.test`;
  mailchimp.forgotten.add(createHash('md5').update(address).digest('hex'));
  const creator = await app.visit(device);
  const { page } = creator;
  await enterDemo(creator);
  await page.goto('/creator-hq/settings?tab=other-tools');
  kit.sayNo();
  await page.getByRole('link', { name: 'Connect Kit' }).click();
  await expect(page.getByText('Connection canceled')).toBeVisible();
  await creator.checkBothThemes('kit refused');
  await page.getByRole('link', { name: 'Connect Kit' }).click();
  await expect(page.getByText('Anna’s Kitchen')).toBeVisible();
  await page.getByLabel('Tag in Kit').selectOption('Recipes');

  await page.getByRole('button', { name: 'Connect Mailchimp' }).click();
  creator.expectComplaint(/502/);
  const field = page.getByLabel('Mailchimp API key');
  await field.fill('notTheRightKey-us21');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('Mailchimp doesn’t accept this API key.')).toBeVisible();
  await field.fill(mailchimp.apiKey);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByLabel('Audience in Mailchimp').selectOption(mailchimp.audience.name);
  await page.getByRole('button', { name: 'Turn on Mailchimp' }).click();
  await expect(page.getByRole('button', { name: 'Turn off Mailchimp' })).toBeVisible();

  const reader = await creator.newPage();
  await reader.goto(`${blogUrl}/shakshuka/`);
  await saveRecipe(reader, address);
  await openMail(app, reader, address);
  await reader
    .frameLocator('iframe')
    .getByRole('link', { name: /new recipes/ })
    .click();
  await signUpToNewsletter(reader);

  await expect(page.getByText(/^\d+ contacts? sent\./).first()).toBeVisible();
  expectValue(kit.subscribers.get(address)).toMatchObject({ state: 'active', tags: [11] });
  await page.getByRole('button', { name: '1 not accepted' }).click();
  await expect(page.getByText(/Mailchimp says: .* was permanently deleted/)).toBeVisible();
  await creator.checkBothThemes('tools connected, one contact refused');
  await page.getByRole('button', { name: `Leave ${address}` }).click();
  await expect(page.getByRole('button', { name: '1 not accepted' })).toBeHidden();

  // Kit ends the login: the list of tags is refused, and every screen says so.
  kit.endLogin();
  await page.goto('/creator-hq/settings?tab=other-tools');
  await expect(page.getByText('Kit signed us out.')).toBeVisible();
  await expect(page.getByText('Kit needs to be reconnected.')).toBeVisible();
  await creator.checkBothThemes('kit to be reconnected');
  await page.goto('/creator-hq');
  const notices = page.getByRole('region', { name: 'Notices' });
  await expect(notices.getByText('Kit needs to be reconnected.')).toBeVisible();
  await notices.getByRole('link', { name: 'Reconnect' }).click();
  await page.getByRole('link', { name: 'Reconnect Kit' }).click();
  await expect(page.getByRole('button', { name: 'Turn off Kit' })).toBeVisible();
  await expect(page.getByText('Kit needs to be reconnected.')).toBeHidden();
  for (const name of ['Kit', 'Mailchimp']) {
    await page.getByRole('button', { name: `Disconnect ${name}` }).click();
    await expect(
      page.getByRole(name === 'Kit' ? 'link' : 'button', { name: `Connect ${name}`, exact: true }),
    ).toBeVisible();
  }
  expectValue(mailchimp.hooks).toEqual([]);
  await creator.end();
});

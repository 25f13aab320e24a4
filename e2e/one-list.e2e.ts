/** J8: a creator's list stays theirs, with Kit beside it, through a file of 4,000 and an erasure. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest';
import { type Kit, startKit } from '#simulators/kit/kit.ts';
import { DEVICES, enterDemo, expect, type RunningApp, startApp } from './journey.ts';
import { openMail, saveRecipe, signUpToNewsletter } from './readers.ts';

let kit: Kit;
let app: RunningApp;
let blogUrl: string;
beforeAll(async () => {
  kit = await startKit();
  app = await startApp({ KIT_URL: kit.url });
  ({ blogUrl } = (await (await fetch(`${app.url}/api/v1/env`)).json()) as { blogUrl: string });
});
afterAll(async () => {
  await app?.close();
  await kit?.close();
});

/** Who left, Ida, somebody whose address Kit does not take, a broken line, and 3,996 in capitals and twice. */
function oldList(device: string, left: string): string {
  const agreed = '2024-05-06 07:08:09';
  const lines = [
    `${left.toUpperCase()},Rita,${agreed}`,
    `ida-${device}@example.test,Ida ${device},${agreed}`,
    `bo-${device}@xn--e1afmkfd.xn--p1ai,Bo,${agreed}`,
    'broken@,Broken,',
  ];
  for (let n = 0; n < 3_896; n++) lines.push(`old${n}-${device}@example.test,Old ${n},`);
  for (let n = 0; n < 100; n++) lines.push(`OLD${n}-${device}@Example.test,Old ${n},`);
  return ['email,name,CONFIRM_TIME', ...lines, ''].join('\n');
}

test.each(DEVICES)('J8: a list goes to Kit and stays whole, on a %s', async (device) => {
  const address = `reader-${device}@example.test`;
  const ida = `ida-${device}@example.test`;
  const creator = await app.visit(device);
  const { page } = creator;
  await enterDemo(creator);
  await page.goto('/creator-hq/settings?tab=other-tools');
  await page.getByRole('button', { name: 'Connect Kit' }).click();
  creator.expectComplaint(/502/);
  // The page may ask for Ida once more while they go.
  creator.expectComplaint(/404 \(Not Found\)/);
  await page.getByLabel('Kit API key').fill('not the right key');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('Kit doesn’t accept this API key.')).toBeVisible();
  await creator.checkBothThemes('kit key refused');
  await page.getByLabel('Kit API key').fill(kit.apiKey);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('Anna’s Kitchen')).toBeVisible();
  await page.getByLabel('Tag in Kit').selectOption('Recipes');

  const reader = await creator.newPage();
  await reader.goto(`${blogUrl}/shakshuka/`);
  await saveRecipe(reader, address);
  await openMail(app, reader, address);
  await reader
    .frameLocator('iframe')
    .getByRole('link', { name: /new recipes/ })
    .click();
  await signUpToNewsletter(reader);

  await expect(page.getByText(/^\d+ contacts? sent\./)).toBeVisible();
  expectValue(kit.subscribers.get(address)).toMatchObject({ state: 'active', tags: [11] });
  await creator.checkBothThemes('kit connected');

  // 1. Whoever asked for one recipe and confirmed, found again and taken along.
  await page.goto('/creator-hq/contacts');
  await page.getByRole('link', { name: 'Filter by conditions' }).click();
  const sheet = page.getByRole('dialog', { name: 'Find contacts by conditions' });
  const condition = (at: number) => sheet.getByRole('group', { name: `Condition ${at}` });
  await condition(1).getByLabel('Field').selectOption('Saved pages');
  await condition(1).getByLabel('Value').fill(`${blogUrl}/shakshuka/`);
  await sheet.getByRole('button', { name: 'Add condition' }).click();
  await condition(2).getByLabel('Value').selectOption('Confirmed');
  await sheet.getByRole('button', { name: 'Add condition' }).click();
  await condition(3).getByLabel('Field').selectOption('Last seen');
  await condition(3).getByLabel('Value').fill('90');
  await expect(sheet.getByText('1 contact matches')).toBeVisible();
  await sheet.getByLabel('Name of the segment').fill(`Shakshuka, ${device}`);
  await sheet.getByRole('button', { name: 'Save segment' }).click();
  await expect(page.getByText(address)).toBeVisible();
  const file = page.waitForEvent('download');
  await page.getByRole('link', { name: 'CSV', exact: true }).click();
  expectValue(await readFile(await (await file).path(), 'utf8')).toContain(address);

  // 3. They leave in Kit; an old list that has them as a subscriber does not bring them back.
  for (const { url, ...call } of kit.change(address, 'cancelled')) await fetch(url, { method: 'POST', ...call });
  const upload = async (text: string) => {
    await page.goto('/creator-hq/contacts?import=new');
    const buffer = Buffer.from(text);
    await page.getByLabel('CSV file').setInputFiles({ name: `list-${device}.csv`, mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Upload file' }).click();
  };
  await upload(oldList(device, address));
  const expectCounts = async () => {
    for (const count of [
      '3,898 new contacts',
      '1 unsubscribed, stays so',
      '100 left out: the same address is in an earlier row',
      '1 left out: not a valid email address',
    ]) {
      await expect(page.getByText(count, { exact: true })).toBeVisible();
    }
  };
  await expectCounts();
  await page.getByLabel('How did these people agree to hear from you?').fill('They signed up on my old blog.');
  await page.getByRole('button', { name: 'Import 3,898 contacts' }).click();
  await expect(page.getByRole('heading', { name: 'Imported' })).toBeVisible();
  await expectCounts();

  // 2. How many go to Kit, who does not and why, and once more.
  await page.goto('/creator-hq/settings?tab=other-tools');
  await page.getByRole('button', { name: /^Send \d+ earlier contacts$/ }).click();
  await page.getByRole('button', { name: /^\d not accepted$/ }).click();
  const refused = page
    .getByRole('listitem')
    .filter({ hasText: `bo-${device}@` })
    .last();
  await expect(refused).toContainText('Email address is invalid');
  await creator.checkBothThemes('contacts that kit refuses');
  await refused.getByRole('button', { name: /^Retry/ }).click();
  await expect(page.getByText('Trying again')).toBeVisible();
  expectValue(kit.subscribers.get(ida)?.state).toBe('active');
  expectValue(kit.subscribers.get(address)?.state).toBe('cancelled');

  // 4. Ida asks to be erased: gone here and there, and out of the old list.
  await page.goto(`/creator-hq/contacts?search=${encodeURIComponent(ida)}`);
  await page.getByRole('link', { name: new RegExp(`Ida ${device}`) }).click();
  await expect(page.getByRole('article')).toBeVisible();
  const details = page.getByRole('button', { name: 'Details', exact: true });
  if (await details.isVisible()) await details.click();
  await page.getByRole('button', { name: 'Erase contact' }).click();
  await page.getByLabel(/^Type ERASE to/).fill('erase');
  await page.getByRole('button', { name: 'Erase for good' }).click();
  await expect(page.getByText(/^Erased here on .+ Kit unsubscribes them within minutes\./)).toBeVisible();
  await upload(`email,CONFIRM_TIME\n${ida},2024-05-06 07:08:09\n`);
  await expect(page.getByText('1 left out: on your do-not-email list, or erased')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Nothing to import' })).toBeDisabled();
  await expectValue.poll(() => kit.subscribers.get(ida)?.state, { timeout: 30_000 }).toBe('cancelled');

  await page.goto('/creator-hq/settings?tab=other-tools');
  await page.getByRole('button', { name: 'Disconnect Kit' }).click();
  await expect(page.getByRole('button', { name: 'Connect Kit', exact: true })).toBeVisible();
  expectValue(kit.hooks).toEqual([]);
  await creator.end();
});

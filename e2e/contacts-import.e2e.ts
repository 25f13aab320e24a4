/** A list from another tool becomes contacts: chosen, checked, agreed to, imported, undone. */
import { afterAll, beforeAll, test } from 'vitest';
import { DEVICES, enterDemo, expect, type RunningApp, startApp } from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

test.each(DEVICES)('a creator imports a file and takes it back, on a %s', async (device) => {
  const creator = await app.visit(device);
  const { page } = creator;
  await enterDemo(creator);
  creator.expectComplaint(/422 .*contact-imports/);
  await page.goto('/creator-hq/contacts');
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Import contacts' })).toBeVisible();
  await page.getByRole('button', { name: 'Upload file' }).click();
  await expect(page.getByText('Choose a file first.')).toBeVisible();
  const file = (text: string) => ({ name: `list-${device}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await page.getByLabel('CSV file').setInputFiles(file('email,name\na@example.com,"A\n'));
  await page.getByRole('button', { name: 'Upload file' }).click();
  await expect(page.getByText('A quote (") that opens in line 2 is never closed.')).toBeVisible();
  await creator.checkBothThemes('choosing a file to import');

  const reader = `imported-${device}@example.test`;
  await page
    .getByLabel('CSV file')
    .setInputFiles(
      file(
        `First Name,Email Address,CONFIRM_TIME\nIda ${device},${reader},2024-05-06 07:08:09\nBo,broken@,\nIda ${device},${reader.toUpperCase()},\n`,
      ),
    );
  await page.getByRole('button', { name: 'Upload file' }).click();
  await expect(page.getByText('1 new contact', { exact: true })).toBeVisible();
  await expect(page.getByText('Line 3: broken@')).toBeVisible();
  await expect(page.getByLabel('Email Address')).toHaveValue('email');
  await creator.checkBothThemes('an import that is ready');
  await page.getByRole('button', { name: 'Import 1 contact' }).click();
  await expect(page.getByText('Say how these people agreed to hear from you.')).toBeVisible();
  await page.getByLabel('How did these people agree to hear from you?').fill('They signed up on my old blog.');
  await page.getByRole('button', { name: 'Import 1 contact' }).click();
  await expect(page.getByRole('heading', { name: 'Imported' })).toBeVisible();
  await creator.checkBothThemes('an import that is done');
  await page.getByRole('link', { name: 'See your contacts' }).click();
  await page.getByLabel('Search contacts').fill(reader);
  await expect(page.getByRole('link', { name: new RegExp(`Ida ${device}`) })).toBeVisible();

  await page.goto('/creator-hq/contacts?import=new');
  await page.getByRole('link', { name: new RegExp(`list-${device}`) }).click();
  await page.getByRole('button', { name: 'Undo import' }).click();
  await expect(page.getByText('1 contact is as before.')).toBeVisible();
  await creator.checkBothThemes('an import that was undone');
  await creator.end();
});

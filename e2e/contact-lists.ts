/** Contacts for journeys: from a file, and with tags. */
import { expect, type Visit } from './journey.ts';

export const addressOf = (name: string) => `${name.replaceAll(/\W/g, '.').toLowerCase()}@example.test`;

/** @param how the label of what happens with the newsletter */
export async function importContacts({ page, device }: Visit, names: string[], how: string): Promise<void> {
  const lines = names.map((name) => `${addressOf(name)},${name},2024-05-06 07:08:09`);
  await page.goto('/creator-hq/contacts?import=new');
  const buffer = Buffer.from(['email,name,CONFIRM_TIME', ...lines, ''].join('\n'));
  await page.getByLabel('CSV file').setInputFiles({ name: `some-${device}.csv`, mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Upload file' }).click();
  await page.getByLabel('How did these people agree to hear from you?').fill('They signed up on my old blog.');
  await page.getByLabel(how).check();
  await page.getByRole('button', { name: /^Import \d+ contact/ }).click();
  await expect(page.getByRole('heading', { name: 'Imported' })).toBeVisible();
}

/** On the list of contacts. */
export async function giveTag({ page }: Visit, names: string[], tag: string): Promise<void> {
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByRole('button', { name: `Actions for ${names.length}` }).click();
  await page.getByRole('menuitem', { name: 'Add tags' }).click();
  const dialog = page.getByRole('dialog', { name: /^Add tags to/ });
  await dialog.getByLabel('Tags').fill(tag);
  await dialog.getByRole('button', { name: 'Add tags' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Done', exact: true }).click();
}

/** A creator finds the same kind of contacts again: a segment is made, saved, edited and deleted; tags are renamed and deleted. */
import { afterAll, beforeAll, test } from 'vitest';
import { giveTag, importContacts } from './contact-lists.ts';
import { enterDemo, expect, type RunningApp, startApp } from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

test('a segment has the right people, and undoing brings it back', async () => {
  const creator = await app.visit('phone', 'desktop');
  creator.expectComplaint(/422 .*contact-tags/);
  const { page } = creator;
  await enterDemo(creator);
  const [cora, cleo, uma] = ['Confirmed Cora', 'Another Cleo', 'Unasked Uma'] as const;
  await importContacts(creator, [cora, cleo], 'Send them my newsletter');
  await importContacts(creator, [uma], 'Only add them as contacts');
  const tag = 'Sourdough';
  await page.goto('/creator-hq/contacts');
  await giveTag(creator, [cora, uma], tag);

  // Conditions first, with how many match while they change.
  await page.getByRole('link', { name: 'Filter by conditions' }).click();
  const sheet = page.getByRole('dialog', { name: 'Find contacts by conditions' });
  await expect(sheet.getByText('Fill in every condition to see who matches.')).toBeVisible();
  await creator.checkBothThemes('a segment to begin with');
  const condition = (at: number) => sheet.getByRole('group', { name: `Condition ${at}` });
  await condition(1).getByLabel('Field').selectOption('Tags');
  await condition(1).getByLabel('Value').selectOption(tag);
  await expect(sheet.getByText('2 contacts match')).toBeVisible();
  await sheet.getByRole('button', { name: 'Add condition' }).press('Enter');
  await condition(2).getByLabel('Value').selectOption('Confirmed');
  await expect(sheet.getByText('1 contact matches')).toBeVisible();
  await condition(2).getByLabel('Comparison').selectOption('is not');
  await expect(sheet.getByText('1 contact matches')).toBeVisible();
  await creator.checkBothThemes('a segment with conditions');
  await sheet.getByRole('button', { name: 'Show contacts' }).click();
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await expect(row(uma)).toBeVisible();
  await expect(row(cora)).toHaveCount(0);

  // What is in the address can be sent to the team, and saved.
  await page.reload();
  await expect(page.getByLabel('Show')).toHaveValue(/^segment:/);
  await creator.checkBothThemes('contacts by conditions');
  await page.getByRole('link', { name: 'Save as segment' }).click();
  await condition(2).getByLabel('Comparison').selectOption('is');
  await sheet.getByRole('button', { name: 'Save segment' }).click();
  await expect(sheet.getByText('Enter a name to save it.')).toBeVisible();
  const name = 'Bakers on my list';
  await sheet.getByLabel('Name of the segment').fill(name);
  // It is still there after a reload.
  await page.reload();
  await expect(sheet.getByLabel('Name of the segment')).toHaveValue(name);
  await sheet.getByRole('button', { name: 'Save segment' }).click();
  await expect(page.getByText('Segment saved')).toBeVisible();
  await expect(row(cora)).toBeVisible();
  await expect(row(uma)).toHaveCount(0);
  await expect(page.getByLabel('Show').locator('option:checked')).toHaveText(name);

  // Renamed and with a second group, then deleted and back.
  await page.getByRole('link', { name: 'Edit conditions' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit segment' });
  await editing.getByRole('button', { name: 'Add group' }).click();
  const second = editing.getByRole('group', { name: 'Group 2' });
  await second.getByLabel('Field').selectOption('Newsletter');
  await second.getByLabel('Value').selectOption('Not subscribed');
  await second.getByLabel('Match').selectOption('none of these');
  await editing.getByLabel('Match').first().selectOption('any group');
  await creator.checkBothThemes('a segment with groups');
  await editing.getByLabel('Match').first().selectOption('all groups');
  await editing.getByLabel('Name of the segment').fill(`${name} again`);
  await editing.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByLabel('Show').locator('option:checked')).toHaveText(`${name} again`);

  await page.getByRole('link', { name: 'Segments and tags' }).click();
  await expect(page.getByText(`Tags include ${tag}`, { exact: false })).toBeVisible();
  await creator.checkBothThemes('segments and tags');
  await page.getByRole('button', { name: `Delete ${name} again` }).click();
  await expect(page.getByText(`Segment “${name} again” deleted.`)).toBeVisible();
  await expect(page.getByRole('link', { name: `${name} again`, exact: true })).toHaveCount(0);
  await creator.checkBothThemes('a segment that was deleted');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('link', { name: `${name} again`, exact: true })).toBeVisible();

  // Tags: a name that is taken, a new one, and gone.
  const tagRow = (called: string) => page.getByRole('listitem').filter({ hasText: called }).last();
  await expect(tagRow(tag)).toContainText('2 contacts');
  await page.getByRole('button', { name: `Rename ${tag}` }).click();
  const renaming = page.getByRole('dialog', { name: `Rename “${tag}”` });
  await renaming.getByLabel('Tag').fill('');
  await renaming.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(renaming.getByText('Enter a tag.')).toBeVisible();
  await creator.checkBothThemes('renaming a tag');
  await renaming.getByLabel('Tag').fill(`${tag} baker`);
  await renaming.getByLabel('Tag').press('Enter');
  await expect(renaming).toBeHidden();
  await page.getByRole('button', { name: `Delete ${tag} baker` }).click();
  const removing = page.getByRole('dialog', { name: `Delete the tag “${tag} baker”?` });
  await expect(removing).toContainText('2 contacts lose it.');
  await creator.checkBothThemes('deleting a tag');
  await removing.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText(`Tags include something deleted`, { exact: false })).toBeVisible();
  await page.goto('/creator-hq/contacts?edit=00000000-0000-7000-8000-000000000000');
  await expect(page.getByText('Segment not found')).toBeVisible();
  await creator.end();
});

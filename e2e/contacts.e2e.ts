/** J4: "I never got the link." J5: I answer myself. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { DEVICES, enterDemo, expect, type RunningApp, startApp, type Visit } from './journey.ts';

let app: RunningApp;
let cookies: { mediaId: string; accountId: string };
beforeAll(async () => {
  app = await startApp();
  const spoon = (await app.control.accounts()).find((account) => account.username === 'thegoldenspoon')!;
  const post = (await app.control.posts(spoon.accountId)).find(({ caption }) => caption.includes('Comment COOKIE'))!;
  cookies = { mediaId: post.mediaId, accountId: spoon.accountId };
});
afterAll(() => app?.close());

/** Followers of the demo: one whose messages land in requests, one who is close, one with a name in another script. */
const PEOPLE = {
  phone: { stranger: ['kwame', 'kwame.eats'], friend: ['maya', 'maya.cooks.late'], rtl: ['layla', 'layla_alkhatib'] },
  desktop: { stranger: ['noam', 'noam.bari'], friend: ['lucia', 'lucia.enlacocina'], rtl: ['emoji', '_.pip.pa._'] },
} as const;

describe.each(DEVICES)('on a %s', (device) => {
  const { stranger, friend, rtl } = PEOPLE[device];

  test('J4: a handle and two taps tell what happened, and what can be done', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    await enterDemo(visit);
    const writings = { [stranger[0]]: 'COOKIE 🍪', [friend[0]]: 'cookie please', [rtl[0]]: '🍪 COOKIE مرحبا' };
    for (const [personId, text] of Object.entries(writings)) {
      const before = await messagesTo(personId);
      await app.control.comment({ mediaId: cookies.mediaId, personId, text });
      await expect.poll(() => messagesTo(personId)).toBe(before + 1);
    }

    await page.goto('/creator-hq/contacts');
    await expect(page.getByRole('link', { name: stranger[1] })).toBeVisible();
    await visit.checkScreen();

    // They do not follow: it lies in their requests, and only a new comment may be answered.
    await open(visit, stranger[1]);
    await expect(page.getByText('COOKIE 🍪').filter({ visible: true }).first()).toBeVisible();
    await expect(page.getByText(/Fourteen tests later/).first()).toBeVisible();
    await expect(page.getByText(/probably in their message requests/)).toBeVisible();
    await expect(page.getByText(/Ask them to/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send again' })).toBeHidden();
    await visit.checkScreen();

    // They write to the account, which opens the chat: one button sends it again.
    await open(visit, friend[1]);
    await app.control.directMessage({
      accountId: cookies.accountId,
      personId: friend[0],
      text: 'I never got the link!',
    });
    // Without a reload.
    // From the follower's phone through the engine to an open page: on a busy machine that takes a while.
    await expect(page.getByText('I never got the link!').filter({ visible: true }).last()).toBeVisible();
    const before = await messagesTo(friend[0]);
    await page.getByRole('button', { name: 'Send again' }).click();
    await expect(page.getByText('On its way')).toBeVisible();
    await expect.poll(() => messagesTo(friend[0])).toBe(before + 1);
    await visit.checkScreen();

    // Names and words of every script; and somebody nobody knows.
    await open(visit, rtl[1]);
    await expect(page.getByText('🍪 COOKIE مرحبا').filter({ visible: true }).first()).toBeVisible();
    await visit.checkScreen();
    await search(visit, '<script>nobody');
    await expect(page.getByText('No contact named <script>nobody')).toBeVisible();
    await visit.checkScreen();
    await page.getByRole('button', { name: 'Show all contacts' }).click();
    await expect(page.getByRole('link', { name: stranger[1] })).toBeVisible();
    await page.goto('/creator-hq/contacts?filter=blocked');
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await expect(page.getByRole('link', { name: stranger[1] })).toBeVisible();
    await visit.end();
  });

  test('J5: nobody talks over the creator, and STOP is obeyed', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    await enterDemo(visit);
    const personId = friend[0];
    const says = (text: string) => app.control.directMessage({ accountId: cookies.accountId, personId, text });

    // They write; the creator answers here, and the chat is the creator's.
    await says('Can I use oat flour?');
    await page.goto('/creator-hq/contacts');
    await open(visit, friend[1]);
    await expect(page.getByText('Can I use oat flour?').filter({ visible: true }).first()).toBeVisible();
    await expect(page.getByText(/You can write until/)).toBeVisible();
    await page.getByLabel('Your message').fill('Yes, the same weight.');
    await page.getByLabel('Your message').press('Control+Enter');
    await expect.poll(() => textsTo(personId)).toContain('Yes, the same weight.');
    await expect(page.getByText(/You’re handling this chat until/)).toBeVisible();
    await expect(page.getByText('by hand', { exact: false }).first()).toBeVisible();
    await expect(page.getByLabel('Your message')).toHaveValue('');
    await visit.checkScreen();

    // Handed back; then the creator answers in Instagram's own app.
    await page.getByRole('button', { name: 'Resume automations' }).click();
    await expect(page.getByRole('button', { name: 'Pause automations' })).toBeVisible();
    await app.control.ownerMessage({ accountId: cookies.accountId, personId, text: 'And bake it longer.' });
    await expect(page.getByText('You, in the app').first()).toBeVisible();
    await expect(page.getByText(/You’re handling this chat until/)).toBeVisible();

    // Automations keep quiet, and it says so.
    const before = await messagesTo(personId);
    await app.control.comment({ mediaId: cookies.mediaId, personId, text: 'cookie once more' });
    await expect(page.getByText(/automations are paused/).first()).toBeVisible();
    expect(await messagesTo(personId)).toBe(before);
    await page.getByRole('button', { name: 'Resume automations' }).click();
    await expect(page.getByRole('button', { name: 'Pause automations' })).toBeVisible();

    // STOP, and START brings it back.
    await says('STOP');
    const stopped = page.locator('span').filter({ hasText: /^Wrote STOP$/, visible: true });
    await expect(stopped.first()).toBeVisible();
    await visit.checkScreen();
    await says('START');
    await expect(stopped).toHaveCount(0);

    // Taken over for good, blocked, and back.
    await page.getByRole('button', { name: 'Pause automations' }).click();
    await visit.checkScreen();
    await page.getByRole('menuitem', { name: 'Until I resume them' }).click();
    await expect(page.getByText('You’re handling this chat').filter({ visible: true }).first()).toBeVisible();
    const facts = page.getByRole('button', { name: 'Details' });
    if (await facts.isVisible()) await facts.click();
    await page.getByRole('button', { name: 'Block in Creator HQ' }).click();
    await expect(page.getByRole('button', { name: 'Unblock' })).toBeVisible();
    await visit.checkScreen();
    await page.getByRole('button', { name: 'Unblock' }).click();
    await expect(page.getByRole('button', { name: 'Block in Creator HQ' })).toBeVisible();
    await visit.end();
  });

  test('many contacts are selected, paused, and the pause undone; blocking and erasing ask first', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    await enterDemo(visit);
    for (const [personId] of [stranger, rtl]) {
      await app.control.comment({ mediaId: cookies.mediaId, personId, text: 'cookie for many' });
    }
    await page.goto('/creator-hq/contacts');
    const row = (handle: string) => page.getByRole('listitem').filter({ hasText: handle });
    for (const [, handle] of [stranger, rtl]) {
      await expect(row(handle).first()).toContainText(/cookie for many · \w/);
    }
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    for (const [, handle] of [stranger, rtl]) await row(handle).getByRole('checkbox').first().check();
    await visit.checkBothThemes('contacts selected');
    await act('Pause automations');
    await expect(page.getByRole('dialog', { name: 'Pause automations for 2 people?' })).toBeVisible();
    await visit.checkBothThemes('contacts asked');
    await page.getByRole('dialog').getByRole('button', { name: 'Pause automations' }).click();
    await expect(page.getByText('Automations are paused for 2 people.')).toBeVisible();
    for (const [, handle] of [stranger, rtl]) await expect(row(handle)).toContainText('You’re handling this chat');
    await visit.checkBothThemes('contacts paused');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('Automations reply to 2 people again.')).toBeVisible();
    for (const [, handle] of [stranger, rtl]) {
      await expect(row(handle)).not.toContainText('You’re handling this chat');
      await row(handle).getByRole('checkbox').first().check();
    }
    const file = page.waitForEvent('download');
    await act('Export their data');
    expect((await file).suggestedFilename()).toBe('contacts.json');
    await act('Erase contacts');
    const asked = page.getByRole('dialog', { name: 'Erase 2 people?' });
    await expect(asked.getByRole('button', { name: 'Erase for good' })).toBeDisabled();
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await act('Block in Creator HQ');
    await page.getByRole('dialog').getByRole('button', { name: 'Block', exact: true }).click();
    await expect(page.getByText('2 people blocked in Creator HQ.')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('2 people unblocked.')).toBeVisible();
    await visit.end();

    async function act(name: string): Promise<void> {
      await page.getByRole('button', { name: 'Actions for 2' }).click();
      await page.getByRole('menuitem', { name }).click();
    }
  });

  test('tags are given to one and to many, and find them again', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    await enterDemo(visit);
    for (const [personId] of [stranger, friend]) {
      await app.control.comment({ mediaId: cookies.mediaId, personId, text: 'cookie for tags' });
    }
    await page.goto('/creator-hq/contacts');
    const row = (handle: string) => page.getByRole('listitem').filter({ hasText: handle });
    for (const [, handle] of [stranger, friend]) await expect(row(handle).first()).toContainText('cookie for tags');
    const tag = `Baker on a ${device}`;

    await open(visit, friend[1]);
    const facts = page.getByRole('button', { name: 'Details' });
    if (await facts.isVisible()) await facts.click();
    await page.getByLabel('Tags').fill(tag);
    await page.getByLabel('Tags').press('Enter');
    await expect(page.getByRole('button', { name: `Remove ${tag}` })).toBeVisible();
    await visit.checkScreen();
    await page.goto('/creator-hq/contacts');
    await page.getByLabel('Show').selectOption({ label: `${tag} (1)` });
    await expect(page).toHaveURL(/tag=/);
    await expect(row(stranger[1])).toHaveCount(0);
    await expect(row(friend[1]).first()).toBeVisible();

    await page.getByLabel('Show').selectOption('');
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    await row(stranger[1]).getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Actions for 1' }).click();
    await page.getByRole('menuitem', { name: 'Add tags' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add tags to 1 person' });
    await dialog.getByLabel('Tags').fill(tag);
    await visit.checkBothThemes('contacts tagged');
    await dialog.getByRole('button', { name: 'Add tags' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByLabel('Show').locator('option', { hasText: `${tag} (2)` })).toHaveCount(1);
    await visit.end();
  });

  test('a person is erased for good, after a word that nobody types by accident', async () => {
    const visit = await app.visit(device);
    // The page may ask for them once more while they go.
    visit.expectComplaint(/404 \(Not Found\)/);
    const { page } = visit;
    await enterDemo(visit);
    await app.control.comment({ mediaId: cookies.mediaId, personId: rtl[0], text: 'so good' });
    await page.goto('/creator-hq/contacts');
    await open(visit, rtl[1]);
    const facts = page.getByRole('button', { name: 'Details' });
    if (await facts.isVisible()) await facts.click();
    await page.getByRole('button', { name: 'Erase contact' }).click();
    await expect(page.getByRole('button', { name: 'Erase for good' })).toBeDisabled();
    await visit.checkScreen();
    await page.getByLabel(/^Type ERASE to/).fill('erase');
    await page.getByRole('button', { name: 'Erase for good' }).click();
    await expect(page.getByText('Erased', { exact: true })).toBeVisible();
    await search(visit, rtl[1]);
    await expect(page.getByText(`No contact named ${rtl[1]}`)).toBeVisible();
    await visit.end();
  });

  async function messages(personId: string) {
    const threads = await app.control.inbox(personId);
    return threads.filter((thread) => thread.accountId === cookies.accountId).flatMap((thread) => thread.messages);
  }

  async function messagesTo(personId: string): Promise<number> {
    return (await messages(personId)).filter((message) => message.from === 'account' && message.viaApi).length;
  }

  async function textsTo(personId: string): Promise<string[]> {
    return (await messages(personId)).filter((message) => message.from === 'account').map(({ text }) => text ?? '');
  }
});

async function search({ page }: Visit, text: string): Promise<void> {
  const back = page.getByRole('link', { name: 'Back to the list' });
  if (await back.isVisible()) await back.click();
  await page.getByLabel('Search contacts').fill(text);
  await expect(page).toHaveURL(
    new RegExp(
      `search=${encodeURIComponent(text)
        .replace(/[.*+?^${}()|[\]\\]/g, '.')
        .replaceAll('%20', '.')}`,
    ),
  );
}

/** Types a handle and taps the row. */
async function open(visit: Visit, handle: string): Promise<void> {
  await search(visit, handle);
  await visit.page.getByRole('link', { name: handle }).first().click();
  await expect(
    visit.page.getByRole('heading', { name: 'What they', exact: false }).or(visit.page.getByRole('article')),
  ).toBeVisible();
}

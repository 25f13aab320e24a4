/** J12 of the field notes, but for paying: an assistant with several creators, support inside an account, chat and referral. */
import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest';
import { becomeAdmin, enterAsAdmin } from './admins.ts';
import { changeAnswer, DEVICES, enterDemo, expect, type RunningApp, signUp, startApp, type Visit } from './journey.ts';

/** `--color-admin` of the light theme. */
const RED_TINT = 'rgb(251, 216, 208)';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

describe.each(DEVICES)('on a %s', (device) => {
  test('an invited assistant accepts, then runs two creators and never mixes them up', async () => {
    const assistant = `dora.${device}@example.com`;
    const handle = `dora.${device}`;
    const owner = await app.visit(device);
    await enterDemo(owner);
    await invite(owner, assistant);
    await owner.end();

    const visit = await app.visit(device);
    visit.expectComplaint(/404 \(Not Found\)/);
    const { page } = visit;
    await signUp(visit, { name: 'Dora', email: assistant });
    // No membership yet: the dialog opens by itself, and may be closed and opened again.
    const dialog = page.getByRole('dialog', { name: 'Pending Invites' });
    await expect(dialog).toBeVisible();
    await visit.checkScreen();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await page.getByRole('button', { name: 'View invite' }).click();
    await page.evaluate('window.sameDocument = true');
    await dialog.getByRole('button', { name: /^Accept/ }).click();
    await expect(page.getByText('Invite accepted')).toBeVisible();
    await expect(page).toHaveURL(/\/creator-hq$/);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await page.evaluate('window.sameDocument')).toBeUndefined();
    await visit.checkScreen();
    const demo = await currentCreator(visit);

    await addCreator(visit, handle);
    expect(await currentCreator(visit)).toBe(`@${handle}`);

    // Another tab still shows the new creator while this one switches.
    const second = await visit.newPage();
    await second.goto('/creator-hq/contacts');
    await expect(second.getByRole('heading', { name: 'Contacts' })).toBeVisible();
    await openSwitcher(visit);
    await page.getByRole('searchbox', { name: 'Search' }).fill('nobody at all');
    await expect(page.getByText('None of your creators is named')).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search' }).fill(demo.slice(1, 5).toUpperCase());
    await visit.checkScreen();
    await page.evaluate('window.sameDocument = true');
    await page.getByRole('dialog').getByRole('button', { name: demo }).click();
    await expect.poll(() => currentCreator(visit)).toBe(demo);
    expect(await page.evaluate('window.sameDocument')).toBeUndefined();

    await expect(second.getByRole('heading', { name: `You switched to ${demo} in another tab` })).toBeVisible();
    await visit.checkScreen(second);
    await second.getByRole('button', { name: `Continue as ${demo}` }).click();
    await expect(second.getByRole('heading', { name: 'Contacts' })).toBeVisible();
    await visit.end();
  });

  test('an owner removes an assistant, and decides about the webhook and the key that they made', async () => {
    const assistant = `finn.${device}@example.com`;
    const hook = `http://127.0.0.1:9/${device}`;
    const owner = await app.visit(device);
    await enterDemo(owner);
    await invite(owner, assistant);
    const visit = await app.visit(device);
    await signUp(visit, { name: 'Finn', email: assistant });
    await visit.page.getByRole('button', { name: /^Accept/ }).click();
    await expect(visit.page.getByText('Invite accepted')).toBeVisible();
    await visit.page.goto('/creator-hq/settings?tab=api-key');
    await visit.page.getByRole('button', { name: /Create key|Replace key/ }).click();
    const replace = visit.page.getByRole('dialog').getByRole('button', { name: 'Replace key' });
    const key = visit.page.getByText(/^chq_\w{40}$/);
    await replace.or(key).waitFor();
    if (await replace.isVisible()) await replace.click();
    await expect(key).toBeVisible();
    await visit.checkBothThemes('api key made by');
    await visit.page.goto('/creator-hq/settings?tab=other-tools');
    await visit.page.getByRole('button', { name: 'Add webhook' }).click();
    await expect(visit.page.getByText(/^Only an owner can send comments/)).toBeVisible();
    await expect(visit.page.getByRole('checkbox', { name: /new contact/ })).toHaveCount(0);
    await visit.checkBothThemes('webhook form of a collaborator');
    await visit.page.getByRole('textbox', { name: 'Address' }).fill(hook);
    await visit.page.getByRole('button', { name: 'Add webhook' }).click();
    await expect(visit.page.getByText('Added by Finn')).toBeVisible();
    await visit.end();

    const { page } = owner;
    await page.goto('/creator-hq/settings?tab=team');
    await page.getByRole('button', { name: 'Remove Finn' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('button', { name: 'Remove', exact: true })).toBeDisabled();
    await owner.checkBothThemes('remove from the team');
    await dialog.getByRole('radio', { name: 'Keep, under your name' }).check();
    await dialog.getByRole('radio', { name: 'Create a new one' }).check();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(dialog.getByText(/^chq_\w{40}$/)).toBeVisible();
    if (device === 'phone') {
      const [toast, key] = [await page.locator('[data-toast]').boundingBox(), await dialog.boundingBox()];
      expectValue(toast!.y + toast!.height, 'the toast covers the key').toBeLessThanOrEqual(key!.y);
    }
    await owner.checkBothThemes('new key after a removal');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('button', { name: 'Remove Finn' })).toHaveCount(0);
    await page.goto('/creator-hq/settings?tab=other-tools');
    await expect(page.getByText(hook)).toBeVisible();
    await expect(page.getByText('Finn')).toHaveCount(0);
    await owner.checkBothThemes('webhook kept');
    await page.goto('/creator-hq/settings?tab=notifications');
    await expect(page.getByText('New webhooks, tokens and keys')).toBeVisible();
    await owner.checkBothThemes('notifications');
    await owner.end();
  });

  test('an invite that is declined is gone, and said to be', async () => {
    const somebody = `emil.${device}@example.com`;
    const owner = await app.visit(device);
    await enterDemo(owner);
    await invite(owner, somebody);
    await owner.end();
    const visit = await app.visit(device);
    const { page } = visit;
    await signUp(visit, { name: 'Emil', email: somebody });
    await page.getByRole('button', { name: /^Decline/ }).click();
    await expect(page.getByText('Successfully deleted invite')).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Connect your Instagram' })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await visit.end();
  });

  test('support enters with a reason under a red bar and leaves in one click; the creator reads of it', async () => {
    const reason = `Replies of the ${device} wait for an hour.`;
    const visit = await app.visit(device);
    const { page } = visit;
    await becomeAdmin(app, visit, `sam.${device}@example.com`);
    // Others would be offered the chat.
    await changeAnswer(page, '**/api/v1/env', (env) => ({ ...env, intercomAppId: 'chat' }));
    await enterAsAdmin(visit, reason);
    await visit.checkScreen();
    await expect(page.getByRole('banner').getByText(/^\d+ min/)).toBeVisible();
    await expect(page.getByRole('banner')).toHaveCSS('background-color', RED_TINT);
    await expect(page.getByRole('button', { name: 'Live chat' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Account menu' }).click();
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: 'Switch Creator' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: 'Live Chat' })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Exit Admin Access Mode' }).click();
    await expect(page).toHaveURL(/\/creator-hq\/admin\?search=thegoldenspoon$/);
    // Every admin has it, outside of an account too.
    await expect(page.getByRole('banner').getByRole('link', { name: 'Exit Admin Access Mode' })).toBeVisible();
    await expect(page.getByRole('banner')).toHaveCSS('background-color', RED_TINT);
    await visit.checkScreen();
    await visit.end();

    const owner = await app.visit(device);
    await enterDemo(owner);
    await owner.page.goto('/creator-hq/settings?tab=visits');
    await expect(owner.page.getByText(reason)).toBeVisible();
    await owner.checkScreen();
    await owner.end();
  });
});

async function invite({ page }: Visit, email: string): Promise<void> {
  await page.goto('/creator-hq/settings?tab=team');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send invite' }).click();
  await expect(page.getByText('Invite sent')).toBeVisible();
}

/** The handle above the user menu. */
async function currentCreator({ page }: Visit): Promise<string> {
  await page.getByRole('button', { name: 'Account menu' }).click();
  const handle = page.getByRole('menu').getByText(/^@/).first();
  const text = (await handle.textContent()) ?? '';
  await page.keyboard.press('Escape');
  return text;
}

async function openSwitcher({ page }: Visit): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Switch Creator' }).click();
  await expect(page.getByRole('dialog', { name: 'Switch Creator' })).toBeVisible();
}

/** By the keyboard alone: one more creator, then back home. */
async function addCreator(visit: Visit, handle: string): Promise<void> {
  const { page } = visit;
  await openSwitcher(visit);
  await page.getByRole('link', { name: 'Add new creator' }).press('Enter');
  await expect(page).toHaveURL(/\/creator-hq\/account-setup\?new=1$/);
  await page.getByRole('link', { name: 'Use Facebook instead, or connect later' }).press('Enter');
  await page.getByLabel('Handle').fill(handle);
  await visit.checkScreen();
  await page.getByRole('button', { name: 'Continue' }).press('Enter');
  await expect(page.getByRole('heading', { name: `Connect your account, @${handle}` })).toBeVisible();
  await page.getByRole('link', { name: 'Do this later' }).press('Enter');
  await expect(page).toHaveURL(/\/creator-hq$/);
}

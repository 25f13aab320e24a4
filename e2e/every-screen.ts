/** Every address of the app and every dialog, on a phone and a desk, light and dark: nothing sticks out, axe finds nothing serious. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest';
import { SETTINGS_SECTIONS } from '#web/features/settings/settings-sections.ts';
import { paths, settingsPath } from '#web/paths.ts';
import { becomeAdmin, enterAsAdmin } from './admins.ts';
import { type Device, enterDemo, expect, type RunningApp, signUp, startApp, type Visit } from './journey.ts';

/** Where the address of a screen has an id in it. */
const AN_ID = '7';

/** All of `web/paths.ts`; the root leads on and shows nothing itself. */
const SCREENS = Object.fromEntries(
  Object.entries(paths)
    .map(([name, address]) => [name, typeof address === 'function' ? address(AN_ID) : address] as const)
    .filter(([name]) => name !== 'root'),
);

/** Some forty screens, on a desk in two themes, on a busy machine. */
const A_LONG_WALK = { timeout: 400_000 };

/** The tests of one device; each has a file of its own, so that both are walked at the same time. */
export function walkEveryScreen(device: Device): void {
  describe(`on a ${device}`, A_LONG_WALK, () => {
    let app: RunningApp;
    beforeAll(async () => {
      app = await startApp();
    });
    afterAll(() => app?.close());
    const admin = `sam.every.${device}@example.com`;
    const guest = `guest.every.${device}@example.com`;
    /** Of `SCREENS`, those that somebody was shown. */
    const shown = new Set<string>();

    test('logged out: every public screen', async () => {
      const visit = await app.visit(device);
      await walk(visit, 'logged out');
      await visit.end();
    });

    test('as an admin: every screen of the admin area, and its dialogs', async () => {
      const visit = await app.visit(device);
      const { page } = visit;
      await becomeAdmin(app, visit, admin);
      // There is something to read in the log, and for the creator in their settings.
      await enterAsAdmin(visit, 'A creator asked why their replies wait.');
      await visit.checkBothThemes('inside a creator');
      await page.getByRole('link', { name: 'Exit Admin Access Mode' }).click();
      await expect(page).toHaveURL(/\/admin\?/);
      await walk(visit, 'admin', (address) => address.startsWith(paths.admin));

      await page.goto(paths.admin);
      for (const button of ['Enter @thegoldenspoon', 'Give plan to @thegoldenspoon']) {
        await page.getByRole('button', { name: button }).click();
        await dialogIsFine(visit, button);
      }
      await page.goto(paths.adminMoney);
      await page.getByRole('button', { name: 'Change Creator' }).click();
      await dialogIsFine(visit, 'change a plan');
      await page.goto(paths.adminFlags);
      await page.getByRole('searchbox').fill('golden');
      await page.getByRole('button', { name: '@thegoldenspoon' }).click();
      await expect(page.getByLabel('Meal plans').last()).toBeVisible();
      await visit.checkBothThemes('flags of a creator');
      await visit.end();
    });

    test('as a creator: every screen of the main group, every part of the settings, and the dialogs', async () => {
      const visit = await app.visit(device);
      visit.expectComplaint(/409 \(Conflict\)/);
      const { page } = visit;
      await enterDemo(visit);
      await page.goto(settingsPath('team'));
      await page.getByLabel('Email').fill(guest);
      await page.getByRole('button', { name: 'Send invite' }).click();
      await expect(page.getByText('Invite sent')).toBeVisible();

      // People who are no admins see the same notice everywhere in the admin area.
      await walk(visit, 'creator', (address) => !address.startsWith(`${paths.admin}/`));
      for (const { label, parts } of SETTINGS_SECTIONS) {
        await page.goto(settingsPath(parts[0]));
        await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
        await visit.checkBothThemes(`settings ${label}`);
      }

      await page.goto(settingsPath('team'));
      await page.getByRole('button', { name: `Cancel invite to ${guest}` }).click();
      await dialogIsFine(visit, 'take back an invite');

      await page.goto(paths.home);
      await page.getByRole('button', { name: 'Account menu' }).click();
      await expect(page.getByRole('menu')).toBeVisible();
      await visit.checkBothThemes('the user menu');
      await page.getByRole('menuitem', { name: 'Switch Creator' }).click();
      await dialogIsFine(visit, 'Switch Creator');

      const sidebar = page.getByRole('navigation', { name: 'Main' });
      if (device === 'phone') await page.getByRole('button', { name: 'Open menu' }).click();
      await expect(sidebar.getByRole('link', { name: 'Help Docs' })).toBeVisible();
      await visit.checkBothThemes('the sidebar open');
      if (device === 'phone') await page.keyboard.press('Escape');
      else await page.getByRole('button', { name: 'Close menu' }).click();
      await expect(sidebar).toBeHidden();
      await visit.checkBothThemes('the sidebar closed');

      await page.goto(paths.postsAndReels);
      await page.getByRole('link', { name: /I tested 14 versions/ }).click();
      const tabs = page.getByRole('dialog').getByRole('tab');
      await expect(tabs.first()).toBeVisible();
      for (const tab of await tabs.all()) {
        await tab.click();
        await visit.checkBothThemes(`a post, ${await tab.textContent()}`);
      }
      await visit.end();
    });

    test('without a creator: setting one up, with an invite waiting', async () => {
      const visit = await app.visit(device);
      await signUp(visit, { name: 'Gus', email: guest }, { checkScreens: false });
      await dialogIsFine(visit, 'Pending Invites');
      await walk(visit, 'no creator', (address) => address === paths.accountSetup);
      await visit.end();
    });

    test('no address of the app was left out', () => {
      expectValue(Object.keys(SCREENS).filter((name) => !shown.has(name))).toEqual([]);
    });

    /** Opens every address; where it leads elsewhere, the screen is for somebody else. */
    async function walk(visit: Visit, who: string, wanted = (_address: string) => true): Promise<void> {
      const { page } = visit;
      for (const [name, address] of Object.entries(SCREENS)) {
        if (!wanted(address)) continue;
        await page.goto(address);
        await expect(page.getByRole('heading', { level: 1 }).first(), address).toBeVisible();
        if (new URL(page.url()).pathname !== address) continue;
        await visit.checkBothThemes(`${who}, ${name}`);
        shown.add(name);
      }
    }
  });
}

/** Checks the open dialog, and closes it. */
async function dialogIsFine(visit: Visit, name: string): Promise<void> {
  const dialog: ReturnType<Page['getByRole']> = visit.page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await visit.checkBothThemes(name);
  await visit.page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
}

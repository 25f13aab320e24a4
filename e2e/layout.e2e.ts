/** The frame around every screen, as it is seen: top bar, sidebar, user menu, banners, spinners. */
import type { Locator } from 'playwright';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Me } from '#contract/session.ts';
import {
  changeAnswer,
  chooseHandle,
  DEVICES,
  enterDemo,
  expect,
  type RunningApp,
  signUp,
  startApp,
} from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

describe('the layout', () => {
  test('the sidebar opens and closes within about 300 ms', async () => {
    const visit = await app.visit('desktop');
    const { page } = visit;
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await enterDemo(visit);
    const help = page.getByRole('link', { name: 'Help Docs' });
    await expect(help).toBeVisible();
    expect(await page.evaluate("getComputedStyle(document.querySelector('aside')).transitionDuration")).toMatch(
      /^0\.3s/,
    );
    await page.getByRole('button', { name: 'Close menu' }).click();
    await expect(help).toBeHidden();
    await page.reload();
    await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible();
    await expect(help).toBeHidden();
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(help).toBeVisible();
    await visit.end();
  });

  test('a spinner shows while a screen loads', async () => {
    const visit = await app.visit('phone');
    await enterDemo(visit);
    const { page } = visit;
    const spinner = page.getByRole('status').filter({ hasText: /^Loading$/ });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/assets/ContactsPage-*.js', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto('/creator-hq/contacts', { waitUntil: 'commit' });
    await expect(spinner).toBeVisible();
    release();
    await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
    await expect(spinner).toHaveCount(0);

    // From one screen to another.
    const { promise: goOn, resolve: letGoOn } = Promise.withResolvers<void>();
    await page.route('**/assets/RecipeScreens-*.js', async (route) => {
      await goOn;
      await route.continue();
    });
    const held = page.waitForRequest('**/assets/RecipeScreens-*.js');
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('link', { name: 'Recipes', exact: true }).click();
    await held;
    await expect(spinner).toBeVisible();
    letGoOn();
    await expect(page.getByRole('heading', { level: 1, name: 'Recipes' })).toBeVisible();
    await expect(spinner).toHaveCount(0);
    await visit.end();
  });

  test('a centered spinner shows while user data loads', async () => {
    const visit = await app.visit('desktop');
    const { page } = visit;
    await enterDemo(visit);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/v1/auth/me', async (route) => {
      await released;
      await route.continue();
    });
    const code = page.waitForResponse('**/assets/ContactsPage-*.js');
    await page.goto('/creator-hq/contacts');
    await (await code).finished();
    const { left, right } = await boxOf(page.getByRole('status').filter({ hasText: 'Loading' }));
    expect(Math.abs((left + right) / 2 - page.viewportSize()!.width / 2)).toBeLessThan(1);
    await expect(page.getByRole('banner')).toHaveCount(0);
    release();
    await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
    await visit.end();
  });

  test('the top bar sticks to the top, white; its logo leads home', async () => {
    const visit = await app.visit('phone');
    const { page } = visit;
    await enterDemo(visit);
    await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible();
    const bar = page.getByRole('banner');
    await page.evaluate('scrollTo(0, 400)');
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(100);
    expect((await boxOf(bar)).top).toBe(0);
    await expect(bar).toHaveCSS('background-color', 'rgb(255, 255, 255)');
    await page.goto('/creator-hq/contacts');
    await bar.getByRole('link', { name: 'Creator HQ' }).click();
    await expect(page).toHaveURL(`${app.url}/creator-hq`);
    await visit.end();
  });

  test.each(DEVICES)(
    'the sidebar is at the left of a %s: sub-items indented, Help Docs in a new tab, Settings at the bottom',
    async (device) => {
      const visit = await app.visit(device);
      const { page } = visit;
      const helpDocsUrl = 'https://example.com/help';
      await changeAnswer(page, '**/api/v1/env', (env) => ({ ...env, helpDocsUrl }));
      await enterDemo(visit);
      if (device === 'phone') await page.getByRole('button', { name: 'Open menu' }).click();
      const sidebar = page.getByRole('navigation', { name: 'Main' });
      const entry = (name: string) => sidebar.getByRole('link', { name });
      const item = await boxOf(entry('Comment for DM'));
      const subItem = await boxOf(entry('Posts & Reels'));
      expect(subItem.top).toBeGreaterThanOrEqual(item.bottom);
      expect(subItem.left).toBeGreaterThan(item.left);
      expect((await boxOf(sidebar)).left).toBe(0);
      const help = await boxOf(entry('Help Docs'));
      const settings = await boxOf(sidebar.getByRole('link', { name: 'Settings', exact: true }));
      expect(settings.top).toBeGreaterThanOrEqual(help.bottom);
      expect((await boxOf(sidebar)).bottom - settings.bottom).toBeLessThan(20);
      const opened = page.waitForEvent('popup');
      await entry('Help Docs').click();
      await expect(await opened).toHaveURL(helpDocsUrl);
      await visit.end();
    },
  );

  test('the user menu shows the Instagram avatar, else Facebook’s, else the user’s, else a letter; handle and email on wide screens', async () => {
    const visit = await app.visit('desktop');
    const { page } = visit;
    const picture = (of: string) => `https://pictures.example.net/${of}.svg`;
    await page.route(picture('*'), (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
    );
    let known: string[] = [];
    let email = '';
    await changeAnswer(page, '**/api/v1/auth/me', (answer) => {
      const me = answer as Me;
      const url = (of: string) => (known.includes(of) ? picture(of) : null);
      email = me.account.email;
      return {
        ...me,
        account: { ...me.account, avatarUrl: url('user') },
        creatorAccount: {
          ...me.creatorAccount!,
          instagramAvatarUrl: url('instagram'),
          facebookAvatarUrl: url('facebook'),
        },
      };
    });
    await enterDemo(visit);
    const menu = page.getByRole('button', { name: 'Account menu' });
    for (const shown of ['instagram', 'facebook', 'user']) {
      known = ['user', 'facebook', 'instagram'].slice(0, { instagram: 3, facebook: 2, user: 1 }[shown]);
      await page.reload();
      await expect(menu.locator('img')).toHaveAttribute('src', picture(shown));
    }
    known = [];
    await page.reload();
    await expect(menu.getByText('T', { exact: true })).toBeVisible();
    await expect(menu.locator('img')).toHaveCount(0);

    for (const words of ['@thegoldenspoon', email]) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await expect(menu.getByText(words)).toBeVisible();
      await page.setViewportSize({ width: 800, height: 900 });
      await expect(menu.getByText(words)).toBeHidden();
    }
    await visit.end();
  });

  test('banners stand between the top bar and the main content', async () => {
    const visit = await app.visit('desktop');
    const { page } = visit;
    await page.route('**/api-keys/current', (route) =>
      route.fulfill({
        json: { pluginVersion: null, expectedPluginVersion: '2.0', prefix: null, createdAt: null, lastUsedAt: null },
      }),
    );
    await enterDemo(visit);
    const places = [
      await boxOf(page.getByRole('banner')),
      await boxOf(page.getByRole('region', { name: 'Notices' })),
      await boxOf(page.getByRole('heading', { level: 1 })),
    ];
    for (const [index, { top }] of places.entries()) {
      if (index > 0) expect(top).toBeGreaterThanOrEqual(places[index - 1]!.bottom);
    }
    await visit.end();
  });

  test('the menu offers Refer & Earn and Live Chat where both are set up', async () => {
    const visit = await app.visit('desktop');
    visit.expectComplaint(/intercom/);
    const { page } = visit;
    await changeAnswer(page, '**/api/v1/env', (env) => ({
      ...env,
      intercomAppId: 'chat',
      referralProgrammeUrl: 'https://example.com/refer',
    }));
    await changeAnswer(page, '**/api/v1/auth/me', (me) => ({
      ...me,
      subscription: {
        ...(me.subscription as object),
        plan: { name: 'Creator', productId: 'creator-plan', price: { month: 2900 } },
        stripeSubscriptionId: 'sub_1',
        isFree: false,
      },
    }));
    await page.route('**/ofrep/v1/evaluate/flags', (route) =>
      route.fulfill({
        json: { flags: [{ key: 'referralFactoryEnabled', value: true, reason: 'STATIC', variant: 'on' }] },
      }),
    );
    await enterDemo(visit);
    await expect(page.getByRole('banner').getByRole('button', { name: 'Live chat' })).toBeVisible();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Refer & Earn' })).toBeVisible();
    await page.getByRole('button', { name: 'Account menu' }).click();
    for (const entry of ['Settings', 'Switch Creator', 'Sign out', /^Refer & Earn/, 'Live Chat'])
      await expect(page.getByRole('menuitem', { name: entry })).toBeVisible();
    await visit.end();
  });

  test('opening a panel from a scrolled page keeps top bar and sidebar in place', async () => {
    const visit = await app.visit('desktop');
    const { page } = visit;
    await enterDemo(visit);
    await page.goto('/creator-hq/comment-for-dm/posts-and-reels');
    const card = page
      .getByRole('list', { name: /^Posts \d/ })
      .getByRole('link')
      .last();
    await card.scrollIntoViewIfNeeded();
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(100);
    const places = async () => ({
      top: (await page.locator('header').first().boundingBox())!.y,
      side: (await page.locator('aside').boundingBox())!.y,
    });
    const before = await places();
    await card.click();
    const panel = page.getByRole('dialog');
    await expect(panel.getByRole('tab').first()).toBeVisible();
    const { top, side } = await places();
    expect(Math.abs(top - before.top) + Math.abs(side - before.side)).toBeLessThan(2);
    // The panel is named by the caption of its post.
    const caption = await panel.locator('header').getByRole('heading', { level: 2 }).textContent();
    await expect(panel).toHaveAccessibleName(caption!);
    await visit.end();
  });

  test('leaving an editor with unsaved text offers to keep it as a draft', async () => {
    const visit = await app.visit('desktop');
    const { page } = visit;
    await enterDemo(visit);
    await page.goto('/creator-hq/comment-for-dm');
    await page.getByRole('main').getByRole('link', { name: 'COOKIE' }).first().click();
    const panel = page.getByRole('dialog');
    const message = panel.getByLabel('Message', { exact: true });
    await message.fill('Here is the cookie recipe, kept for later.');
    await page.keyboard.press('Escape');
    const asked = page.getByRole('dialog', { name: 'Leave without saving?' });
    await asked.getByRole('button', { name: 'Keep as draft' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByText('Draft saved')).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'COOKIE' }).first().click();
    await expect(message).toHaveValue('Here is the cookie recipe, kept for later.');
    await expect(panel.getByRole('button', { name: 'Discard draft' })).toBeVisible();
    await visit.end();
  });

  test('in forced colors what is chosen and what saves can be told apart', async () => {
    const visit = await app.visit('desktop');
    const { page } = visit;
    await page.emulateMedia({ forcedColors: 'active' });
    await enterDemo(visit);
    const look = (place: Locator, pseudo = '') =>
      place.evaluate((element, part) => {
        const { getComputedStyle } = globalThis as unknown as {
          getComputedStyle: (of: unknown, part: string) => { backgroundColor: string; borderBottomColor: string };
        };
        const { backgroundColor, borderBottomColor } = getComputedStyle(element, part);
        return `${backgroundColor} ${borderBottomColor}`;
      }, pseudo);
    await page.goto('/creator-hq/recipes/new');
    const here = page.getByRole('navigation').getByRole('link', { name: 'Recipes', exact: true });
    const elsewhere = page.getByRole('navigation').getByRole('link', { name: 'Contacts', exact: true });
    expect(await look(here)).not.toBe(await look(elsewhere));
    const save = page.getByRole('button', { name: 'Save' });
    expect(await look(save)).not.toBe(await look(page.getByRole('button', { name: 'Account menu' })));
    await page.goto('/creator-hq/comment-for-dm/posts-and-reels');
    await page
      .getByRole('list', { name: /^Posts \d/ })
      .getByRole('link')
      .first()
      .click();
    const tabs = page.getByRole('dialog').getByRole('tab');
    expect(await look(tabs.nth(0))).not.toBe(await look(tabs.nth(1)));
    await page.goto('/creator-hq/settings?tab=notifications');
    const switches = page.getByRole('group', { name: 'Emails you want' }).getByRole('switch');
    const [on, off] = [switches.nth(0), switches.nth(1)];
    await on.check();
    // The switch follows what is saved.
    await expect(() => off.uncheck({ timeout: 2_000 })).toPass();
    expect(await look(on)).not.toBe(await look(off));
    expect(await look(on, '::before')).not.toBe(await look(on));
    await visit.end();
  });

  test('toasts lie neither over the heading nor over tabs on a phone', async () => {
    const visit = await app.visit('phone');
    const { page } = visit;
    await enterDemo(visit);
    await page.goto('/creator-hq/comment-for-dm/posts-and-reels');
    await page.getByRole('button', { name: 'Sync posts' }).click();
    const toast = await boxOf(page.locator('[data-toast]'));
    expect(toast.top).toBeGreaterThan((await boxOf(page.getByRole('heading', { level: 1 }))).bottom);
    await page
      .getByRole('list', { name: /^Posts \d/ })
      .getByRole('link')
      .first()
      .click();
    const tabs = await boxOf(page.getByRole('dialog').getByRole('tab').first());
    expect(toast.top).toBeGreaterThan(tabs.bottom);
    await visit.end();
  });

  test('the login page says that the session ended, and leads back', async () => {
    const visit = await app.visit('desktop');
    const { page } = visit;
    visit.expectComplaint(/401/);
    await enterDemo(visit);
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    const search = page.getByRole('searchbox');
    await expect(search).toBeVisible();
    await page.context().clearCookies();
    // A page that asks by itself before is at the login already.
    await search.fill('anna', { timeout: 5_000 }).catch(() => {});
    await expect(page.getByText('Your session ended.')).toBeVisible();
    await page.getByRole('button', { name: 'Try the demo' }).click();
    await expect(page).toHaveURL(/contacts(\?|$)/);
    await visit.end();
  });

  test('posts without a connection offer to connect Instagram', async () => {
    const visit = await app.visit('phone');
    const { page } = visit;
    await signUp(visit, { name: 'Nell', email: 'nell@example.com' });
    await chooseHandle(visit, 'nell.cooks');
    await page.goto('/creator-hq/comment-for-dm/posts-and-reels');
    await expect(page.getByText('Connect Instagram', { exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Connect with Instagram' })).toBeVisible();
    await visit.end();
  });
});

async function boxOf(place: Locator): Promise<{ left: number; right: number; top: number; bottom: number }> {
  // One spinner may take the place of another between two looks.
  let box: Awaited<ReturnType<Locator['boundingBox']>> = null;
  await expect.poll(async () => (box = await place.boundingBox())).not.toBeNull();
  const { x, y, width, height } = box!;
  return { left: x, right: x + width, top: y, bottom: y + height };
}

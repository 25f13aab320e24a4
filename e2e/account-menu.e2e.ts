/** The layout's own doings that no other journey comes by: the menu, signing out, what is said when something fails. */
import type { Page, Route } from 'playwright';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { changeAnswer, enterDemo, expect, type RunningApp, startApp } from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

const fails = (route: Route) => route.fulfill({ status: 500, json: {} });
const FAILED = /500 \(Internal Server Error\)/;

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
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/assets/ContactsPage-*.js', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto('/creator-hq/contacts', { waitUntil: 'commit' });
    await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toBeVisible();
    release();
    await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0);
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
});

describe('who is signed in, and the settings of the page', () => {
  test('are asked for once: not on navigation, focus, reconnect, live news or a failure; the news is on screen all the same', async () => {
    const visit = await app.visit('desktop');
    visit.expectComplaint(FAILED);
    const { page } = visit;
    await enterDemo(visit);
    const asked = { me: 0, env: 0, creator: 0 };
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname === '/api/v1/auth/me') asked.me += 1;
      if (pathname === '/api/v1/env') asked.env += 1;
      if (/^\/api\/v1\/creators\/[^/]+$/.test(pathname)) asked.creator += 1;
    });
    await page.goto('/creator-hq/contacts');
    await walkAndReturn(page);
    const deletion = '/api/v1/creators/CREATOR/settings/deletion';
    const creator = "(await (await fetch('/api/v1/auth/me')).json()).creatorAccount";
    // The page's own script asks here, not the app: one more of "me".
    await page.evaluate(`(async () => {
      window.creator = ${creator};
      await fetch('${deletion}'.replace('CREATOR', window.creator._id), {
        method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ handle: window.creator.handle }),
      });
    })()`);
    const banner = page.getByRole('region', { name: 'Notices' }).getByText(/will be deleted/);
    await expect(banner).toBeVisible();
    await page.evaluate(`fetch('${deletion}'.replace('CREATOR', window.creator._id), { method: 'DELETE' })`);
    await expect(banner).toHaveCount(0);
    expect(asked.creator).toBeGreaterThan(1);
    expect({ ...asked, creator: 0 }).toEqual({ me: 2, env: 1, creator: 0 });

    Object.assign(asked, { me: 0, env: 0 });
    await page.route('**/api/v1/env', fails);
    await page.goto('/creator-hq/contacts');
    await walkAndReturn(page);
    expect({ ...asked, creator: 0 }).toEqual({ me: 1, env: 1, creator: 0 });

    Object.assign(asked, { me: 0, env: 0 });
    await page.route('**/api/v1/auth/me', fails);
    await page.goto('/creator-hq/contacts');
    const again = page.getByRole('button', { name: 'Try again' });
    await expect(again).toBeVisible();
    await comeBack(page);
    expect({ ...asked, creator: 0 }).toEqual({ me: 1, env: 1, creator: 0 });
    await page.unroute('**/api/v1/auth/me');
    await again.click();
    await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
    expect({ ...asked, creator: 0 }).toEqual({ me: 2, env: 1, creator: 0 });

    // Out of the browser's memory: no tab was heard meanwhile, so the page begins again.
    Object.assign(asked, { me: 0, env: 0 });
    await page.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await expect.poll(() => asked.me).toBe(1);
    await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
    await visit.end();
  });
});

/** To another screen and back, away from the tab and back, offline and back. */
async function walkAndReturn(page: Page): Promise<void> {
  const menu = page.getByRole('navigation');
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
  await menu.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await comeBack(page);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
}

/** A tab in the background and a lost connection cannot be had here; what the browser then says to the page can. */
async function comeBack(page: Page): Promise<void> {
  await page.evaluate(`
    for (const name of ['offline', 'online', 'blur', 'focus']) window.dispatchEvent(new Event(name));
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  `);
}

describe('what is said', () => {
  test('when signing out fails, and when it works: on the login page, for good', async () => {
    const visit = await app.visit('phone');
    visit.expectComplaint(FAILED);
    await enterDemo(visit);
    const { page } = visit;
    await page.route('**/api/v1/auth/logout', fails);
    await signOut(page);
    await expect(page.getByText('Failed to logout')).toBeVisible();
    await expect(page).toHaveURL(`${app.url}/creator-hq`);
    await page.unroute('**/api/v1/auth/logout');
    await page.getByRole('button', { name: 'Dismiss' }).last().click();
    await signOut(page);
    await expect(page).toHaveURL(`${app.url}/creator-hq/login`);
    await expect(page.getByText('Logged out successfully')).toBeVisible();
    await expect(page.getByText('Success', { exact: true })).toHaveCount(0);
    await page.goto('/creator-hq');
    await expect(page).toHaveURL(`${app.url}/creator-hq/login`);
    await visit.end();
  });

  test('when accepting or declining an invite fails', async () => {
    const visit = await app.visit('desktop');
    visit.expectComplaint(FAILED);
    const { page } = visit;
    const invite = {
      inviteId: '0197a0aa-0000-7000-8000-0000000000b1',
      creatorAccountHandle: 'ben.bakes',
      creatorAccountAvatar: null,
      invitedBy: 'Ben',
      role: 'collaborator',
      expiresAt: '2100-01-01T00:00:00.000Z',
    };
    await page.route('**/accounts/*/invites', (route) => route.fulfill({ json: { invites: [invite] } }));
    await page.route('**/accounts/*/invites/**', fails);
    await enterDemo(visit);
    await page.getByRole('button', { name: 'View invite' }).click();
    await page.getByRole('button', { name: /^Accept/ }).click();
    await expect(page.getByText('Failed to accept invite')).toBeVisible();
    const dialog = page.getByRole('dialog', { name: 'Pending Invites' });
    await page.getByRole('status').getByRole('button', { name: 'Dismiss' }).click();
    await expect(page.getByText('Failed to accept invite')).toHaveCount(0);
    await expect(dialog).toBeVisible();
    await page.getByRole('button', { name: /^Decline/ }).click();
    await expect(page.getByText('Failed to delete invite')).toBeVisible();
    await visit.end();
  });

  test('when the code of a screen cannot be fetched: a preload-error event, then the fallback screen', async () => {
    const visit = await app.visit('desktop');
    visit.expectComplaint(/ERR_FAILED|dynamically imported module/);
    const { page } = visit;
    await page.route('**/assets/ContactsPage-*.js', (route) => route.abort());
    await page.addInitScript(`addEventListener('vite:preloadError', () => { window.preloadErrors = 1; });`);
    await enterDemo(visit);
    await page.goto('/creator-hq/contacts');
    await expect(page.getByRole('heading', { name: 'Whoops, something went wrong....' })).toBeVisible();
    expect(await page.evaluate('window.preloadErrors')).toBe(1);
    await page.getByRole('link', { name: 'Head back to Creator-HQ' }).click();
    await expect(page).toHaveURL(`${app.url}/creator-hq`);
    await visit.end();
  });
});

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

async function boxOf(place: ReturnType<Page['getByRole']>): Promise<{ top: number; bottom: number }> {
  await expect(place).toBeVisible();
  const box = await place.boundingBox();
  return { top: box?.y ?? Number.NaN, bottom: (box?.y ?? Number.NaN) + (box?.height ?? Number.NaN) };
}

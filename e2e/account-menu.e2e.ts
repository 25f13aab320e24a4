/** Who is signed in and what is said, where no other journey comes by: signing out, and what fails. */
import type { Page, Route } from 'playwright';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Me } from '#contract/session.ts';
import { changeAnswer, enterDemo, expect, type RunningApp, signOut, startApp } from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

const fails = (route: Route) => route.fulfill({ status: 500, json: {} });
const FAILED = /500 \(Internal Server Error\)/;
/** `--color-error-soft` of the light theme. */
const ERROR_COLOR = 'rgb(251, 234, 240)';

const OTHER_MEMBERSHIP: Me['memberships'][number] = {
  membershipId: '0197a0aa-0000-7000-8000-0000000000c1',
  displayName: 'ben.bakes',
  displayImage: null,
  current: false,
};

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
    await signOut(visit);
    const toast = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Dismiss' }) });
    await expect(toast.getByText('Failed to logout')).toBeVisible();
    await expect(toast.getByText('Operation failed')).toBeVisible();
    // The destructive look.
    await expect(toast.locator('> div')).toHaveCSS('background-color', ERROR_COLOR);
    await expect(page).toHaveURL(`${app.url}/creator-hq`);
    await page.unroute('**/api/v1/auth/logout');
    await page.getByRole('button', { name: 'Dismiss' }).last().click();
    await signOut(visit);
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

  test('when switching creator fails, and while it works', async () => {
    const visit = await app.visit('desktop');
    visit.expectComplaint(FAILED);
    const { page } = visit;
    await changeAnswer(page, '**/accounts/*/memberships', ({ memberships }) => ({
      memberships: [...(memberships as Me['memberships']), OTHER_MEMBERSHIP],
    }));
    await page.route('**/memberships/*/access', fails);
    await enterDemo(visit);
    await page.evaluate('window.sameDocument = true');
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Switch Creator' }).click();
    const other = page.getByRole('dialog').getByRole('button', { name: OTHER_MEMBERSHIP.displayName });
    await other.click();
    await expect(page.getByText('Failed to switch creator')).toBeVisible();
    await page.getByRole('status').getByRole('button', { name: 'Dismiss' }).click();
    expect(await page.evaluate('window.sameDocument')).toBe(true);

    // The page is on its way out: Playwright looks at nothing in it any more, so the page itself says what is shown.
    const { promise: isSaid, resolve: say } = Promise.withResolvers<void>();
    await page.exposeFunction('say', say);
    await page.evaluate(`new MutationObserver(() => {
      if (document.querySelector('[data-toast]')?.innerText.includes('Switching Creator...')) window.say();
    }).observe(document.body, { childList: true, subtree: true })`);
    await page.route(`${app.url}/creator-hq`, async (route) => {
      await isSaid;
      await route.continue();
    });
    await page.route('**/memberships/*/access', (route) =>
      route.fulfill({ json: { message: 'Switching Creator...' } }),
    );
    await other.click();
    await isSaid;
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(await page.evaluate('window.sameDocument')).toBeUndefined();
    await visit.end();
  });

  test('when the code of the not-found page cannot be fetched: Unexpected Application Error! and the message', async () => {
    const visit = await app.visit('desktop');
    visit.expectComplaint(/ERR_FAILED|dynamically imported module/);
    const { page } = visit;
    await page.route('**/assets/NotFound-*.js', (route) => route.abort());
    await page.goto('/creator-hq/nowhere');
    await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
    await expect(page.getByText(/dynamically imported module/)).toBeVisible();
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

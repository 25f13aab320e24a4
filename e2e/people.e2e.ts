/** Logging in and out, a forgotten password, and the door of the demo. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  chooseHandle,
  DEVICES,
  enterDemo,
  expect,
  followMailedLink,
  PASSWORD,
  type RunningApp,
  signOut,
  signUp,
  startApp,
  type Visit,
} from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

describe.each(DEVICES)('on a %s', (device) => {
  test('a person signs up, leaves, forgets their password and comes back with a new one', async () => {
    const email = `ben.${device}@example.com`;
    const visit = await app.visit(device);
    // A wrong password twice, and a link that was used.
    visit.expectComplaint(/401 .*\/auth\/login\)$|410 .*\/auth\/password\/reset\)$/);
    const { page } = visit;
    await signUp(visit, { name: 'Ben 🍞 בן', email }, { checkScreens: false });
    await signOut(visit);

    await page.getByLabel('Email').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await visit.checkScreen();

    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await visit.checkScreen();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    await visit.checkScreen();
    await followMailedLink(visit, email, 'password');
    await expect(page).toHaveURL(/\/creator-hq\/password-reset\?token=/);
    await visit.checkScreen();
    const reset = page.url();
    await page.getByRole('textbox', { name: 'New password' }).fill('a new pinch of pepper');
    await page.getByRole('button', { name: 'Save password' }).click();
    await expect(page.getByText('Password changed')).toBeVisible();

    await logIn(visit, email, PASSWORD);
    await expect(page.getByRole('alert')).toBeVisible();
    await logIn(visit, email, 'a new pinch of pepper');
    await expect(page).toHaveURL(/\/creator-hq\/account-setup$/);
    await signOut(visit);
    await expect(page).toHaveURL(/\/creator-hq\/login$/);

    // The mailed link works once.
    await page.goto(reset);
    await page.getByRole('textbox', { name: 'New password' }).fill('somebody else tries it');
    await page.getByRole('button', { name: 'Save password' }).click();
    await expect(page.getByRole('link', { name: 'Get a new link' })).toBeVisible();
    await visit.checkScreen();
    await visit.end();
  });

  test('every input of a form is required; what is filled in goes up as names and values', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    const sent: unknown[] = [];
    await page.route('**/auth/signup', (route) => {
      sent.push(route.request().postDataJSON());
      return route.fulfill({ json: { signedIn: false } });
    });
    await page.goto('/creator-hq/signup');
    const filledIn = { name: 'Bo', email: `bo.${device}@example.com`, password: PASSWORD };
    const places = {
      name: page.getByLabel('Your name'),
      email: page.getByLabel('Email'),
      password: page.getByRole('textbox', { name: 'Password' }),
    };
    for (const name of ['name', 'email', 'password'] as const) {
      await page.getByRole('button', { name: 'Create account' }).click();
      await expect(places[name]).toHaveAttribute('aria-invalid', 'true');
      expect(sent).toEqual([]);
      await places[name].fill(filledIn[name]);
    }
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    expect(sent).toEqual([filledIn]);
    await visit.end();
  });

  test('the link of a sign-up asks for the password in another browser', async () => {
    const email = `two.browsers.${device}@example.com`;
    const desk = await app.visit(device);
    await desk.page.goto('/creator-hq/signup');
    await desk.page.getByLabel('Your name').fill('Bea');
    await desk.page.getByLabel('Email').fill(email);
    await desk.page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await desk.page.getByRole('button', { name: 'Create account' }).click();
    await expect(desk.page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    await desk.end();

    const phone = await app.visit(device);
    phone.expectComplaint(/401 .*\/auth\/verification\/confirm\)$/);
    const { page } = phone;
    await followMailedLink(phone, email, 'Confirm');
    await expect(page.getByRole('heading', { name: 'Confirm your email' })).toBeVisible();
    await expect(page.getByText('For your security, type the password you just chose.')).toBeVisible();
    await expect(page.getByText(/this account yourself|take .* over/)).toHaveCount(0);
    await phone.checkScreen();
    await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page).toHaveURL(/\/creator-hq\/account-setup$/);
    await phone.end();
  });

  test('a personal Instagram account gets its two steps before leaving for Instagram and on return', async () => {
    const username = `home.cook.${device}`;
    const { instagramAccountId } = await app.control.seedCreator({ username, name: 'Home Cook' });
    const visit = await app.visit(device);
    const { page } = visit;
    await signUp(visit, { name: 'Hana', email: `hana.${device}@example.com` }, { checkScreens: false });
    await expect(page.getByText('Is your Instagram account personal?')).toBeVisible();
    await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'In the Instagram app' })).toHaveCount(
      1,
    );

    await page.getByRole('link', { name: 'Connect with Instagram' }).click();
    await page.getByRole('link', { name: username }).click();
    // Instagram itself lets some personal accounts pass.
    await page.route(/oauth\/authorize/, async (route) => {
      const response = await route.fetch({ maxRedirects: 0 });
      await app.control.updateAccount(instagramAccountId, { accountType: 'PERSONAL' });
      await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Allow' }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'This is a personal Instagram account' });
    await expect(notice.getByRole('listitem')).toHaveCount(2);
    await expect(notice.getByText(/Switch to professional account/)).toBeVisible();
    await visit.checkBothThemes('a personal account');
    await expect(page.getByRole('link', { name: 'Connect with Instagram' })).toBeVisible();
    await visit.end();
  });

  test('an owner changes the handle in Settings and reads why one is refused', async () => {
    const handle = `hugo.${device}`;
    const visit = await app.visit(device);
    visit.expectComplaint(/409 \(Conflict\)/);
    const { page } = visit;
    await signUp(visit, { name: 'Hugo', email: `hugo.${device}@example.com` }, { checkScreens: false });
    await chooseHandle(visit, handle);
    await page.goto('/creator-hq/settings?tab=profile');
    const field = page.getByLabel('Handle', { exact: true });
    await expect(field).toHaveValue(handle);
    await expect(page.getByText(/Links you already sent keep working/)).toBeVisible();
    const change = page.getByRole('button', { name: 'Change handle' });
    for (const [typed, says] of [
      ['h', 'Use at least 2 characters.'],
      ['hugo cooks', 'Use letters, numbers, periods and underscores.'],
      ['thegoldenspoon', /^Someone else uses this handle here/],
    ] as const) {
      await field.fill(typed);
      await change.click();
      await expect(page.getByText(says)).toBeVisible();
    }
    await visit.checkBothThemes('a handle that is taken');
    await field.fill(`@${handle}.cooks`);
    await change.click();
    await expect(page.getByText('Handle changed')).toBeVisible();
    await expect(field).toHaveValue(`${handle}.cooks`);
    await page.reload();
    await expect(field).toHaveValue(`${handle}.cooks`);
    await visit.end();
  });

  test('the demo is entered with one press, every built screen is fit to use, and left again', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    await page.goto('/creator-hq/login');
    await expect(page.getByRole('button', { name: 'Try the demo' })).toBeVisible();
    await visit.checkScreen();
    await enterDemo(visit);
    await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible();
    await visit.checkScreen();
    for (const [address, heading] of [
      ['comment-for-dm', 'Comment for DM'],
      ['comment-for-dm/posts-and-reels', 'Posts & Reels'],
      ['settings', 'Settings'],
      ['settings?tab=profile', 'Settings'],
      ['settings?tab=security', 'Settings'],
      ['settings?tab=appearance', 'Settings'],
      ['help', /help/i],
    ] as const) {
      await page.goto(`/creator-hq/${address}`);
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      await visit.checkScreen();
    }
    await page.goto('/creator-hq');
    await signOut(visit);
    await expect(page.getByText('Logged out successfully')).toBeVisible();
    await visit.end();
  });
});

async function logIn({ page }: Visit, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

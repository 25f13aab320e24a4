/** A day's work without a mouse: every place can be reached, is seen to have the focus, and gives it back. */
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { createStripeControl } from '#simulators/stripe/control-client.ts';
import { chooseHandle, DEVICES, enterDemo, expect, PASSWORD, type RunningApp, signUp, startApp } from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

/** More stops than any screen here has. */
const MOST_STOPS = 80;

describe.each(DEVICES)('by keyboard alone, on a %s', (device) => {
  const email = `kay.${device}@example.com`;
  const handle = `kay.${device}`;

  test('somebody logs in, uses menus, switches the creator and looks after the team', async () => {
    await ownTwoCreators();
    const visit = await app.visit(device);
    const { page } = visit;
    const { keyboard } = page;

    await page.goto('/creator-hq/login');
    await tabTo(page, page.getByLabel('Email'));
    await keyboard.type(email);
    await tabTo(page, page.getByRole('textbox', { name: 'Password' }));
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');
    await expect(page).toHaveURL(/\/creator-hq$/);

    // The first stop leads past the top bar and the menu.
    await page.goto('/creator-hq/contacts');
    await expect(page.getByRole('heading', { name: 'Contacts' })).toBeVisible();
    await tabTo(page, page.getByRole('link', { name: 'Skip to content' }), 1);
    await keyboard.press('Enter');
    await tabTo(page, page.getByRole('searchbox', { name: 'Search contacts' }));

    // The user menu.
    const account = page.getByRole('button', { name: 'Account menu' });
    await tabTo(page, account);
    await keyboard.press('Enter');
    await expectFocusIn(page.getByRole('menu'));
    await keyboard.press('ArrowDown');
    await expect(page.getByRole('menuitem').and(page.locator(':focus'))).toHaveCount(1);
    await keyboard.press('Escape');
    await expect(page.getByRole('menu')).toHaveCount(0);
    await expect(account).toBeFocused();

    // The sidebar: over the page on a phone, beside it on a desk.
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    if (device === 'phone') {
      const menu = page.getByRole('button', { name: 'Open menu' });
      await tabTo(page, menu);
      await keyboard.press('Enter');
      await expect(sidebar).toBeVisible();
      await expectFocusIn(page.getByRole('dialog', { name: 'Menu' }));
      await keyboard.press('Escape');
      await expect(sidebar).toHaveCount(0);
      await expect(menu).toBeFocused();
      await keyboard.press('Enter');
    }
    await tabTo(page, sidebar.getByRole('link', { name: 'Comment for DM' }));
    await keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Comment for DM' })).toBeVisible();
    if (device === 'phone') await expect(sidebar).toHaveCount(0);
    await expect(page.getByRole('main')).toBeFocused();

    // Another creator.
    const switcher = page.getByRole('dialog', { name: 'Switch Creator' });
    await openSwitcher(page);
    await expectFocusIn(switcher);
    await keyboard.press('Escape');
    await expect(switcher).toHaveCount(0);
    await expect(account).toBeFocused();
    const automation = page.getByRole('link', { name: /COOKIE/ }).first();
    await expect(automation).toBeVisible();
    for (const [wanted, name] of [
      [handle.toUpperCase(), `@${handle}`],
      ['golden', '@thegoldenspoon'],
    ] as const) {
      await openSwitcher(page);
      await tabTo(page, switcher.getByRole('searchbox', { name: 'Search' }));
      await keyboard.type(wanted);
      await tabTo(page, switcher.getByRole('button', { name }));
      await keyboard.press('Enter');
      await expect(switcher).toHaveCount(0);
      await expect(automation).toHaveCount(name === '@thegoldenspoon' ? 1 : 0);
    }

    // An invite goes out and is taken back.
    await page.goto('/creator-hq/settings?tab=team');
    await tabTo(page, page.getByLabel('Email'));
    await keyboard.type(`lee.${device}@example.com`);
    await tabTo(page, page.getByRole('radio', { name: 'Collaborator' }));
    await keyboard.press('ArrowDown');
    await expect(page.getByRole('radio', { name: 'Owner' })).toBeChecked();
    await keyboard.press('ArrowUp');
    await tabTo(page, page.getByRole('button', { name: 'Send invite' }));
    await keyboard.press('Enter');
    await expect(page.getByText('Invite sent')).toBeVisible();
    const takeBack = page.getByRole('button', { name: `Cancel invite to lee.${device}@example.com` });
    const question = page.getByRole('dialog', { name: 'Cancel this invite?' });
    await tabTo(page, takeBack);
    await keyboard.press('Enter');
    await expectFocusIn(question);
    await keyboard.press('Escape');
    await expect(question).toHaveCount(0);
    await expect(takeBack).toBeFocused();
    await keyboard.press('Enter');
    await tabTo(page, question.getByRole('button', { name: 'Cancel invite' }));
    await keyboard.press('Enter');
    await expect(takeBack).toHaveCount(0);

    // A member becomes a collaborator and an owner again right after, which need not wait; the place is kept.
    const role = page.getByRole('combobox', { name: 'Role of Demo Creator' });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.postDataJSON().role);
    });
    await tabTo(page, role);
    await expect(role).toHaveValue('owner');
    await keyboard.press('c');
    await expect(role).toHaveValue('collaborator');
    await keyboard.press('ArrowUp');
    await expect.poll(() => sent).toEqual(['collaborator', 'owner']);
    await expect(role).not.toHaveAttribute('aria-busy');
    await expect(role).toHaveValue('owner');
    await expect(role).toBeFocused();
    await visit.end();
  });

  /** Before the keyboard's turn: somebody owns a creator of their own and, invited, the demo's. */
  async function ownTwoCreators(): Promise<void> {
    const demo = await app.visit(device);
    await enterDemo(demo);
    await demo.page.goto('/creator-hq/settings?tab=team');
    await demo.page.getByLabel('Email').fill(email);
    await demo.page.getByRole('radio', { name: 'Owner' }).check();
    await demo.page.getByRole('button', { name: 'Send invite' }).click();
    await expect(demo.page.getByText('Invite sent')).toBeVisible();
    await demo.end();
    const visit = await app.visit(device);
    const { page } = visit;
    await signUp(visit, { name: 'Kay', email }, { checkScreens: false });
    await page.getByRole('button', { name: /^Accept/ }).click();
    await expect(page.getByText('Invite accepted')).toBeVisible();
    await page.goto('/creator-hq/account-setup?new=1');
    await chooseHandle(visit, handle);
    await page.getByRole('link', { name: 'Do this later' }).click();
    await expect(page).toHaveURL(/\/creator-hq$/);
    await visit.end();
  }
});

test('a plan is paid, changed both ways, mended, canceled, kept and given back by keyboard alone', async () => {
  const visit = await app.visit('desktop');
  const { page } = visit;
  const press = async (place: Locator, key = 'Enter') => {
    await tabTo(page, place);
    await page.keyboard.press(key);
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const inDialog = (name: string | RegExp) => page.getByRole('dialog').getByRole('button', { name });
  const payWith = async (number: string, name: string) => {
    await tabTo(page, page.getByLabel('Card number or IBAN'));
    await page.keyboard.press('Control+A');
    await page.keyboard.type(number);
    await press(button(name));
  };
  visit.expectComplaint(/402/);
  await enterDemo(visit);

  await page.goto('/creator-hq/settings?tab=plan');
  await press(page.getByRole('link', { name: 'Compare plans' }));
  await press(page.getByRole('link', { name: 'Choose Creator' }));
  await press(button('Subscribe for $29.00 a month'));
  await payWith('4000000000000002', 'Subscribe');
  await expect(page.getByRole('alert')).toContainText('declined');
  const money = createStripeControl(new URL(page.url()).origin);
  await payWith('4242424242424242', 'Subscribe');
  await expect(page.getByText('You’re on Creator.')).toBeVisible();

  await page.goto('/creator-hq/settings/plan-upgrade');
  await press(button('Change to Studio'));
  await press(inDialog(/^Pay \$\d+\.\d\d and change$/));
  await expect(page.getByText('You’re on Studio.')).toBeVisible();
  await press(button('Change to Creator'));
  await press(inDialog('Change plan'));
  await press(page.getByRole('link', { name: 'Go to Settings' }));
  await press(button('Keep Studio'));
  await expect(page.getByText(/^Next payment: \$79\.00 on/)).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: /^PDF/ }).first());

  await press(button('Cancel plan'));
  await press(page.getByLabel('Why? (optional)'), 'ArrowDown');
  await press(inDialog('Cancel plan'));
  await press(button('Keep my plan'));
  await expect(page.getByText(/^Next payment: \$79\.00 on/)).toBeVisible();

  const customer = (await money.money()).at(-1)!.customer!;
  const [subscription] = await money.subscriptions(customer);
  await money.setBehavior(subscription!.default_payment_method!, { kind: 'fails', code: 'expired_card' });
  await money.advance(31 * 86_400);
  await press(button('Pay now').first());
  await payWith('4242424242424242', 'Pay');
  await expect(page.getByText('It is paid.')).toBeVisible();
  await page.goto('/creator-hq/settings?tab=plan');
  await expect(page.getByText(/^Next payment: \$79\.00 on/)).toBeVisible();
  await press(button('Cancel plan'));
  await press(inDialog('End it now, with a refund'));
  await expect(page.getByText('Your plan has ended.')).toBeVisible();
  await visit.end();
});

async function openSwitcher(page: Page): Promise<void> {
  await tabTo(page, page.getByRole('button', { name: 'Account menu' }));
  await page.keyboard.press('Enter');
  await expectFocusIn(page.getByRole('menu'));
  // By its first letters, as in any menu.
  await page.keyboard.type('swi');
  await expect(page.getByRole('menuitem', { name: 'Switch Creator' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Switch Creator' })).toBeVisible();
}

/** Presses Tab until the place has the focus, and sees that it shows. @throws when no stop leads there */
async function tabTo(page: Page, place: Locator, mostStops = MOST_STOPS): Promise<void> {
  await expect(place).toBeVisible();
  for (let stop = 0; stop < mostStops && !(await isFocused(place)); stop += 1) await page.keyboard.press('Tab');
  await expect(place).toBeFocused();
  expect(await page.evaluate(SHOWS_FOCUS), `the focus shows on ${place}`).toBe(true);
}

/** On the dialog itself, or on something in it. */
function expectFocusIn(dialog: Locator): Promise<void> {
  const focused = dialog.page().locator(':focus');
  return expect(dialog.locator(focused).or(dialog.and(focused))).toHaveCount(1);
}

function isFocused(place: Locator): Promise<boolean> {
  return place
    .and(place.page().locator(':focus'))
    .count()
    .then((count) => count > 0);
}

/** Runs in the browser, as text. A choice may show it on its label. */
const SHOWS_FOCUS = `[document.activeElement, document.activeElement.closest('label')].some((one) => {
  if (!one) return false;
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  return outlineStyle !== 'none' && outlineWidth !== '0px';
})`;

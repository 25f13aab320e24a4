/** J12, its paying: compared, paid with a card that fails and one that works, changed both ways, canceled, kept, failed, mended, given back. */
import { test } from 'vitest';
import { createStripeControl } from '#simulators/stripe/control-client.ts';
import { becomeAdmin } from './admins.ts';
import { DEVICES, enterDemo, expect, type RunningApp, startApp } from './journey.ts';

const DECLINED = '4000000000000002';
const GOOD = '4242424242424242';

test.each(DEVICES)('J12: a plan is paid, changed, canceled, kept, mended and given back, on a %s', async (device) => {
  await using stopping = new AsyncDisposableStack();
  const app: RunningApp = await startApp();
  stopping.defer(() => app.close());
  const visit = await app.visit(device);
  const { page } = visit;
  await enterDemo(visit);
  const otherTab = await visit.newPage();
  await otherTab.goto('/creator-hq/settings?tab=plan');
  await expect(otherTab.getByText('Compare plans')).toBeVisible();

  await page.goto('/creator-hq/settings?tab=plan');
  await page.getByRole('link', { name: 'Compare plans' }).click();
  await expect(page.getByRole('link', { name: 'Choose Creator' })).toBeVisible();
  await visit.checkBothThemes('plans to choose from');
  await page.getByRole('link', { name: 'Choose Creator' }).click();
  await expect(page.getByText('$29.00, plus tax where due')).toBeVisible();
  await visit.checkBothThemes('checkout');
  await page.getByRole('button', { name: 'Subscribe for $29.00 a month' }).click();

  await expect(page.getByText('Total due today: $29.00')).toBeVisible();
  visit.expectComplaint(/402/);
  await page.getByLabel('Card number or IBAN').fill(DECLINED);
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByRole('alert')).toContainText('declined');
  // Back without paying: the same page goes on.
  const stripePage = page.url();
  const money = createStripeControl(new URL(stripePage).origin);
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Subscribe for $29.00 a month' }).click();
  await expect(page.getByText('Total due today: $29.00')).toBeVisible();
  expect(page.url()).toBe(stripePage);
  await page.getByLabel('Card number or IBAN').fill(GOOD);
  await page.getByRole('button', { name: 'Subscribe' }).click();

  await expect(page.getByText('You’re on Creator.')).toBeVisible();
  await expect(page).toHaveURL(/\/creator-hq\/checkout$/);
  await visit.checkBothThemes('paid');
  await expect(otherTab.getByText(/^Next payment: \$29\.00 on/)).toBeVisible();
  await page.reload();
  await expect(page.getByText('Choose a plan first')).toBeVisible();

  // Dearer: at once, for what was shown.
  await page.goto('/creator-hq/settings/plan-upgrade');
  await visit.checkBothThemes('plans while paying');
  await page.getByRole('button', { name: 'Change to Studio' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('To pay now')).toBeVisible();
  await visit.checkBothThemes('change to a dearer plan');
  await dialog.getByRole('button', { name: /^Pay \$\d+\.\d\d and change$/ }).click();
  await expect(page.getByText('You’re on Studio.')).toBeVisible();
  // Cheaper: at the end of what is paid, and taken back.
  await page.getByRole('button', { name: 'Change to Creator' }).click();
  await expect(dialog.getByText('Nothing is charged today')).toBeVisible();
  await visit.checkBothThemes('change to a cheaper plan');
  await dialog.getByRole('button', { name: 'Change plan' }).click();
  await expect(page.getByText('Another change is planned.')).toBeVisible();
  await visit.checkBothThemes('plans with a planned change');
  await page.getByRole('link', { name: 'Go to Settings' }).click();
  await expect(page.getByText(/^From .* you’re on Creator\./)).toBeVisible();
  await visit.checkBothThemes('a planned change');
  await page.getByRole('button', { name: 'Keep Studio' }).click();
  await expect(page.getByText(/^Next payment: \$79\.00 on/)).toBeVisible();
  await expect(page.getByRole('link', { name: /^PDF/ })).toHaveCount(2);

  await page.goto('/creator-hq/settings?tab=plan');
  await page.getByRole('button', { name: 'Cancel plan' }).click();
  await visit.checkBothThemes('cancel a plan');
  await page.getByLabel('Why? (optional)').selectOption('I don’t use it');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel plan' }).click();
  await expect(page.getByText(/^It runs until/)).toBeVisible();
  await visit.checkBothThemes('canceled plan');
  await expect(otherTab.getByText(/^It runs until/)).toBeVisible();
  await page.getByRole('button', { name: 'Keep my plan' }).click();
  await expect(page.getByText(/^Next payment: \$79\.00 on/)).toBeVisible();

  // The renewal fails; it is mended on Stripe's page.
  const customer = (await money.money()).at(-1)!.customer!;
  const [subscription] = await money.subscriptions(customer);
  await money.setBehavior(subscription!.default_payment_method!, { kind: 'fails', code: 'expired_card' });
  await money.advance(31 * 86_400);
  await expect(otherTab.getByText('Your last payment did not go through.')).toBeVisible();
  await expect(page.getByText('A payment didn’t go through.')).toBeVisible();
  await visit.checkBothThemes('payment due');
  await page.getByRole('button', { name: 'Pay now' }).click();
  await page.getByLabel('Card number or IBAN').fill(GOOD);
  await page.getByRole('button', { name: /Pay/ }).click();
  await expect(page.getByText('It is paid.')).toBeVisible();
  await page.goto('/creator-hq/settings?tab=plan');
  await expect(page.getByText(/^Next payment: \$79\.00 on/)).toBeVisible();
  await page.getByRole('button', { name: 'Card and address' }).click();
  await expect(page).toHaveURL(/\/portal\//);
  await page.goto('/creator-hq/settings?tab=plan');
  // Given back in the first days, and over at once.
  await page.getByRole('button', { name: 'Cancel plan' }).click();
  await page.getByRole('button', { name: 'End it now, with a refund' }).click();
  await expect(page.getByText('Your plan has ended.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel plan' })).toHaveCount(0);
  await visit.end();
});

const ASKS_THE_BANK = '4000002760003184';

test.each(DEVICES)(
  'J12: a trial begins, its bank asks each time, and is answered from the mail without a login, on a %s',
  async (device) => {
    await using stopping = new AsyncDisposableStack();
    const app: RunningApp = await startApp();
    stopping.defer(() => app.close());
    const visit = await app.visit(device);
    const { page } = visit;
    await enterDemo(visit);
    await app.query(`update plans set trial_days = 14 where id = 'creator-plan'`);

    await page.goto('/creator-hq/checkout?plan=creator-plan&interval=month');
    await expect(page.getByText('Nothing. It’s free for 14 days')).toBeVisible();
    await visit.checkBothThemes('checkout of a trial');
    await page.getByRole('button', { name: 'Start free, then $29.00 a month' }).click();
    visit.expectComplaint(/402/);
    await page.getByLabel('Card number or IBAN').fill(ASKS_THE_BANK);
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await expect(page.getByRole('alert')).toContainText('Your bank did not confirm.');
    const money = createStripeControl(new URL(page.url()).origin);
    await page.getByLabel('Card number or IBAN').fill(ASKS_THE_BANK);
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText(/^You’re trying Creator|^You’re on Creator|free until/i).first()).toBeVisible();
    await visit.checkBothThemes('a trial began');

    // At its end the bank asks again.
    await page.goto('/creator-hq/settings?tab=plan');
    await expect(page.getByText(/^Free until/)).toBeVisible();
    await money.advance(15 * 86_400);
    await expect(page.getByRole('button', { name: 'Confirm the payment' })).toBeVisible();
    await visit.checkBothThemes('the bank asks');
    // Stripe's clock alone was put forward: for the mail it failed just now. The screen would ask Stripe again.
    await page.goto('/creator-hq');
    await app.query(
      `update subscriptions set late_since = date_trunc('second', now()) - interval '1 minute' where late_since is not null`,
    );
    await app.query(`update jobs set due_at = now() where name = 'mail-payers'`);
    const { page: phone } = await app.visit(device);
    await phone.goto('/mailbox');
    const mail = phone.getByRole('link').filter({ hasText: 'Your payment for Creator didn’t go through' }).first();
    await expect(async () => {
      await phone.reload();
      await expect(mail).toBeVisible({ timeout: 500 });
    }).toPass({ timeout: 60_000 });
    await mail.click();
    const letter = phone.frameLocator('iframe[title="The email"]');
    await letter.getByRole('link', { name: 'Confirm the payment' }).first().click();
    await phone.getByLabel('Card number or IBAN').fill(ASKS_THE_BANK);
    await phone.getByRole('button', { name: 'Pay' }).click();
    await phone.getByRole('button', { name: 'Confirm' }).click();
    await expect(phone.getByText('You can close this page.')).toBeVisible();
    await page.goto('/creator-hq/settings?tab=plan');
    await expect(page.getByText(/^Next payment: \$29\.00 on/)).toBeVisible();
    await visit.end();
  },
);

test('an operator raises a price, and moves those who pay the one before', async () => {
  await using stopping = new AsyncDisposableStack();
  const app: RunningApp = await startApp();
  stopping.defer(() => app.close());
  const creator = await app.visit('phone', 'desktop');
  const { page } = creator;
  await enterDemo(creator);
  await page.goto('/creator-hq/checkout?plan=creator-plan&interval=month');
  await page.getByRole('button', { name: 'Subscribe for $29.00 a month' }).click();
  await page.getByLabel('Card number or IBAN').fill(GOOD);
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByText('You’re on Creator.')).toBeVisible();

  const operator = await app.visit('phone', 'desktop');
  const { page: office } = operator;
  await becomeAdmin(app, operator, 'sam@example.com');
  await office.goto('/creator-hq/admin/money');
  await office.getByRole('button', { name: 'Change Creator' }).click();
  const dialog = office.getByRole('dialog');
  await expect(dialog.getByText('1 creator keeps $29.00 a month.')).toBeVisible();
  await dialog.getByLabel('Price a month, in dollars').fill('39.00');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await office.getByRole('button', { name: 'Move to $39.00' }).click();
  await expect(dialog.getByText(/^They pay \$29\.00 a month now\./)).toBeVisible();
  await operator.checkBothThemes('move payers');
  await dialog.getByRole('button', { name: 'Tell them' }).click();
  await expect(office.getByText('1 told of the new price')).toBeVisible();
  await page.goto('/creator-hq/settings?tab=plan');
  await expect(page.getByText(/^From .*, it’s \$39\.00\.$/)).toBeVisible();
  await creator.checkBothThemes('a price that will change');

  // Somebody asks their bank for the money back.
  await page.getByRole('button', { name: 'Card and address' }).click();
  await expect(page).toHaveURL(/\/portal\//);
  await page.goto(new URL('/desk/', page.url()).href);
  await page.getByRole('button', { name: 'Dispute' }).click();
  await expect(page.getByRole('button', { name: 'We win' })).toBeVisible();
  await creator.checkBothThemes('the desk of payments');
  await office.reload();
  await expect(office.getByText(/^@thegoldenspoon · \$29\.00/)).toBeVisible();
  await operator.checkBothThemes('money of an install');
  await creator.end();
  await operator.end();
});

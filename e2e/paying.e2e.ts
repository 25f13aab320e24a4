/** J12, its paying: a plan is compared, paid with a card that fails and one that works, canceled, and kept. */
import { test } from 'vitest';
import { DEVICES, enterDemo, expect, type RunningApp, startApp } from './journey.ts';

const DECLINED = '4000000000000002';
const GOOD = '4242424242424242';

test.each(DEVICES)('J12: a plan is paid, canceled and kept, on a %s', async (device) => {
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

  await page.goto('/creator-hq/settings?tab=plan');
  await page.getByRole('button', { name: 'Cancel plan' }).click();
  await visit.checkBothThemes('cancel a plan');
  await page.getByLabel('Why? (optional)').selectOption('I don’t use it');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel plan' }).click();
  await expect(page.getByText(/^It runs until/)).toBeVisible();
  await visit.checkBothThemes('canceled plan');
  await expect(otherTab.getByText(/^It runs until/)).toBeVisible();
  await page.getByRole('button', { name: 'Keep my plan' }).click();
  await expect(page.getByText(/^Next payment: \$29\.00 on/)).toBeVisible();
  await page.getByRole('link', { name: 'Compare plans' }).click();
  await expect(page.getByText('You’re on Creator. To change to another plan')).toBeVisible();
  await visit.checkBothThemes('plans while paying');
  await visit.end();
});

/** J11, what else is bought: with a code, as a gift, another tier, and another price for who pays already. */
import { test } from 'vitest';
import { DEVICES, enterDemo, expect, followMailedLink, startApp } from './journey.ts';
import { connectStripe, enterByCode } from './memberships.ts';

test.each(DEVICES)('J11: a code, a gift, another tier, and another price, on a %s', async (device) => {
  await using stopping = new AsyncDisposableStack();
  const app = await startApp({ FAN_MEMBERSHIPS: 'on' });
  stopping.defer(() => app.close());
  const visit = await app.visit(device);
  const { page } = visit;
  const dialog = page.getByRole('dialog');
  await enterDemo(visit);
  await connectStripe(visit);
  await page.goto('/creator-hq/memberships?tab=tiers');
  for (const [name, price] of Object.entries({ Friends: '4', Table: '9' })) {
    await page.getByRole('button', { name: 'Add a tier' }).click();
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Price a month').fill(price);
    await dialog.getByText('What does ad-free cost you?').click();
    await dialog.getByLabel('Your ad income a year').fill('24000');
    await dialog.getByLabel('Page views a year').fill('1200000');
    await expect(dialog.getByText(/costs you \$/)).toBeVisible();
    if (name === 'Friends') await visit.checkBothThemes('a tier and what ad-free costs');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toHaveCount(0);
  }

  await page.getByRole('button', { name: 'New code' }).click();
  await dialog.getByLabel('Code').fill('SUMMER');
  await dialog.getByLabel('Takes off').fill('25');
  await dialog.getByLabel('Off what').selectOption('Every payment');
  await visit.checkBothThemes('a new discount code');
  await dialog.getByRole('button', { name: 'Make code' }).click();
  await expect(page.getByText(/^25 ?% off/)).toBeVisible();
  await visit.checkBothThemes('discount codes');

  await page.getByRole('tab', { name: 'Overview' }).click();
  const joinUrl = await page.getByRole('link', { name: /\/join\// }).getAttribute('href');
  const reader = await app.visit(device);
  await reader.page.goto(`${joinUrl}?code=summer`);
  await expect(reader.page.getByRole('status')).toContainText('Code SUMMER');
  await expect(reader.page.getByText('$3.00')).toBeVisible();
  await reader.checkBothThemes('the page to join with a code');
  await reader.page.getByLabel('Email').fill('rita@example.com');
  await reader.page.getByRole('button', { name: 'Join and pay' }).click();
  await expect(reader.page.getByText('Total due today: $3.00')).toBeVisible();
  await reader.page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(reader.page.getByRole('heading', { name: 'You’re a member' })).toBeVisible();

  // To the dearer tier, for what is shown before.
  await reader.page.goto(`${joinUrl}/account`);
  await enterByCode(reader, 'rita@example.com');
  await reader.page.getByLabel('Table, monthly').check();
  await reader.page.getByRole('button', { name: 'See what it costs' }).click();
  await expect(reader.page.getByRole('heading', { name: 'Change to Table' })).toBeVisible();
  await expect(reader.page.getByText(/^You pay \$\d+\.\d\d now\.$/)).toBeVisible();
  await expect(reader.page.getByText('Your code stays: 25% off each payment.')).toBeVisible();
  await reader.checkBothThemes('what another tier costs');
  await reader.page.getByRole('button', { name: 'Change it now' }).click();
  await expect(reader.page.getByRole('heading', { name: 'Table' })).toBeVisible();

  await reader.page.goto(`${joinUrl}/gift`);
  await reader.page
    .getByLabel(/^1 month/)
    .first()
    .check();
  await reader.page.getByLabel('Their email').fill('gast@example.com');
  await reader.page.getByLabel('Your words to them').fill('For the best cook I know.');
  await reader.page.getByLabel('Your email').fill('rita@example.com');
  await reader.checkBothThemes('a gift');
  await reader.page.getByRole('button', { name: 'Pay for the gift' }).click();
  await expect(reader.page.getByText('Total due today: $4.00')).toBeVisible();
  await reader.page.getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(reader.page.getByText(/^gast@example\.com gets your gift on/)).toBeVisible();
  await followMailedLink(reader, 'gast@example.com', 'Open your gift');
  await reader.checkBothThemes('a gift that is opened');
  await reader.page.getByRole('button', { name: 'Open my membership' }).click();
  await expect(reader.page.getByText('gast@example.com')).toBeVisible();

  // Another price is for new members, until those who pay the earlier one are moved.
  await page.getByRole('tab', { name: 'Tiers' }).click();
  await page.getByRole('button', { name: 'Change Table' }).click();
  await dialog.getByLabel('Price a month').fill('10');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Move to $10.00 a month' }).click();
  await visit.checkBothThemes('who pays an earlier price is moved');
  await dialog.getByRole('button', { name: 'Email them and move' }).click();
  await expect(page.getByText(/mailed about the new price/)).toBeVisible();
  await visit.checkBothThemes('payers who are told of another price');
  await reader.end();
  await visit.end();
});

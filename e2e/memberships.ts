/** What journeys of memberships share. */
import { expect, type Visit } from './journey.ts';

/** A creator's account at the stand-in for Stripe, with nothing left to do. */
export async function connectStripe({ page }: Visit): Promise<void> {
  await page.goto('/creator-hq/memberships');
  await page.getByRole('button', { name: 'Connect Stripe' }).click();
  await page.getByRole('combobox').selectOption('ready');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Members can pay, and Stripe pays out to your bank.').first()).toBeVisible();
}

/** On a page that asks a reader for their address: to where the mailed code lets them in. */
export async function enterByCode(reader: Visit, email: string): Promise<void> {
  const { page } = reader;
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByLabel('Code')).toBeVisible();
  const mails = await reader.newPage();
  const subject = mails.getByRole('link', { name: new RegExp(email) }).getByText(/^\d{6} is your code for/);
  await expect(async () => {
    await mails.goto('/mailbox');
    await expect(subject.first()).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.getByLabel('Code').fill((await subject.first().textContent())!.slice(0, 6));
  await mails.close();
  await page.getByRole('button', { name: 'Enter', exact: true }).click();
}

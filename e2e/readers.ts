/** Readers of the demo creator's blog. */
import type { Page } from 'playwright';
import { expect, type RunningApp } from './journey.ts';

/** On a page with a form, with the box of the newsletter checked. */
export async function saveRecipe(reader: Page, address: string): Promise<void> {
  await reader.getByLabel('Your email').fill(address);
  await reader.getByLabel('Yes, send me new recipes too').check();
  await reader.getByRole('button', { name: 'Email me the recipe' }).click();
  await expect(reader.getByRole('heading', { name: /on its way/ })).toBeVisible();
}

/** The email stands in an `iframe` then. */
export async function openMail({ url }: Pick<RunningApp, 'url'>, reader: Page, address: string): Promise<void> {
  const mail = reader.getByRole('link', { name: new RegExp(address) });
  await expect(async () => {
    await reader.goto(`${url}/mailbox`);
    await expect(mail).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await mail.click();
}

/** On the page of the email's link: a browser that a program drives has to press. */
export async function signUpToNewsletter(reader: Page): Promise<void> {
  await reader.getByRole('button', { name: 'Yes, send me new recipes' }).click();
  await expect(reader.getByRole('heading', { name: 'You’re signed up' })).toBeVisible();
}

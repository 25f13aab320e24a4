/** J11, the creator’s side: Stripe connected, a price set, somebody joins, is helped, and leaves. */
import type { Page } from 'playwright';
import { test } from 'vitest';
import { changeAnswer, DEVICES, enterDemo, expect, goToStep, startApp } from './journey.ts';
import { enterByCode } from './memberships.ts';

const PICTURE = 'https://pictures.example/soup.svg';
const SOUP = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30"><path fill="#e8b06a" d="M0 0h40v30H0z"/><circle cx="20" cy="15" r="9" fill="#a33"/></svg>`;
const showPicture = (page: Page) =>
  page.route(PICTURE, (route) => route.fulfill({ contentType: 'image/svg+xml', body: SOUP }));

test.each(DEVICES)('J11: Stripe, a price, a member who is helped and canceled, on a %s', async (device) => {
  await using stopping = new AsyncDisposableStack();
  const app = await startApp({ FAN_MEMBERSHIPS: 'on' });
  stopping.defer(() => app.close());
  const visit = await app.visit(device);
  const { page } = visit;
  await showPicture(page);
  await enterDemo(visit);
  await page.goto('/creator-hq/memberships');
  await expect(page.getByText('Three steps to your first member')).toBeVisible();
  await visit.checkBothThemes('memberships to begin with');

  await page.getByRole('button', { name: 'Connect Stripe' }).click();
  await page.getByRole('combobox').selectOption('unfinished');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Stripe still needs: your bank account.')).toBeVisible();
  await visit.checkBothThemes('an account that is not finished');
  await page.getByRole('button', { name: 'Go on at Stripe' }).first().click();
  await page.getByRole('combobox').selectOption('ready');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Members can pay, and Stripe pays out to your bank.').first()).toBeVisible();

  await page.getByRole('button', { name: 'Add a tier' }).click();
  await page.getByRole('button', { name: 'Add a tier' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Friends of the kitchen');
  await dialog.getByLabel('What members get').fill('All recipes, without ads.');
  await dialog.getByLabel('Price a month').fill('4.555');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText(/^Enter an amount/)).toBeVisible();
  await visit.checkBothThemes('a tier with a wrong price');
  await dialog.getByLabel('Link to a picture').fill(PICTURE);
  await dialog.getByLabel('Price a month').fill('4.50');
  await dialog.getByLabel('Price a year').fill('45');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('$4.50 a month · $45.00 a year')).toBeVisible();
  await page.getByRole('button', { name: 'Let readers enter for free' }).click();
  await expect(page.getByRole('button', { name: 'Turn off' })).toBeVisible();
  await page.getByRole('button', { name: 'Add a tier' }).click();
  await dialog.getByLabel('Name').fill('Table');
  await dialog.getByLabel('Price a month').fill('9');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Move Friends of the kitchen up' }).click();
  await expect(page.getByRole('button', { name: 'Move Table up' })).toBeVisible();
  await page.getByRole('button', { name: 'Move Table up' }).click();
  await expect(page.getByRole('button', { name: 'Move Friends of the kitchen up' })).toBeVisible();
  await visit.checkBothThemes('tiers');

  await page.getByRole('tab', { name: 'Overview' }).click();
  const joinUrl = await page.getByRole('link', { name: /\/join\// }).getAttribute('href');
  const reader = await app.visit(device);
  await showPicture(reader.page);
  await reader.page.goto(joinUrl!);
  await reader.checkBothThemes('where readers join');
  await reader.page.getByLabel('Email').fill('rita@example.com');
  await reader.page.getByRole('button', { name: 'Join and pay' }).click();
  await expect(reader.page.getByText('Total due today: $4.50')).toBeVisible();
  await reader.page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(reader.page.getByRole('heading', { name: 'You’re a member' })).toBeVisible();
  await reader.page.getByText('Wrong address? Change it').click();
  await expect(reader.page.getByLabel('New email address')).toBeVisible();
  await reader.checkBothThemes('a reader who joined');

  // It is there without a reload.
  await expect(page.getByText('They pay a month: $4.50')).toBeVisible();
  await visit.checkBothThemes('memberships with a member');
  await page.getByRole('tab', { name: 'Members' }).click();
  await expect(page.getByText('rita@example.com')).toBeVisible();
  await page.getByRole('button', { name: 'They can’t get in' }).click();
  await dialog.getByLabel('Their email address').fill('rita@exmaple.com');
  await dialog.getByRole('button', { name: 'Look', exact: true }).click();
  await expect(dialog.getByText('Is it rita@example.com?')).toBeVisible();
  await visit.checkBothThemes('why somebody cannot get in');
  await dialog.getByRole('button', { name: 'Look at this one' }).click();
  await expect(dialog.getByText('They aren’t logged in on any device.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Mail them how to get in' }).click();
  await expect(page.getByText('We mailed them how to get in.')).toBeVisible();
  await dialog.getByRole('button', { name: 'See their story' }).click();
  await expect(page.getByText('Mailed how to get in.')).toBeVisible();
  await expect(page.getByText('Joined Friends of the kitchen.')).toBeVisible();
  await visit.checkBothThemes('a member');
  await page.getByRole('button', { name: 'Give back $4.50' }).click();
  await page.getByLabel('Amount in USD').fill('4.51');
  await page.getByRole('button', { name: 'Give it back' }).click();
  await expect(page.getByText('Enter an amount up to $4.50.')).toBeVisible();
  await visit.checkBothThemes('give a payment back');
  await page.getByLabel('Amount in USD').fill('1.50');
  await page.getByRole('button', { name: 'Give it back' }).click();
  await expect(page.getByText('$1.50 was given back.')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel for them' }).click();
  await visit.checkBothThemes('cancel a member');
  await page.getByRole('button', { name: 'At the end' }).click();
  await expect(page.getByText(/^Canceled for /)).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Give a membership' }).click();
  await dialog.getByLabel('Email').fill('gast@example.com');
  await dialog.getByLabel('For how many days').fill('30');
  await visit.checkBothThemes('give a membership');
  await dialog.getByRole('button', { name: 'Give it' }).click();
  await expect(page.getByText('gast@example.com')).toBeVisible();
  await visit.checkBothThemes('members');
  await page.getByLabel('Show').selectOption('Given');
  await expect(page.getByText('rita@example.com')).toHaveCount(0);

  await page.getByRole('tab', { name: 'Locks' }).click();
  await expect(page.getByText('What is locked')).toBeVisible();
  // The demo blog locks nothing.
  await expect(page.getByText('Your blog has no categories, tags or locked posts yet.')).toBeVisible();
  await visit.checkBothThemes('locks');
  await page.getByRole('button', { name: 'My site was hacked' }).click();
  await visit.checkBothThemes('a site that was hacked');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  // The money of it, by month, as Stripe has it.
  await page.getByRole('tab', { name: 'Money' }).click();
  await expect(page.getByText('Adds up with Stripe')).toBeVisible();
  await visit.checkBothThemes('money of members');
  await page.getByRole('button', { name: 'Show the lines of Members paid' }).click();
  await expect(page.getByRole('dialog').getByText('rita@example.com')).toBeVisible();
  await visit.checkBothThemes('lines of a figure');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByLabel('Members read on for').selectOption('10 days');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await expect(page.getByText('Saved. It applies to members who are late now, too.')).toBeVisible();
  await page.getByLabel('Posts a month').selectOption('2 posts');
  await page.getByRole('button', { name: 'Save' }).last().click();
  await expect(page.getByText('Saved. Readers are told within an hour.')).toBeVisible();
  await visit.checkBothThemes('settings of memberships');

  // The reader ends it without logging in, and keeps it from their account.
  await reader.page.goto(`${joinUrl}/cancel`);
  await reader.page.getByLabel('Email address of the membership').fill('rita@example.com');
  await reader.checkBothThemes('cancel without logging in');
  await reader.page.getByRole('button', { name: 'Cancel now' }).click();
  await expect(reader.page.getByRole('heading', { name: 'Your cancellation was received' })).toBeVisible();
  await reader.page.getByRole('link', { name: 'Your membership' }).click();
  await enterByCode(reader, 'rita@example.com');
  await expect(reader.page.getByText(/^It ends on/)).toBeVisible();
  await reader.checkBothThemes('a reader’s account');
  await reader.page.getByLabel('It costs too much').check();
  await reader.page.getByRole('button', { name: 'Tell them' }).click();
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.getByText('Why members canceled: It costs too much (1)')).toBeVisible();
  await visit.checkBothThemes('why members canceled');
  await reader.page.getByRole('button', { name: 'Keep my membership' }).click();
  await expect(reader.page.getByText(/^The next payment is on/)).toBeVisible();

  // They take it to another address, and delete themselves in the end.
  await reader.page.getByRole('link', { name: 'Change your email address' }).click();
  await reader.page.getByLabel('New email address').fill('rita.new@example.com');
  await reader.checkBothThemes('another address');
  await reader.page.getByRole('button', { name: 'Send a code there' }).click();
  await expect(reader.page.getByLabel('Code')).toBeVisible();
  await reader.checkBothThemes('the code for another address');
  const mails = await reader.newPage();
  await mails.goto('/mailbox');
  const confirms = await mails
    .getByText(/^\d{6} confirms your address/)
    .first()
    .textContent();
  await reader.page.getByLabel('Code').fill(confirms!.slice(0, 6));
  await reader.page.getByRole('button', { name: 'Change my address' }).click();
  await expect(reader.page.getByText('rita.new@example.com')).toBeVisible();
  const file = reader.page.waitForEvent('download');
  await reader.page.getByRole('link', { name: 'Download your data' }).click();
  expect((await file).suggestedFilename()).toMatch(/\.json$/);
  await reader.page.getByRole('link', { name: 'Delete your data' }).click();
  await reader.checkBothThemes('delete everything');
  await reader.page.getByRole('button', { name: 'Delete everything' }).click();
  await expect(reader.page.getByRole('heading', { name: 'Deleted' })).toBeVisible();
  await reader.end();
  await visit.end();
});

test.each(DEVICES)('a button that leads to a recipe for members says how they open it, on a %s', async (device) => {
  await using stopping = new AsyncDisposableStack();
  const app = await startApp({ FAN_MEMBERSHIPS: 'on' });
  stopping.defer(() => app.close());
  const visit = await app.visit(device);
  const { page } = visit;
  await enterDemo(visit);
  await changeAnswer(page, '**/api/v1/creators/*/recipes/*', (recipe) => ({
    ...recipe,
    lock: { for: 'members', of: 'recipe' },
  }));
  await page.goto('/creator-hq/shop-the-recipe/recipes');
  await page.getByRole('link', { name: 'Add a recipe' }).click();
  await page.getByLabel('Name').fill('Plum pie');
  await page.getByLabel('Recipe page link').fill('https://example.com/plum-pie');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name: /Plum pie/ })).toBeVisible();
  await page.goto('/creator-hq/comment-for-dm/posts-and-reels');
  await page.getByRole('link', { name: /PASTA/ }).first().click();
  const panel = page.getByRole('dialog').first();
  await goToStep(panel, 'Message');
  await panel.getByRole('button', { name: 'Add a button' }).click();
  await panel.getByRole('button', { name: 'Use a recipe, meal plan or app link' }).last().click();
  const picking = page.getByRole('dialog', { name: 'Choose where it leads' });
  await picking.getByRole('button', { name: /Plum pie/ }).click();
  await expect(panel.getByText('Members who gave you their email in a DM open this without logging in.')).toBeVisible();
  await visit.checkBothThemes('a button to a recipe for members');
  await visit.end();
});

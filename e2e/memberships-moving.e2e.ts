/** J11, members on the move: they come with a file from another tool, memberships are closed and kept after all, and left with. */
import { test } from 'vitest';
import { DEVICES, enterDemo, expect, startApp } from './journey.ts';
import { connectStripe } from './memberships.ts';

const DAY_MS = 86_400_000;
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

test.each(DEVICES)(
  'J11: members move in, memberships close and go on, and their creator leaves, on a %s',
  async (device) => {
    await using stopping = new AsyncDisposableStack();
    const app = await startApp({ FAN_MEMBERSHIPS: 'on', MEMBERSHIP_FEE_PERCENT: '5' });
    stopping.defer(() => app.close());
    const visit = await app.visit(device);
    const { page } = visit;
    const dialog = page.getByRole('dialog');
    // An account with members is not deleted before it is said what becomes of them.
    visit.expectComplaint(/422 \(Unprocessable Entity\).*settings\/deletion/);
    await enterDemo(visit);
    await connectStripe(visit);
    await page.getByRole('button', { name: 'Add a tier' }).click();
    await page.getByRole('button', { name: 'Add a tier' }).click();
    await dialog.getByLabel('Name').fill('Friends');
    await dialog.getByLabel('Price a month').fill('4.50');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('$4.50 a month')).toBeVisible();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await expect(page.getByText('Move members in')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Close memberships' })).toBeVisible();
    await visit.checkBothThemes('settings of memberships');

    const rows = [
      'Name,Email,Tier,Next Charge Date,Charge Frequency,Patron Status',
      `Ann,ann@example.com,Gold,${dayIn(40)},Monthly,Active patron`,
      `Ann,ANN@example.com,Gold,${dayIn(60)},Monthly,Active patron`,
      `Ben,ben@example.com,Gold,${dayIn(-3)},Monthly,Former patron`,
      'Cat,cat@example.com,Gold,soon,Monthly,Active patron',
    ];
    const buffer = Buffer.from(rows.join('\n'));
    await page.getByLabel('CSV file').setInputFiles({ name: 'patrons.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Upload file' }).click();
    await expect(page.getByText('1: let in until the day in the file')).toBeVisible();
    await expect(page.getByLabel('Where they come from')).toHaveValue('patreon');
    await expect(page.getByText(/“soon” isn’t a day/)).toBeVisible();
    await visit.checkBothThemes('a file of members before it is used');
    await page.getByRole('button', { name: 'Let 1 member in' }).click();
    await expect(page.getByText('What happened')).toBeVisible();
    await visit.checkBothThemes('members who moved in');
    await page.getByRole('tab', { name: 'Members' }).click();
    await page.getByText('ann@example.com').click();
    await expect(page.getByText(/^Moved in: paid at Patreon until/).first()).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();

    // The link of the mail leads to the page to join, which charges nothing before the day.
    const reader = await app.visit(device);
    const mails = await reader.newPage();
    await mails.goto('/mailbox');
    await mails.getByText('Your membership has moved here').first().click();
    const goOn = mails.frameLocator('iframe[title="The email"]').getByRole('link', { name: /^Go on from/ });
    const link = await goOn.getAttribute('href');
    await mails.close();
    await reader.page.goto(link!);
    await expect(reader.page.getByText(/^You’ve paid until .* Nothing is charged before\.$/)).toBeVisible();
    await expect(reader.page.getByLabel('Email')).toHaveValue(/^ann@example\.com$/i);
    await reader.checkBothThemes('going on after moving in');
    await reader.page.getByRole('button', { name: 'Go on to Stripe' }).click();
    await reader.page.getByRole('button', { name: 'Subscribe' }).click();
    await expect(reader.page.getByRole('heading', { name: 'You’re a member' })).toBeVisible();

    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Close memberships' }).click();
    await expect(dialog.getByText('Close memberships of 1 paying member?')).toBeVisible();
    await visit.checkBothThemes('closing memberships');
    const handle = /^Type (\S+) to confirm$/.exec((await dialog.locator('label').first().textContent())!.trim())![1]!;
    await dialog.getByLabel(/to confirm$/).fill(handle);
    await dialog.getByRole('button', { name: 'Close memberships' }).click();
    await expect(page.getByText('Memberships are closed')).toBeVisible();
    await visit.checkBothThemes('closed memberships');
    await page.getByRole('button', { name: 'Keep memberships' }).click();
    await page.getByRole('button', { name: 'Leave with your members' }).click();
    await visit.checkBothThemes('leaving with members');
    await dialog.getByLabel(/to confirm$/).fill(handle);
    await dialog.getByRole('button', { name: 'Leave', exact: true }).click();
    await expect(page.getByText('You left with your members')).toBeVisible();
    await visit.checkBothThemes('after leaving with members');
    await page.getByRole('button', { name: 'Connect again' }).click();
    await expect(page.getByRole('button', { name: 'Leave with your members' })).toBeVisible();

    // Who deletes the account says what becomes of members first.
    await page.goto('/creator-hq/settings?tab=data');
    await page.getByLabel(/to confirm$/).fill(handle);
    await page.getByRole('button', { name: 'Delete this account' }).click();
    await expect(page.getByText('Say what becomes of your members first.')).toBeVisible();
    await visit.checkBothThemes('deleting an account with members');
    await reader.end();
    await visit.end();
  },
);

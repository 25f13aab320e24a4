/** A creator sends from their own address: sender, domain, two records, what name servers say of them; or through their own mail server. */
import { afterAll, beforeAll, test } from 'vitest';
import { type NameServer, startNameServer } from '#simulators/dns/name-server.ts';
import { type MailServer, startMailServer } from '#simulators/mail/mail-server.ts';
import { changeAnswer, DEVICES, enterDemo, expect, type RunningApp, startApp } from './journey.ts';

let app: RunningApp;
let dns: NameServer;
let server: MailServer;
beforeAll(async () => {
  dns = await startNameServer();
  server = await startMailServer();
  server.answer((whom) => (whom === 'wrong' ? { code: 535, message: '5.7.8 wrong password', to: 'AUTH' } : 'accept'));
  app = await startApp({ DNS_SERVERS: dns.address, PRIVATE_WEBHOOKS: 'on' });
});
afterAll(async () => {
  await app?.close();
  await dns?.close();
  await server?.close();
});

test.each(DEVICES)('a creator sends from their own address, on a %s', async (device) => {
  const domain = `${device}.anna.example`;
  const creator = await app.visit(device);
  const { page } = creator;
  await enterDemo(creator);
  await page.goto('/creator-hq/save-to-email');
  await page.getByRole('link', { name: 'Sending', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sending' })).toBeVisible();
  await creator.checkBothThemes('sending, nothing yet');

  creator.expectComplaint(/422 .*\/sending\/sender/);
  await page.getByLabel('Email address').fill('anna');
  await page.getByRole('button', { name: 'Save sender' }).click();
  await expect(page.getByText('Enter an email address like name@example.com.')).toBeVisible();
  await page.getByLabel('Name', { exact: false }).first().fill('Anna’s Kitchen');
  await page.getByLabel('Email address').fill(`hello@${domain}`);
  await page.getByRole('button', { name: 'Save sender' }).click();
  await expect(page.getByText(`Answers go to hello@${domain}.`)).toBeVisible();

  await page.getByLabel('Domain', { exact: true }).fill(`https://www.${domain}/`);
  await page.getByRole('button', { name: 'Add domain' }).click();
  const section = page.locator('section').filter({ has: page.getByRole('heading', { level: 3, name: domain }) });
  await expect(section.getByText('Waiting', { exact: true })).toBeVisible();
  await section.getByRole('button', { name: 'Check again' }).click();
  await expect(section.getByText('Not there yet (asked 1 name server).').first()).toBeVisible();
  await creator.checkBothThemes('sending, records to paste');

  const [host, key] = await section.locator('code').allTextContents();
  dns.put(`${host}.anna.example`, key!);
  dns.put('_dmarc.anna.example', 'v=DMARC1; p=reject');
  await expect(async () => {
    await section.getByRole('button', { name: 'Check again' }).click();
    await expect(section.getByText('DMARC says reject and we would pass.')).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(section.getByText('Verified', { exact: true })).toBeVisible();
  await expect(page.getByText(`<hello@${domain}>`)).toBeVisible();
  await creator.checkBothThemes('sending, verified');

  await section.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(section).toHaveCount(0);
  await creator.end();
});

test('an address is blocked, found and unblocked, on a phone', async () => {
  const creator = await app.visit('phone');
  const { page } = creator;
  await enterDemo(creator);
  await page.goto('/creator-hq/save-to-email/sending');
  const title = page.getByRole('heading', { level: 2, name: 'Blocked addresses' });
  const card = page.locator('section').filter({ has: title });
  await expect(card.getByText('No blocked addresses yet.', { exact: false })).toBeVisible();
  const find = async (address: string) => {
    await card.getByLabel('Address to look for').fill(address);
    await card.getByRole('button', { name: 'Find' }).click();
  };
  await find('ana@');
  await expect(card.getByText('Enter an email address like name@example.com.')).toBeVisible();
  await find('ana@example.test');
  await expect(card.getByText('ana@example.test isn’t blocked.')).toBeVisible();
  await creator.checkBothThemes('an address that is not blocked');
  await card.getByRole('button', { name: 'Block address' }).click();
  await expect(card.getByRole('listitem')).toContainText('ana@example.test');
  await find('');
  await expect(card.getByRole('listitem')).toContainText('Only a fingerprint is kept');

  const since = '2026-11-02T10:00:00.000Z';
  const rows = ['complained', 'bounced', 'unsubscribed', 'erased', 'not_me'].map((reason, at) => ({
    ...{
      id: crypto.randomUUID(),
      reason,
      since,
      email: at < 3 ? `a.rather.long.name.of.${reason}@example.test` : null,
    },
    note: reason === 'unsubscribed' ? 'They wrote that it was a slip.' : null,
  }));
  await changeAnswer(page, '**/suppressions*', (answer) => ({
    ...answer,
    items: [...(answer.items as object[]), ...rows],
  }));
  await page.reload();
  await expect(card.getByRole('listitem')).toHaveCount(6);
  await expect(card.getByText('Unblocked because: They wrote that it was a slip.')).toBeVisible();
  await creator.checkBothThemes('blocked addresses');
  await card
    .getByRole('listitem')
    .filter({ hasText: 'Marked as spam' })
    .getByRole('button', { name: 'Unblock' })
    .click();
  await expect(page.getByRole('dialog').getByLabel('Why')).toBeVisible();
  await creator.checkBothThemes('unblocking an address');
  await page.unrouteAll({ behavior: 'wait' });

  await page.reload();
  await card.getByRole('button', { name: 'Unblock' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unblock' }).click();
  await expect(card.getByText('No blocked addresses yet.', { exact: false })).toBeVisible();
  await creator.end();
});

test.each(DEVICES)('a creator sends through their own mail server, on a %s', async (device) => {
  const creator = await app.visit(device);
  const { page } = creator;
  await enterDemo(creator);
  await page.goto('/creator-hq/save-to-email/sending');
  const title = page.getByRole('heading', { level: 2, name: 'Mail server' });
  const card = page.locator('section').filter({ has: title });
  await expect(card.getByText('Your emails leave through the shared mail server.')).toBeVisible();
  await page.getByLabel('Email address').fill('hello@anna.example');
  await page.getByRole('button', { name: 'Save sender' }).click();
  await expect(page.getByText('Answers go to hello@anna.example.')).toBeVisible();

  await card.getByRole('button', { name: 'Use your own' }).click();
  await expect(card.getByLabel('Port')).toHaveValue('465');
  await card.getByLabel('Encryption').selectOption('STARTTLS');
  await expect(card.getByLabel('Port')).toHaveValue('587');
  await card.getByLabel('Encryption').selectOption('None (private networks)');
  creator.expectComplaint(/422 .*\/sending\/mail-server/);
  await card.getByRole('button', { name: 'Send test and turn on' }).click();
  await expect(card.getByText('Enter a name like smtp.example.com.')).toBeVisible();
  await creator.checkBothThemes('a mail server, nothing filled in');
  await card.getByLabel('Server', { exact: true }).fill('127.0.0.1');
  await card.getByLabel('Port').fill(new URL(server.url).port);
  await card.getByLabel('User name').fill('wrong');
  await card.getByLabel('Password', { exact: true }).fill('secret');
  await card.getByRole('button', { name: 'Send test and turn on' }).click();
  await expect(card.getByText('It refused the login', { exact: false })).toBeVisible();
  await creator.checkBothThemes('a mail server that refuses the login');
  await card.getByLabel('User name').fill('anna');
  await card.getByRole('button', { name: 'Send test and turn on' }).click();
  await expect(card.getByText('as anna.', { exact: false })).toBeVisible();
  expect(server.received.splice(0).map(({ from }) => from)).toEqual(['hello@anna.example']);

  const trouble = {
    since: '2026-11-02T10:00:00.000Z',
    says: 'It refused the login: Invalid login: 535 5.7.8 wrong password',
  };
  await changeAnswer(page, '**/api/v1/creators/*/sending', (answer) => ({
    ...answer,
    mailServer: { ...(answer.mailServer as object), trouble },
  }));
  await page.reload();
  await expect(card.getByText('It doesn’t take your emails')).toBeVisible();
  await creator.checkBothThemes('a mail server that takes no emails');
  await page.unrouteAll({ behavior: 'wait' });
  await card.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(card.getByText('Your emails leave through the shared mail server.')).toBeVisible();
  await creator.end();
});

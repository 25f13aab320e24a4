/** A creator writes a newsletter, and exactly those get it who said yes and are in the segment. */
import { afterAll, beforeAll, test } from 'vitest';
import { type NameServer, startNameServer } from '#simulators/dns/name-server.ts';
import { type MailServer, startMailServer } from '#simulators/mail/mail-server.ts';
import { addressOf, giveTag, importContacts } from './contact-lists.ts';
import { changeAnswer, DEVICES, enterDemo, expect, type RunningApp, startApp } from './journey.ts';

const DOMAIN = 'anna.example';
/** A minute's hold, and what a busy machine takes beside it. */
const SENT_WITHIN_MS = 150_000;

let app: RunningApp;
let dns: NameServer;
let mails: MailServer;
let blogUrl: string;
beforeAll(async () => {
  [dns, mails] = await Promise.all([startNameServer(), startMailServer()]);
  app = await startApp({ DNS_SERVERS: dns.address, SMTP_URL: mails.url });
  ({ blogUrl } = (await (await fetch(`${app.url}/api/v1/env`)).json()) as { blogUrl: string });
});
afterAll(async () => {
  await app?.close();
  await dns?.close();
  await mails?.close();
});

test.each(DEVICES)('before anything is set up it says what is missing, on a %s', async (device) => {
  const creator = await app.visit(device);
  const { page } = creator;
  await enterDemo(creator);
  await page.goto('/creator-hq/save-to-email');
  const tabs = page.getByRole('navigation', { name: 'Save to Email' });
  await tabs.getByRole('link', { name: 'Newsletter' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Newsletter' })).toBeVisible();
  await expect(page.getByText('No newsletters yet')).toBeVisible();
  await expect(page.getByText('Add your postal address.', { exact: false })).toBeVisible();
  await expect(page.getByText('Connect Kit first.')).toBeVisible();
  await creator.checkBothThemes('newsletters, nothing yet');
  await page.getByRole('link', { name: 'Set up sending' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sending' })).toBeVisible();
  await creator.end();
});

test.each(DEVICES)('weekly recipes are turned on and off again, on a %s', async (device) => {
  const creator = await app.visit(device);
  const { page } = creator;
  await enterDemo(creator);
  await page.goto('/creator-hq/save-to-email/newsletter');
  const title = page.getByRole('heading', { level: 2, name: 'Weekly recipes' });
  const weekly = page.locator('section').filter({ has: title });
  await expect(weekly.getByRole('radio', { name: 'Off' })).toBeChecked();
  await expect(weekly.getByLabel('Day')).toBeHidden();
  await weekly.getByText('Make a draft for me to send').click();
  await weekly.getByLabel('Day').selectOption('Sunday');
  await weekly.getByLabel('Time').selectOption('5 PM');
  await expect(weekly.getByRole('status')).toHaveText(/^Next draft: Sunday, .+ 5:00 PM\.$/);
  await page.reload();
  await expect(weekly.getByRole('status')).toHaveText(/^Next draft: Sunday, .+ 5:00 PM\.$/);
  await weekly.getByText('Send by itself').click();
  await expect(weekly.getByRole('status')).toContainText('Once sending is set up, they go out by themselves.');
  await creator.checkBothThemes('weekly recipes');
  await changeAnswer(page, '**/api/v1/**/newsletter', (answer) => ({ ...answer, writer: 'kit' }));
  await changeAnswer(page, '**/api/v1/auth/me', asCollaborator);
  await page.reload();
  await expect(weekly.getByRole('status')).toHaveText('Kit sends your newsletters, so none is made here.');
  await expect(weekly.getByText('Only owners can change this.')).toBeVisible();
  await expect(weekly.getByRole('radio', { name: 'Off' })).toBeDisabled();
  await creator.checkBothThemes('weekly recipes, not theirs to change');
  await page.unrouteAll({ behavior: 'wait' });
  await page.reload();
  await Promise.all([page.waitForResponse('**/newsletter/weekly'), weekly.getByText('Off', { exact: true }).click()]);
  await expect(weekly.getByRole('radio', { name: 'Off' })).toBeChecked();
  await expect(weekly.getByRole('status')).toBeHidden();
  await creator.end();
});

test('a sender with a domain and a postal address is set up', async () => {
  const creator = await app.visit('desktop');
  const { page } = creator;
  await enterDemo(creator);
  await page.goto('/creator-hq/save-to-email/sending');
  await page.getByLabel('Email address').fill(`hello@${DOMAIN}`);
  await page.getByLabel('Postal address').fill('1 Kitchen Lane, Springfield');
  await page.getByRole('button', { name: 'Save sender' }).click();
  await expect(page.getByText(`Answers go to hello@${DOMAIN}.`)).toBeVisible();
  await page.getByLabel('Domain', { exact: true }).fill(DOMAIN);
  await page.getByRole('button', { name: 'Add domain' }).click();
  const section = page.locator('section').filter({ has: page.getByRole('heading', { level: 3, name: DOMAIN }) });
  await expect(section.getByText('Waiting', { exact: true })).toBeVisible();
  const [host, key] = await section.locator('code').allTextContents();
  dns.put(`${host}.${DOMAIN}`, key!);
  dns.put(`_dmarc.${DOMAIN}`, 'v=DMARC1; p=none');
  await expect(async () => {
    await section.getByRole('button', { name: 'Check again' }).click();
    await expect(section.getByText('Verified', { exact: true })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await creator.end();
});

test('a welcome series is written, timed and turned on, on a phone', async () => {
  const creator = await app.visit('phone');
  const { page } = creator;
  await enterDemo(creator);
  await page.goto('/creator-hq/save-to-email/newsletter');
  const title = page.getByRole('heading', { level: 2, name: 'Welcome series' });
  const card = page.locator('section').filter({ has: title });
  await expect(card.getByText('No emails yet.', { exact: false })).toBeVisible();
  await expect(card.getByRole('button', { name: 'Turn on' })).toBeHidden();
  await card.getByRole('button', { name: 'Add an email' }).click();
  const write = async (on: typeof page, subject: string) => {
    await expect(on.getByRole('list', { name: 'Blocks' })).toBeVisible();
    await on.getByRole('button', { name: 'Subject and look' }).click();
    await on.getByRole('textbox', { name: 'Subject' }).fill(subject);
    await on.getByRole('button', { name: 'Done' }).click();
  };
  const save = (on: typeof page) => on.getByRole('button', { name: 'Save', exact: true }).click();
  await write(page, 'Hello from my kitchen');
  await creator.checkBothThemes('an email of the welcome series');
  const address = page.url();
  const other = await creator.newPage();
  await other.goto(address);
  await write(other, 'Hello from our kitchen');
  await save(page);
  await expect(page.getByText('Email saved')).toBeVisible();
  creator.expectComplaint(/409 \(Conflict\)/);
  await save(other);
  await expect(other.getByRole('alert')).toContainText('Hello from my kitchen');
  await expect(other.getByRole('alert')).toContainText('Hello from our kitchen');
  await other.getByRole('button', { name: 'Keep mine' }).click();
  await save(other);
  await expect(other.getByRole('heading', { level: 1, name: 'Hello from our kitchen' })).toBeVisible();
  await other.close();

  await page.goto('/creator-hq/save-to-email/newsletter');
  await expect(card.getByRole('link', { name: 'Hello from our kitchen' })).toBeVisible();
  await expect(card.getByText('Right after they confirm')).toBeVisible();
  await card.getByRole('button', { name: 'Add an email' }).click();
  await write(page, 'My five best dinners');
  await save(page);
  await expect(page.getByText('Email saved')).toBeVisible();
  await page.getByRole('link', { name: 'Newsletter', exact: true }).first().click();
  await card.getByRole('button', { name: 'When email 2 is sent' }).click();
  const time = page.getByRole('dialog', { name: 'When email 2 is sent' });
  await time.getByLabel('When').selectOption('3 days after email 1');
  await time.getByLabel('Time').selectOption('6 PM');
  await creator.checkBothThemes('when an email of the welcome series is sent');
  await time.getByRole('button', { name: 'Save' }).click();
  await expect(card.getByText('3 days after email 1, at 6 PM')).toBeVisible();
  await card.getByRole('button', { name: 'Turn on' }).click();
  await expect(card.getByText('On', { exact: true })).toBeVisible();

  await changeAnswer(page, '**/welcome-series', (answer) => ({ ...answer, underWay: 12, done: 1040, stopped: 1 }));
  await changeAnswer(page, '**/api/v1/**/newsletter', (answer) => ({ ...answer, writer: 'kit' }));
  await page.reload();
  await expect(card.getByText('12 people in it now · 1,040 people got all of it · 1 person left')).toBeVisible();
  await expect(card.getByText('Kit sends your newsletters now.')).toBeVisible();
  await creator.checkBothThemes('a welcome series that waits');
  await card.getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByRole('dialog')).toContainText('12 people in it now won’t get the rest');
  await creator.checkBothThemes('turning off a welcome series');
  await page.getByRole('button', { name: 'Keep it on' }).click();
  await changeAnswer(page, '**/api/v1/auth/me', asCollaborator);
  await page.reload();
  await expect(card.getByText('Only owners can change this.', { exact: false })).toBeVisible();
  await expect(card.getByRole('button')).toHaveCount(0);
  await card.getByRole('link', { name: 'My five best dinners' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'What they get' })).toBeVisible();
  await creator.checkBothThemes('an email of the welcome series, not theirs to change');
  await page.unrouteAll({ behavior: 'wait' });

  await page.goto('/creator-hq/save-to-email/newsletter');
  await card.getByRole('button', { name: 'Turn off' }).click();
  await expect(card.getByText('Off', { exact: true })).toBeVisible();
  for (const subject of ['Hello from our kitchen', 'My five best dinners']) {
    await card.getByRole('link', { name: subject }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(card.getByRole('link', { name: subject })).toHaveCount(0);
    await expect(title).toBeVisible();
  }
  await page.goto(address);
  await expect(page.getByText('This email was deleted')).toBeVisible();
  await creator.end();
});

test.each(DEVICES)('a newsletter reaches whom it is for, on a %s', { timeout: 400_000 }, async (device) => {
  const creator = await app.visit(device);
  const { page } = creator;
  await enterDemo(creator);
  const [cora, cleo, uma] = ['Confirmed Cora', 'Another Cleo', 'Unasked Uma'].map((name) => `${name} ${device}`) as [
    string,
    string,
    string,
  ];
  await importContacts(creator, [cora, cleo], 'Send them my newsletter');
  await importContacts(creator, [uma], 'Only add them as contacts');
  const tag = `Sourdough ${device}`;
  await page.goto('/creator-hq/contacts');
  await giveTag(creator, [cora, uma], tag);
  await page.getByRole('link', { name: 'Filter by conditions' }).click();
  const segments = page.getByRole('dialog', { name: 'Find contacts by conditions' });
  await segments.getByLabel('Field').selectOption('Tags');
  await segments.getByLabel('Value').selectOption(tag);
  await segments.getByLabel('Name of the segment').fill(tag);
  await segments.getByRole('button', { name: 'Save segment' }).click();
  await expect(segments).toBeHidden();

  // Written, and kept while the page is loaded again.
  await page.goto('/creator-hq/save-to-email?tab=newsletter');
  await page.getByRole('button', { name: 'Write a newsletter' }).click();
  const subject = `Bread is back, ${device}`;
  await expect(page.getByRole('list', { name: 'Blocks' })).toBeVisible();
  if (device === 'phone') await page.getByRole('button', { name: 'Subject and look' }).click();
  await page.getByRole('textbox', { name: 'Subject' }).fill(subject);
  if (device === 'phone') await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Not saved yet')).toBeVisible();
  await creator.checkBothThemes('a newsletter being written');
  await page.reload();
  await expect(page.getByText('We brought back what you changed before.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Next', exact: true }).click();

  // Who gets it, and who is left out.
  await expect(page.getByRole('heading', { level: 1, name: subject })).toBeVisible();
  await page.getByLabel('Readers').selectOption(tag);
  await expect(page.getByText('1 person gets it')).toBeVisible();
  await expect(page.getByText('1 · Never said yes to your newsletter')).toBeVisible();
  await creator.checkBothThemes('who gets a newsletter');
  await page.getByText('At a time you choose').click();
  await page.getByRole('button', { name: 'Schedule for 1 person' }).click();
  await expect(page.getByText('Choose a date and time.')).toBeVisible();
  await page.getByLabel('Date and time').fill('2020-01-01T10:00');
  await page.getByRole('button', { name: 'Schedule for 1 person' }).click();
  await expect(page.getByText('Choose a time that hasn’t passed.')).toBeVisible();
  await creator.checkBothThemes('when a newsletter is sent');

  // Canceled within the minute, then sent.
  await page.getByText('In a minute').click();
  await page.getByRole('button', { name: 'Send to 1 person' }).click();
  await expect(page.getByText(/^Starts in \d+ seconds$/)).toBeVisible();
  await creator.checkBothThemes('a newsletter about to be sent');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Next', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('button', { name: 'Send to 1 person' }).click();
  await expect(page.getByText(/^Starts in \d+ seconds$/)).toBeVisible();
  await app.query(`update broadcasts set send_at = now() where state = 'scheduled'`);
  await expect(page.getByText('Sent to 1 person')).toBeVisible({ timeout: SENT_WITHIN_MS });
  await creator.checkBothThemes('a newsletter that was sent');
  const got = mails.received.filter(({ raw }) => raw.includes(`Subject: ${subject}`));
  expect(got.map(({ to }) => to)).toEqual([addressOf(cora)]);
  await page.getByRole('link', { name: 'Newsletter', exact: true }).first().click();
  const row = page.getByRole('listitem').filter({ hasText: subject });
  await expect(row).toContainText('To a segment · Sent to 1 person');
  await creator.checkBothThemes('newsletters');
  await creator.end();
});

const PAGES = { phone: 'lemon-tart', desktop: 'focaccia' };

test.each(DEVICES)('who saved a recipe is told of a mistake, once a week, on a %s', async (device) => {
  const creator = await app.visit(device);
  const { page } = creator;
  await enterDemo(creator);
  const link = `${blogUrl}/${PAGES[device]}/`;
  const reader = await creator.newPage();
  await reader.goto(link);
  await reader.getByLabel('Your email').fill(`saver-${device}@example.test`);
  await reader.getByRole('button', { name: 'Email me the recipe' }).click();
  await expect(reader.getByRole('heading', { name: /on its way/ })).toBeVisible();
  await reader.close();
  await page.goto('/creator-hq/shop-the-recipe/recipes/new');
  await page.getByLabel('Name').fill(`Salty ${device}`);
  await page.getByLabel('Recipe page link').fill(link);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const recipe = page.getByRole('link', { name: new RegExp(`Salty ${device}`) });
  await recipe.click();
  await page.getByRole('button', { name: 'Tell the person who saved it' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tell the person who saved it' });
  await dialog.getByRole('button', { name: 'Write the email' }).click();
  await expect(dialog.getByText('Write what was wrong, and what is right.')).toBeVisible();
  await creator.checkBothThemes('telling who saved a recipe');
  await dialog.getByLabel('What was wrong, and what is right').fill('It’s 1 teaspoon of salt, not 1 tablespoon.');
  await dialog.getByRole('button', { name: 'Write the email' }).click();

  await expect(page.getByText('Everyone who saved the recipe')).toBeVisible();
  await expect(page.getByText('1 person gets it')).toBeVisible();
  await creator.checkBothThemes('who gets a correction');
  await page.getByRole('button', { name: 'Send to 1 person' }).click();
  await expect(page.getByText(/^Starts in \d+ seconds$/)).toBeVisible();
  await page.goto('/creator-hq/shop-the-recipe/recipes');
  await recipe.click();
  await expect(page.getByText(/^They heard of a mistake within the last 7 days\./)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Tell the person who saved it' })).toBeDisabled();
  await creator.checkBothThemes('a recipe whose savers were told');
  await creator.end();
});

test.each(DEVICES)('without the right one asks, and what is under way can be held, on a %s', async (device) => {
  const creator = await app.visit(device);
  const { page } = creator;
  await enterDemo(creator);
  await page.goto('/creator-hq/save-to-email/newsletter');
  await page.getByRole('button', { name: 'Write a newsletter' }).click();
  await expect(page.getByRole('list', { name: 'Blocks' })).toBeVisible();
  const address = page.url();

  await changeAnswer(page, '**/api/v1/auth/me', asCollaborator);
  await page.goto(`${address}?step=send`);
  await page.getByRole('button', { name: 'Ask the owner to send it' }).click();
  await expect(page.getByText('asks you to send this.', { exact: false })).toBeVisible();
  await creator.checkBothThemes('asking the owner');
  await page.unrouteAll({ behavior: 'wait' });

  const figures = {
    total: 5210,
    waiting: 4010,
    leftOut: 12,
    sent: 1188,
    bounced: 3,
    complained: 0,
    unsubscribed: 5,
    clicked: 7,
  };
  const under = { state: 'sending', figures, because: null };
  await changeAnswer(page, '**/broadcasts/*', (answer) => ({ ...answer, ...under }));
  await page.goto(address);
  await expect(page.getByText('1,200 of 5,210 emails are done.')).toBeVisible();
  await creator.checkBothThemes('a newsletter being sent');
  await page.getByRole('button', { name: 'Cancel the rest' }).click();
  await expect(page.getByRole('dialog')).toContainText('4,010 people won’t get it.');
  await creator.checkBothThemes('cancelling the rest');
  await page.unrouteAll({ behavior: 'wait' });
  await page.goto(address);
  await page.getByRole('button', { name: 'Delete draft' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete draft' }).click();
  await expect(page.getByText('Draft deleted')).toBeVisible();
  await expect(page).toHaveURL(/newsletter$/);
  await creator.end();
});

function asCollaborator(answer: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(answer).replaceAll('"role":"owner"', '"role":"collaborator"'));
}

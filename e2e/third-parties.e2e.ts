/** Live chat, a tag manager and Sentry start when configured, and never otherwise. The third party is the test itself. */
import { createHmac } from 'node:crypto';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Me } from '#contract/session.ts';
import { changeAnswer, enterDemo, expect, type RunningApp, startApp, type Visit } from './journey.ts';

const CHAT_SECRET = 'the secret of the chat';
const WIDGET = 'https://widget.intercom.io/widget/chat-app';
const TAG_MANAGER = 'https://www.googletagmanager.com/**';
const SENTRY = 'https://errors.example.net/**';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp({
    INTERCOM_APP_ID: 'chat-app',
    INTERCOM_SECRET: CHAT_SECRET,
    TAG_MANAGER_ID: 'GTM-TEST',
    ERROR_REPORTING_DSN: 'https://key@errors.example.net/1',
  });
});
afterAll(() => app?.close());

/** Takes over the waiting calls as Intercom's widget does, and draws the launcher that our page must hide. */
const WIDGET_SCRIPT = `
  window.chatCalls = [...window.Intercom.q];
  window.Intercom = (...call) => void window.chatCalls.push(call);
  window.drawLauncher = (text) => {
    const launcher = document.createElement('div');
    launcher.className = 'intercom-launcher';
    launcher.textContent = text;
    document.body.append(launcher);
  };
  window.drawLauncher('First launcher');
`;

const KEEP_INTERVALS = `
  window.intervalsMs = [];
  const setIntervalOfBrowser = window.setInterval;
  window.setInterval = (work, everyMs, ...rest) => {
    window.intervalsMs.push(everyMs);
    return setIntervalOfBrowser(work, everyMs, ...rest);
  };
`;

type ThirdParties = { asked: string[]; envelopes: string[] };

/** Plays all three and remembers their requests. */
async function playThirdParties(page: Page): Promise<ThirdParties> {
  const played: ThirdParties = { asked: [], envelopes: [] };
  const script = { contentType: 'text/javascript' };
  await page.route('https://widget.intercom.io/**', (route) => {
    played.asked.push(route.request().url());
    return route.fulfill({ ...script, body: WIDGET_SCRIPT });
  });
  await page.route(TAG_MANAGER, (route) => {
    played.asked.push(route.request().url());
    return route.fulfill({ ...script, body: 'window.tagManagerCame = true;' });
  });
  await page.route(SENTRY, (route) => {
    played.asked.push(route.request().url());
    played.envelopes.push(route.request().postDataBuffer()?.toString('utf8') ?? '');
    return route.fulfill({ json: {}, headers: { 'access-control-allow-origin': '*' } });
  });
  return played;
}

async function visitDemo(): Promise<{ visit: Visit; page: Page; played: ThirdParties }> {
  const visit = await app.visit('desktop');
  const { page } = visit;
  const played = await playThirdParties(page);
  await page.addInitScript(KEEP_INTERVALS);
  await enterDemo(visit);
  return { visit, page, played };
}

test('without their ids nobody is asked anything, and there is no entry for live chat', async () => {
  const visit = await app.visit('desktop');
  visit.expectComplaint(/Provoked by the test/);
  const { page } = visit;
  const played = await playThirdParties(page);
  await changeAnswer(page, '**/api/v1/env', (env) => ({
    ...env,
    intercomAppId: null,
    tagManagerId: null,
    errorReportingDsn: null,
  }));
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  await enterDemo(visit);
  await page.evaluate("setTimeout(() => { throw new Error('Provoked by the test') })");
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Live chat' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Statistics' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Account menu' }).click();
  await expect(page.getByRole('menuitem', { name: 'Settings' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Live Chat' })).toHaveCount(0);
  expect(played.asked).toEqual([]);
  expect(scripts.filter((url) => /sentry/i.test(url))).toEqual([]);
  await visit.end();
});

test('live chat knows the person by a hash, keeps its launcher hidden and opens from our own button', async () => {
  const { visit, page, played } = await visitDemo();
  await page.getByRole('banner').getByRole('button', { name: 'Live chat' }).click();
  await expect.poll(() => page.evaluate('window.chatCalls?.some(([what]) => what === "show")')).toBe(true);
  const [, settings] = (await page.evaluate('window.chatCalls[0]')) as [string, Record<string, unknown>];
  const { account } = (await (await page.request.get('/api/v1/auth/me')).json()) as { account: { _id: string } };
  expect(settings).toMatchObject({
    app_id: 'chat-app',
    user_id: account._id,
    user_hash: createHmac('sha256', CHAT_SECRET).update(account._id).digest('hex'),
    hide_default_launcher: true,
  });
  expect(played.asked).toContain(WIDGET);

  await expect(page.getByText('First launcher')).toBeHidden();
  await page.evaluate("window.drawLauncher('Second launcher')");
  await expect(page.getByText('Second launcher')).toBeHidden();
  expect(await page.evaluate('window.intervalsMs')).toContain(500);
  await visit.end();
});

describe('the tag manager', () => {
  const fetched = ({ asked }: ThirdParties) => asked.filter((url) => url.includes('googletagmanager'));
  const question = (page: Page) => page.getByRole('region', { name: 'Statistics' });

  test('is fetched by nobody who has not agreed, nor is anything written for it', async () => {
    const { visit, page, played } = await visitDemo();
    await expect(question(page)).toBeVisible();
    await page.getByRole('link', { name: 'Settings' }).first().click();
    await expect(page).toHaveURL(/settings/);
    expect(fetched(played)).toEqual([]);
    expect(await page.evaluate('window.dataLayer === undefined')).toBe(true);
    await question(page).getByRole('button', { name: 'No' }).click();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(question(page)).toHaveCount(0);
    expect(fetched(played)).toEqual([]);
    expect(await page.evaluate('window.dataLayer === undefined')).toBe(true);
    await visit.end();
  });

  test('is fetched once for who agreed, and is told who it is', async () => {
    const { visit, page, played } = await visitDemo();
    await question(page).getByRole('button', { name: 'Yes' }).click();
    await expect.poll(() => page.evaluate('window.tagManagerCame')).toBe(true);
    expect(fetched(played)).toEqual(['https://www.googletagmanager.com/gtm.js?id=GTM-TEST']);
    const events = await page.evaluate<{ event: string }[]>('window.dataLayer');
    expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(['identity', 'gtm.js', 'page_view']));
    const { account, creatorAccount } = (await (await page.request.get('/api/v1/auth/me')).json()) as Me;
    const admin = new URL('/creator-hq/admin', page.url()).href;
    expect(events.find(({ event }) => event === 'identity')).toMatchObject({
      user_id: account._id,
      creator_id: creatorAccount!._id,
      plan_id: 'free-plan',
      admin_creator_url: `${admin}?search=thegoldenspoon`,
      admin_audit_url: `${admin}/audit?creatorId=${creatorAccount!._id}`,
    });
    await visit.end();
  });
});

test('Sentry is told of every error with its replay and of every trace, without addresses of people and quoted words', async () => {
  const { visit, page, played } = await visitDemo();
  visit.expectComplaint(/Provoked by the test/);
  await page.evaluate(
    `setTimeout(() => { throw new Error('Provoked by the test for anna@example.com: "my secret"') })`,
  );
  const ofError = () => played.envelopes.find((envelope) => envelope.includes('Provoked by the test'));
  await expect.poll(() => ofError() !== undefined).toBe(true);
  expect(ofError()).not.toContain('anna@example.com');
  expect(ofError()).not.toContain('my secret');
  expect(JSON.parse(ofError()!.split('\n')[0]!)).toMatchObject({ trace: { sample_rate: '1' } });
  const isReplay = (envelope: string) => envelope.includes('"type":"replay_recording"');
  await expect.poll(() => played.envelopes.some(isReplay)).toBe(true);
  await page.goto('/creator-hq/contacts?handle=somebody.private');
  const traces = () => played.envelopes.filter((envelope) => envelope.includes('"type":"transaction"'));
  // A trace ends when the page has been quiet for a while.
  await expect.poll(() => traces().some((trace) => trace.includes('/contacts')), { timeout: 40_000 }).toBe(true);
  const sent = played.envelopes.join('\n');
  expect(sent).not.toContain('somebody.private');
  expect(sent).not.toContain('"type":"span"');
  await visit.end();
});

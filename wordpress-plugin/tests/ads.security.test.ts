/// <reference lib="dom" />
/** What the blog's ad network hears of a reader: once and only with the creator's switch, the reader's box, and no objection. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchBrowser } from '#e2e/browser.ts';
import { type Blog, fieldsOf, sendNatively, startBlog } from './blog.ts';
import { printed } from './fake-hub.ts';

const ADS_FORM = 'AdsFormAdsFormAdsForm1';
const EMAIL = 'Ad.Reader@example.com';
const HASH = createHash('sha256').update(EMAIL.toLowerCase()).digest('hex');
const hashes = ['sha1', 'sha256', 'md5'].flatMap((kind) =>
  [EMAIL, EMAIL.toLowerCase()].map((text) => createHash(kind).update(text).digest('hex')),
);

let blog: Blog;
let browser: Browser;
beforeAll(async () => {
  [blog, browser] = await Promise.all([startBlog(), launchBrowser()]);
  const form = printed(ADS_FORM, 'save', 'With ads');
  const box =
    '<label><input type="checkbox" name="ads" value="1"> Let my ad partner recognize me</label><button type="submit">';
  for (const entry of form.languages) entry.html = entry.html.replace('<button type="submit">', box);
  blog.hub.forms.push(form);
  await blog.wordpress.php('CreatorHq\\Connection::renew_forms();');
  await blog.post('With ads', `[creator_hq_form id="${ADS_FORM}"]`);
  await blog.post('Without', '[creator_hq_save]');
});
beforeEach(() => {
  blog.hub.submissions.length = 0;
  blog.hub.calls.length = 0;
});
afterAll(async () => {
  await browser.close();
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

const RAPTIVE = 'window.adthrive = { identityApi: (data) => window.heard.push(["raptive", data]) };';
const MEDIAVINE =
  'window.$adManagementConfig = { web: { identityOptIn: (data) => window.heard.push(["mediavine", data]) } };';
const tcf = (...purposes: number[]) =>
  `window.__tcfapi = (command, version, heard) => heard({ purpose: { consents: ${JSON.stringify(Object.fromEntries(purposes.map((one) => [one, true])))} } }, true);`;
const gpp = (section: object) =>
  `window.__gpp = (command, heard) => heard({ parsedSections: { usnat: [${JSON.stringify(section)}] } }, true);`;

/** A reader on a page with these scripts; answers what the ad network heard and everything that left the browser. */
async function save(scripts: string, { page: path_ = '/with-ads/', box = true } = {}) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(`window.heard = []; ${scripts}`);
    const sent: string[] = [];
    page.on('request', (request) =>
      sent.push(`${request.url()} ${request.postData() ?? ''} ${JSON.stringify(request.headers())}`),
    );
    await page.goto(`${blog.wordpress.url}${path_}`);
    await page.getByRole('textbox', { name: 'Email', exact: true }).fill(EMAIL);
    if (box) await page.getByLabel('Let my ad partner recognize me').check();
    await page.getByRole('button', { name: 'Send it to me' }).click();
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Sent. Look in your inbox.');
    await page.waitForFunction(() => document.readyState === 'complete');
    const heard = (await page.evaluate('window.heard')) as [string, Record<string, string>][];
    const kept = await page.evaluate(() => [
      document.cookie,
      JSON.stringify(localStorage),
      JSON.stringify(sessionStorage),
      location.href,
    ]);
    const cookies = JSON.stringify(await context.cookies());
    await page.goto(`${blog.wordpress.url}/without/`);
    expect(await page.evaluate('window.heard'), 'on the next page').toEqual([]);
    return { heard, left: [...sent, ...kept, cookies].join('\n') };
  } finally {
    await context.close();
  }
}
/** Everything that the blog and the hub have of it. */
async function keptThere(): Promise<string> {
  const rows = await blog.wordpress.php(
    `global $wpdb; foreach ($wpdb->get_col('SHOW TABLES') as $table) { echo json_encode($wpdb->get_results("SELECT * FROM $table")); }`,
  );
  const logs = await Promise.all(
    ['requests.log', 'server.log', 'php.log'].map((name) =>
      readFile(path.join(blog.wordpress.folder, name), 'utf8').catch(() => ''),
    ),
  );
  return [rows, ...logs, JSON.stringify(blog.hub.calls)].join('\n');
}
async function expectNoHash(left: string): Promise<void> {
  const everything = `${left}\n${await keptThere()}`;
  for (const hash of hashes) expect(everything.includes(hash)).toBe(false);
}

test.each([
  ['the creator did not switch it on', RAPTIVE + MEDIAVINE, { page: '/without/', box: false }],
  ['the box is not checked', RAPTIVE + MEDIAVINE, { box: false }],
  [
    'the browser objects',
    `${RAPTIVE}${MEDIAVINE}Object.defineProperty(navigator, 'globalPrivacyControl', { value: true });`,
    {},
  ],
  ['purpose 1 is missing', RAPTIVE + MEDIAVINE + tcf(3, 4), {}],
  ['purpose 3 is missing', RAPTIVE + MEDIAVINE + tcf(1, 4), {}],
  ['purpose 4 is missing', RAPTIVE + MEDIAVINE + tcf(1, 3), {}],
  ['the consent tool says nothing', `${RAPTIVE}${MEDIAVINE}window.__tcfapi = () => {};`, {}],
  ['they opted out of sales', RAPTIVE + MEDIAVINE + gpp({ SaleOptOut: 1 }), {}],
  ['they opted out of sharing', RAPTIVE + MEDIAVINE + gpp({ SharingOptOut: 1 }), {}],
  ['they opted out of ads aimed at them', RAPTIVE + MEDIAVINE + gpp({ TargetedAdvertisingOptOut: 1 }), {}],
  ['the privacy platform knows of an objection', RAPTIVE + MEDIAVINE + gpp({ Gpc: true }), {}],
  ['no ad network is there', '', {}],
])('nothing is handed over and no hash is anywhere when %s', async (why, scripts, options) => {
  const { heard, left } = await save(scripts, options);
  expect(heard).toEqual([]);
  await expectNoHash(left);
  // What was not handed over is no act, but where only the network is missing.
  const [submission] = blog.hub.submissions as { ads?: boolean }[];
  expect(submission!.ads ?? false).toBe(why === 'no ad network is there');
});

test.each([
  ['Raptive', RAPTIVE, ['raptive', { source: 'creator-hq', sha256: HASH }]],
  ['Mediavine', MEDIAVINE, ['mediavine', { email: HASH }]],
  ['both on a page', RAPTIVE + MEDIAVINE, ['raptive', { source: 'creator-hq', sha256: HASH }]],
  [
    'consent tools that agree',
    RAPTIVE + tcf(1, 3, 4) + gpp({ SaleOptOut: 2, SharingOptOut: 2, TargetedAdvertisingOptOut: 0 }),
    ['raptive', { source: 'creator-hq', sha256: HASH }],
  ],
])('with everything it is handed over once, and is nowhere else: %s', async (_name, scripts, call) => {
  const { heard, left } = await save(scripts);
  expect(heard).toEqual([call]);
  await expectNoHash(left);
  expect(blog.hub.submissions).toMatchObject([{ ads: true, newsletter: false }]);
});

test('a press that was refused hands nothing over, and one without script is no yes', async () => {
  blog.hub.answer = () => ({ result: 'refused', message: 'Sent. Look in your inbox.' });
  expect((await save(RAPTIVE)).heard).toEqual([]);
  blog.hub.answer = () => ({ result: 'on_its_way' });
  blog.hub.submissions.length = 0;
  const html = await (await fetch(`${blog.wordpress.url}/with-ads/`)).text();
  await sendNatively(blog.wordpress.url, { ...fieldsOf(html), email: 'plain@example.com', ads: '1' });
  expect(blog.hub.submissions[0]).not.toHaveProperty('ads');
});

/** Looking before leaping, reports of strangers, and links that the operator stops. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminListAudit } from '#contract/admin.ts';
import { type AppLink, createAppLink } from '#contract/app-links.ts';
import * as contract from '#contract/link-reports.ts';
import { appLink } from '#server/testing/inputs.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

const DESKTOP =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36';
const REMEMBERED_MS = 10_000;

let app: TestApp;
let anna: Person;
let admin: Person;
let creatorId: string;
beforeAll(async () => {
  app = await createTestApp({ settings: { BASE_URL: 'https://hq.example.test' } });
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator('anna.cooks')).id;
  admin = await app.signUpAndIn();
  await app.db.engine.updateTable('users').set({ is_admin: true }).where('id', '=', admin.id).execute();
});
afterAll(() => app?.close());

const make = async (name: string, over: object = {}): Promise<AppLink> =>
  (await anna.call(createAppLink, { params: { creatorId }, body: appLink(name, over) as never })).body;
const codeOf = ({ shortUrl }: AppLink) => shortUrl.split('/').at(-1)!;
const open = (path: string, visitor = app.visitor()) =>
  visitor.send({ method: 'GET', url: path, headers: { 'user-agent': DESKTOP } });
const report = (link: AppLink, reason: string, visitor = app.visitor()) =>
  visitor.send({
    method: 'POST',
    url: `/l/${codeOf(link)}/report`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ reason }).toString(),
  });
const reported = async () => (await admin.call(contract.adminListReportedLinks, { query: {} })).body.items;

test('with a plus behind it a link shows where it leads and whose it is, and leads nowhere', async () => {
  const link = await make('Pan <b>', { address: 'https://shop.example.com/pan?a=<script>' });
  const { status, text, headers } = await open(`/l/${codeOf(link)}+`);
  expect({ status, location: headers.location }).toEqual({ status: 200, location: undefined });
  expect(text).toContain('<bdi>shop.example.com</bdi>');
  expect(text).toContain('Pan &lt;b&gt;');
  expect(text).toContain('anna.cooks');
  expect(text).not.toContain('<script>');
  await app.deps.clicks.flush();
  const { rowCount } = await app.db.enginePool.query('select from clicks where creator_id = $1', [creatorId]);
  expect(rowCount).toBe(0);
  expect((await open('/l/nothing1+')).status).toBe(404);
  // A host of mixed scripts is shown as what it is.
  const lookalike = await make('Lookalike', { address: 'https://аmazon.com/dp/B08N5WRWNW' });
  expect((await open(`/l/${codeOf(lookalike)}+`)).text).toContain('<bdi>xn--mazon-3ve.com</bdi>');
});

test('reports reach the operator with their reasons, each network a few; what is no reason does not', async () => {
  const link = await make('Reported');
  expect((await report(link, 'scam')).status).toBe(200);
  expect((await report(link, 'spam')).status).toBe(200);
  for (const reason of ['', 'constructor', '<b>']) expect((await report(link, reason)).status, reason).toBe(422);
  const loud = app.visitor();
  for (let times = 0; times < 30; times++) expect((await report(link, 'other', loud)).status).toBe(200);
  expect(await reported()).toMatchObject([
    {
      code: codeOf(link),
      handle: 'anna.cooks',
      times: 12,
      stopped: 'no',
      reasons: [...Array(10).fill('other'), 'spam', 'scam'],
    },
  ]);
  const params = { linkCode: codeOf(link) };
  expect((await admin.call(contract.adminDismissReports, { params })).status).toBe(200);
  expect(await reported()).toEqual([]);
});

test('the operator stops a link or all of its creator, who is told why; both are noted and taken back', async () => {
  const [one, other] = [await make('One'), await make('Other')];
  const statusOf = async (link: AppLink) => (await open(`/l/${codeOf(link)}`)).status;
  expect([await statusOf(one), await statusOf(other)]).toEqual([302, 302]);
  const params = { linkCode: codeOf(one) };
  const why = 'It pretends to be a bank.';
  await admin.call(contract.adminStopLink, { params, body: { all: false, why } });
  await app.clock.advance(REMEMBERED_MS);
  expect([await statusOf(one), await statusOf(other)]).toEqual([410, 302]);
  expect((await open(`/l/${codeOf(one)}+`)).status).toBe(410);
  await admin.call(contract.adminStopLink, { params, body: { all: true, why } });
  await app.clock.advance(REMEMBERED_MS);
  expect([await statusOf(one), await statusOf(other)]).toEqual([410, 410]);
  expect(await reported()).toMatchObject([{ code: codeOf(one), stopped: 'all', why, times: 0 }]);

  await admin.call(contract.adminAllowLink, { params: { linkCode: codeOf(other) } });
  await app.clock.advance(REMEMBERED_MS);
  expect([await statusOf(one), await statusOf(other)]).toEqual([302, 302]);
  const mails = (await app.mails(anna.email)).filter(({ kind }) => kind.startsWith('links_'));
  expect(mails.map(({ kind }) => kind)).toEqual(['links_stopped', 'links_stopped', 'links_allowed']);
  expect(mails[0]!.text).toContain(why);
  const { items } = (await admin.call(adminListAudit, { query: {} })).body;
  expect(items.map(({ what }: { what: string }) => what)).toEqual(
    expect.arrayContaining(['Stopped a short link', 'Stopped all short links', 'Let short links work again']),
  );
  expect(
    (await admin.call(contract.adminStopLink, { params: { linkCode: 'nothing1' }, body: { all: false, why } })).status,
  ).toBe(404);
  expect((await anna.call(contract.adminStopLink, { params, body: { all: false, why } })).status).toBe(404);
});

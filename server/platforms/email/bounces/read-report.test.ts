/** Reports in the shapes that mail servers send them; the fixtures were written here, after their shapes. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { MailReport } from './fates.ts';
import { createMailMarks } from './mail-marks.ts';
import { readReport } from './read-report.ts';

const FOLDER = path.join(import.meta.dirname, 'fixtures');
const ID = '01a1f8d3-ea00-779a-8dba-0408bd5f5abd';
const marks = createMailMarks({ secretKey: 'secret', bounceAddress: 'bounce@hq.example.com', services: [] });
const mark = marks.headers(ID)['X-Creator-HQ-Mail'] as string;
const fill = (text: string) =>
  text
    .replaceAll('{VERP}', marks.returnPath(ID)!)
    .replaceAll('{ID}', ID)
    .replaceAll('{MARK}', mark)
    .replaceAll('{FORGED}', `${mark.slice(0, 32)}0123456789abcdef`);
const read = (name: string, change = (text: string) => text) =>
  readReport(change(fill(readFileSync(path.join(FOLDER, name), 'utf8'))).replaceAll('\n', '\r\n'), marks);

type By = NonNullable<MailReport['mail']>['by'] | null;
const TABLE: [name: string, fate: MailReport['fate'], by: By, says?: string | RegExp][] = [
  [
    'postfix-unknown-user',
    'hard',
    'return_path',
    /^550 5\.1\.1 <ada@example\.net>: Recipient address rejected: User unknown/,
  ],
  ['postfix-delayed', 'delayed', 'return_path', /Connection timed out$/],
  ['postfix-gave-up', 'soft', 'return_path'],
  ['postfix-delivered', 'delivered', 'return_path'],
  ['exchange-not-found', 'hard', 'return_path', /^550 5\.1\.10 RESOLVER/],
  ['exchange-mailbox-full', 'soft', 'header', /^554 5\.2\.2 mailbox full/],
  ['exchange-blocks-us', 'about_us', 'return_path', /banned sending IP/],
  ['exchange-access-denied', 'unknown', 'return_path'],
  ['gmail-no-such-user', 'hard', 'message_id', /^550-5\.1\.1 The email account .* unnecessary spaces/],
  ['gmail-inactive', 'hard', 'return_path'],
  ['gmail-over-quota', 'soft', 'return_path'],
  ['gmail-unauthenticated', 'about_us', 'return_path'],
  ['yahoo-no-account', 'hard', 'return_path'],
  ['yahoo-complaint', 'complaint', 'message_id'],
  ['exim-report', 'hard', 'return_path'],
  ['exim-plain', 'hard', 'return_path', '550 unknown user'],
  ['qmail-no-mailbox', 'hard', 'return_path', 'Sorry, no mailbox here by that name. (#5.1.1)'],
  ['qmail-timeout', 'soft', 'message_id', '451 4.3.0 Temporary lookup failure'],
  ['web-de-quota', 'soft', 'message_id', /^552-Requested mail action aborted: exceeded storage allocation/],
  ['web-de-unknown', 'hard', 'return_path', /Invalid recipient$/],
  ['t-online-ip', 'about_us', 'return_path'],
  ['german-daemon', 'unknown', 'return_path', ''],
  ['sender-address-refused', 'about_us', 'return_path'],
  ['eai-report', 'hard', 'return_path'],
  ['complaint-ses-rewrote-id', 'complaint', 'header'],
  ['outlook-complaint', 'complaint', 'message_id'],
  ['foreign-mail', 'hard', null],
  ['forged', 'hard', null],
  ['out-of-office-exchange', 'auto_reply', 'return_path'],
  ['vacation-unix', 'auto_reply', 'return_path'],
  ['abwesenheit', 'auto_reply', 'return_path'],
  ['a-person-answers', 'not_understood', 'return_path'],
  ['newsletter-of-others', 'not_understood', null],
  ['not-spam-report', 'not_understood', 'return_path'],
  ['dmarc-failure', 'not_understood', 'return_path'],
];

test.each(TABLE)('%s: %s, known by %s', async (name, fate, by, says = /^/) => {
  expect(await read(`${name}.eml`)).toEqual({
    ...{ fate, mail: by === null ? null : { id: ID, by } },
    says: typeof says === 'string' ? says : expect.stringMatching(says),
  });
});

test('every fixture stands in the table', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(TABLE.map(([name]) => `${name}.eml`).sort());
});

test('control characters do not come along', async () => {
  const report = await read('postfix-unknown-user.eml', (text) =>
    text.replace('User unknown', 'User\0\x1b[31munknown'),
  );
  expect(report).toMatchObject({ fate: 'hard', says: expect.stringContaining('User [31munknown') });
});

test('cut off anywhere, or full of noise, a report is still no error', async () => {
  for (const { 0: name } of TABLE) {
    for (const part of [0.1, 0.4, 0.7, 0.95]) {
      await read(`${name}.eml`, (text) => text.slice(0, text.length * part));
    }
  }
  for (const noise of ['', '\n\n', '\0\0', 'Content-Type: multipart/report; boundary=', `${'a'.repeat(50_000)}:\n`]) {
    expect(await readReport(noise, marks)).toEqual({ fate: 'not_understood', says: '', mail: null });
  }
});

test('what nests too deep is not understood', async () => {
  const deep = Array.from({ length: 40 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`).join(
    '',
  );
  expect((await readReport(deep, marks)).fate).toBe('not_understood');
});

import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as records from './records.ts';

const keyOf = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 })
    .publicKey.export({ type: 'spki', format: 'der' })
    .toString('base64');
const KEY = keyOf();
const OTHER = keyOf();
const RIGHT = records.dkimValue(KEY);

describe('the key', () => {
  test.each<[string, string[][], string]>([
    ['right', [[RIGHT]], 'found'],
    ['right with spaces and another order', [[`k=rsa;  p=${KEY.slice(0, 200)} ${KEY.slice(200)} ; v=DKIM1;`]], 'found'],
    ['not there', [[], []], 'missing'],
    ['known to one of two', [[], [RIGHT]], 'found'],
    ['another text', [['v=spf1 -all']], 'missing'],
    ['of another', [[records.dkimValue(OTHER)]], 'foreign'],
    ['taken back', [['v=DKIM1; p=']], 'foreign'],
    ['doubled', [[RIGHT, records.dkimValue(OTHER)]], 'doubled'],
    ['cut at 255', [[RIGHT.slice(0, 255)]], 'split'],
    ['in two records', [[RIGHT.slice(255), RIGHT.slice(0, 255)]], 'split'],
    ['in two quoted parts, quotes and all', [[`"${RIGHT.slice(0, 255)}" "${RIGHT.slice(255)}"`]], 'split'],
    ['in quotes', [[`"${RIGHT}"`]], 'split'],
    ['the end alone', [[RIGHT.slice(255)]], 'split'],
    ['no answer', [], 'no_answer'],
  ])('%s', (_, answers, state) => {
    expect(records.judgeDkim({ asked: 2, answers }, KEY)).toEqual({ state, asked: 2 });
  });
});

describe('DMARC', () => {
  const at = (...answers: string[][]) => ({ asked: 2, answers });
  test.each<[string, Parameters<typeof records.judgeDmarc>, string, string | null]>([
    ['none', [at([]), null], 'missing', null],
    ['rejects', [at(['v=DMARC1; p=reject; adkim=s']), null], 'found', 'reject'],
    ['beside another text', [at(['v=spf1 -all', 'v=DMARC1;p=none']), null], 'found', 'none'],
    ['of the organization', [at([]), at(['v=DMARC1; p=none; sp=quarantine'])], 'found', 'quarantine'],
    ['of the organization, for all', [at([]), at(['v=DMARC1; p=reject'])], 'found', 'reject'],
    ['its own before the organization’s', [at(['v=DMARC1; p=none']), at(['v=DMARC1; p=reject'])], 'found', 'none'],
    ['twice', [at(['v=DMARC1; p=none', 'v=DMARC1; p=reject']), null], 'doubled', null],
    ['without a policy', [at(['v=DMARC1; rua=mailto:a@b.example']), null], 'broken', null],
    ['no answer', [at(), null], 'no_answer', null],
  ])('%s', (_, [own, organization], state, policy) => {
    expect(records.judgeDmarc(own, organization)).toEqual({ state, policy, asked: 2 });
  });
});

test.each([
  ['s._domainkey.anna.example', 's._domainkey'],
  ['s._domainkey.mail.anna.co.uk', 's._domainkey.mail'],
  ['_dmarc.anna.example', '_dmarc'],
])('of %s the DNS provider asks for %s', (name, host) => expect(records.hostOf(name)).toBe(host));

test('says what was seen in words', () => {
  const seen = (dkim: object, dmarc: object) =>
    ({ dkim: { asked: 3, ...dkim }, dmarc: { asked: 3, policy: null, ...dmarc } }) as records.Seen;
  const words = (one: records.Seen) => [records.dkimInWords(one), records.dmarcInWords(one)];
  expect(words(seen({ state: 'found' }, { state: 'found', policy: 'reject' }))).toEqual([
    'Found.',
    'DMARC says reject and we would pass.',
  ]);
  expect(words(seen({ state: 'missing' }, { state: 'missing', asked: 1 }))).toEqual([
    'Not there yet (asked 3 name servers). Changes to DNS can take up to a day.',
    'Not there yet (asked 1 name server). Changes to DNS can take up to a day.',
  ]);
  expect(words(seen({ state: 'foreign' }, { state: 'found', policy: 'none' }))).toEqual([
    expect.stringMatching(/^Another key is there\./),
    'DMARC says none. We would pass once the key above is found.',
  ]);
  expect(words(seen({ state: 'split' }, { state: 'doubled' }))).toEqual([
    expect.stringMatching(/^Split wrongly/),
    expect.stringContaining('Keep one.'),
  ]);
  expect(words(seen({ state: 'doubled' }, { state: 'broken' }))).toEqual([
    expect.stringContaining('Delete the other one.'),
    expect.stringContaining('no policy we know'),
  ]);
  expect(words(seen({ state: 'no_answer' }, { state: 'no_answer' }))).toEqual(
    Array(2).fill('No answer (asked 3 name servers). We’ll ask again.'),
  );
});

import { describe, expect, test } from 'vitest';
import { IN_APP_BROWSERS, PHONE_SYSTEMS } from './agents.ts';
import { OPENING_RULES, OpeningRules, OpeningRulesFile, openingOf } from './opening-rules.ts';

const AMAZON = 'https://www.amazon.com/dp/B08N5WRWNW?tag=anna-20&th=1';

function attempts(app: (typeof IN_APP_BROWSERS)[number], system: 'ios' | 'android', address: string) {
  return openingOf(OPENING_RULES, { app, system, address: new URL(address) })?.attempts;
}

test('what is built in is what the schema allows', () => {
  expect(OpeningRules.parse(OPENING_RULES)).toEqual(OPENING_RULES);
});

describe('what is tried, in order', () => {
  const encoded = encodeURIComponent(AMAZON);
  const intent = (extra = '') =>
    `intent://www.amazon.com/dp/B08N5WRWNW?tag=anna-20&th=1#Intent;scheme=https;${extra}S.browser_fallback_url=${encoded};end`;
  const toAmazon = intent('package=com.amazon.mShop.android.shopping;');

  test.each([
    [
      'instagram',
      'ios',
      [
        ['auto', `instagram://extbrowser/?url=${encoded}`],
        ['tap', 'com.amazon.mobile.shopping.web://www.amazon.com/dp/B08N5WRWNW?tag=anna-20&th=1'],
        ['tap', `instagram://extbrowser/?url=${encoded}`],
      ],
    ],
    [
      'threads',
      'ios',
      [
        ['auto', `barcelona://extbrowser/?url=${encoded}`],
        ['tap', `x-safari-${AMAZON}`],
        ['tap', `barcelona://extbrowser/?url=${encoded}`],
      ],
    ],
    ['facebook', 'ios', ['auto', 'tap'].map((start) => [start, `x-safari-${AMAZON}`])],
    ['tiktok', 'ios', []],
    ['line', 'ios', ['auto', 'tap'].map((start) => [start, `${AMAZON}&openExternalBrowser=1`])],
    ['other', 'ios', []],
    ...(['instagram', 'tiktok', 'other'] as const).map((app): [typeof app, 'android', string[][]] => [
      ...([app, 'android'] as const),
      [
        ['auto', toAmazon],
        ['tap', toAmazon],
        ['tap', intent()],
      ],
    ]),
  ] as const)('Amazon in %s on %s', (app, system, expected) => {
    expect(attempts(app, system, AMAZON)?.map(({ start, href }) => [start, href])).toEqual(expected);
  });

  test('a page that no app is known for leaves the browser all the same', () => {
    const plain = 'https://anna.example/pasta';
    expect(attempts('instagram', 'ios', plain)?.map(({ start }) => start)).toEqual(['auto', 'tap']);
    const [itself] = attempts('instagram', 'android', plain)!;
    expect(itself).toMatchObject({ start: 'auto', href: expect.not.stringContaining('package=') });
  });

  test('an app shows its own pages itself', () => {
    expect(attempts('instagram', 'ios', 'https://www.instagram.com/anna')).toBeUndefined();
    expect(attempts('facebook', 'ios', 'https://www.instagram.com/anna')).not.toBeUndefined();
  });
});

test('hosts are whole names, paths are beginnings', () => {
  const target = (address: string) =>
    openingOf(OPENING_RULES, { app: 'x', system: 'ios', address: new URL(address) })?.target?.id ?? null;
  expect(target('https://m.youtube.com/watch?v=1')).toBe('youtube');
  expect(target('https://youtube.com.evil.example/watch')).toBeNull();
  expect(target('https://notyoutube.com/watch')).toBeNull();
  expect(target('https://www.walmart.com/ip/1')).toBe('walmart');
  expect(target('https://www.walmart.com/account')).toBeNull();
});

test('the whole address with its tag is in every attempt, whatever the address holds', () => {
  const address =
    'https://www.amazon.de/dp/B08N5WRWNW?tag=anna-21&q=a;package=evil;end#Intent;scheme=javascript;S.browser_fallback_url=x;end';
  for (const app of IN_APP_BROWSERS) {
    for (const system of PHONE_SYSTEMS) {
      for (const { href } of attempts(app, system, address)!) {
        expect(decodeURIComponent(href)).toContain('tag=anna-21');
        if (system === 'ios') continue;
        // Android reads what follows the last "#Intent;".
        const own = href.slice(href.lastIndexOf('#Intent;'));
        expect(own).toMatch(
          /^#Intent;scheme=https;(package=com\.amazon\.mShop\.android\.shopping;)?S\.browser_fallback_url=https%3A[^;#]*;end$/,
        );
      }
    }
  }
});

describe('what an installation may write', () => {
  const rule = (to: string) => ({
    rules: [
      {
        ...{ apps: ['instagram'], system: 'ios', targets: null },
        attempts: [{ to, start: 'auto', by: 'going', source: 'C', month: '2026-10' }],
      },
    ],
  });

  test.each(['instagram://new/?u={encoded}', 'x-web-https://{address}', '{scheme}', 'https://{outside}'])(
    '%s',
    (to) => {
      expect(OpeningRulesFile.safeParse(rule(to)).success).toBe(true);
    },
  );

  test.each([
    'javascript:location="{encoded}"',
    'JavaScript:{address}',
    'data:text/html,{encoded}',
    'http://{address}',
    'blob:{address}',
    'instagram://home',
    'no scheme {address}',
    '',
  ])('not %s', (to) => {
    expect(OpeningRulesFile.safeParse(rule(to)).success).toBe(false);
  });

  test.each([{ unknown: [] }, { rules: [{}] }, [], 'rules', null])('not %j', (file) => {
    expect(OpeningRulesFile.safeParse(file).success).toBe(false);
  });
});

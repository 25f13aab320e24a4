import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ setting }) => setting);
  }
}

describe('settings', () => {
  test('need nothing to start: embedded database, simulators on, this machine only', () => {
    expect(readConfig({})).toMatchObject({
      roles: ['web', 'worker'],
      host: '127.0.0.1',
      port: 3000,
      baseUrl: 'http://localhost:3000',
      databaseUrl: null,
      adminsNeedTwoStep: true,
      simulators: true,
      meta: { graphUrl: 'https://graph.facebook.com', graphVersion: 'v27.0' },
    });
  });

  test('of a real Meta app switch the simulators off', () => {
    const meta = { META_APP_ID: '1', META_APP_SECRET: 's', META_VERIFY_TOKEN: 'v' };
    expect(readConfig(meta).simulators).toBe(false);
    expect(readConfig({ ...meta, SIMULATORS: 'on' }).simulators).toBe(true);
    expect(readConfig({ NODE_ENV: 'production' }).simulators).toBe(false);
  });

  describe('of Stripe', () => {
    const key = (kind: string) => ({
      STRIPE_SECRET_KEY: `${kind}_0123456789abcdef`,
      STRIPE_WEBHOOK_SECRETS: 'whsec_a',
    });
    const BASE_URL = 'https://hq.example.com';

    test('let nobody pay without a key, or where billing is off', () => {
      expect(readConfig({}).stripe).toBeNull();
      expect(readConfig({ ...key('sk_test'), BILLING: 'off' })).toMatchObject({
        stripe: null,
        stripeSimulatorPort: null,
      });
      expect(readConfig(key('rk_test')).stripe).toMatchObject({
        isLive: false,
        url: null,
        webhookSecrets: ['whsec_a'],
      });
      expect(readConfig({ ...key('sk_live'), BASE_URL }).stripe).toMatchObject({ isLive: true });
    });

    test.each([
      ['billing without a key', { BILLING: 'on' }, 'BILLING'],
      ['a live key over http', key('sk_live'), 'STRIPE_SECRET_KEY'],
      ['a key of something else', key('whatever'), 'STRIPE_SECRET_KEY'],
      ['no secret of the webhook', { ...key('sk_test'), STRIPE_WEBHOOK_SECRETS: '' }, 'STRIPE_WEBHOOK_SECRETS'],
      ['something else for it', { ...key('sk_test'), STRIPE_WEBHOOK_SECRETS: 'whsec_a,b' }, 'STRIPE_WEBHOOK_SECRETS'],
    ])('refuse %s', (_, env, setting) => {
      expect(problemsOf(env)).toEqual([setting]);
    });
  });

  test('let somebody try the program on a machine that nobody else reaches', () => {
    expect(readConfig({})).toMatchObject({ simulators: true, trying: true });
    for (const HOST of ['localhost', '127.0.0.5', '::1']) expect(readConfig({ HOST }).trying, HOST).toBe(true);
    for (const HOST of ['0.0.0.0', '::', '192.168.1.7', '127.example.com']) {
      expect(readConfig({ HOST }), HOST).toMatchObject({ simulators: false, trying: false });
      expect(readConfig({ HOST, SIMULATORS: 'on' }), HOST).toMatchObject({ simulators: true, trying: false });
    }
    expect(readConfig({ BASE_URL: 'https://hq.example.com', SIMULATORS: 'on' }).trying).toBe(false);
  });

  test('of a public address switch the simulators off: whoever comes would be let in as the demo creator', () => {
    const withAddress = (BASE_URL: string) => readConfig({ BASE_URL }).simulators;
    for (const near of [
      'http://localhost:3000',
      'http://127.0.0.1',
      'http://[::1]:3000',
      'http://192.168.1.7:3000',
      'http://pi.local',
    ]) {
      expect(withAddress(near), near).toBe(true);
    }
    for (const far of [
      'https://hq.example.com',
      'http://203.0.113.7',
      'http://10.example.com',
      'http://localhost.example.com',
    ]) {
      expect(withAddress(far), far).toBe(false);
    }
    expect(readConfig({ BASE_URL: 'https://hq.example.com', SIMULATORS: 'on' }).simulators).toBe(true);
  });

  test('of bounces name the address, the mailbox and the secrets of mail services, and a wrong one is not printed', () => {
    const env = {
      BOUNCE_ADDRESS: 'bounce@hq.example.com',
      BOUNCE_IMAP_URL: 'imaps://bounce%40hq.example.com:secret@mail.example.com:993/Reports',
      MAIL_FEEDBACK: 'ses:arn:aws:sns:eu-central-1:123456789012:mails, postmark:abcdefghijklmnop',
    };
    expect(readConfig(env).bounces).toEqual({
      address: env.BOUNCE_ADDRESS,
      imapUrl: env.BOUNCE_IMAP_URL,
      services: { ses: 'arn:aws:sns:eu-central-1:123456789012:mails', postmark: 'abcdefghijklmnop' },
    });
    expect(problemsOf({ BOUNCE_ADDRESS: 'returned-mail-of-readers@hq.example.com' })).toEqual(['BOUNCE_ADDRESS']);
    expect(problemsOf({ MAIL_FEEDBACK: 'sendgrid:abc,resend:short' })).toEqual(['MAIL_FEEDBACK', 'MAIL_FEEDBACK']);
    for (const [name, value] of [
      ['BOUNCE_IMAP_URL', 'https://bounce:topsecret@mail.example.com'],
      ['MAIL_FEEDBACK', 'mailgun:topsecret'],
    ]) {
      expect(() => readConfig({ [name!]: value! })).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('topsecret') }),
      );
    }
  });

  test('of shops: an own key at Instacart, and a header of a country that only a proxy may write', () => {
    expect(readConfig({}).shops).toEqual({
      instacart: { url: 'https://connect.instacart.com', apiKey: null, isDefault: true },
      countryHeader: null,
    });
    expect(readConfig({ INSTACART_API_KEY: 'a-key-of-theirs' }).shops.instacart.isDefault).toBe(false);
    expect(problemsOf({ INSTACART_API_KEY: 'short', INSTACART_URL: 'nowhere' }).sort()).toEqual([
      'INSTACART_API_KEY',
      'INSTACART_URL',
    ]);
    expect(problemsOf({ COUNTRY_HEADER: 'CF-IPCountry' })).toEqual(['COUNTRY_HEADER']);
    const { shops } = readConfig({ COUNTRY_HEADER: 'CF-IPCountry', TRUSTED_PROXIES: '1' });
    expect(shops.countryHeader).toBe('cf-ipcountry');
  });

  test('that are wrong are all told at once, each with a remedy', () => {
    const env = {
      PORT: '99999',
      BASE_URL: 'hq.example.com',
      DATABASE_URL: 'mysql://x',
      ROLES: 'web,cook',
      LOG_LEVEL: 'loud',
      SMTP_URL: 'mail.example.com',
    };
    expect(problemsOf(env).sort()).toEqual(
      ['BASE_URL', 'DATABASE_URL', 'ENCRYPTION_KEYS', 'LOG_LEVEL', 'PORT', 'ROLES', 'SECRET_KEY', 'SMTP_URL'].sort(),
    );
    expect(() => readConfig(env)).toThrow(/PORT: is "99999"\.\n {4}Write a whole number from 0 to 65535\./);
  });

  test.each([
    [{ META_APP_ID: '1' }, ['META_APP_SECRET', 'META_VERIFY_TOKEN']],
    [
      { INSTAGRAM_APP_SECRET: 's', META_APP_ID: '1', META_APP_SECRET: 's', META_VERIFY_TOKEN: 'v' },
      ['INSTAGRAM_APP_ID'],
    ],
    [{ DATABASE_URL: 'postgres://localhost/hq' }, ['SECRET_KEY', 'ENCRYPTION_KEYS']],
    [{ SECRET_KEY: 'short' }, ['SECRET_KEY']],
    [{ ERROR_REPORTING_DSN: 'https://o1.ingest.sentry.io/42' }, ['ERROR_REPORTING_DSN']],
    [{ ENCRYPTION_KEYS: 'k1:abc' }, ['ENCRYPTION_KEYS']],
    [{ PORT: '' }, []],
    [{ TRUSTED_PROXIES: '1.5' }, ['TRUSTED_PROXIES']],
  ])('%j name what is missing or wrong', (env, expected) => {
    expect(problemsOf(env)).toEqual(expected);
  });

  test('are all in docs/configuration.md or docs/email.md, and in .env.example', () => {
    const documented = ['configuration', 'email'].map((name) => readFileSync(`docs/${name}.md`, 'utf8')).join('');
    const asked = new Set<string>();
    readConfig(new Proxy({}, { get: (_target, name) => void asked.add(String(name).replace(/_FILE$/, '')) }));
    asked.delete('NODE_ENV');
    const inDocs = new Set(
      [...documented.matchAll(/^\| (`[A-Z].*?) \|/gm)].flatMap(([, names]) => names!.match(/[A-Z_]{4,}/g) ?? []),
    );
    const inExample = new Set(
      [...readFileSync('.env.example', 'utf8').matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name),
    );
    expect([...inDocs].sort()).toEqual([...asked].sort());
    expect([...inExample].sort()).toEqual([...asked].sort());
  });

  test('may come from files', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'config-')), 'secret');
    writeFileSync(file, 'a secret of more than thirty-two characters\n');
    expect(readConfig({ SECRET_KEY_FILE: file }).secretKey).toBe('a secret of more than thirty-two characters');
    expect(problemsOf({ SECRET_KEY_FILE: `${file}-not-there` })).toEqual(['SECRET_KEY_FILE']);
    expect(problemsOf({ SECRET_KEY_FILE: file, SECRET_KEY: 'also here, which of the two is meant?' })).toEqual([
      'SECRET_KEY',
    ]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyNewsletterAct, findOrMakeContact } from '#server/features/contacts/address-contacts.ts';
import type { NewsletterAct, NewsletterStatus } from '#server/features/contacts/newsletter-status.ts';
import { FIXED_WORDS } from '#server/features/email-templates/rendering/fixed-words.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { settleConfirmations } from './confirmations.ts';
import { pageWordsFor } from './page-words.ts';
import { type AskedReader, askReader, queueSave, sendDue } from './testing/asked-reader.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1';
const FORM = { 'user-agent': PHONE, 'content-type': 'application/x-www-form-urlencoded' };

let app: TestApp;
let creatorId: string;
const others: string[] = [];
let asked: AskedReader;
beforeAll(async () => {
  app = await createTestApp();
  const anna: Person = await app.signUpAndIn();
  for (let n = 0; n < 3; n++) others.push((await anna.createCreator()).id);
  ({ id: creatorId } = await anna.createCreator('anna'));
});
afterAll(() => app?.close());
beforeEach(async () => {
  asked = await askReader(app, creatorId);
});

test('fetching the links of a mail changes nothing, whoever does it and how', async () => {
  for (const method of ['GET', 'HEAD']) {
    for (const url of [asked.confirm, asked.notMe, asked.unsubscribe]) {
      const answer = await request(method, url);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  }
  await quiet();
  expect(await status()).toBe('unconfirmed');
  expect((await request('GET', `${asked.confirm.slice(0, -2)}xx`)).statusCode).toBe(404);
});

test('a page that was looked at counts after a quiet minute, and the ledger says so', async () => {
  const answer = await post(asked.confirm, 'opened');
  expect(answer.body).toContain('You’re signed up');
  await quiet(59 * SECOND_MS);
  expect(await status()).toBe('unconfirmed');
  await quiet(SECOND_MS);
  expect(await status()).toBe('confirmed');
  expect(await ledger()).toEqual([{ act: 'confirmed', how: 'opened' }]);
});

test('a press counts at once, and twice is as once', async () => {
  await post(asked.confirm, 'pressed');
  expect(await status()).toBe('confirmed');
  await post(asked.confirm, 'pressed');
  await post(asked.confirm, 'opened');
  await quiet();
  expect(await ledger()).toEqual([{ act: 'confirmed', how: 'pressed' }]);
});

test('a press in the minute after a look counts at once', async () => {
  await post(asked.confirm, 'opened');
  await post(asked.confirm, 'pressed');
  expect(await status()).toBe('confirmed');
  await quiet();
  expect(await ledger()).toEqual([{ act: 'confirmed', how: 'pressed' }]);
});

test('the tripwire undoes a look in the minute before, and asks for the press in the minute after', async () => {
  await post(asked.confirm, 'opened');
  await request('GET', asked.tripwire, { remoteAddress: '192.0.2.1' });
  await quiet();
  expect(await status()).toBe('unconfirmed');

  asked = await askReader(app, creatorId);
  await request('HEAD', asked.tripwire, { remoteAddress: '192.0.2.1' });
  await app.clock.advance(59 * SECOND_MS);
  const answer = await post(asked.confirm, 'opened');
  expect(answer.body).toContain('One more tap');
  expect(answer.body).not.toContain('<script');
  await quiet();
  expect(await status()).toBe('unconfirmed');
  await post(asked.confirm, 'pressed');
  expect(await status()).toBe('confirmed');
});

test('somebody who comes five minutes after a scan needs one tap; from the scanner’s network, a press', async () => {
  await request('GET', asked.tripwire, { remoteAddress: '192.0.2.1' });
  await app.clock.advance(5 * MINUTE_MS);
  expect((await post(asked.confirm, 'opened', { remoteAddress: '192.0.2.1' })).body).toContain('One more tap');
  expect((await post(asked.confirm, 'opened', { remoteAddress: '198.51.100.7' })).body).toContain('You’re signed up');
  await quiet();
  expect(await status()).toBe('confirmed');
});

test('a program that opens every link of 50 mails in any order confirms nobody', async () => {
  for (let n = 0; n < 50; n++) {
    asked = await askReader(app, creatorId);
    const open = [
      () => post(asked.confirm, 'opened'),
      () => request('GET', asked.tripwire),
      () => request('GET', asked.notMe),
    ];
    for (let turns = 0; turns < n % 3; turns++) open.push(open.shift()!);
    for (const one of n % 2 === 0 ? open : open.toReversed()) await one();
    await quiet();
    expect(await status()).toBe('unconfirmed');
  }
});

test.each(['HeadlessChrome/140', 'Googlebot/2.1', 'curl/8.1', ''])('%j needs the press', async (agent) => {
  const headers = { ...FORM, 'user-agent': agent };
  expect((await post(asked.confirm, 'opened', { headers })).body).toContain('One more tap');
  await quiet();
  expect(await status()).toBe('unconfirmed');
});

describe('where the form wants a press', () => {
  beforeEach(async () => {
    asked = await askReader(app, creatorId, { confirm: 'mail_and_press' });
  });

  test('the page has no script, and a look counts neither then nor after the quiet minute', async () => {
    const page = await request('GET', asked.confirm);
    expect(page.body).toContain('One more tap');
    expect(page.body).not.toContain('<script');
    expect((await post(asked.confirm, 'opened')).body).toContain('One more tap');
    await quiet();
    expect(await status()).toBe('unconfirmed');
  });

  test('the press counts at once, before and after a scan of every link', async () => {
    await post(asked.confirm, 'pressed');
    expect(await status()).toBe('confirmed');
    expect(await ledger()).toEqual([{ act: 'confirmed', how: 'pressed' }]);

    asked = await askReader(app, creatorId, { confirm: 'mail_and_press' });
    for (const link of [asked.confirm, asked.tripwire, asked.notMe]) await request('GET', link);
    await post(asked.confirm, 'opened');
    await quiet();
    expect(await status()).toBe('unconfirmed');
    await post(asked.confirm, 'pressed');
    expect(await status()).toBe('confirmed');
  });

  test('a program that opens every link of 20 mails in any order confirms nobody', async () => {
    for (let n = 0; n < 20; n++) {
      asked = await askReader(app, creatorId, { confirm: 'mail_and_press' });
      const open = [() => post(asked.confirm, 'opened'), () => request('GET', asked.tripwire)];
      for (const one of n % 2 === 0 ? open : open.toReversed()) await one();
      await quiet(5 * MINUTE_MS);
      expect(await status()).toBe('unconfirmed');
    }
  });

  test('a form that wants one tap is not held to it', async () => {
    asked = await askReader(app, creatorId, { confirm: 'mail' });
    await post(asked.confirm, 'opened');
    await quiet();
    expect(await status()).toBe('confirmed');
  });
});

test('after thirty days the link is too old, and says so', async () => {
  await app.clock.advance(30 * DAY_MS);
  expect((await request('GET', asked.confirm)).body).toContain('This link has expired');
  await post(asked.confirm, 'pressed');
  await quiet();
  expect(await status()).toBe('unconfirmed');
});

test('who unsubscribed since is not brought back by a look, but by the button that offers it', async () => {
  await act('unsubscribes');
  expect((await request('GET', asked.confirm)).body).toContain('Yes, send me new recipes again');
  await post(asked.confirm, 'opened');
  await quiet();
  expect(await status()).toBe('unsubscribed');
  await post(asked.confirm, 'pressed');
  expect(await status()).toBe('confirmed');
  expect((await ledger()).slice(-2)).toEqual([
    { act: 'given', how: 'pressed' },
    { act: 'confirmed', how: 'pressed' },
  ]);
});

test.each(['complains', 'not_me'] as const)('who %s is not brought back by any link', async (what) => {
  await act(what);
  const before = await status();
  for (const how of ['opened', 'pressed']) expect((await post(asked.confirm, how)).body).not.toContain('<form');
  await quiet();
  expect(await status()).toBe(before);
});

test.each([
  ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
  [
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
  ],
])('unsubscribes with one POST as %s, without a cookie, and twice is as once', async (type, payload) => {
  await act('told_confirmed');
  for (let times = 0; times < 2; times++) {
    const headers = { 'content-type': type, origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' };
    const answer = await app.app.inject({ method: 'POST', url: asked.unsubscribe, payload, headers });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(await status()).toBe('unsubscribed');
  }
});

test('unsubscribing works after SECRET_KEY has changed and the mail’s row is gone; another’s token is none', async () => {
  await act('told_confirmed');
  await app.db.engine.deleteFrom('reader_mails').execute();
  const other = await createTestApp({
    deps: { db: app.db, keys: { ...app.deps.keys, secretKey: 'another-secret-key-of-more-than-32-characters' } },
  });
  try {
    const forged = asked.unsubscribe.replace(/.{3}$/, (end) => (end === 'AAA' ? 'BBB' : 'AAA'));
    expect((await other.app.inject({ method: 'POST', url: forged, headers: FORM })).statusCode).toBe(404);
    expect(
      (await other.app.inject({ method: 'POST', url: asked.notMe.replace('not-me', 'unsubscribe'), headers: FORM }))
        .statusCode,
    ).toBe(404);
    expect((await other.app.inject({ method: 'POST', url: asked.unsubscribe, headers: FORM })).statusCode).toBe(200);
    expect(await status()).toBe('unsubscribed');
  } finally {
    await other.app.close();
  }
});

test('“Not you?” stops every mail to the address', async () => {
  await request('POST', asked.notMe, { headers: FORM });
  expect(await app.db.engine.selectFrom('suppressions').select('reason').execute()).toContainEqual({
    reason: 'not_me',
  });
  await queueSave(app, { creatorId, contactId: asked.contactId });
  expect(await sendDue(app)).toEqual([]);
  const last = await app.db.engine.selectFrom('reader_mails').select('state').orderBy('id', 'desc').executeTakeFirst();
  expect(last).toEqual({ state: 'suppressed' });
});

test('“Not you?” to two creators stops the mails of all of them, to one only its own', async () => {
  const email = 'never.asked@example.test';
  const write = async (creatorId: string) => {
    const contactId = await app.db.withCreator(creatorId, async (trx) => {
      const facts = { creatorId, email, name: null, language: null, source: 'blog', at: app.clock.now() } as const;
      return (await findOrMakeContact(trx, app.deps, facts)).id;
    });
    await queueSave(app, { creatorId, contactId });
    return (await sendDue(app)).find(({ recipient }) => recipient === email);
  };
  for (const [n, creatorId] of others.slice(0, 2).entries()) {
    expect(await write(creatorId), `creator ${n}`).toBeDefined();
  }
  const refuse = async (creatorId: string) => {
    const { html } = (await write(creatorId))!;
    await request('POST', new URL(/href="([^"]+\/e\/not-me\/[^"]+)"/.exec(html)![1]!).pathname, { headers: FORM });
  };
  await refuse(others[0]!);
  expect(await write(others[0]!)).toBeUndefined();
  expect(await write(others[2]!)).toBeDefined();
  await refuse(others[1]!);
  for (const creatorId of others) expect(await write(creatorId)).toBeUndefined();
});

test('its pages let nothing in from elsewhere, are kept nowhere, and name the creator', async () => {
  for (const url of [asked.confirm, asked.unsubscribe, asked.notMe, asked.tripwire, '/e/confirm/nonsense']) {
    const { headers, body } = await request('GET', url);
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^ ]+'; script-src 'sha256-[^ ]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      ),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    expect(body).not.toMatch(/https?:\/\//);
    expect(body.includes('anna')).toBe(![asked.tripwire, '/e/confirm/nonsense'].includes(url));
  }
});

/** Lets time go by and does what the jobs do then. */
async function quiet(ms = MINUTE_MS) {
  await app.clock.advance(ms);
  await settleConfirmations.run(app.deps);
}

type How = { headers?: Record<string, string>; remoteAddress?: string };

function request(method: string, url: string, how: How = {}) {
  return app.app.inject({ method: method as 'GET', url, headers: { 'user-agent': PHONE }, ...how });
}

function post(url: string, how: string, more: How = {}) {
  return app.app.inject({ method: 'POST', url, payload: `how=${how}`, headers: FORM, ...more });
}

function act(what: NewsletterAct) {
  const facts = { creatorId, contactId: asked.contactId, act: what, at: app.clock.now(), how: null };
  return app.db.withCreator(creatorId, (trx) => applyNewsletterAct(trx, app.deps, facts));
}

async function status(): Promise<NewsletterStatus> {
  const row = await app.db.engine
    .selectFrom('contacts')
    .select('newsletter')
    .where('id', '=', asked.contactId)
    .executeTakeFirstOrThrow();
  return row.newsletter as NewsletterStatus;
}

function ledger() {
  return app.db.engine
    .selectFrom('consents')
    .select(['act', 'how'])
    .where('contact_id', '=', asked.contactId)
    .where('act', 'in', ['given', 'confirmed'])
    .orderBy('agreed_at')
    .orderBy('id')
    .execute();
}

describe('the pages speak the language of the browser', () => {
  const german = { headers: { ...FORM, 'accept-language': 'nds,de-CH;q=0.9,en;q=0.8' } };

  test('each page, and who comes back agrees in the words on the button', async () => {
    const seen = [];
    for (const url of [asked.confirm, asked.notMe, asked.unsubscribe]) seen.push(await request('GET', url, german));
    seen.push(await post(asked.confirm, 'pressed', german));
    await app.app.inject({ method: 'POST', url: asked.unsubscribe });
    seen.push(await request('GET', asked.confirm, german));
    seen.push(await post(asked.confirm, 'pressed', german));
    seen.push(await request('GET', `${asked.confirm.slice(0, -2)}xx`, german));
    for (const { body } of seen) {
      expect(body).toContain('<html lang="de">');
      expect(body.replace(/<script>.*<\/script>|<style>.*<\/style>/gs, '')).not.toMatch(
        /\b(you|email|Yes|recipes|link is|the)\b/i,
      );
    }
    const { rows } = await app.db.enginePool.query(
      `select wording from consents where creator_id = $1 and act = 'given'`,
      [creatorId],
    );
    expect(rows).toContainEqual({ wording: 'Ja, schick mir wieder neue Rezepte' });
  });

  test('or English where we have none of theirs', async () => {
    const { body } = await request('GET', asked.unsubscribe, { headers: { 'accept-language': 'fi, *;q=0.1' } });
    expect(body).toContain('<html lang="en">');
  });

  test.each(Object.keys(FIXED_WORDS).filter((language) => language !== 'en'))(
    '%s: every word is its own',
    (language) => {
      const textsOf = (words: unknown, place = ''): [string, string][] => {
        if (typeof words === 'string') return [[place, words]];
        if (typeof words === 'function') return [[place, words('Anna')]];
        return Object.entries(words as object).flatMap(([name, inner]) => textsOf(inner, `${place} ${name}`));
      };
      const said = (accepted: string) => {
        const { language: _, ...pages } = pageWordsFor(accepted);
        return textsOf(pages);
      };
      const english = Object.fromEntries(said('en'));
      for (const [place, text] of said(`${language}-XX`)) {
        expect(text).not.toBe('');
        expect(text, place).not.toBe(english[place]);
      }
    },
  );
});

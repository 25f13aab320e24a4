/** Links of messages and newsletters to Amazon, followed over HTTP under the creator's rules. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AMAZON_RULES, type AmazonRule, changeAmazonRules } from '#contract/amazon-rules.ts';
import { LINK_CHANNELS, type LinkChannel } from '#contract/link-channels.ts';
import { changeShopping, getShopping } from '#contract/shops.ts';
import { createFollowers, type Followers } from '#server/testing/followers.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { channelOf, mayBeAmazon } from './amazon-links.ts';

const PRODUCT = 'https://www.amazon.com/Cast-Iron-Pan/dp/B08N5WRWNW';
const REMEMBERED_MS = 10_000;
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22F76 Instagram 424.0';
const BROWSERS = [
  PHONE,
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
  'facebookexternalhit/1.1',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
];

let app: TestApp;
let anna: Person;
let creatorId: string;
let followers: Followers;
let code: string;
let path: string;

beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  followers = await createFollowers(app);
  const account = await followers.connect(creatorId, 40);
  await followers.automation(anna, account, { buttons: [{ title: 'The pan', url: `${PRODUCT}?ref=x` }] });
  const asked = await followers.ask(account);
  const { content } = await app.db.engine
    .selectFrom('deliveries')
    .select('content')
    .where('id', '=', asked.deliveryId)
    .executeTakeFirstOrThrow();
  path = new URL((content as { buttons: { url: string }[] }).buttons[0]!.url).pathname;
  code = path.split('/')[2]!;
  const { instacart: _instacart, ...shopping } = (await anna.call(getShopping, { params: { creatorId } })).body;
  const tags = { 'amazon.com': 'anna-20', 'amazon.de': 'anna-21' };
  const amazonTags = Object.entries(tags).map(([marketplace, tag]) => ({ marketplace, tag }));
  await anna.call(changeShopping, { params: { creatorId }, body: { ...shopping, amazonTags } as never });
});
afterAll(async () => {
  await followers?.close();
  await app?.close();
});

async function rule(channels: Record<LinkChannel, AmazonRule> | null, byCountry = false): Promise<void> {
  await anna.call(changeAmazonRules, { params: { creatorId }, body: { channels, byCountry } });
  await app.clock.advance(REMEMBERED_MS);
}

const inAll = (one: AmazonRule) =>
  Object.fromEntries(LINK_CHANNELS.map((channel) => [channel, one])) as Record<LinkChannel, AmazonRule>;
const follow = (url: string, headers: Record<string, string> = { 'user-agent': PHONE }) =>
  app.visitor().send({ method: 'GET', url, headers });

test('until the creator decides, a link leads where it was made to lead', async () => {
  expect((await follow(path)).headers.location).toBe(`${PRODUCT}?ref=x`);
});

describe('what was sent obeys the rule of its channel, within ten seconds', () => {
  test.each(AMAZON_RULES)('%s in messages', async (one) => {
    // Every other channel says something else.
    await rule({ ...inAll(one === 'with_tag' ? 'not_at_all' : 'with_tag'), dm: one });
    for (const agent of BROWSERS) {
      const { status, headers, text } = await follow(path, { 'user-agent': agent });
      expect(headers.location).toBe(
        {
          with_tag: 'https://www.amazon.com/dp/B08N5WRWNW?tag=anna-20',
          without_tag: 'https://www.amazon.com/dp/B08N5WRWNW',
          not_at_all: undefined,
        }[one],
      );
      expect(status).toBe(one === 'not_at_all' ? 404 : 302);
      if (one === 'not_at_all') expect(text).not.toMatch(/amazon\.com|anna-20/);
    }
  });

  test('by the channel in the address', async () => {
    await rule({ ...inAll('with_tag'), qr: 'without_tag', bio: 'not_at_all' });
    expect((await follow(`/l/${code}/qr`)).headers.location).not.toContain('tag=');
    expect((await follow(`/l/${code}/bio`)).status).toBe(404);
    expect((await follow(`/l/${code}/blog`)).headers.location).toContain('tag=anna-20');
  });
});

test('the country leads to its own Amazon only when the creator wants it, and only people', async () => {
  const german = { 'user-agent': PHONE, 'accept-language': 'de-DE,de;q=0.9' };
  await rule(inAll('with_tag'));
  expect((await follow(path, german)).headers.location).toContain('www.amazon.com');
  await rule(inAll('with_tag'), true);
  expect((await follow(path, german)).headers.location).toBe('https://www.amazon.de/s?k=Cast%20Iron%20Pan&tag=anna-21');
  expect((await follow(path, { ...german, 'user-agent': 'Twitterbot/1.0' })).headers.location).toContain(
    'www.amazon.com',
  );
});

test('channels: newsletters are mail, messages are messages, an address may say another', () => {
  expect(channelOf(true, undefined)).toBe('mail');
  expect(channelOf(true, 'qr')).toBe('mail');
  expect(channelOf(false, undefined)).toBe('dm');
  expect(channelOf(false, '0123456789abcdefghijkl')).toBe('dm');
  expect(LINK_CHANNELS.map((channel) => channelOf(false, channel))).toEqual([...LINK_CHANNELS]);
});

test.each([
  [true, PRODUCT],
  [true, 'https://a.co/d/1AbC'],
  [true, 'https://amzn.to/3x'],
  // Which of these it is not, is read then.
  [true, 'https://amazon.com.evil.example/dp/B08N5WRWNW'],
  [false, 'https://anna.example/cake'],
  [false, 'not an address'],
])('%s: %s', (is, url) => {
  expect(mayBeAmazon(url)).toBe(is);
});

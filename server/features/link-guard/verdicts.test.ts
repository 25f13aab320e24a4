import { describe, expect, test } from 'vitest';
import type { AmazonRule, AmazonRules } from '#contract/amazon-rules.ts';
import { LINK_CHANNELS } from '#contract/link-channels.ts';
import type { Sight } from '#server/platforms/visiting.ts';
import { judge } from './verdicts.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const ADDRESS = 'https://blog.example/lemon-pasta';
const DAY_MS = 24 * 3_600_000;
const FIRST = { title: 'Lemon pasta', heading: 'Lemon pasta', recipe: false };

function page(over: Partial<Extract<Sight, { kind: 'page' }>> = {}): Sight {
  const text = '<title>Lemon pasta</title><h1>Lemon pasta</h1>';
  return {
    kind: 'page',
    status: 200,
    url: ADDRESS,
    text,
    isCut: false,
    etag: null,
    lastModified: null,
    tookMs: 300,
    certificateEndsAt: null,
    ...over,
  };
}
const found = (sight: Sight, address = ADDRESS) => judge(address, sight, { firstLook: FIRST, now: NOW, amazon: null });

describe('all is well', () => {
  test.each([
    ['with the page', page()],
    ['with one that has not changed', page({ status: 304, text: null })],
    ['with what is no page, like a PDF', page({ text: null })],
    ['after a move to another address', page({ url: 'https://blog.example/pasta/lemon' })],
    ['with a certificate that lasts', page({ certificateEndsAt: new Date(NOW.getTime() + 15 * DAY_MS) })],
  ])('%s', (_what, sight) => expect(found(sight)).toBeNull());
});

test.each([
  ['gone', page({ status: 404 })],
  ['gone', page({ status: 410 })],
  ['server_error', page({ status: 500 })],
  ['server_error', page({ status: 503 })],
  ['no_entry', page({ status: 403 })],
  ['no_entry', page({ status: 429 })],
  ['no_entry', page({ status: 503, text: '<title>Just a moment</title>Checking your browser' })],
  ['home_page', page({ url: 'https://blog.example/' })],
  ['home_page', page({ url: 'https://blog.example/en/' })],
  ['home_page', page({ url: 'https://other.example/index.html' })],
  ['not_found_page', page({ text: '<title>Page not found</title>' })],
  ['changed', page({ text: '<title>Our new shop</title><h1>Pans</h1>' })],
  ['certificate_ends', page({ certificateEndsAt: new Date(NOW.getTime() + 3 * DAY_MS) })],
  ['slow', page({ tookMs: 5001 })],
  ['loop', { kind: 'loop' }],
  ['no_answer', { kind: 'failure', because: 'timeout' }],
  ['unreachable', { kind: 'failure', because: 'unreachable' }],
  ['unreachable', { kind: 'failure', because: 'broken_off' }],
  ['certificate', { kind: 'failure', because: 'certificate' }],
  ['private_address', { kind: 'failure', because: 'private_address' }],
] as const)('%s: %j', (problem, sight) => expect(found(sight)).toBe(problem));

test('a home page that was meant is no dead end', () => {
  const sight = page({ url: 'https://www.blog.example/', text: '<title>Lemon pasta</title>' });
  expect(found(sight, 'https://blog.example/')).toBeNull();
  expect(found(sight, 'https://blog.example/?p=7')).toBe('home_page');
});

describe('at Amazon', () => {
  const PRODUCT = 'https://www.amazon.com/dp/B08N5WRWNW';
  const all = (rule: AmazonRule) =>
    Object.fromEntries(LINK_CHANNELS.map((channel) => [channel, rule])) as NonNullable<AmazonRules['channels']>;
  const MINE: AmazonRules = {
    ...{ tags: { 'amazon.com': 'anna-20' }, moreTags: [], channels: all('with_tag'), byCountry: false },
  };
  const at = (address: string, status: number, amazon = MINE) =>
    judge(address, page({ status, url: address }), { firstLook: null, now: NOW, amazon });

  test.each([
    ['a product that is gone', PRODUCT, 404, 'product_gone'],
    ['a search that is gone', 'https://www.amazon.com/s?k=pan&tag=anna-20', 404, 'gone'],
    ['a short link that is gone', 'https://amzn.to/3x', 404, 'short_link_dead'],
    ['a short link whose service fails', 'https://amzn.to/3x', 500, 'short_link_dead'],
    ['a short link that works: nobody sees its tag', 'https://amzn.to/3x', 200, null],
    ['a gate for programs says nothing', `${PRODUCT}?tag=anna-20`, 503, 'server_error'],
    ['a product with the tag', `${PRODUCT}?tag=anna-20`, 200, null],
    ['a product that turns us away', `${PRODUCT}?tag=anna-20`, 403, 'no_entry'],
    ['a tag that the rules add', PRODUCT, 200, null],
    ['a country without a tag', 'https://www.amazon.de/dp/B08N5WRWNW', 200, 'tag_missing'],
    ['the tag of somebody else, seen though turned away', `${PRODUCT}?tag=other-20`, 403, 'tag_not_yours'],
  ])('%s', (_what, address, status, problem) => {
    expect(at(address, status)).toBe(problem);
  });

  test.each([
    ['no tags of their own', { ...MINE, tags: {} }, null],
    ['no decision, so nothing is added', { ...MINE, channels: null }, 'tag_missing'],
    ['no channel with a tag', { ...MINE, channels: all('without_tag') }, null],
  ] as const)('of a creator with %s', (_what, amazon, problem) => {
    expect(at(PRODUCT, 200, amazon)).toBe(problem);
  });
});

import { describe, expect, test } from 'vitest';
import { IN_APP_BROWSERS, PHONE_SYSTEMS } from './agents.ts';
import { readAmazon } from './amazon.ts';
import {
  AMAZON_RULES,
  type AmazonChannels,
  type AmazonRules,
  amazonAddressIn,
  amazonWarnings,
  tagProblem,
} from './amazon-rules.ts';
import { LINK_CHANNELS } from './link-channels.ts';
import { OPENING_RULES, openingOf } from './opening-rules.ts';

const A = 'B08N5WRWNW';
const TAGS = { 'amazon.com': 'anna-20', 'amazon.de': 'anna-21' } as const;
const PRODUCT = `https://www.amazon.com/Cast-Iron-Pan/dp/${A}`;

function rulesOf(channels: AmazonChannels | null, byCountry = false): AmazonRules {
  return { tags: TAGS, moreTags: [], channels, byCountry };
}

function inAll(rule: (typeof AMAZON_RULES)[number]): AmazonChannels {
  return Object.fromEntries(LINK_CHANNELS.map((channel) => [channel, rule])) as AmazonChannels;
}

const VARIANTS = [
  ...[
    PRODUCT,
    `${PRODUCT}?tag=anna-20&ascsubtag=x&th=1`,
    `${PRODUCT}?ref=x&linkCode=ll1`,
    `https://amazon.com/gp/aw/d/${A}`,
  ],
  ...[
    `https://www.amazon.de/dp/${A}`,
    'https://www.amazon.com/s?k=pan&tag=anna-20',
    'https://www.amazon.com/shop/anna',
  ],
  ...[
    `https://www.amazon.com/gp/aws/cart/add.html?ASIN.1=${A}&Quantity.1=1&AssociateTag=anna-20`,
    'https://www.amazon.com/b?node=1',
  ],
];

test('the tag is in every variant of every address served in every channel whose rule says with tag, and in none whose rule says otherwise', () => {
  let served = 0;
  // Every rule in every channel beside every other rule in the rest.
  for (const channel of LINK_CHANNELS) {
    for (const rule of AMAZON_RULES) {
      for (const elsewhere of AMAZON_RULES) {
        const rules = rulesOf({ ...inAll(elsewhere), [channel]: rule });
        for (const address of VARIANTS) {
          const to = amazonAddressIn(address, rules, channel, null);
          if (rule === 'not_at_all') {
            expect(to).toBe('withheld');
            continue;
          }
          const tag = new URL(address).hostname.endsWith('.de') ? 'anna-21' : 'anna-20';
          const attempts = IN_APP_BROWSERS.flatMap((app) =>
            PHONE_SYSTEMS.flatMap(
              (system) => openingOf(OPENING_RULES, { app, system, address: new URL(to!) })!.attempts,
            ),
          );
          for (const variant of [to!, ...attempts.map(({ href }) => decodeURIComponent(href))]) {
            served++;
            if (rule === 'with_tag') expect(variant).toMatch(new RegExp(`(?:tag|AssociateTag)=${tag}(?:&|#|$)`));
            else expect(variant).not.toMatch(/tag=|anna-2/i);
          }
        }
      }
    }
  }
  expect(served).toBeGreaterThan(5000);
});

describe('what the rules leave alone', () => {
  test('other shops', () => {
    expect(amazonAddressIn('https://anna.example/pan?tag=x', rulesOf(inAll('not_at_all')), 'dm', null)).toBeNull();
    expect(amazonAddressIn('https://amazon.com.evil.com/dp/x', rulesOf(inAll('with_tag')), 'dm', null)).toBeNull();
  });

  test('everything, until the creator decided', () => {
    const address = `${PRODUCT}?ref=x&tag=somebody-20`;
    expect(amazonAddressIn(address, rulesOf(null, true), 'dm', 'DE')).toBe(address);
  });

  test('a tag that the creator kept though it is none of theirs', () => {
    const to = amazonAddressIn(`${PRODUCT}?tag=somebody-20`, rulesOf(inAll('with_tag')), 'dm', null);
    expect(readAmazon(to!)?.tag).toBe('somebody-20');
  });

  test('a marketplace without a tag of theirs', () => {
    const to = amazonAddressIn(`https://www.amazon.fr/dp/${A}`, rulesOf(inAll('with_tag')), 'dm', null);
    expect(to).toBe(`https://www.amazon.fr/dp/${A}`);
  });
});

test('nobody sees into a short address: it is served only where a tag may be in it', () => {
  const short = 'https://amzn.to/3xYz';
  expect(AMAZON_RULES.map((rule) => amazonAddressIn(short, rulesOf(inAll(rule)), 'mail', null))).toEqual([
    ...[short, 'withheld', 'withheld'],
  ]);
});

describe('the country of the shopper', () => {
  const to = (
    address: string,
    country: string | null,
    byCountry = true,
    rule: (typeof AMAZON_RULES)[number] = 'with_tag',
  ) => amazonAddressIn(address, rulesOf(inAll(rule), byCountry), 'dm', country);

  test('leads to a search for the product there, with the tag of there', () => {
    expect(to(PRODUCT, 'DE')).toBe('https://www.amazon.de/s?k=Cast%20Iron%20Pan&tag=anna-21');
    expect(to(PRODUCT, 'AT')).toBe('https://www.amazon.de/s?k=Cast%20Iron%20Pan&tag=anna-21');
  });

  test('leads to the product that the creator found there, even of an address without words', () => {
    const rules = rulesOf(inAll('with_tag'), true);
    const abroad = { 'amazon.de': 'B00006JSUA', 'amazon.fr': 'B00006JSUB' };
    for (const address of [PRODUCT, `https://www.amazon.com/dp/${A}`]) {
      expect(amazonAddressIn(address, rules, 'dm', 'AT', abroad)).toBe(
        'https://www.amazon.de/dp/B00006JSUA?tag=anna-21',
      );
      // No tag there.
      expect(amazonAddressIn(address, rules, 'dm', 'FR', abroad)).toBe(`https://www.amazon.com/dp/${A}?tag=anna-20`);
    }
  });

  test.each([
    ['it is off', PRODUCT, 'DE', false],
    ['nobody knows it', PRODUCT, null, true],
    ['it is that of the link', PRODUCT, 'US', true],
    ['there is no tag there', PRODUCT, 'FR', true],
    ['the address has no words', `https://www.amazon.com/dp/${A}`, 'DE', true],
  ])('not when %s', (_what, address, country, byCountry) => {
    expect(to(address, country, byCountry)).toBe(`https://www.amazon.com/dp/${A}?tag=anna-20`);
  });

  test('never adds a tag where the rule says without', () => {
    expect(to(PRODUCT, 'DE', true, 'without_tag')).toBe(`https://www.amazon.com/dp/${A}`);
  });
});

test.each([
  [`${PRODUCT}?tag=anna-20`, []],
  [PRODUCT, ['tag_missing']],
  [`${PRODUCT}?tag=somebody-20`, ['tag_not_yours']],
  [`https://www.amazon.de/dp/${A}?tag=anna-20`, ['tag_of_elsewhere']],
  [`https://www.amazon.de/dp/${A}?tag=somebody-20`, ['tag_not_yours', 'tag_of_elsewhere']],
  ['https://amzn.to/3x', ['cannot_see']],
  ['https://anna.example/', []],
])('warnings of %s: %j', (address, expected) => {
  expect(amazonWarnings(address, { tags: TAGS, moreTags: [], channels: null })).toEqual(expected);
});

test('a tag that is added where the link is followed is not missing', () => {
  expect(amazonWarnings(PRODUCT, rulesOf(inAll('with_tag')))).toEqual([]);
  expect(amazonWarnings(`https://www.amazon.fr/dp/${A}`, rulesOf(inAll('with_tag')))).toEqual(['tag_missing']);
});

test('each of several tags is the creator’s own, and the main one is added where there is none', () => {
  const rules = {
    ...rulesOf(inAll('with_tag')),
    moreTags: [{ marketplace: 'amazon.com', tag: 'annareels-20' }] as const,
  };
  expect(amazonWarnings(`${PRODUCT}?tag=annareels-20`, rules)).toEqual([]);
  expect(tagProblem(`${PRODUCT}?tag=annareels-20`, rules)).toBeNull();
  expect(readAmazon(amazonAddressIn(`${PRODUCT}?tag=annareels-20`, rules, 'dm', null)!)?.tag).toBe('annareels-20');
  expect(readAmazon(amazonAddressIn(PRODUCT, rules, 'dm', null)!)?.tag).toBe('anna-20');
});

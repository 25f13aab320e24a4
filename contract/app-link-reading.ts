/** What an address is, before it becomes a short link: where it leads, which app opens it, and at Amazon whose tag is in it. */
import * as z from 'zod/mini';
import { AMAZON_PAGES } from '#contract/amazon.ts';
import { AMAZON_RULES, AMAZON_WARNINGS } from '#contract/amazon-rules.ts';
import { endpoint } from '#contract/endpoint.ts';
import { LINK_CHANNELS } from '#contract/link-channels.ts';
import { completeLink } from '#contract/links.ts';
import { atMost, CreatorParams } from '#contract/shapes.ts';
import { AMAZON_MARKETPLACES, Marketplace, MOST_TAGS } from '#contract/shops.ts';
import { parseAddress } from '#contract/web-address.ts';

/** Why nobody can be led there; null: they can. */
function targetProblem(typed: string): string | null {
  const address = parseAddress(typed);
  if (address === null || !/^https?:$/.test(address.protocol)) return 'Enter a link that starts with https://';
  if (address.username !== '' || address.password !== '') return 'Leave the name and password out of the link.';
  const { hostname } = address;
  const isPublicName =
    /\.[a-z][a-z0-9-]*\.?$/i.test(hostname) && !/(?:^|\.)(?:localhost|local|internal)\.?$/.test(hostname);
  return isPublicName ? null : 'Enter the address of a public website.';
}

export const LinkTarget = z.string().check(
  z.overwrite(completeLink),
  z.maxLength(2000, 'A link can have at most 2,000 characters.'),
  z.check(({ value, issues }) => {
    const message = targetProblem(value);
    if (message !== null) issues.push({ code: 'custom', message, input: value });
  }),
);

const AmazonReading = z.object({
  /** Null: a short address that we could not follow. */
  marketplace: z.nullable(z.string()),
  page: z.enum(AMAZON_PAGES),
  asin: z.nullable(z.string()),
  /** In the address's own words. */
  title: z.nullable(z.string()),
  tag: z.nullable(z.string()),
  /** The creator's own for that Amazon, the main one first, and the address with each. */
  ownTags: atMost(MOST_TAGS, z.object({ tag: z.string(), address: z.string() })),
  /** Other Amazons that people of other countries are led to; none unless the creator wants that and has a tag there. */
  abroad: atMost(Object.keys(AMAZON_MARKETPLACES).length, Marketplace),
  /** What the creator says of links that pay; may be empty. */
  disclosure: z.string(),
  warnings: atMost(AMAZON_WARNINGS.length, z.enum(AMAZON_WARNINGS)),
  /** What the creator's rules make of it; null: they decided nothing yet. `leadsTo` null: nowhere. */
  channels: z.nullable(
    atMost(
      LINK_CHANNELS.length,
      z.object({ channel: z.enum(LINK_CHANNELS), rule: z.enum(AMAZON_RULES), leadsTo: z.nullable(z.string()) }),
    ),
  ),
});

/** Services that make short links of any address. Amazon’s own are read. */
export const SHORTENERS: readonly string[] = [
  ...['bit.ly', 'tinyurl.com', 't.co', 'goo.gl', 'ow.ly', 'buff.ly', 'rebrand.ly', 'is.gd', 'v.gd', 'cutt.ly', 'rb.gy'],
  ...[
    't.ly',
    'shorturl.at',
    'tiny.cc',
    'bl.ink',
    'short.io',
    'lnkd.in',
    'geni.us',
    'urlgeni.us',
    'rstyle.me',
    'go.magik.ly',
  ],
];

export const readAppLink = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/app-links/read',
  access: 'creator',
  quotas: ['link_readings'],
  summary: 'Say what an address is: its app, and at Amazon product, country and tag; nothing is saved',
  params: CreatorParams,
  body: z.object({ address: LinkTarget }),
  response: z.object({
    /** Without what only follows people about, where we know what that is. */
    address: z.string(),
    /** As it is written for machines, so that letters of other alphabets show. */
    host: z.string(),
    /** The app that opens it on a phone. */
    app: z.nullable(z.string()),
    /** It reads like Amazon's address and is not. */
    looksLikeAmazon: z.boolean(),
    /** Of a service that makes short links: nobody sees where it leads. */
    isShortened: z.boolean(),
    amazon: z.nullable(AmazonReading),
  }),
  errors: ['invalid_input', 'quota_reached'],
});

/** A creator's own rules for links to Amazon: what is done with the tag, by the channel that a link is followed in. */
import * as z from 'zod/mini';
import { isTagOfElsewhere, readAmazon, withTag } from '#contract/amazon.ts';
import { endpoint } from '#contract/endpoint.ts';
import { LINK_CHANNELS, type LinkChannel } from '#contract/link-channels.ts';
import { CreatorParams } from '#contract/shapes.ts';
import { AMAZON_MARKETPLACES, type AmazonMarketplace, type AmazonTag } from '#contract/shops.ts';

const MARKETPLACES = Object.keys(AMAZON_MARKETPLACES) as AmazonMarketplace[];

/** ASINs by the Amazon they are of. */
export type ProductsAbroad = Partial<Record<AmazonMarketplace, string>>;

export const AMAZON_RULES = ['with_tag', 'without_tag', 'not_at_all'] as const;

const AmazonRule = z.enum(AMAZON_RULES, 'Choose one.');
export type AmazonRule = z.infer<typeof AmazonRule>;
const AmazonChannels = z.object(
  Object.fromEntries(LINK_CHANNELS.map((channel) => [channel, AmazonRule])) as Record<LinkChannel, typeof AmazonRule>,
);
export type AmazonChannels = z.infer<typeof AmazonChannels>;

export const AmazonRulesChoice = z.object({
  /** Null: not decided. No rule is assumed, so links lead where they were made to lead. */
  channels: z.nullable(AmazonChannels),
  /** To the shopper's own Amazon, where there is a tag for it. */
  byCountry: z.boolean(),
});
type AmazonRulesChoice = z.infer<typeof AmazonRulesChoice>;

export type AmazonRules = AmazonRulesChoice & {
  /** The main one of each. */
  tags: Partial<Record<AmazonMarketplace, string>>;
  moreTags: readonly AmazonTag[];
};

/**
 * Where a link to Amazon leads in a channel.
 *
 * @param country of who follows it, ISO 3166; null: nobody knows
 * @param productsAbroad what the creator found there, as ASINs
 * @returns 'withheld': by the creator's rule it leads nowhere there; null: not of Amazon, the rules have no say
 */
export function amazonAddressIn(
  address: string,
  rules: AmazonRules,
  channel: LinkChannel,
  country: string | null,
  productsAbroad: ProductsAbroad = {},
): string | 'withheld' | null {
  const read = readAmazon(address);
  if (read === null) return null;
  const rule = rules.channels?.[channel];
  if (rule === undefined) return address;
  if (rule === 'not_at_all') return 'withheld';
  // What is in a short one nobody can see: it may have a tag.
  if (read.marketplace === null) return rule === 'with_tag' ? address : 'withheld';
  if (rule === 'without_tag') return withTag(read, null)!;
  const there = rules.byCountry ? marketplaceIn(country) : null;
  const tagThere = there === null ? undefined : rules.tags[there];
  if (there !== null && tagThere !== undefined && there !== read.marketplace) {
    // The same number is often another product in another country.
    const page = pageAbroad(productsAbroad[there], read.title);
    if (page !== null) return withTag(readAmazon(`https://www.${there}${page}`)!, tagThere)!;
  }
  const tag = read.tag ?? rules.tags[read.marketplace] ?? null;
  return tag === null ? read.address : withTag(read, tag)!;
}

function pageAbroad(product: string | undefined, title: string | null): string | null {
  if (product !== undefined) return `/dp/${product}`;
  return title === null ? null : `/s?k=${encodeURIComponent(title)}`;
}

/** @returns all tags of a creator's own, by Amazon, the main one of each first */
export function ownTags({ tags, moreTags }: Pick<AmazonRules, 'tags' | 'moreTags'>): AmazonTag[] {
  return MARKETPLACES.flatMap((marketplace) => {
    const main = tags[marketplace];
    const more = moreTags.filter((one) => one.marketplace === marketplace);
    return main === undefined ? more : [{ marketplace, tag: main }, ...more];
  });
}

function isOwnTag(rules: Pick<AmazonRules, 'tags' | 'moreTags'>, wanted: string): boolean {
  return ownTags(rules).some(({ tag }) => tag === wanted);
}

function marketplaceIn(country: string | null): AmazonMarketplace | null {
  const delivers = (one: AmazonMarketplace) => (AMAZON_MARKETPLACES[one] as readonly string[]).includes(country ?? '');
  return MARKETPLACES.find(delivers) ?? null;
}

/**
 * What is wrong with the tag of a link that is in use. Of a creator without tags nothing: they are no partner. That somebody's
 * stock or price is wrong nobody can know: product pages turn programs away.
 */
export function tagProblem(address: string, rules: AmazonRules): 'tag_missing' | 'tag_not_yours' | null {
  const { tags, channels } = rules;
  const read = readAmazon(address);
  const isWanted = channels === null || Object.values(channels).includes('with_tag');
  if (read === null || read.marketplace === null || !isWanted || Object.keys(tags).length === 0) return null;
  if (read.tag !== null) return isOwnTag(rules, read.tag) ? null : 'tag_not_yours';
  return isTagAdded(rules, read.marketplace) ? null : 'tag_missing';
}

/** Where the link is followed, in channels whose rule wants it. */
function isTagAdded(
  { tags, channels }: Pick<AmazonRules, 'tags' | 'channels'>,
  marketplace: AmazonMarketplace,
): boolean {
  return channels !== null && tags[marketplace] !== undefined;
}

/** What a creator should know before the link is made, in the order of its weight. */
export const AMAZON_WARNINGS = ['tag_not_yours', 'tag_missing', 'tag_of_elsewhere', 'cannot_see'] as const;
export type AmazonWarning = (typeof AMAZON_WARNINGS)[number];

export function amazonWarnings(
  address: string,
  rules: Pick<AmazonRules, 'tags' | 'moreTags' | 'channels'>,
): AmazonWarning[] {
  const read = readAmazon(address);
  if (read === null) return [];
  const { marketplace, tag } = read;
  if (marketplace === null) return ['cannot_see'];
  if (tag === null) return isTagAdded(rules, marketplace) ? [] : ['tag_missing'];
  return [
    ...(isOwnTag(rules, tag) ? [] : (['tag_not_yours'] as const)),
    ...(isTagOfElsewhere(marketplace, tag) ? (['tag_of_elsewhere'] as const) : []),
  ];
}

const path = '/creators/:creatorId/settings/amazon';

export const getAmazonRules = endpoint({
  method: 'GET',
  path,
  access: 'creator',
  refreshedBy: ['account'],
  summary: 'What is done with your tag in links to Amazon, by channel',
  params: CreatorParams,
  response: AmazonRulesChoice,
});

export const changeAmazonRules = endpoint({
  method: 'PUT',
  path,
  access: 'creator',
  summary: 'Set what is done with your tag in links to Amazon; applies right away, also to links that were sent',
  params: CreatorParams,
  body: AmazonRulesChoice,
  response: AmazonRulesChoice,
  errors: ['invalid_input'],
});

/** Says what an address is before it becomes a short link. */
import { type AmazonAddress, looksLikeAmazon, readAmazon, withTag } from '#contract/amazon.ts';
import { type AmazonRules, amazonAddressIn, amazonWarnings, ownTags } from '#contract/amazon-rules.ts';
import { type readAppLink, SHORTENERS } from '#contract/app-link-reading.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { LINK_CHANNELS } from '#contract/link-channels.ts';
import { type OpeningRules, targetOf } from '#contract/opening-rules.ts';
import { AMAZON_MARKETPLACES, type AmazonMarketplace } from '#contract/shops.ts';
import { parseAddress } from '#contract/web-address.ts';
import { type ExpandingDeps, expanded } from './expanding.ts';

const MARKETPLACES = Object.keys(AMAZON_MARKETPLACES) as AmazonMarketplace[];

type Reading = ResponseOf<typeof readAppLink>;

/** @param address as `LinkTarget` accepts it */
export async function readAddress(
  deps: ExpandingDeps,
  { rules, opening }: { rules: AmazonRules & { disclosure: string }; opening: OpeningRules },
  address: string,
): Promise<Reading> {
  const full = await expanded(deps, address);
  const amazon = readAmazon(full);
  const leadsTo = amazon?.address ?? new URL(address).href;
  return {
    address: leadsTo,
    host: new URL(leadsTo).hostname,
    app: targetOf(opening, parseAddress(leadsTo)!)?.name ?? null,
    looksLikeAmazon: looksLikeAmazon(address),
    isShortened: SHORTENERS.includes(new URL(leadsTo).hostname),
    amazon: amazon && {
      marketplace: amazon.marketplace,
      page: amazon.page,
      asin: amazon.asin,
      title: amazon.title,
      tag: amazon.tag,
      ownTags: ownTags(rules)
        .filter(({ marketplace }) => marketplace === amazon.marketplace)
        .map(({ tag }) => ({ tag, address: retagged(full, amazon, tag) })),
      abroad: rules.byCountry ? MARKETPLACES.filter((one) => one !== amazon.marketplace && rules.tags[one]) : [],
      disclosure: rules.disclosure,
      warnings: amazonWarnings(leadsTo, rules),
      channels: channelsOf(leadsTo, rules),
    },
  };
}

/** With the words in it: people of other countries are led to a search for them. */
function retagged(full: string, amazon: AmazonAddress, tag: string): string {
  if (amazon.title === null) return withTag(amazon, tag)!;
  const url = new URL(full);
  url.searchParams.set('tag', tag);
  return url.href;
}

function channelsOf(address: string, rules: AmazonRules): NonNullable<Reading['amazon']>['channels'] {
  const { channels } = rules;
  if (channels === null) return null;
  return LINK_CHANNELS.map((channel) => {
    const to = amazonAddressIn(address, rules, channel, null);
    return { channel, rule: channels[channel], leadsTo: to === 'withheld' ? null : to };
  });
}

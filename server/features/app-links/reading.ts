/** Says what an address is before it becomes a short link. */
import { looksLikeAmazon, readAmazon } from '#contract/amazon.ts';
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
  const amazon = readAmazon(await expanded(deps, address));
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
      ownTags: ownTags(rules).flatMap(({ marketplace, tag }) => (marketplace === amazon.marketplace ? [tag] : [])),
      abroad: rules.byCountry ? MARKETPLACES.filter((one) => one !== amazon.marketplace && rules.tags[one]) : [],
      disclosure: rules.disclosure,
      warnings: amazonWarnings(leadsTo, rules),
      channels: channelsOf(leadsTo, rules),
    },
  };
}

function channelsOf(address: string, rules: AmazonRules): NonNullable<Reading['amazon']>['channels'] {
  const { channels } = rules;
  if (channels === null) return null;
  return LINK_CHANNELS.map((channel) => {
    const to = amazonAddressIn(address, rules, channel, null);
    return { channel, rule: channels[channel], leadsTo: to === 'withheld' ? null : to };
  });
}

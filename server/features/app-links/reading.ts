/** Says what an address is before it becomes a short link. */
import { looksLikeAmazon, readAmazon } from '#contract/amazon.ts';
import { type AmazonRules, amazonAddressIn, amazonWarnings } from '#contract/amazon-rules.ts';
import type { readAppLink } from '#contract/app-link-reading.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { LINK_CHANNELS } from '#contract/link-channels.ts';
import { type OpeningRules, targetOf } from '#contract/opening-rules.ts';
import { parseAddress } from '#contract/web-address.ts';
import { type ExpandingDeps, expandAmazon } from './expanding.ts';

type Reading = ResponseOf<typeof readAppLink>;

/** @param address as `LinkTarget` accepts it */
export async function readAddress(
  deps: ExpandingDeps,
  { rules, opening }: { rules: AmazonRules; opening: OpeningRules },
  address: string,
): Promise<Reading> {
  const typed = readAmazon(address);
  const amazon = typed?.page === 'short' ? ((await expandAmazon(deps, typed.address)) ?? typed) : typed;
  const leadsTo = amazon?.address ?? new URL(address).href;
  return {
    address: leadsTo,
    host: new URL(leadsTo).hostname,
    app: targetOf(opening, parseAddress(leadsTo)!)?.name ?? null,
    looksLikeAmazon: looksLikeAmazon(address),
    amazon: amazon && {
      marketplace: amazon.marketplace,
      page: amazon.page,
      asin: amazon.asin,
      title: amazon.title,
      tag: amazon.tag,
      ownTag: (amazon.marketplace && rules.tags[amazon.marketplace]) ?? null,
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

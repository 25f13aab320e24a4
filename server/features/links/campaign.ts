import { IN_CAMPAIGN } from '#contract/app-links.ts';
import type { LinkChannel } from '#contract/link-channels.ts';

/** Where a link was followed, and the post and word that its message answered. */
export type ToldInCampaign = { channel: LinkChannel | null; post: string | null; word: string | null };

const NAMES = Object.keys(IN_CAMPAIGN) as (keyof ToldInCampaign)[];

/**
 * Adds the marks of a campaign to an address; those that it has stay as they are.
 *
 * @param told what stands in their place; null: not known, and marks that are it alone are left out
 */
export function withCampaign(address: string, campaign: string, told: ToldInCampaign): string {
  if (campaign === '') return address;
  const url = new URL(address);
  const added = new URLSearchParams();
  for (const [name, said] of new URLSearchParams(campaign)) {
    const value = NAMES.reduce((text, name) => text.replaceAll(IN_CAMPAIGN[name], told[name] ?? ''), said);
    if (value !== '' && !url.searchParams.has(name)) added.append(name, value);
  }
  // What is there stays as it is written: some shops sign it.
  if (added.size > 0) url.search = `${url.search === '' ? '' : `${url.search}&`}${added}`;
  return url.href;
}

import { PLACE_IN_CAMPAIGN } from '#contract/app-links.ts';
import type { LinkChannel } from '#contract/link-channels.ts';

/**
 * Adds the marks of a campaign to an address; those that it has stay as they are.
 *
 * @param place where the link was followed; null: not known, and marks that are the place alone are left out
 */
export function withCampaign(address: string, campaign: string, place: LinkChannel | null): string {
  if (campaign === '') return address;
  const url = new URL(address);
  const added = new URLSearchParams();
  for (const [name, said] of new URLSearchParams(campaign)) {
    const value = said.replaceAll(PLACE_IN_CAMPAIGN, place ?? '');
    if (value !== '' && !url.searchParams.has(name)) added.append(name, value);
  }
  // What is there stays as it is written: some shops sign it.
  if (added.size > 0) url.search = `${url.search === '' ? '' : `${url.search}&`}${added}`;
  return url.href;
}

/** Links to Amazon lead where the creator's rules say, by the channel that they are followed in. */
import { readAmazon } from '#contract/amazon.ts';
import { LINK_CHANNELS, type LinkChannel } from '#contract/link-channels.ts';

/** Cheap, for every link: what has none of these in it is not Amazon's. */
const MAY_BE = /amazon\.|amzn|\/a\.co\//i;

export function isAmazon(url: string): boolean {
  return MAY_BE.test(url) && readAmazon(url) !== null;
}

/**
 * @param isOfNewsletter its links stand in mails alone; those of messages are `dm` unless the address says another channel
 * @param part what follows the code in the address
 */
export function channelOf(isOfNewsletter: boolean, part: string | undefined): LinkChannel {
  if (isOfNewsletter) return 'mail';
  return LINK_CHANNELS.find((channel) => channel === part) ?? 'dm';
}

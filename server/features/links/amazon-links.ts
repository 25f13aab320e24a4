/** Links to Amazon lead where the creator's rules say, by the channel that they are followed in. */
import { LINK_CHANNELS, type LinkChannel } from '#contract/link-channels.ts';

const MAY_BE = /amazon\.|amzn|\/a\.co\//i;

/** Cheap, for every link: what has none of these in it is not Amazon's. */
export function mayBeAmazon(url: string): boolean {
  return MAY_BE.test(url);
}

/**
 * @param isOfNewsletter its links stand in mails alone; those of messages are `dm` unless the address says another channel
 * @param part what follows the code in the address
 */
export function channelOf(isOfNewsletter: boolean, part: string | undefined): LinkChannel {
  if (isOfNewsletter) return 'mail';
  return placeOf(part) ?? 'dm';
}

/** Null where the address names no place. */
export function placeOf(part: string | undefined): LinkChannel | null {
  return LINK_CHANNELS.find((channel) => channel === part) ?? null;
}

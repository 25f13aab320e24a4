import type { GraphCall } from '../graph/call.ts';
import type { MetaPlatform } from '../graph/platform.ts';
import { closed } from '../state/media.ts';
import type { Account, Media, Token } from '../state/records.ts';
import { mayTouch, noSuchObject } from '../tokens/tokens.ts';

export function ownMedia({ world }: MetaPlatform, call: GraphCall, token: Token): { media: Media; account: Account } {
  const media = world.media.get(call.node);
  const account = media && world.accounts.get(media.accountId);
  if (
    !media ||
    !account ||
    media.deleted ||
    (media.product === 'STORY' && closed(world, media)) ||
    !mayTouch(world, token, account)
  )
    throw noSuchObject(call);
  return { media, account };
}

/** Owners hear that a shop does not make pages of their lists any more: once, until it was well in between. */
import type { Transaction } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { Tables } from '#server/db/types.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import { findOwners } from './owners.ts';
import { noteTold } from './queries.ts';

const aboutOf = (shop: string) => `shop:${shop}`;

/** The transaction must be the engine role's. `says`: what the shop said, in words. */
export async function mailShopTrouble(
  trx: Transaction<Tables>,
  deps: { config: { baseUrl: string }; clock: Clock; ids: Ids },
  { creatorId, shop, name: shopName, says }: { creatorId: string; shop: string; name: string; says: string },
): Promise<void> {
  for (const { user_id: userId, name, email } of await findOwners(trx, creatorId)) {
    const fresh = await noteTold(trx, { creatorId, userId }, [aboutOf(shop)], deps.clock.now());
    if (fresh.length === 0) continue;
    await mailLater(trx, deps, {
      kind: 'shop_trouble',
      to: email,
      aboutCreatorId: creatorId,
      letter: {
        subject: `Your shopping lists no longer open at ${shopName}`,
        heading: `${shopName} doesn’t take your shopping lists`,
        paragraphs: [
          `Hello ${name}, ${says}`,
          'Until it works again, shoppers get your next shop, or the list to print. Links you sent still work.',
        ],
        button: { label: 'Check your shops', url: `${deps.config.baseUrl}/creator-hq/shop-the-recipe/settings` },
        footnote: 'We’ll send this once.',
      },
    });
  }
}

/** It is well again. The transaction must be the engine role's. */
export async function forgetShopTrouble(trx: Transaction<Tables>, creatorId: string, shop: string): Promise<void> {
  await trx.deleteFrom('notices_sent').where('creator_id', '=', creatorId).where('about', '=', aboutOf(shop)).execute();
}

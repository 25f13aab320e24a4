/** The test button beside a shop: a list of two things, of which nothing is kept. */

import type { ResponseOf } from '#contract/endpoint.ts';
import { ONE } from '#contract/ingredients/fractions.ts';
import type { testShop } from '#contract/shops.ts';
import { AppError } from '#server/errors.ts';
import type { ShopItem, ShopList } from '#server/platforms/shops/shop.ts';
import { askShop, noteTrouble, noteWorks, PAGED, type ShopDeps } from './making.ts';
import { forgetPause } from './pace.ts';
import { findChosen } from './settings.ts';
import { shopOf } from './shop-pages.ts';

const TIMEOUT_MS = 10_000;
const THINGS = ['flour', 'eggs'];
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** @throws AppError not_found */
export async function tryShop(deps: ShopDeps, creatorId: string, id: string): Promise<ResponseOf<typeof testShop>> {
  const chosen = await deps.db.withCreator(creatorId, (trx) => findChosen(deps, trx, creatorId));
  const shop = chosen.shops.map(shopOf).find((one) => one.id === id);
  if (shop === undefined) throw new AppError('not_found', 'This shop isn’t in your list. Save it first.');
  const need = shop.needs(chosen.access);
  if (need !== null) return { works: false, says: `${shop.name} needs a ${need} first.`, url: null };
  if (shop !== PAGED) {
    const context = { access: chosen.access, country: null, now: deps.clock.now(), timeoutMs: TIMEOUT_MS };
    const answer = await shop.open(testList(), { keys: null }, context);
    if ('says' in answer) return { works: false, says: answer.says, url: null };
    const [line] = answer.lines;
    const url = line?.state === 'sent' ? line.url : null;
    return { works: url !== null, says: `This is where shoppers land for “${THINGS[0]}”. Open it to check.`, url };
  }
  forgetPause(deps.clock, chosen.access.instacart!.apiKey);
  const answer = await askShop(deps, chosen, testList(), TIMEOUT_MS);
  if ('says' in answer) {
    if (answer.kind === 'our_key') await noteTrouble(deps, creatorId, chosen, answer);
    return { works: false, says: answer.says, url: null };
  }
  await noteWorks(deps, creatorId, chosen);
  return { works: true, says: `${shop.name} answered; page made.`, url: answer.url };
}

function testList(): ShopList {
  return {
    kind: 'recipe',
    id: NO_ID,
    title: 'Test of Creator HQ',
    pictureUrl: null,
    author: null,
    servings: null,
    minutes: null,
    pageUrl: null,
    items: THINGS.map((name): ShopItem => {
      const source = { recipeId: NO_ID, lineId: name, text: name, hasOwnNumber: false };
      const part = { from: ONE, to: null, unit: null, each: null, measures: 'us', isAbout: false } as const;
      const parts = [{ ...part, sources: [source] }];
      return {
        key: name,
        food: { name, key: name },
        aisle: 'other',
        parts,
        unmeasured: [],
        alternatives: [],
        starts: 'ticked',
      };
    }),
  };
}

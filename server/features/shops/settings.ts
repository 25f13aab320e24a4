/** What a creator chose for shops, and what every list goes by. The one writer of `shop_settings`. */
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { type AmazonRules, type changeAmazonRules, ownTags } from '#contract/amazon-rules.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Measures } from '#contract/ingredients/units.ts';
import {
  type AmazonTag,
  BUILT_IN_SHOPS,
  type changeInstacart,
  type changeShopping,
  type ShopInput,
  type ShoppingSettings,
} from '#contract/shops.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { ShopSettingsTable, Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import type { ShopAccess } from '#server/platforms/shops/shop.ts';
import { type Keys, openOrNull, seal } from '#server/secrets.ts';
import { pagesInUse } from './queries.ts';

export type SettingsDeps = {
  clock: Clock;
  ids: Ids;
  config: Pick<Config, 'shops'>;
  keys: Pick<Keys, 'encryptionKeys'>;
};

/** `searchShops` have their ids. */
export type Chosen = {
  shops: KnownShop[];
  access: ShopAccess;
  keyIs: 'own' | 'installation' | 'none';
  settings: Omit<Selectable<ShopSettingsTable>, 'creator_id' | 'id' | 'shops'>;
};
export type KnownShop = ShopInput & { id?: string | null };

const NOTHING_CHOSEN: Chosen['settings'] = {
  version: 0,
  amazon_tags: {},
  amazon_channels: null,
  amazon_by_country: false,
  amazon_more_tags: [],
  instacart_secret: null,
  instacart_key_end: null,
  instacart_partner_id: null,
  instacart_problem: null,
  disclosure: '',
  measures: 'us',
  country: null,
  pantry: [],
};
const ID_CHARACTERS = 8;
const SHOWN_OF_KEY = 4;

export async function findChosen(deps: SettingsDeps, trx: CreatorTransaction, creatorId: string): Promise<Chosen> {
  const row = await trx.selectFrom('shop_settings').selectAll().where('creator_id', '=', creatorId).executeTakeFirst();
  const { shops, ...settings } = row ?? { ...NOTHING_CHOSEN, shops: [] };
  const { url, apiKey: ofInstallation } = deps.config.shops.instacart;
  const own =
    settings.instacart_secret === null ? null : openOrNull(deps.keys.encryptionKeys, settings.instacart_secret);
  // A key that cannot be opened any more is one that Instacart refuses.
  const apiKey = settings.instacart_secret === null ? ofInstallation : (own ?? 'unreadable');
  return {
    settings,
    keyIs: settings.instacart_secret !== null ? 'own' : ofInstallation === null ? 'none' : 'installation',
    shops: withAll(shops as KnownShop[], row === undefined),
    access: {
      instacart: apiKey === null ? null : { url, apiKey, partnerId: settings.instacart_partner_id },
      amazonTags: settings.amazon_tags as ShopAccess['amazonTags'],
    },
  };
}

/** Those that need nothing but a key or tag are on from the beginning; one that a creator left out is off. */
function withAll(shops: KnownShop[], on: boolean): KnownShop[] {
  const missing = BUILT_IN_SHOPS.filter((kind) => !shops.some((shop) => shop.kind === kind));
  return [...shops, ...missing.map((kind) => ({ kind, on }))];
}

/** For recipes that do not say whose cups and spoons they mean. */
export async function measuresOf(trx: CreatorTransaction, creatorId: string): Promise<Measures> {
  const row = await trx
    .selectFrom('shop_settings')
    .select('measures')
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  return row?.measures ?? NOTHING_CHOSEN.measures;
}

export async function getShopping(
  deps: SettingsDeps,
  trx: CreatorTransaction,
  creatorId: string,
): Promise<ShoppingSettings> {
  const { shops, settings, keyIs } = await findChosen(deps, trx, creatorId);
  const { pages, renewsAt } = await pagesInUse(trx, creatorId, deps.clock.now());
  return {
    version: settings.version,
    shops: shops as ShopInput[],
    amazonTags: ownTags(tagsIn(settings)),
    disclosure: settings.disclosure,
    measures: settings.measures,
    country: settings.country,
    pantry: settings.pantry as string[],
    instacart: {
      key: keyIs,
      keyEnd: settings.instacart_key_end,
      partnerId: settings.instacart_partner_id,
      problem: settings.instacart_problem,
      pages,
      renewsAt: renewsAt?.toISOString() ?? null,
    },
  };
}

/** @throws AppError invalid_input, changed_meanwhile */
export async function changeShoppingOf(
  deps: SettingsDeps,
  trx: CreatorTransaction,
  creatorId: string,
  { version, shops, amazonTags, ...rest }: BodyOf<typeof changeShopping>,
): Promise<ShoppingSettings> {
  await makeRow(deps, trx, creatorId);
  const known = new Set((await findChosen(deps, trx, creatorId)).shops.map(({ id }) => id));
  const { numUpdatedRows } = await trx
    .updateTable('shop_settings')
    .set({
      version: version + 1,
      shops: JSON.stringify(shops.map((shop, at) => withId(deps, known, shop, at))),
      ...splitTags(amazonTags),
      disclosure: rest.disclosure,
      measures: rest.measures,
      country: rest.country,
      pantry: JSON.stringify([...new Set(rest.pantry)]),
    })
    .where('creator_id', '=', creatorId)
    .where('version', '=', version)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return getShopping(deps, trx, creatorId);
  throw new AppError(
    'changed_meanwhile',
    'Someone else changed these settings while you were editing. Your version is still here.',
  );
}

/** The first one of each Amazon is its main one. */
function splitTags(all: AmazonTag[]): { amazon_tags: string; amazon_more_tags: string } {
  const byMarketplace = Map.groupBy(all, ({ marketplace }) => marketplace);
  const main = [...byMarketplace].map(([marketplace, [first]]) => [marketplace, first!.tag]);
  const more = all.filter((one) => byMarketplace.get(one.marketplace)![0] !== one);
  return { amazon_tags: JSON.stringify(Object.fromEntries(main)), amazon_more_tags: JSON.stringify(more) };
}

function tagsIn(row: Pick<Chosen['settings'], 'amazon_tags' | 'amazon_more_tags'>) {
  return { tags: row.amazon_tags as AmazonRules['tags'], moreTags: row.amazon_more_tags as AmazonTag[] };
}

/** Lists that were sent name shops by their ids: those that are known stay, others are ours to give. */
function withId({ ids }: SettingsDeps, known: Set<unknown>, shop: ShopInput, at: number): ShopInput {
  if (shop.kind !== 'search') return shop;
  if (shop.id === null) return { ...shop, id: ids.code(ID_CHARACTERS) };
  if (known.has(shop.id)) return shop;
  const message = 'This shop was removed meanwhile. Add it again.';
  throw new AppError('invalid_input', message, { fields: [{ path: `shops.${at}.name`, message }] });
}

export async function changeInstacartOf(
  deps: SettingsDeps,
  trx: CreatorTransaction,
  creatorId: string,
  { apiKey, partnerId }: BodyOf<typeof changeInstacart>,
): Promise<ShoppingSettings> {
  await makeRow(deps, trx, creatorId);
  await trx
    .updateTable('shop_settings')
    .set({
      // Whoever edits the other settings keeps what they have: no new version.
      id: sql<string>`id`,
      ...(apiKey !== undefined && {
        instacart_secret: apiKey === null ? null : seal(deps.keys.encryptionKeys, apiKey),
        instacart_key_end: apiKey?.slice(-SHOWN_OF_KEY) ?? null,
        instacart_problem: null,
      }),
      ...(partnerId !== undefined && { instacart_partner_id: partnerId }),
    })
    .where('creator_id', '=', creatorId)
    .execute();
  return getShopping(deps, trx, creatorId);
}

/** What is done with tags in links to Amazon. */
export async function amazonRulesOf(
  trx: Kysely<Tables>,
  creatorId: string,
): Promise<AmazonRules & { disclosure: string }> {
  const row = await trx
    .selectFrom('shop_settings')
    .select(['amazon_tags', 'amazon_more_tags', 'amazon_channels', 'amazon_by_country', 'disclosure'])
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  const { amazon_channels, amazon_by_country, disclosure, ...tags } = row ?? NOTHING_CHOSEN;
  return {
    ...tagsIn(tags),
    disclosure,
    channels: amazon_channels as AmazonRules['channels'],
    byCountry: amazon_by_country,
  };
}

export async function changeAmazonRulesOf(
  deps: SettingsDeps,
  trx: CreatorTransaction,
  creatorId: string,
  { channels, byCountry }: BodyOf<typeof changeAmazonRules>,
): Promise<void> {
  await makeRow(deps, trx, creatorId);
  await trx
    .updateTable('shop_settings')
    .set({ amazon_channels: channels && JSON.stringify(channels), amazon_by_country: byCountry })
    .where('creator_id', '=', creatorId)
    .execute();
}

/** What Instacart says of the key in use; null: all is well. The transaction may be the engine role's. */
export async function noteProblem(
  deps: SettingsDeps,
  trx: Transaction<Tables>,
  creatorId: string,
  says: string | null,
): Promise<void> {
  await makeRow(deps, trx, creatorId);
  await trx.updateTable('shop_settings').set({ instacart_problem: says }).where('creator_id', '=', creatorId).execute();
}

/** The first change of several at once makes it, with what holds without one. */
async function makeRow({ clock, ids }: SettingsDeps, trx: Transaction<Tables>, creatorId: string): Promise<void> {
  await trx
    .insertInto('shop_settings')
    .values({ creator_id: creatorId, id: ids.uuid(clock.now()), shops: JSON.stringify(withAll([], true)) })
    .onConflict((conflict) => conflict.column('creator_id').doNothing())
    .execute();
}

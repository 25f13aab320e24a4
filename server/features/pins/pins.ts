/** Sponsor pins: products that lists show for a food and for some days. The one writer of `sponsor_pins`. */
import { type Selectable, sql } from 'kysely';
import { LANGUAGES } from '#contract/ingredients/languages.ts';
import { keyOf } from '#contract/ingredients/lexicon.ts';
import { MOST_PINS, type SponsorPin, type SponsorPinInput } from '#contract/sponsor-pins.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { SponsorPinsTable } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { listUrl } from '#server/features/recipes/ingredients.ts';
import { countDays, type PinDays, sumOf } from './pin-days.ts';

type Deps = { clock: Clock; ids: Ids; config: { baseUrl: string } };
type Row = Selectable<SponsorPinsTable> & { from: string; to: string };

/** Nobody guesses it: whoever has it may read. */
export const PROOF_CODE_LENGTH = 16;

export async function list(deps: Deps, trx: CreatorTransaction, creatorId: string): Promise<SponsorPin[]> {
  const rows = await read(trx, creatorId, null);
  return Promise.all(rows.map((row) => show(deps, trx, row)));
}

/** @throws AppError invalid_input, already_exists */
export async function create(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  input: SponsorPinInput,
): Promise<SponsorPin> {
  const now = deps.clock.now();
  const id = deps.ids.uuid(now);
  await check(trx, creatorId, id, input);
  await trx
    .insertInto('sponsor_pins')
    .values({
      ...{ creator_id: creatorId, id, ...columnsOf(input) },
      ...{ proof_code: deps.ids.code(PROOF_CODE_LENGTH), created_at: now, updated_at: now },
    })
    .execute();
  return get(deps, trx, creatorId, id);
}

/** @throws AppError invalid_input, not_found, already_exists, changed_meanwhile */
export async function change(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  { version, ...input }: SponsorPinInput & { version: number },
): Promise<SponsorPin> {
  await get(deps, trx, creatorId, id);
  await check(trx, creatorId, id, input);
  const { numUpdatedRows } = await trx
    .updateTable('sponsor_pins')
    // Pages of shops have what it was before.
    .set({ ...columnsOf(input), version: version + 1, pages_at: null, updated_at: deps.clock.now() })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return get(deps, trx, creatorId, id);
  throw new AppError(
    'changed_meanwhile',
    'Someone else changed this pin while you were editing. Your version is still here.',
  );
}

/** @throws AppError not_found */
export async function remove(deps: Deps, trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  await get(deps, trx, creatorId, id);
  await trx.deleteFrom('sponsor_pins').where('creator_id', '=', creatorId).where('id', '=', id).execute();
}

/** @throws AppError not_found */
export async function endProof(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
): Promise<SponsorPin> {
  await trx
    .updateTable('sponsor_pins')
    .set({ proof_ended_at: sql`coalesce(proof_ended_at, ${deps.clock.now()})` })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .execute();
  return get(deps, trx, creatorId, id);
}

async function get(deps: Deps, trx: CreatorTransaction, creatorId: string, id: string): Promise<SponsorPin> {
  const [row] = await read(trx, creatorId, id);
  if (row === undefined) throw new AppError('not_found', 'This pin doesn’t exist, or was deleted.');
  return show(deps, trx, row);
}

async function read(trx: CreatorTransaction, creatorId: string, id: string | null): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select *, from_day::text as from, to_day::text as to from sponsor_pins
    where creator_id = ${creatorId} and ${id === null ? sql`true` : sql`id = ${id}`}
    order by ends_at desc, id limit ${MOST_PINS}
  `.execute(trx);
  return rows;
}

async function show(deps: Deps, trx: CreatorTransaction, row: Row): Promise<SponsorPin> {
  const now = deps.clock.now();
  const isOver = row.ends_at <= now;
  const days = await countDays(trx, row, row.days as PinDays, now);
  return {
    ...{ id: row.id, version: row.version, foods: row.foods, recipeIds: row.recipe_ids, product: row.product },
    ...{ upcs: row.upcs, brand: row.brand, disclosure: row.disclosure },
    asins: Object.entries(row.asins as Record<string, string>).map(([marketplace, asin]) => ({
      ...{ marketplace: marketplace as SponsorPin['asins'][number]['marketplace'], asin },
    })),
    ...{ from: row.from, to: row.to, timeZone: row.time_zone },
    state: isOver ? 'over' : row.begins_at > now ? 'to_come' : 'running',
    proofUrl: listUrl(deps.config, row.proof_code),
    proofEndedAt: row.proof_ended_at?.toISOString() ?? null,
    ...sumOf(days),
    createdAt: row.created_at.toISOString(),
  };
}

function columnsOf(input: SponsorPinInput) {
  const { foods, recipeIds, product, upcs, asins, brand, disclosure, from, to, timeZone } = input;
  return {
    foods,
    food_keys: keysOf(foods),
    recipe_ids: recipeIds,
    ...{ product, upcs, brand, disclosure, from_day: from, to_day: to, time_zone: timeZone },
    asins: JSON.stringify(Object.fromEntries(asins.map(({ marketplace, asin }) => [marketplace, asin]))),
    begins_at: midnight(from, 0, timeZone),
    ends_at: midnight(to, 1, timeZone),
  };
}

/** As lists tell foods apart, whatever language their recipes are in. */
function keysOf(foods: readonly string[]): string[] {
  const keys = Object.values(LANGUAGES).flatMap((language) =>
    foods.map((food) => keyOf(language, food)).map((key) => language.sameFoods.get(key) ?? key),
  );
  return [...new Set(keys)];
}

/** When a day of the zone begins, which PostgreSQL knows also where clocks change at midnight. */
function midnight(day: string, later: number, timeZone: string) {
  return sql<Date>`((${day}::date + ${later}::int)::timestamp at time zone ${timeZone})`;
}

/** Two who save at once come one after the other. @throws AppError invalid_input, already_exists */
async function check(trx: CreatorTransaction, creatorId: string, id: string, input: SponsorPinInput): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`pins ${creatorId}`}, 0))`.execute(trx);
  const { foods, recipeIds, from, to, timeZone } = input;
  await checkZone(trx, timeZone);
  if (recipeIds !== null) await checkRecipes(trx, creatorId, recipeIds);
  const { rows } = await sql<{ product: string; foods: string[]; from: string; to: string; food_keys: string[] }>`
    select product, foods, food_keys, from_day::text as from, to_day::text as to from sponsor_pins
    where creator_id = ${creatorId} and id <> ${id} and food_keys && ${keysOf(foods)}::text[]
      and begins_at < ${midnight(to, 1, timeZone)} and ends_at > ${midnight(from, 0, timeZone)}
      and (recipe_ids is null or ${recipeIds}::uuid[] is null or recipe_ids && ${recipeIds}::uuid[])
    order by begins_at limit 1
  `.execute(trx);
  const [other] = rows;
  if (other === undefined) return;
  const at = foods.findIndex((food) => keysOf([food]).some((key) => other.food_keys.includes(key)));
  const message = `“${other.product}” is already pinned to ${foods[at]} from ${inWords(other.from)} to ${inWords(other.to)}. Choose other days, or change that pin.`;
  throw new AppError('already_exists', message, { fields: [{ path: 'foods', message }] });
}

function inWords(day: string): string {
  return new Date(day).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'medium' });
}

/** Node and PostgreSQL need not know the same ones. */
async function checkZone(trx: CreatorTransaction, timeZone: string): Promise<void> {
  const { rows } = await sql`select from pg_timezone_names where lower(name) = lower(${timeZone}) limit 1`.execute(trx);
  if (rows.length > 0) return;
  const message = 'Choose a time zone.';
  throw new AppError('invalid_input', message, { fields: [{ path: 'timeZone', message }] });
}

async function checkRecipes(trx: CreatorTransaction, creatorId: string, ids: string[]): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from recipes where creator_id = ${creatorId} and id = any(${ids}::uuid[])
  `.execute(trx);
  if (rows[0]!.count === new Set(ids).size) return;
  const message = 'A recipe was deleted. Choose another one.';
  throw new AppError('invalid_input', message, { fields: [{ path: 'recipeIds', message }] });
}

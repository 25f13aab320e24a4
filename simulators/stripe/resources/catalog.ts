/** Products, prices, coupons and codes: what can be sold, and what is taken off. */
import type { Params } from '../wire/params.ts';
import { notNow, Refusal, wrongParam } from '../wire/refusal.ts';
import type { CouponRow, PriceRow, ProductRow, PromotionCodeRow } from '../wire/rows.ts';
import type { World } from '../world.ts';

const INTERVALS = ['day', 'week', 'month', 'year'] as const;

export function createProduct(world: World, params: Params): ProductRow {
  const id = params.text('id') ?? world.id('prod');
  if (world.products.find(id)) throw wrongParam('id', `Product already exists: ${id}`, 'resource_already_exists');
  const product = world.products.add({
    ...{ id, object: 'product', active: params.flag('active') ?? true, created: world.now(), default_price: null },
    ...{
      description: params.text('description') ?? null,
      images: params.texts('images') ?? [],
      livemode: world.livemode,
    },
    ...{ marketing_features: [], metadata: params.metadata(), name: params.needText('name'), package_dimensions: null },
    ...{ shippable: null, statement_descriptor: null, tax_code: params.text('tax_code') ?? null, tax_details: null },
    ...{ type: 'service', unit_label: null, updated: world.now(), url: params.text('url') ?? null },
  } satisfies ProductRow);
  world.emit('product.created', product);
  return product;
}

export function updateProduct(world: World, product: ProductRow, params: Params): ProductRow {
  const changes = {
    ...{ active: params.flag('active') ?? product.active, name: params.text('name') ?? product.name },
    metadata: params.metadata(product.metadata),
  };
  const description = params.text('description');
  const defaultPrice = params.text('default_price');
  world.change(
    product,
    {
      ...changes,
      ...(description !== undefined && { description }),
      ...(defaultPrice !== undefined && { default_price: defaultPrice && world.prices.get(defaultPrice).id }),
    },
    'product.updated',
  );
  return product;
}

export function createPrice(world: World, params: Params): PriceRow {
  const recurring = params.part('recurring');
  const cents = params.whole('unit_amount');
  const currency = params.needText('currency').toLowerCase();
  if (!/^[a-z]{3}$/.test(currency)) throw wrongParam('currency', `Invalid currency: ${currency}.`);
  if (cents == null || cents < 0) throw wrongParam('unit_amount', 'Invalid non-negative integer');
  const product = productFor(world, params);
  const lookupKey = params.text('lookup_key') ?? null;
  const holder = lookupKey === null ? undefined : world.prices.all().find(({ lookup_key }) => lookup_key === lookupKey);
  const moves = params.flag('transfer_lookup_key') === true;
  if (holder !== undefined && !moves) {
    throw wrongParam('lookup_key', `A price (${holder.id}) already uses that lookup key.`);
  }
  if (holder !== undefined) world.change(holder, { lookup_key: null }, 'price.updated');
  const price = world.prices.add({
    ...{ id: world.id('price'), object: 'price', active: params.flag('active') ?? true, billing_scheme: 'per_unit' },
    ...{ created: world.now(), currency, custom_unit_amount: null, livemode: world.livemode, lookup_key: lookupKey },
    ...{ metadata: params.metadata(), nickname: params.text('nickname') ?? null, product: product.id },
    recurring: recurring === undefined ? null : recurringOf(recurring),
    tax_behavior: params.oneOf('tax_behavior', ['exclusive', 'inclusive', 'unspecified']) ?? 'unspecified',
    ...{ tiers_mode: null, transform_quantity: null, type: recurring === undefined ? 'one_time' : 'recurring' },
    ...{ unit_amount: cents, unit_amount_decimal: String(cents) },
  } satisfies PriceRow);
  world.emit('price.created', price);
  return price;
}

function productFor(world: World, params: Params): ProductRow {
  const inline = params.part('product_data');
  return inline === undefined
    ? world.products.get(params.needText('product'), 'product')
    : createProduct(world, inline);
}

function recurringOf(params: Params): NonNullable<PriceRow['recurring']> {
  const interval = params.oneOf('interval', INTERVALS);
  if (interval === undefined) throw wrongParam('recurring[interval]', 'Missing required param: recurring[interval].');
  return {
    ...{ interval, interval_count: params.whole('interval_count') ?? 1, meter: null },
    ...{ trial_period_days: null, usage_type: params.oneOf('usage_type', ['licensed']) ?? 'licensed' },
  };
}

/** Amount and interval of a price stay as they are for good. */
export function updatePrice(world: World, price: PriceRow, params: Params): PriceRow {
  const lookupKey = params.text('lookup_key');
  params.flag('transfer_lookup_key');
  const nickname = params.text('nickname');
  world.change(
    price,
    {
      ...{ active: params.flag('active') ?? price.active, metadata: params.metadata(price.metadata) },
      ...(lookupKey !== undefined && { lookup_key: lookupKey }),
      ...(nickname !== undefined && { nickname }),
    },
    'price.updated',
  );
  return price;
}

export function createCoupon(world: World, params: Params): CouponRow {
  const percent = params.text('percent_off');
  const cents = params.whole('amount_off');
  const duration = params.oneOf('duration', ['forever', 'once', 'repeating']) ?? 'once';
  if ((percent == null) === (cents == null)) {
    throw wrongParam('percent_off', 'You must pass exactly one of percent_off and amount_off.');
  }
  const coupon = world.coupons.add({
    ...{ id: params.text('id') ?? world.id('co'), object: 'coupon', amount_off: cents ?? null, created: world.now() },
    ...{ currency: params.text('currency') ?? null, duration, livemode: world.livemode, metadata: params.metadata() },
    duration_in_months: duration === 'repeating' ? (params.whole('duration_in_months') ?? 1) : null,
    ...{ max_redemptions: params.whole('max_redemptions') ?? null, name: params.text('name') ?? null },
    ...{ percent_off: percent == null ? null : Number(percent), redeem_by: params.whole('redeem_by') ?? null },
    ...{ times_redeemed: 0, valid: true },
  } satisfies CouponRow);
  world.emit('coupon.created', coupon);
  return coupon;
}

export function createPromotionCode(world: World, params: Params): PromotionCodeRow {
  const promotion = params.part('promotion');
  promotion?.oneOf('type', ['coupon']);
  const coupon = world.coupons.get((promotion ?? params).needText('coupon'), 'coupon').id;
  const code = params.text('code') ?? world.id('CODE').toUpperCase();
  const isTaken = world.promotionCodes
    .all()
    .some((one) => one.active && one.code.toLowerCase() === code.toLowerCase() && one.customer === null);
  if (isTaken) throw wrongParam('code', `An active promotion code with \`code: ${code}\` already exists.`);
  const made = world.promotionCodes.add({
    ...{ id: world.id('promo'), object: 'promotion_code', active: true, code, created: world.now() },
    ...{
      customer: params.text('customer') ?? null,
      customer_account: null,
      expires_at: params.whole('expires_at') ?? null,
    },
    ...{
      livemode: world.livemode,
      max_redemptions: params.whole('max_redemptions') ?? null,
      metadata: params.metadata(),
    },
    promotion: { type: 'coupon', coupon },
    restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
    times_redeemed: 0,
  } satisfies PromotionCodeRow);
  world.emit('promotion_code.created', made);
  return made;
}

/** Of codes used at the same moment the first one is served. @throws Refusal it cannot be used (any more) */
export function usablePromotionCode(world: World, code: string, customerId: string): PromotionCodeRow {
  const found = world.promotionCodes.all().find((one) => one.code.toLowerCase() === code.toLowerCase() && one.active);
  if (found === undefined) throw noCode(code);
  const coupon = world.coupons.get(found.promotion.coupon);
  const isOver =
    (found.expires_at ?? Number.POSITIVE_INFINITY) <= world.now() ||
    (coupon.redeem_by ?? Number.POSITIVE_INFINITY) <= world.now();
  const isUsedUp =
    found.times_redeemed >= (found.max_redemptions ?? Number.POSITIVE_INFINITY) ||
    coupon.times_redeemed >= (coupon.max_redemptions ?? Number.POSITIVE_INFINITY);
  if (isOver || isUsedUp)
    throw notNow(`This promotion code is ${isOver ? 'expired' : 'used up'}.`, 'promotion_code_expired');
  if (found.customer !== null && found.customer !== customerId) throw noCode(code);
  return found;
}

function noCode(code: string): Refusal {
  const message = `This code is invalid: ${code}`;
  return new Refusal(400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param: 'promotion_code',
    message,
  });
}

/** @throws Refusal it is not there, or not good any longer */
export function usableCoupon(world: World, id: string, param: string): CouponRow {
  const coupon = world.coupons.get(id, param);
  const isOver = (coupon.redeem_by ?? Number.POSITIVE_INFINITY) <= world.now();
  if (!isOver && coupon.times_redeemed < (coupon.max_redemptions ?? Number.POSITIVE_INFINITY)) return coupon;
  throw wrongParam(param, `Coupon expired: ${id}`, 'coupon_expired');
}

/** @returns what a coupon takes off an amount, in cents */
export function discountOn(coupon: CouponRow, cents: number): number {
  if (coupon.percent_off !== null) return Math.round((cents * coupon.percent_off) / 100);
  return Math.min(coupon.amount_off ?? 0, cents);
}

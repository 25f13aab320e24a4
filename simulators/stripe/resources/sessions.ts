/** Checkout sessions, and what becomes of one on its page. */
import { sellOnce } from '../payments.ts';
import { Params } from '../wire/params.ts';
import { notNow, wrongParam } from '../wire/refusal.ts';
import type { CustomerRow, SessionRow } from '../wire/rows.ts';
import type { World } from '../world.ts';
import { canCharge } from './accounts.ts';
import { createPrice, discountOn, usableCoupon, usablePromotionCode } from './catalog.ts';
import { createCustomer, declined, makeBankAccount, makeCard, TEST_ACCOUNTS } from './customers.ts';
import { begin, feeIn, type NewItem } from './subscriptions.ts';

const DAY_S = 86_400;
const SHORTEST_S = 30 * 60;
/** In the place of the session’s id, in the address that is returned to. */
const ID_IN_ADDRESS = '{CHECKOUT_SESSION_ID}';

/** What the page needs to know besides the session. */
export type Basket = {
  items: NewItem[];
  metadata: Record<string, string>;
  trialDays: number | null;
  trialEnd: number | null;
  withoutMethod: 'cancel' | 'create_invoice' | 'pause';
  promotionCode: string | null;
  coupon: string | null;
  allowsCodes: boolean;
  feePercent: number | null;
  /** Of a single payment. */
  fee: number;
};

const baskets = new WeakMap<SessionRow, Basket>();

export function basketOf(session: SessionRow): Basket {
  return baskets.get(session)!;
}

export function createSession(world: World, params: Params): SessionRow {
  const mode = params.oneOf('mode', ['subscription', 'payment', 'setup']);
  if (mode !== 'subscription' && mode !== 'payment') throw wrongParam('mode', 'This simulator plays no setup mode.');
  if (!canCharge(world)) throw notNow('Your account cannot currently make charges.', 'account_invalid');
  const uiMode = params.oneOf('ui_mode', ['hosted_page', 'embedded_page', 'elements', 'form']) ?? 'hosted_page';
  if (uiMode !== 'hosted_page') throw wrongParam('ui_mode', 'This simulator plays hosted pages alone.');
  const successUrl = addressIn(params, 'success_url');
  const cancelUrl = params.text('cancel_url') == null ? null : addressIn(params, 'cancel_url');
  const customerId = params.text('customer') ?? null;
  if (customerId !== null) world.customers.get(customerId, 'customer');
  const email = params.text('customer_email') ?? null;
  const items = (params.parts('line_items') ?? []).map((line) => {
    const made = line.part('price_data');
    const price =
      made === undefined ? world.prices.get(line.needText('price'), 'line_items[0][price]') : createPrice(world, made);
    return { price, quantity: line.whole('quantity') ?? 1 };
  });
  if (items.length === 0) throw wrongParam('line_items', 'Missing required param: line_items.', 'parameter_missing');
  if (items.some(({ price }) => !price.active))
    throw wrongParam('line_items[0][price]', 'The price specified is inactive.');
  if (mode === 'payment' && items.some(({ price }) => price.recurring !== null)) {
    throw wrongParam('mode', 'You specified `payment` mode but passed a recurring price.');
  }
  const discount = params.parts('discounts')?.[0];
  const code = discount?.text('promotion_code') ?? null;
  const coupon = discount?.text('coupon') ?? null;
  const allows = params.flag('allow_promotion_codes');
  // They exclude each other, even where it is said to be false.
  if (discount !== undefined && allows !== undefined) {
    throw wrongParam('discounts', 'You may only specify one of these parameters: allow_promotion_codes, discounts.');
  }
  const data = params.part('subscription_data');
  const payment = params.part('payment_intent_data');
  if (mode === 'payment' ? data !== undefined : payment !== undefined) {
    throw wrongParam(mode === 'payment' ? 'subscription_data' : 'payment_intent_data', `Not in ${mode} mode.`);
  }
  const now = world.now();
  const trialEnd = data?.whole('trial_end') ?? null;
  if (trialEnd !== null && trialEnd < now + 2 * DAY_S) {
    throw wrongParam('subscription_data[trial_end]', 'The `trial_end` date has to be at least 2 days in the future.');
  }
  const expiresAt = params.whole('expires_at') ?? now + DAY_S;
  if (expiresAt < now + SHORTEST_S || expiresAt > now + DAY_S) {
    throw wrongParam('expires_at', 'It must be from 30 minutes to 24 hours from now.');
  }
  const id = world.id(world.livemode ? 'cs_live' : 'cs_test');
  const subtotal = items.reduce((sum, { price, quantity }) => sum + (price.unit_amount ?? 0) * quantity, 0);
  const total =
    coupon === null ? subtotal : subtotal - discountOn(usableCoupon(world, coupon, 'discounts[0][coupon]'), subtotal);
  const tax = params.part('automatic_tax')?.flag('enabled') ?? false;
  const session = world.sessions.add({
    ...{
      id,
      object: 'checkout.session',
      adaptive_pricing: null,
      after_expiration: null,
      allow_promotion_codes: allows ?? null,
    },
    ...{ allowed_payment_method_types: null, amount_subtotal: subtotal, amount_total: total },
    automatic_tax: { enabled: tax, liability: null, provider: null, status: null },
    billing_address_collection: params.oneOf('billing_address_collection', ['auto', 'required']) ?? null,
    ...{ cancel_url: cancelUrl, client_reference_id: params.text('client_reference_id') ?? null, client_secret: null },
    ...{ collected_information: null, consent: null, consent_collection: null, created: now },
    ...{ currency: items[0]!.price.currency, currency_conversion: null, custom_fields: [] },
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    ...{
      customer: customerId,
      customer_account: null,
      customer_creation: params.oneOf('customer_creation', ['always', 'if_required']) ?? 'always',
      customer_details: null,
    },
    ...{ customer_email: email, discounts: [], expires_at: expiresAt, integration_identifier: null, invoice: null },
    ...{
      invoice_creation: null,
      livemode: world.livemode,
      locale: null,
      managed_payments: null,
      metadata: params.metadata(),
    },
    ...{ mode, optional_items: null, origin_context: null, payment_intent: null, payment_link: null },
    payment_method_collection: params.oneOf('payment_method_collection', ['always', 'if_required']) ?? 'always',
    ...{
      payment_method_configuration_details: null,
      payment_method_options: null,
      payment_method_types: ['card', 'sepa_debit'],
    },
    ...{ payment_status: 'unpaid', permissions: null, recovered_from: null, saved_payment_method_options: null },
    ...{
      setup_intent: null,
      shipping_address_collection: null,
      shipping_cost: null,
      shipping_options: [],
      status: 'open',
    },
    ...{ submit_type: null, subscription: null, success_url: successUrl },
    tax_id_collection: { enabled: params.part('tax_id_collection')?.flag('enabled') ?? false, required: 'never' },
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ...{ ui_mode: uiMode, url: `${world.url}/pay/${id}`, wallet_options: null },
  } satisfies SessionRow);
  const update = params.part('customer_update');
  for (const name of ['address', 'name'] as const) update?.oneOf(name, ['auto', 'never']);
  baskets.set(session, {
    ...{ items, metadata: (data ?? payment)?.metadata() ?? {}, trialDays: data?.whole('trial_period_days') ?? null },
    trialEnd,
    withoutMethod:
      data
        ?.part('trial_settings')
        ?.part('end_behavior')
        ?.oneOf('missing_payment_method', [...(['cancel', 'create_invoice', 'pause'] as const)]) ?? 'create_invoice',
    promotionCode: code === null ? null : world.promotionCodes.get(code, 'discounts[0][promotion_code]').code,
    coupon,
    ...{ allowsCodes: allows ?? false, fee: payment?.whole('application_fee_amount') ?? 0 },
    feePercent: feeIn(world, data) ?? null,
  });
  world.wake(expiresAt, 'session', id);
  return session;
}

function addressIn(params: Params, name: string): string {
  const address = params.needText(name);
  if (URL.canParse(address) && /^https?:/.test(address)) return address;
  throw wrongParam(params.nameOf(name), 'Not a valid URL', 'url_invalid');
}

/** @throws Refusal it is not open (any more) */
export function expireSession(world: World, session: SessionRow): SessionRow {
  if (session.status !== 'open') {
    throw notNow('Only Checkout Sessions with a status in ["open"] can be expired.', 'resource_state_invalid');
  }
  world.change(session, { status: 'expired', url: null }, 'checkout.session.expired');
  return session;
}

export type PaidWith = {
  email: string;
  name: string;
  /** A card's number, or the IBAN of an account. */
  number: string;
  code: string;
  isConfirmed: boolean;
};

/**
 * Somebody pays on the page. The subscription is made once that went through.
 *
 * @returns 'confirm': the bank wants a word with them first
 * @throws Refusal declined, expired, a code that does not hold
 */
export function pay(
  world: World,
  session: SessionRow,
  { email, name, number, code, isConfirmed }: PaidWith,
): 'confirm' | 'done' {
  if (session.status !== 'open') throw notNow('This page was paid or has expired.');
  const basket = basketOf(session);
  const behavior = TEST_ACCOUNTS[number];
  const customer = payerOf(world, session, { email, name });
  const promotionCode = basket.promotionCode ?? (basket.allowsCodes && code !== '' ? code : null);
  if (promotionCode !== null) usablePromotionCode(world, promotionCode, customer.id);
  const method =
    behavior === undefined ? makeCard(world, number, customer.id) : makeBankAccount(world, number, customer.id);
  const said = world.behaviors.get(method.id)!;
  if (said.kind === 'declined' || said.kind === 'fails') {
    refuseCharge(world, session, customer, method.id);
    throw declined(said.code);
  }
  if (said.kind === 'confirm' && !isConfirmed) return 'confirm';
  if (session.mode === 'payment') {
    if (said.kind === 'debit') throw notNow('This simulator plays single payments by card alone.');
    const { metadata, fee } = basket;
    const cents = session.amount_total ?? 0;
    const sale = { cents, currency: session.currency ?? 'usd', method: method.id, metadata, fee };
    world.change(
      session,
      {
        ...{ status: 'complete', url: null, payment_status: 'paid', customer: customer.id },
        ...{ payment_intent: sellOnce(world, customer, sale).id, customer_details: detailsOf(customer) },
      },
      'checkout.session.completed',
    );
    return 'done';
  }
  world.emit('payment_method.attached', method);
  const trialEnd = basket.trialDays === null ? basket.trialEnd : world.now() + basket.trialDays * DAY_S;
  const subscription = begin(
    world,
    {
      ...{ customer: customer.id, items: basket.items, metadata: basket.metadata, method: method.id, trialEnd },
      ...{ withoutMethod: basket.withoutMethod, behavior: 'allow_incomplete', promotionCode, coupon: basket.coupon },
      ...{ hasTax: session.automatic_tax.enabled, feePercent: basket.feePercent },
    },
    true,
  );
  const invoice = world.invoices.get(subscription.latest_invoice!);
  const isPaid = invoice.status === 'paid';
  world.change(
    session,
    {
      ...{ status: 'complete', url: null, subscription: subscription.id, invoice: invoice.id, customer: customer.id },
      payment_status: isPaid ? (invoice.amount_due === 0 ? 'no_payment_required' : 'paid') : 'unpaid',
      ...{ amount_subtotal: invoice.subtotal, amount_total: invoice.total, customer_details: detailsOf(customer) },
      total_details: {
        amount_discount: invoice.subtotal - (invoice.total_excluding_tax ?? invoice.total),
        ...{ amount_shipping: 0, amount_tax: invoice.total - (invoice.total_excluding_tax ?? invoice.total) },
      },
    },
    'checkout.session.completed',
  );
  return 'done';
}

/** What a code would take off, for the page. @throws Refusal it does not hold */
export function totalWith(world: World, session: SessionRow, code: string): number {
  const subtotal = session.amount_subtotal ?? 0;
  const { coupon, promotionCode } = basketOf(session);
  if (coupon !== null) return subtotal - discountOn(world.coupons.get(coupon), subtotal);
  const used = promotionCode ?? code;
  if (used === '') return subtotal;
  const { promotion } = usablePromotionCode(world, used, session.customer ?? '');
  return subtotal - discountOn(world.coupons.get(promotion.coupon), subtotal);
}

/** @returns where they are led after paying */
export function returnAddress(session: SessionRow): string {
  return session.success_url!.replaceAll(ID_IN_ADDRESS, session.id);
}

function payerOf(world: World, session: SessionRow, { email, name }: { email: string; name: string }): CustomerRow {
  if (session.customer !== null) return world.customers.get(session.customer);
  return createCustomer(world, new Params({ email: session.customer_email ?? email, name }));
}

/** A charge that was tried before there was a subscription. */
function refuseCharge(world: World, session: SessionRow, customer: CustomerRow, method: string): void {
  world.paymentMethods.remove(method);
  world.money.push({
    ...{ at: world.now(), kind: 'declined', customer: customer.id, invoice: null, charge: world.id('ch') },
    ...{ cents: session.amount_total ?? 0, currency: session.currency ?? 'usd', period: null },
  });
}

function detailsOf({ email, name }: CustomerRow): NonNullable<SessionRow['customer_details']> {
  return {
    ...{ address: null, business_name: null, email, individual_name: null, name: name ?? null, phone: null },
    ...{ tax_exempt: 'none', tax_ids: [] },
  };
}

/** Subscriptions: begun, renewed, changed, late, ended. */
import type { Outcome } from '../payments.ts';
import { endOfPeriod, proratedCents } from '../periods.ts';
import type { Params } from '../wire/params.ts';
import { notNow, type Refusal, wrongParam } from '../wire/refusal.ts';
import type {
  CouponRow,
  CustomerRow,
  InvoiceRow,
  ItemRow,
  LineRow,
  PlanRow,
  PriceRow,
  SubscriptionRow,
} from '../wire/rows.ts';
import { listOf, type World } from '../world.ts';
import { usableCoupon, usablePromotionCode } from './catalog.ts';
import { declined } from './customers.ts';
import { attempt, type BillingReason, draft, finalize, keep, lineFor, periodLine, voidInvoice } from './invoices.ts';

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
/** A first payment, or a change that waits for one, has this long. */
const TO_FINISH_S = 23 * HOUR_S;
/** Before a renewal's invoice is asked for [S]. */
const DRAFT_S = HOUR_S;
const TRIAL_TOLD_S = 3 * DAY_S;

export type PaymentBehavior =
  | 'allow_incomplete'
  | 'default_incomplete'
  | 'error_if_incomplete'
  | 'pending_if_incomplete';
export type NewItem = { price: PriceRow; quantity: number };
export type NewSubscription = {
  customer: string;
  items: NewItem[];
  metadata: Record<string, string>;
  method: string | null;
  trialEnd: number | null;
  withoutMethod: 'cancel' | 'create_invoice' | 'pause';
  behavior: PaymentBehavior;
  promotionCode: string | null;
  coupon?: string | null;
  hasTax: boolean;
  feePercent: number | null;
};

/** @returns undefined: nothing was said; null: none from now on */
export function feeIn(world: World, params: Params | undefined): number | null | undefined {
  const said = params?.text('application_fee_percent');
  if (said == null) return said;
  if (world.account === null) throw wrongParam('application_fee_percent', 'Only a connected account pays a fee.');
  if (Number(said) >= 0 && Number(said) <= 100) return Number(said);
  throw wrongParam('application_fee_percent', 'It must be from 0 to 100.');
}

/** @param isConfirmed the customer is there, and said yes to the bank @throws Refusal card_declined, where that is to be an error */
export function begin(world: World, wanted: NewSubscription, isConfirmed = false): SubscriptionRow {
  const [first] = wanted.items;
  if (first === undefined) throw wrongParam('items', 'Missing required param: items.', 'parameter_missing');
  if (wanted.items.some(({ price }) => price.recurring === null || !price.active)) {
    throw wrongParam('items[0][price]', 'The price must be active, and recur.');
  }
  const now = world.now();
  const id = world.id('sub');
  const anchor = wanted.trialEnd ?? now;
  const subscription = emptySubscription(world, id, wanted, anchor);
  subscription.items = listOf(
    wanted.items.map((item) =>
      itemOf(world, id, item, { start: now, end: wanted.trialEnd ?? endOf(item.price, now, now) }),
    ),
    `/v1/subscription_items?subscription=${id}`,
  );
  if (wanted.promotionCode !== null) takeCode(world, subscription, wanted.promotionCode);
  else if (wanted.coupon != null) discount(world, subscription, usableCoupon(world, wanted.coupon, 'coupon'), null);
  world.subscriptions.add(subscription);
  const invoice = draft(
    world,
    subscription,
    subscription.items.data.map((item) => periodLine(world, subscription, item, wanted.trialEnd !== null)),
    'subscription_create',
  );
  subscription.latest_invoice = invoice.id;
  world.customers.get(wanted.customer).currency ??= first.price.currency;
  const refusal = wanted.behavior === 'error_if_incomplete' ? refusalOf(world, subscription, invoice) : null;
  if (refusal !== null) {
    world.subscriptions.remove(subscription.id);
    throw refusal;
  }
  keep(world, invoice);
  finalize(world, invoice);
  const isTried = wanted.behavior !== 'default_incomplete' || invoice.amount_due === 0;
  const outcome: Outcome = isTried ? attempt(world, invoice, { isConfirmed }) : { kind: 'no_method' };
  const isGood = outcome.kind === 'paid' || outcome.kind === 'processing';
  subscription.status = !isGood ? 'incomplete' : wanted.trialEnd === null ? 'active' : 'trialing';
  world.emit('customer.subscription.created', subscription);
  if (outcome.kind === 'processing') waitForDebit(world, invoice);
  wakeFor(world, subscription);
  return subscription;
}

/** @returns what the bank would say; null: it can be paid */
function refusalOf(world: World, subscription: SubscriptionRow, invoice: InvoiceRow): Refusal | null {
  const method = methodOf(world, subscription);
  const behavior = method === null ? undefined : world.behaviors.get(method);
  if (invoice.amount_due === 0 || behavior?.kind === 'good' || behavior?.kind === 'debit') return null;
  const isDeclined = behavior?.kind === 'declined' || behavior?.kind === 'fails';
  return declined(isDeclined ? behavior.code : 'authentication_required');
}

function emptySubscription(world: World, id: string, wanted: NewSubscription, anchor: number): SubscriptionRow {
  const now = world.now();
  return {
    ...{ id, object: 'subscription', application: null, application_fee_percent: wanted.feePercent },
    automatic_tax: { disabled_reason: null, enabled: wanted.hasTax, liability: null },
    ...{
      billing_cycle_anchor: anchor,
      billing_cycle_anchor_config: null,
      billing_mode: { flexible: null, type: 'classic' },
    },
    ...{
      billing_schedules: [],
      billing_thresholds: null,
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
    },
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    ...{ collection_method: 'charge_automatically', created: now, currency: wanted.items[0]!.price.currency },
    ...{
      customer: wanted.customer,
      customer_account: null,
      days_until_due: null,
      default_payment_method: wanted.method,
    },
    ...{ default_source: null, default_tax_rates: [], description: null, discounts: [], ended_at: null },
    invoice_settings: {
      ...{ account_tax_ids: null, custom_fields: null, description: null, footer: null, issuer: { type: 'self' } },
    },
    ...{ items: listOf<ItemRow>([], ''), latest_invoice: null, livemode: world.livemode, managed_payments: null },
    ...{
      metadata: wanted.metadata,
      next_pending_invoice_item_invoice: null,
      on_behalf_of: null,
      pause_collection: null,
    },
    payment_settings: { payment_method_options: null, payment_method_types: null, save_default_payment_method: 'off' },
    ...{ pending_invoice_item_interval: null, pending_setup_intent: null, pending_update: null, schedule: null },
    ...{ start_date: now, status: 'incomplete', test_clock: null, transfer_data: null, trial_end: wanted.trialEnd },
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: wanted.withoutMethod } },
    trial_start: wanted.trialEnd === null ? null : now,
  } satisfies SubscriptionRow;
}

export function itemOf(
  world: World,
  subscription: string,
  { price, quantity }: NewItem,
  { start, end }: { start: number; end: number },
  id = world.id('si'),
): ItemRow {
  return {
    ...{ id, object: 'subscription_item', billing_thresholds: null, created: world.now(), current_period_end: end },
    ...{
      current_period_start: start,
      current_trial: null,
      discounts: [],
      metadata: {},
      plan: planOf(price),
      price,
      quantity,
    },
    ...{ subscription, tax_rates: [] },
  } satisfies ItemRow;
}

/** What prices were before there were prices. */
function planOf(price: PriceRow): PlanRow {
  return {
    ...{
      id: price.id,
      object: 'plan',
      active: price.active,
      amount: price.unit_amount,
      amount_decimal: price.unit_amount_decimal,
    },
    ...{
      billing_scheme: 'per_unit',
      created: price.created,
      currency: price.currency,
      interval: price.recurring!.interval,
    },
    ...{
      interval_count: price.recurring!.interval_count,
      livemode: price.livemode,
      metadata: price.metadata,
      meter: null,
    },
    ...{
      nickname: price.nickname,
      product: price.product,
      tiers_mode: null,
      transform_usage: null,
      trial_period_days: null,
    },
    usage_type: 'licensed',
  } satisfies PlanRow;
}

function endOf(price: PriceRow, anchor: number, start: number): number {
  return endOfPeriod(anchor, start, price.recurring!);
}

function takeCode(world: World, subscription: SubscriptionRow, code: string): void {
  const promotion = usablePromotionCode(world, code, subscription.customer);
  discount(world, subscription, world.coupons.get(promotion.promotion.coupon), promotion.id);
  world.change(promotion, { times_redeemed: promotion.times_redeemed + 1 }, 'promotion_code.updated');
}

function discount(world: World, subscription: SubscriptionRow, coupon: CouponRow, code: string | null): void {
  const months = coupon.duration === 'repeating' ? (coupon.duration_in_months ?? 1) : null;
  const once = coupon.duration === 'once' ? subscription.items.data[0]!.current_period_end : null;
  const made = world.discounts.add({
    ...{
      id: world.id('di'),
      object: 'discount',
      checkout_session: null,
      customer: subscription.customer,
      customer_account: null,
    },
    end: months === null ? once : endOfPeriod(world.now(), world.now(), { interval: 'month', interval_count: months }),
    ...{
      invoice: null,
      invoice_item: null,
      promotion_code: code,
      source: { coupon: coupon.id, type: 'coupon' },
    },
    ...{ start: world.now(), subscription: subscription.id, subscription_item: null },
  });
  subscription.discounts = [made.id];
  world.change(coupon, { times_redeemed: coupon.times_redeemed + 1 }, null);
}

export type Change = {
  /** By the id of the item that they take the place of. */
  items: Map<string, NewItem>;
  prorations: 'always_invoice' | 'create_prorations' | 'none';
  behavior: PaymentBehavior;
  /** Seconds; what is left of the span is counted from here. */
  at: number;
};

/** What a change of prices makes of items and lines, with those that wait already; nothing is kept. */
export function changed(
  world: World,
  subscription: SubscriptionRow,
  { items: wanted, prorations, at }: Pick<Change, 'items' | 'prorations' | 'at'>,
): { items: ItemRow[]; lines: LineRow[]; anchor: number } {
  const lines = prorations === 'none' ? [] : [...(world.pendingLines.get(subscription.id) ?? [])];
  let anchor = subscription.billing_cycle_anchor;
  const isTrial = subscription.status === 'trialing';
  const items = subscription.items.data.map((item) => {
    const next = wanted.get(item.id);
    if (next === undefined) return item;
    const [before, after] = [item.price.recurring!, next.price.recurring!];
    const isSame = before.interval === after.interval && before.interval_count === after.interval_count;
    const span = { start: item.current_period_start, end: item.current_period_end };
    // Another rhythm begins now, whatever second what is left is counted from.
    const now = world.now();
    const moved = isSame || isTrial ? span : { start: now, end: endOf(next.price, now, now) };
    if (!isSame && !isTrial) anchor = now;
    const made = itemOf(world, subscription.id, next, moved, item.id);
    if (isTrial || prorations === 'none') return made;
    const rest = { start: at, end: span.end };
    const unused = -proratedCents((item.price.unit_amount ?? 0) * item.quantity, span, at);
    const cents = (next.price.unit_amount ?? 0) * next.quantity;
    lines.push(lineFor(world, subscription, item, { cents: unused, period: rest, proration: true }));
    if (isSame) {
      lines.push(
        lineFor(world, subscription, made, { cents: proratedCents(cents, span, at), period: rest, proration: true }),
      );
    } else {
      lines.push(lineFor(world, subscription, made, { cents, period: moved, proration: false }));
    }
    return made;
  });
  return { items, lines, anchor };
}

/** @throws Refusal the card is declined where that is to be an error, or a change is waiting already */
export function change(world: World, subscription: SubscriptionRow, wanted: Change): void {
  if (subscription.pending_update !== null) throw notNow('This subscription has a change that waits for its payment.');
  const { items, lines, anchor } = changed(world, subscription, wanted);
  const isNewSpan = anchor !== subscription.billing_cycle_anchor;
  const before = { items: subscription.items, billing_cycle_anchor: subscription.billing_cycle_anchor };
  const after = { items: { ...subscription.items, data: items }, billing_cycle_anchor: anchor };
  if (wanted.prorations === 'none' || (wanted.prorations === 'create_prorations' && !isNewSpan)) {
    if (wanted.prorations !== 'none') world.pendingLines.set(subscription.id, lines);
    world.change(subscription, after, 'customer.subscription.updated');
    wakeFor(world, subscription);
    return;
  }
  Object.assign(subscription, after);
  const invoice = draft(world, subscription, lines, 'subscription_update');
  const refusal = wanted.behavior === 'error_if_incomplete' ? refusalOf(world, subscription, invoice) : null;
  if (refusal !== null) {
    Object.assign(subscription, before);
    throw refusal;
  }
  world.pendingLines.delete(subscription.id);
  keep(world, invoice);
  finalize(world, invoice);
  const outcome = attempt(world, invoice);
  const waits = outcome.kind !== 'paid' && outcome.kind !== 'processing' && wanted.behavior === 'pending_if_incomplete';
  Object.assign(subscription, before);
  const pending = {
    ...{ billing_cycle_anchor: isNewSpan ? anchor : null, cancel_at_period_end: null, discount: null, discounts: null },
    ...{
      expires_at: world.now() + TO_FINISH_S,
      metadata: null,
      subscription_items: items,
      trial_end: null,
      trial_from_plan: null,
    },
  };
  const changes = waits ? { pending_update: pending } : after;
  world.change(subscription, { ...changes, latest_invoice: invoice.id }, 'customer.subscription.updated');
  if (!waits) settleOutcome(world, subscription, invoice, outcome);
  wakeFor(world, subscription);
}

function methodOf(world: World, subscription: SubscriptionRow): string | null {
  return (
    subscription.default_payment_method ??
    world.customers.get(subscription.customer).invoice_settings.default_payment_method
  );
}

/** After each attempt at an invoice of a subscription that has begun. */
export function settleOutcome(
  world: World,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  outcome: Outcome,
): void {
  if (outcome.kind === 'paid') paid(world, subscription, invoice);
  else if (outcome.kind === 'processing') waitForDebit(world, invoice);
  else failed(world, subscription, invoice);
}

function paid(world: World, subscription: SubscriptionRow, invoice: InvoiceRow): void {
  const waiting = subscription.latest_invoice === invoice.id ? subscription.pending_update : null;
  if (waiting !== null) {
    const items = { ...subscription.items, data: waiting.subscription_items! };
    const anchor = waiting.billing_cycle_anchor ?? subscription.billing_cycle_anchor;
    world.change(
      subscription,
      { items, billing_cycle_anchor: anchor, pending_update: null },
      'customer.subscription.updated',
    );
    world.emit('customer.subscription.pending_update_applied', subscription);
  }
  const isMended = ['incomplete', 'past_due', 'unpaid'].includes(subscription.status);
  if (isMended && subscription.latest_invoice === invoice.id) {
    const isInTrial = subscription.trial_end !== null && subscription.trial_end > world.now();
    world.change(subscription, { status: isInTrial ? 'trialing' : 'active' }, 'customer.subscription.updated');
  }
  wakeFor(world, subscription);
}

function failed(world: World, subscription: SubscriptionRow, invoice: InvoiceRow): void {
  if (subscription.status === 'incomplete' || subscription.pending_update !== null) return;
  if (subscription.status === 'active' || subscription.status === 'trialing') {
    world.change(subscription, { status: 'past_due' }, 'customer.subscription.updated');
  }
  const wait = world.retries.afterDays[invoice.attempt_count - 1];
  if (wait !== undefined) {
    const at = world.now() + wait * DAY_S;
    world.change(invoice, { next_payment_attempt: at }, 'invoice.updated');
    world.wake(at, 'invoice', invoice.id);
    return;
  }
  world.change(invoice, { next_payment_attempt: null, auto_advance: false }, 'invoice.updated');
  if (world.retries.atEnd === 'cancel') end(world, subscription, 'payment_failed');
  else world.change(subscription, { status: world.retries.atEnd }, 'customer.subscription.updated');
}

function waitForDebit(world: World, invoice: InvoiceRow): void {
  world.wake(world.now() + DEBIT_S, 'debit', invoice.id);
}

/** So long nobody knows whether a bank account was debited. */
export const DEBIT_S = 4 * DAY_S;

export function end(
  world: World,
  subscription: SubscriptionRow,
  reason: 'cancellation_requested' | 'payment_failed' | 'payment_disputed',
): void {
  for (const invoice of invoicesOf(world, subscription)) {
    if (invoice.status === 'draft' || invoice.status === 'open') {
      world.change(invoice, { auto_advance: false, next_payment_attempt: null }, 'invoice.updated');
    }
  }
  const now = world.now();
  Object.assign(subscription, {
    ...{ status: 'canceled', ended_at: now, canceled_at: subscription.canceled_at ?? now, pending_update: null },
    cancellation_details: { ...subscription.cancellation_details!, reason },
  });
  world.pendingLines.delete(subscription.id);
  world.emit('customer.subscription.deleted', subscription);
}

export function invoicesOf(world: World, subscription: Pick<SubscriptionRow, 'id'>): InvoiceRow[] {
  return world.invoices.all().filter((one) => one.parent?.subscription_details.subscription === subscription.id);
}

/** A customer goes, with everything that they pay for. */
export function removeCustomer(world: World, customer: CustomerRow): void {
  for (const one of world.subscriptions.all()) {
    if (one.customer === customer.id && !isOver(one)) end(world, one, 'cancellation_requested');
  }
  world.customers.remove(customer.id);
  world.deletedCustomers.add(customer.id);
  world.emit('customer.deleted', customer);
}

export function isOver({ status }: Pick<SubscriptionRow, 'status'>): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

/** What is due of it by the clock, one thing after the other. */
export function wakeSubscription(world: World, subscription: SubscriptionRow): void {
  const now = world.now();
  if (isOver(subscription)) return;
  if (subscription.status === 'incomplete') {
    if (subscription.created + TO_FINISH_S <= now) expire(world, subscription);
    return;
  }
  dropOldChange(world, subscription);
  if (subscription.cancel_at !== null && subscription.cancel_at <= now) {
    end(world, subscription, 'cancellation_requested');
    return;
  }
  tellOfTrial(world, subscription);
  if (subscription.status !== 'paused' && subscription.items.data[0]!.current_period_end <= now)
    renew(world, subscription);
}

/** One that was not paid in time. */
function dropOldChange(world: World, subscription: SubscriptionRow): void {
  const { pending_update: waiting } = subscription;
  if (waiting === null || waiting.expires_at > world.now()) return;
  voidInvoice(world, world.invoices.get(subscription.latest_invoice!));
  world.change(subscription, { pending_update: null }, 'customer.subscription.updated');
  world.emit('customer.subscription.pending_update_expired', subscription);
}

function tellOfTrial(world: World, subscription: SubscriptionRow): void {
  const isDue = subscription.status === 'trialing' && subscription.trial_end! - TRIAL_TOLD_S <= world.now();
  if (!isDue || world.trialsTold.has(subscription.id)) return;
  world.trialsTold.add(subscription.id);
  world.emit('customer.subscription.trial_will_end', subscription);
}

function expire(world: World, subscription: SubscriptionRow): void {
  const invoice = world.invoices.get(subscription.latest_invoice!);
  if (invoice.status === 'open') voidInvoice(world, invoice);
  world.change(subscription, { status: 'incomplete_expired', ended_at: world.now() }, 'customer.subscription.updated');
}

function renew(world: World, subscription: SubscriptionRow): void {
  const isTrialOver = subscription.status === 'trialing';
  if (isTrialOver && stopsWithoutMethod(world, subscription)) return;
  const items = subscription.items.data.map((item) => ({
    ...item,
    current_period_start: item.current_period_end,
    current_period_end: endOf(item.price, subscription.billing_cycle_anchor, item.current_period_end),
  }));
  const lines = world.pendingLines.get(subscription.id) ?? [];
  world.pendingLines.delete(subscription.id);
  const invoice = draft(
    world,
    subscription,
    [...lines, ...items.map((item) => periodLine(world, subscription, item))],
    'subscription_cycle' satisfies BillingReason,
  );
  const paused = subscription.pause_collection?.behavior;
  const isAsked = subscription.status !== 'unpaid' && paused === undefined;
  const finalizesAt = isAsked ? world.now() + DRAFT_S : null;
  Object.assign(invoice, { auto_advance: isAsked, automatically_finalizes_at: finalizesAt });
  keep(world, invoice);
  world.change(
    subscription,
    {
      ...{ items: { ...subscription.items, data: items }, latest_invoice: invoice.id },
      ...(isTrialOver && { status: 'active' as const }),
    },
    'customer.subscription.updated',
  );
  if (finalizesAt !== null) world.wake(finalizesAt, 'invoice', invoice.id);
  if (paused === 'void') voidInvoice(world, invoice);
  wakeFor(world, subscription);
}

/** A trial that ends without a card, where that was not to make an invoice. @returns whether it did */
function stopsWithoutMethod(world: World, subscription: SubscriptionRow): boolean {
  const { missing_payment_method: wanted } = subscription.trial_settings!.end_behavior;
  if (methodOf(world, subscription) !== null || wanted === 'create_invoice') return false;
  if (wanted === 'cancel') end(world, subscription, 'cancellation_requested');
  else {
    world.change(subscription, { status: 'paused' }, 'customer.subscription.updated');
    world.emit('customer.subscription.paused', subscription);
  }
  return true;
}

/** Of a draft or an open one whose time has come. */
export function wakeInvoice(world: World, invoice: InvoiceRow): void {
  const subscription = world.subscriptions.find(invoice.parent?.subscription_details.subscription ?? '');
  if (subscription === undefined || isOver(subscription)) return;
  const now = world.now();
  const isFinalized = invoice.status === 'draft' && (invoice.automatically_finalizes_at ?? now + 1) <= now;
  if (isFinalized) finalize(world, invoice);
  const isTried = isFinalized || (invoice.status === 'open' && (invoice.next_payment_attempt ?? now + 1) <= now);
  if (isTried) settleOutcome(world, subscription, invoice, attempt(world, invoice));
}

export function wakeFor(world: World, subscription: SubscriptionRow): void {
  const { cancel_at, created, id, items, pending_update, schedule, status, trial_end } = subscription;
  if (isOver(subscription)) return;
  const times = [
    items.data[0]!.current_period_end,
    cancel_at,
    pending_update?.expires_at,
    status === 'incomplete' ? created + TO_FINISH_S : null,
    status === 'trialing' ? trial_end! - TRIAL_TOLD_S : null,
    ...(world.schedules.find(schedule ?? '')?.phases.map(({ end_date }) => end_date) ?? []),
  ];
  for (const at of times) if (at != null && at > world.now()) world.wake(at, 'subscription', id);
}

/** @throws Refusal it is over */
export function cancelLater(
  world: World,
  subscription: SubscriptionRow,
  at: number | null,
  isPeriodEnd: boolean,
): void {
  world.change(
    subscription,
    {
      ...{ cancel_at: at, cancel_at_period_end: isPeriodEnd, canceled_at: at === null ? null : world.now() },
      cancellation_details: {
        ...subscription.cancellation_details!,
        reason: at === null ? null : 'cancellation_requested',
      },
    },
    'customer.subscription.updated',
  );
  wakeFor(world, subscription);
}

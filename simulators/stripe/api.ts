/** The calls of v1 that are played, each with what it takes. */
import { refund } from './payments.ts';
import { accounts } from './resources/accounts.ts';
import { balances } from './resources/balances.ts';
import {
  createCoupon,
  createPrice,
  createProduct,
  createPromotionCode,
  updatePrice,
  updateProduct,
} from './resources/catalog.ts';
import { attach, createCustomer, declined, detach, updateCustomer } from './resources/customers.ts';
import { disputes, tax } from './resources/disputes.ts';
import { funds } from './resources/funds.ts';
import { attempt, draft, finalize, voidInvoice } from './resources/invoices.ts';
import { portal } from './resources/portal.ts';
import { schedules } from './resources/schedules.ts';
import { basketOf, createSession, expireSession } from './resources/sessions.ts';
import {
  begin,
  cancelLater,
  change,
  changed,
  end,
  feeIn,
  isOver,
  type NewItem,
  type PaymentBehavior,
  removeCustomer,
  settleOutcome,
  wakeFor,
} from './resources/subscriptions.ts';
import { testClocks } from './resources/test-clocks.ts';
import { page } from './wire/pages.ts';
import type { Params } from './wire/params.ts';
import { noSuch, notNow, wrongParam } from './wire/refusal.ts';
import { type Asked, type Route, rows } from './wire/routes.ts';
import type { CustomerRow, EndpointRow, InvoiceRow, SubscriptionRow } from './wire/rows.ts';
import type { World } from './world.ts';

const DAY_S = 86_400;
const BEHAVIORS = ['allow_incomplete', 'default_incomplete', 'error_if_incomplete', 'pending_if_incomplete'] as const;
const PRORATIONS = ['always_invoice', 'create_prorations', 'none'] as const;
const FEEDBACK = [
  ...['customer_service', 'low_quality', 'missing_features', 'other', 'switched_service', 'too_complex'],
  ...['too_expensive', 'unused'],
] as const;

function customerOf(world: World, id: string): CustomerRow {
  const customer = world.customers.find(id);
  if (customer !== undefined) return customer;
  throw noSuch('customer', id);
}

const customers: Route[] = [
  ...rows('/v1/customers', (world) => world.customers, ['email']).slice(0, 1),
  {
    method: 'GET',
    path: '/v1/customers/:id',
    answer: ({ world, ids: [id] }) =>
      world.deletedCustomers.has(id!) ? { id, object: 'customer', deleted: true } : customerOf(world, id!),
  },
  { method: 'POST', path: '/v1/customers', answer: ({ world, params }) => createCustomer(world, params) },
  {
    method: 'POST',
    path: '/v1/customers/:id',
    answer: ({ world, params, ids: [id] }) => updateCustomer(world, customerOf(world, id!), params),
  },
  {
    method: 'DELETE',
    path: '/v1/customers/:id',
    answer({ world, ids: [id] }) {
      removeCustomer(world, customerOf(world, id!));
      return { id, object: 'customer', deleted: true };
    },
  },
];

const paymentMethods: Route[] = [
  ...rows('/v1/payment_methods', (world) => world.paymentMethods, ['customer', 'type']),
  {
    method: 'POST',
    path: '/v1/payment_methods/:id/attach',
    answer: ({ world, params, ids: [id] }) =>
      attach(world, id!, world.customers.get(params.needText('customer'), 'customer')),
  },
  {
    method: 'POST',
    path: '/v1/payment_methods/:id/detach',
    answer: ({ world, ids: [id] }) => detach(world, world.paymentMethods.get(id!)),
  },
];

const catalog: Route[] = [
  ...rows('/v1/products', (world) => world.products, ['active']),
  { method: 'POST', path: '/v1/products', answer: ({ world, params }) => createProduct(world, params) },
  {
    method: 'POST',
    path: '/v1/products/:id',
    answer: ({ world, params, ids: [id] }) => updateProduct(world, world.products.get(id!), params),
  },
  ...rows('/v1/prices', (world) => world.prices, ['active', 'product', 'currency', 'type']),
  { method: 'POST', path: '/v1/prices', answer: ({ world, params }) => createPrice(world, params) },
  {
    method: 'POST',
    path: '/v1/prices/:id',
    answer: ({ world, params, ids: [id] }) => updatePrice(world, world.prices.get(id!), params),
  },
  ...rows('/v1/coupons', (world) => world.coupons),
  { method: 'POST', path: '/v1/coupons', answer: ({ world, params }) => createCoupon(world, params) },
  ...rows('/v1/promotion_codes', (world) => world.promotionCodes, ['active', 'code', 'customer']),
  { method: 'POST', path: '/v1/promotion_codes', answer: ({ world, params }) => createPromotionCode(world, params) },
  {
    method: 'POST',
    path: '/v1/promotion_codes/:id',
    answer({ world, params, ids: [id] }) {
      const code = world.promotionCodes.get(id!);
      const changes = { active: params.flag('active') ?? code.active, metadata: params.metadata(code.metadata ?? {}) };
      world.change(code, changes, 'promotion_code.updated');
      return code;
    },
  },
];

const sessions: Route[] = [
  ...rows('/v1/checkout/sessions', (world) => world.sessions, ['customer', 'subscription', 'status']),
  { method: 'POST', path: '/v1/checkout/sessions', answer: ({ world, params }) => createSession(world, params) },
  {
    method: 'POST',
    path: '/v1/checkout/sessions/:id/expire',
    answer: ({ world, ids: [id] }) => expireSession(world, world.sessions.get(id!)),
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions/:id/line_items',
    answer({ world, params, ids: [id] }) {
      const { items } = basketOf(world.sessions.get(id!));
      const data = items.map(({ price, quantity }, at) => ({
        ...{ id: `li_${at}_${id}`, object: 'item', created: 0, amount_subtotal: (price.unit_amount ?? 0) * quantity },
        ...{
          amount_total: (price.unit_amount ?? 0) * quantity,
          amount_discount: 0,
          amount_tax: 0,
          currency: price.currency,
        },
        ...{ description: world.products.get(price.product).name, price, quantity },
      }));
      return page(data, params, `/v1/checkout/sessions/${id}/line_items`);
    },
  },
];

function itemsIn(world: World, params: Params): NewItem[] {
  return (params.parts('items') ?? []).map((item) => ({
    price: world.prices.get(item.needText('price'), 'items[0][price]'),
    quantity: item.whole('quantity') ?? 1,
  }));
}

function changedItems(world: World, subscription: SubscriptionRow, params: Params): Map<string, NewItem> {
  const wanted = new Map<string, NewItem>();
  for (const item of params.parts('items') ?? []) {
    const id = item.text('id') ?? (subscription.items.data.length === 1 ? subscription.items.data[0]!.id : null);
    const before = subscription.items.data.find((one) => one.id === id);
    if (before === undefined) throw wrongParam('items[0][id]', 'It is no item of this subscription.');
    const price = item.text('price');
    wanted.set(before.id, {
      price: price == null ? before.price : world.prices.get(price, 'items[0][price]'),
      quantity: item.whole('quantity') ?? before.quantity,
    });
  }
  return wanted;
}

/** `now`, or a time. */
function trialEndIn(world: World, params: Params): number | null | undefined {
  const said = params.text('trial_end');
  if (said == null) return undefined;
  if (said === 'now') return null;
  const at = Number(said);
  if (Number.isInteger(at) && at > world.now()) return at;
  throw wrongParam('trial_end', 'It must be `now` or a time to come.');
}

function createSubscription({ world, params }: Asked): SubscriptionRow {
  const customer = world.customers.get(params.needText('customer'), 'customer');
  const days = params.whole('trial_period_days');
  const end = params.part('trial_settings')?.part('end_behavior');
  const code = params.parts('discounts')?.[0]?.text('promotion_code');
  return begin(world, {
    customer: customer.id,
    items: itemsIn(world, params),
    metadata: params.metadata(),
    method: params.text('default_payment_method') ?? null,
    trialEnd: days == null ? (trialEndIn(world, params) ?? null) : world.now() + days * DAY_S,
    withoutMethod: end?.oneOf('missing_payment_method', ['cancel', 'create_invoice', 'pause']) ?? 'create_invoice',
    behavior: params.oneOf('payment_behavior', BEHAVIORS) ?? 'allow_incomplete',
    promotionCode: code == null ? null : world.promotionCodes.get(code).code,
    hasTax: params.part('automatic_tax')?.flag('enabled') ?? false,
    feePercent: feeIn(world, params) ?? null,
  });
}

function updateSubscription({ world, params, ids: [id] }: Asked): SubscriptionRow {
  const subscription = world.subscriptions.get(id!);
  if (isOver(subscription))
    throw notNow('A canceled subscription can only update its cancellation_details and metadata.');
  const items = changedItems(world, subscription, params);
  const prorations = params.oneOf('proration_behavior', PRORATIONS) ?? 'create_prorations';
  const behavior: PaymentBehavior = params.oneOf('payment_behavior', BEHAVIORS) ?? 'allow_incomplete';
  const at = params.whole('proration_date') ?? world.now();
  const [periodEnd, cancelAt] = [params.flag('cancel_at_period_end'), params.whole('cancel_at')];
  const method = params.text('default_payment_method');
  const pause = pauseIn(params);
  const trialEnd = trialEndIn(world, params);
  const feePercent = feeIn(world, params);
  const said = params.part('cancellation_details');
  const details = { feedback: said?.oneOf('feedback', FEEDBACK), comment: said?.text('comment') };
  world.change(
    subscription,
    {
      metadata: params.metadata(subscription.metadata),
      ...(method !== undefined && { default_payment_method: method }),
      ...(feePercent !== undefined && { application_fee_percent: feePercent }),
      ...(pause !== undefined && { pause_collection: pause }),
      ...(said !== undefined && {
        cancellation_details: {
          ...subscription.cancellation_details!,
          ...(details.feedback !== undefined && { feedback: details.feedback }),
          ...(details.comment !== undefined && { comment: details.comment }),
        },
      }),
    },
    'customer.subscription.updated',
  );
  if (trialEnd !== undefined) moveTrial(world, subscription, trialEnd);
  if (items.size > 0) change(world, subscription, { items, prorations, behavior, at });
  if (periodEnd === true) {
    cancelLater(world, subscription, subscription.items.data[0]!.current_period_end, true);
  } else if (cancelAt != null) cancelLater(world, subscription, cancelAt, false);
  else if (periodEnd === false || cancelAt === null) cancelLater(world, subscription, null, false);
  return subscription;
}

function pauseIn(params: Params): SubscriptionRow['pause_collection'] | undefined {
  if (!params.isPart('pause_collection')) return params.text('pause_collection') === null ? null : undefined;
  const pause = params.part('pause_collection')!;
  const behavior = pause.oneOf('behavior', ['keep_as_draft', 'mark_uncollectible', 'void']);
  if (behavior === undefined)
    throw wrongParam('pause_collection[behavior]', 'Missing required param.', 'parameter_missing');
  return { behavior, resumes_at: pause.whole('resumes_at') ?? null };
}

/** @param at null: now */
function moveTrial(world: World, subscription: SubscriptionRow, at: number | null): void {
  const ends = at ?? world.now();
  const data = subscription.items.data.map((item) => ({ ...item, current_period_end: ends }));
  const isTrial = at !== null || subscription.status === 'trialing';
  world.change(
    subscription,
    {
      ...{ trial_end: ends, billing_cycle_anchor: ends, items: { ...subscription.items, data } },
      ...(isTrial && { status: 'trialing' as const }),
    },
    'customer.subscription.updated',
  );
  if (at === null) world.wake(world.now(), 'subscription', subscription.id);
  wakeFor(world, subscription);
}

const subscriptions: Route[] = [
  {
    method: 'GET',
    path: '/v1/subscriptions',
    answer({ world, params }) {
      const [customer, price, status] = [
        params.text('customer'),
        params.text('price'),
        params.text('status') ?? 'not over',
      ];
      const found = world.subscriptions
        .newestFirst()
        .filter((one) => customer == null || one.customer === customer)
        .filter((one) => price == null || one.items.data.some((item) => item.price.id === price))
        .filter((one) => {
          if (status === 'all') return true;
          if (status === 'ended') return isOver(one);
          return status === 'not over' ? one.status !== 'canceled' : one.status === status;
        });
      return page(found, params, '/v1/subscriptions');
    },
  },
  { method: 'GET', path: '/v1/subscriptions/:id', answer: ({ world, ids: [id] }) => world.subscriptions.get(id!) },
  { method: 'POST', path: '/v1/subscriptions', answer: createSubscription },
  { method: 'POST', path: '/v1/subscriptions/:id', answer: updateSubscription },
  {
    method: 'DELETE',
    path: '/v1/subscriptions/:id',
    answer({ world, params, ids: [id] }) {
      const subscription = world.subscriptions.get(id!);
      if (isOver(subscription)) throw noSuch('subscription', id!);
      const said = params.part('cancellation_details');
      const [feedback, comment] = [said?.oneOf('feedback', FEEDBACK), said?.text('comment')];
      Object.assign(subscription.cancellation_details!, { ...(feedback && { feedback }), ...(comment && { comment }) });
      end(world, subscription, 'cancellation_requested');
      return subscription;
    },
  },
];

/** What an invoice would be, if this were changed now. */
function preview({ world, params }: Asked): InvoiceRow {
  const subscription = world.subscriptions.get(params.needText('subscription'), 'subscription');
  const customer = params.text('customer');
  if (customer != null && customer !== subscription.customer)
    throw noSuch('subscription', subscription.id, 'subscription');
  const details = params.part('subscription_details');
  const items = details === undefined ? new Map<string, NewItem>() : changedItems(world, subscription, details);
  const prorations = details?.oneOf('proration_behavior', PRORATIONS) ?? 'create_prorations';
  const at = details?.whole('proration_date') ?? world.now();
  params.part('automatic_tax')?.flag('enabled');
  const { lines } = changed(world, subscription, { items, prorations, at });
  const invoice = draft(world, subscription, lines, 'subscription_update', world.id('upcoming_in'));
  return Object.assign(invoice, { automatically_finalizes_at: null, auto_advance: false });
}

const invoices: Route[] = [
  {
    method: 'GET',
    path: '/v1/invoices',
    answer({ world, params }) {
      const [customer, subscription, status] = ['customer', 'subscription', 'status'].map((name) => params.text(name));
      const found = world.invoices
        .newestFirst()
        .filter((one) => customer == null || one.customer === customer)
        .filter((one) => subscription == null || one.parent?.subscription_details.subscription === subscription)
        .filter((one) => status == null || one.status === status);
      return page(found, params, '/v1/invoices');
    },
  },
  { method: 'GET', path: '/v1/invoices/:id', answer: ({ world, ids: [id] }) => world.invoices.get(id!) },
  { method: 'POST', path: '/v1/invoices/create_preview', answer: preview },
  {
    method: 'POST',
    path: '/v1/invoices/:id/pay',
    answer({ world, params, ids: [id] }) {
      const invoice = world.invoices.get(id!);
      const method = params.text('payment_method') ?? undefined;
      if (invoice.status === 'paid') throw notNow('Invoice is already paid', 'invoice_already_paid');
      if (invoice.status === 'draft') finalize(world, invoice);
      if (invoice.status !== 'open')
        throw notNow(`A ${invoice.status} invoice cannot be paid.`, 'invoice_not_editable');
      const outcome = attempt(world, invoice, { method });
      const subscription = world.subscriptions.find(invoice.parent?.subscription_details.subscription ?? '');
      const isGood = outcome.kind === 'paid' || outcome.kind === 'processing';
      if (subscription !== undefined && isGood) settleOutcome(world, subscription, invoice, outcome);
      if (!isGood) throw declined(outcome.kind === 'declined' ? outcome.code : 'authentication_required');
      return invoice;
    },
  },
  {
    method: 'POST',
    path: '/v1/invoices/:id/void',
    answer({ world, ids: [id] }) {
      const invoice = world.invoices.get(id!);
      if (invoice.status !== 'open') throw notNow('You can only pass in open invoices.', 'invoice_not_editable');
      voidInvoice(world, invoice);
      return invoice;
    },
  },
  {
    method: 'POST',
    path: '/v1/invoices/:id/finalize',
    answer({ world, ids: [id] }) {
      const invoice = world.invoices.get(id!);
      if (invoice.status !== 'draft') throw notNow('This invoice is already finalized.', 'invoice_not_editable');
      finalize(world, invoice);
      return invoice;
    },
  },
];

const payments: Route[] = [
  ...rows('/v1/payment_intents', (world) => world.paymentIntents, ['customer']),
  ...rows('/v1/charges', (world) => world.charges, ['customer', 'payment_intent']),
  ...rows('/v1/refunds', (world) => world.refunds, ['charge', 'payment_intent']),
  {
    method: 'POST',
    path: '/v1/refunds',
    answer({ world, params }) {
      const intent = params.text('payment_intent');
      const chargeId =
        intent == null ? params.needText('charge') : world.paymentIntents.get(intent, 'payment_intent').latest_charge;
      const charge = world.charges.get(chargeId ?? '', 'charge');
      const left = charge.amount_captured - charge.amount_refunded;
      if (left <= 0) throw notNow(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
      const cents = params.whole('amount') ?? left;
      if (cents <= 0 || cents > left)
        throw wrongParam('amount', `Refund amount is greater than unrefunded amount on charge (${left}).`);
      const reason = params.oneOf('reason', ['duplicate', 'fraudulent', 'requested_by_customer']) ?? null;
      return refund(world, charge, cents, reason, params.metadata());
    },
  },
];

const endpoints: Route[] = [
  ...rows('/v1/webhook_endpoints', (world) => world.endpoints),
  {
    method: 'POST',
    path: '/v1/webhook_endpoints',
    answer({ world, webhooks, params }) {
      const endpoint = world.endpoints.add({
        ...{
          id: world.id('we'),
          object: 'webhook_endpoint',
          api_version: params.text('api_version') ?? null,
          application: params.flag('connect') === true ? 'ca_simulated' : null,
        },
        ...{ created: world.now(), description: params.text('description') ?? null, livemode: world.livemode },
        ...{ enabled_events: params.texts('enabled_events') ?? [], metadata: params.metadata(), status: 'enabled' },
        url: params.needText('url'),
      } satisfies EndpointRow);
      // It is told this once.
      return { ...endpoint, secret: webhooks.newSecret(endpoint.id) };
    },
  },
  {
    method: 'POST',
    path: '/v1/webhook_endpoints/:id',
    answer({ world, params, ids: [id] }) {
      const endpoint = world.endpoints.get(id!);
      const isDisabled = params.flag('disabled');
      Object.assign(endpoint, {
        ...{
          url: params.text('url') ?? endpoint.url,
          enabled_events: params.texts('enabled_events') ?? endpoint.enabled_events,
        },
        ...{ metadata: params.metadata(endpoint.metadata) },
        ...(isDisabled !== undefined && { status: isDisabled ? 'disabled' : 'enabled' }),
      });
      return endpoint;
    },
  },
  {
    method: 'DELETE',
    path: '/v1/webhook_endpoints/:id',
    answer({ world, ids: [id] }) {
      world.endpoints.get(id!);
      world.endpoints.remove(id!);
      return { id, object: 'webhook_endpoint', deleted: true };
    },
  },
];

const events: Route[] = [
  {
    method: 'GET',
    path: '/v1/events',
    answer({ world, params }) {
      const [type, types] = [params.text('type'), params.texts('types')];
      const delivered = params.flag('delivery_success');
      const found = world.events
        .newestFirst()
        .filter(
          (one) => type == null || (type.endsWith('*') ? one.type.startsWith(type.slice(0, -1)) : one.type === type),
        )
        .filter((one) => types === undefined || types.includes(one.type))
        .filter((one) => delivered === undefined || (one.pending_webhooks === 0) === delivered);
      return page(found, params, '/v1/events');
    },
  },
  { method: 'GET', path: '/v1/events/:id', answer: ({ world, ids: [id] }) => world.events.get(id!) },
];

const ROUTES: Route[] = [
  customers,
  paymentMethods,
  catalog,
  sessions,
  subscriptions,
  schedules,
  invoices,
  payments,
  disputes,
  portal,
  tax,
  balances,
  endpoints,
  events,
  testClocks,
  accounts,
  funds,
].flat();

/** @returns null: it is not played */
export function findRoute(method: string, path: string): { answer: Route['answer']; ids: string[] } | null {
  const parts = path.split('/');
  let found: { answer: Route['answer']; ids: string[] } | null = null;
  for (const route of ROUTES) {
    const wanted = route.path.split('/');
    if (route.method !== method || wanted.length !== parts.length) continue;
    if (!wanted.every((part, at) => part.startsWith(':') || part === parts[at])) continue;
    const ids = parts.filter((_, at) => wanted[at]!.startsWith(':')).map(decodeURIComponent);
    // A word goes before an id.
    if (found === null || ids.length < found.ids.length) found = { answer: route.answer, ids };
  }
  return found;
}

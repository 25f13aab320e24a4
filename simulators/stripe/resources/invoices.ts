/** Invoices: made of lines, finalized, tried, paid or not. What that means for their subscription is said in subscriptions.ts. */
import type Stripe from 'stripe';
import { type Outcome, tryToPay } from '../payments.ts';
import type { InvoiceRow, ItemRow, LineRow, SubscriptionRow } from '../wire/rows.ts';
import { listOf, type World } from '../world.ts';
import { moveBalance } from './balances.ts';
import { discountOn } from './catalog.ts';

export type BillingReason = 'subscription_create' | 'subscription_cycle' | 'subscription_update';

export function lineFor(
  world: World,
  subscription: Pick<SubscriptionRow, 'id'>,
  item: ItemRow,
  { cents, period, proration }: { cents: number; period: { start: number; end: number }; proration: boolean },
): LineRow {
  const product = world.products.get(item.price.product);
  const words = proration ? (cents < 0 ? 'Unused time on' : 'Remaining time on') : `${item.quantity} ×`;
  return {
    ...{ id: world.id('il'), object: 'line_item', amount: cents, currency: item.price.currency },
    ...{
      description: `${words} ${product.name}`,
      discount_amounts: [],
      discountable: !proration,
      discounts: [],
      invoice: null,
    },
    ...{ livemode: world.livemode, metadata: {}, period, pretax_credit_amounts: [] },
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        ...{
          invoice_item: null,
          proration,
          proration_details: null,
          subscription: subscription.id,
          subscription_item: item.id,
        },
      },
      type: 'subscription_item_details',
    },
    pricing: {
      type: 'price_details',
      unit_amount_decimal: item.price.unit_amount_decimal,
      price_details: { price: item.price.id, product: item.price.product },
    },
    ...{
      quantity: item.quantity,
      quantity_decimal: String(item.quantity),
      subscription: subscription.id,
      subtotal: cents,
      taxes: [],
    },
  } satisfies LineRow;
}

/** Of a span that is paid as a whole. */
export function periodLine(world: World, subscription: SubscriptionRow, item: ItemRow, isFree = false): LineRow {
  const cents = isFree ? 0 : (item.price.unit_amount ?? 0) * item.quantity;
  const period = { start: item.current_period_start, end: item.current_period_end };
  return lineFor(world, subscription, item, { cents, period, proration: false });
}

/** A draft: nothing is asked for yet. It is not kept; see `keep`. */
export function draft(
  world: World,
  subscription: SubscriptionRow,
  lines: LineRow[],
  reason: BillingReason,
  id = world.id('in'),
): InvoiceRow {
  const customer = world.customers.get(subscription.customer);
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
  const discounts = subscription.discounts
    .map((one) => world.discounts.get(one))
    .filter(({ end }) => end === null || end > world.now())
    .map((one) => ({
      discount: one.id,
      amount: discountOn(world.coupons.get(one.source.coupon), Math.max(0, subtotal)),
    }));
  const net = subtotal - discounts.reduce((sum, { amount }) => sum + amount, 0);
  const taxes = taxesOn(world, subscription, net);
  const total = net + taxes.reduce((sum, { amount }) => sum + amount, 0);
  // What is left over goes to the customer's balance; what they have there is taken first.
  const due = Math.max(0, total + customer.balance);
  const first = lines.at(-1);
  return {
    ...{
      id,
      object: 'invoice',
      account_country: 'US',
      account_name: 'Creator HQ',
      account_tax_ids: null,
      amount_due: due,
    },
    ...{ amount_overpaid: 0, amount_paid: 0, amount_remaining: due, amount_shipping: 0, application: null },
    ...{ attempt_count: 0, attempted: false, auto_advance: true },
    automatic_tax: {
      ...{ disabled_reason: null, enabled: subscription.automatic_tax.enabled, liability: null, provider: null },
      status: subscription.automatic_tax.enabled ? 'complete' : null,
    },
    ...{ automatically_finalizes_at: null, billing_reason: reason, collection_method: 'charge_automatically' },
    ...{ created: world.now(), currency: subscription.currency, custom_fields: null, customer: customer.id },
    ...{
      customer_account: null,
      customer_address: null,
      customer_email: customer.email,
      customer_name: customer.name ?? null,
    },
    ...{ customer_phone: null, customer_shipping: null, customer_tax_exempt: 'none', customer_tax_ids: [] },
    ...{ default_payment_method: null, default_source: null, default_tax_rates: [], description: null },
    ...{
      discounts: discounts.map(({ discount }) => discount),
      due_date: null,
      effective_at: null,
      ending_balance: null,
    },
    ...{ footer: null, from_invoice: null, hosted_invoice_url: null, invoice_pdf: null, issuer: { type: 'self' } },
    ...{ last_finalization_error: null, latest_revision: null },
    lines: listOf(
      lines.map((line) => ({ ...line, invoice: id })),
      `/v1/invoices/${id}/lines`,
    ),
    ...{ livemode: world.livemode, metadata: {}, next_payment_attempt: null, number: null, on_behalf_of: null },
    parent: {
      ...{ type: 'subscription_details', quote_details: null },
      subscription_details: { subscription: subscription.id, metadata: subscription.metadata },
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    payments: listOf([], `/v1/invoice_payments?invoice=${id}`),
    ...{ period_end: first?.period.start ?? world.now(), period_start: first?.period.start ?? world.now() },
    ...{
      post_payment_credit_notes_amount: 0,
      pre_payment_credit_notes_amount: 0,
      receipt_number: null,
      rendering: null,
    },
    ...{ shipping_cost: null, shipping_details: null, starting_balance: customer.balance, statement_descriptor: null },
    ...{ status: 'draft', subtotal, subtotal_excluding_tax: subtotal, test_clock: null, total },
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    ...{
      total_discount_amounts: discounts,
      total_excluding_tax: net,
      total_pretax_credit_amounts: [],
      total_taxes: taxes,
    },
    webhooks_delivered_at: null,
  } satisfies InvoiceRow;
}

/** At one rate, wherever they are; none where nobody registered. */
function taxesOn({ tax }: World, { automatic_tax }: SubscriptionRow, net: number): Stripe.Invoice.TotalTax[] {
  if (!automatic_tax.enabled || !tax.isActive || tax.countries.length === 0) return [];
  return [
    {
      ...{ amount: Math.round((net * tax.percent) / 100), tax_behavior: 'exclusive', tax_rate_details: null },
      ...{ taxability_reason: 'standard_rated', taxable_amount: net, type: 'tax_rate_details' },
    },
  ];
}

export function keep(world: World, invoice: InvoiceRow): InvoiceRow {
  world.invoices.add(invoice);
  world.emit('invoice.created', invoice);
  return invoice;
}

/** From here on its lines stay, and it has a number and a page. */
export function finalize(world: World, invoice: InvoiceRow): void {
  const customer = world.customers.get(invoice.customer);
  const sequence = customer.next_invoice_sequence ?? 1;
  const balance = invoice.starting_balance + invoice.total - invoice.amount_due;
  world.change(customer, { next_invoice_sequence: sequence + 1 }, null);
  if (balance !== customer.balance) {
    const type = balance > customer.balance ? 'applied_to_invoice' : 'unapplied_from_invoice';
    moveBalance(world, customer, { amount: balance - customer.balance, type, invoice: invoice.id });
  }
  world.change(
    invoice,
    {
      ...{ status: 'open', number: `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}` },
      ...{ ending_balance: balance, effective_at: world.now(), automatically_finalizes_at: null },
      ...{
        hosted_invoice_url: `${world.url}/invoice/${invoice.id}`,
        invoice_pdf: `${world.url}/invoice/${invoice.id}/pdf`,
      },
      status_transitions: { ...invoice.status_transitions, finalized_at: world.now() },
    },
    'invoice.finalized',
  );
}

/** @returns what came of it; the invoice says whether it is paid */
export function attempt(
  world: World,
  invoice: InvoiceRow,
  options: { isConfirmed?: boolean; method?: string | undefined } = {},
): Outcome {
  const outcome: Outcome =
    invoice.amount_due === 0
      ? { kind: 'paid' }
      : tryToPay(world, invoice, options.method ?? methodFor(world, invoice), options);
  const isSameAttempt = options.isConfirmed === true && invoice.attempted;
  const attempts = { attempted: true, attempt_count: invoice.attempt_count + (isSameAttempt ? 0 : 1) };
  if (outcome.kind === 'paid') markPaid(world, invoice, attempts);
  else world.change(invoice, attempts, null);
  if (outcome.kind === 'declined' || outcome.kind === 'no_method') world.emit('invoice.payment_failed', invoice);
  if (outcome.kind === 'confirm') world.emit('invoice.payment_action_required', invoice);
  return outcome;
}

export function markPaid(world: World, invoice: InvoiceRow, also: Partial<InvoiceRow> = {}): void {
  const payments = invoice.payments.data.map((one) => ({
    ...{ ...one, amount_paid: one.amount_requested, status: 'paid' },
    status_transitions: { canceled_at: null, paid_at: world.now() },
  }));
  world.change(
    invoice,
    {
      ...also,
      ...{ status: 'paid', amount_paid: invoice.amount_due, amount_remaining: 0, next_payment_attempt: null },
      ...{ payments: { ...invoice.payments, data: payments } },
      status_transitions: { ...invoice.status_transitions, paid_at: world.now() },
    },
    'invoice.paid',
  );
  world.emit('invoice.payment_succeeded', invoice);
}

export function voidInvoice(world: World, invoice: InvoiceRow): void {
  world.change(
    invoice,
    {
      ...{ status: 'void', amount_remaining: 0, auto_advance: false, next_payment_attempt: null },
      status_transitions: { ...invoice.status_transitions, voided_at: world.now() },
    },
    'invoice.voided',
  );
}

/** The subscription's own, else the customer's. */
function methodFor(world: World, invoice: InvoiceRow): string | null {
  const id = invoice.parent?.subscription_details.subscription;
  const own = id === undefined ? null : (world.subscriptions.find(id)?.default_payment_method ?? null);
  return own ?? world.customers.get(invoice.customer).invoice_settings.default_payment_method;
}

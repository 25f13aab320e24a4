/** Money: an invoice is tried with a payment method, and what comes of it stands in a payment intent, a charge and the ledger. */
import { DECLINED } from './resources/customers.ts';
import { moveFunds } from './resources/funds.ts';
import type {
  ApplicationFeeRow,
  ChargeRow,
  CustomerRow,
  InvoicePaymentRow,
  InvoiceRow,
  PaymentIntentRow,
  RefundRow,
} from './wire/rows.ts';
import { listOf, type World } from './world.ts';

export type Outcome =
  | { kind: 'paid' }
  | { kind: 'declined'; code: string }
  | { kind: 'confirm' }
  | { kind: 'processing' }
  | { kind: 'no_method' };

/** @param method null: the customer has none. `isConfirmed`: the bank said yes, the customer being there. */
export function tryToPay(
  world: World,
  invoice: InvoiceRow,
  method: string | null,
  { isConfirmed = false }: { isConfirmed?: boolean } = {},
): Outcome {
  const intent = intentOf(world, invoice);
  if (method === null) return { kind: 'no_method' };
  world.change(intent, { payment_method: method }, null);
  const behavior = world.behaviors.get(method) ?? { kind: 'good' };
  if (behavior.kind === 'confirm' && !isConfirmed) {
    const url = `${world.url}/confirm/${intent.id}`;
    const next = { redirect_to_url: { return_url: null, url }, type: 'redirect_to_url' };
    world.change(intent, { status: 'requires_action', next_action: next }, 'payment_intent.requires_action');
    return { kind: 'confirm' };
  }
  if (behavior.kind === 'declined' || behavior.kind === 'fails') {
    decline(world, invoice, intent, behavior.code);
    return { kind: 'declined', code: behavior.code };
  }
  const charge = makeCharge(world, invoice, intent, behavior.kind === 'debit' ? 'pending' : 'succeeded');
  world.change(intent, { latest_charge: charge.id, next_action: null, last_payment_error: null }, null);
  if (behavior.kind === 'debit') {
    world.change(intent, { status: 'processing' }, 'payment_intent.processing');
    return { kind: 'processing' };
  }
  settle(world, invoice, intent, charge);
  return { kind: 'paid' };
}

/** The bank's debit arrived, or a card was charged. */
export function settle(world: World, invoice: InvoiceRow, intent: PaymentIntentRow, charge: ChargeRow): void {
  world.change(
    charge,
    { status: 'succeeded', paid: true, captured: true, amount_captured: charge.amount },
    'charge.succeeded',
  );
  world.change(intent, { status: 'succeeded', amount_received: intent.amount }, 'payment_intent.succeeded');
  const subscription = world.subscriptions.find(invoice.parent?.subscription_details.subscription ?? '');
  const fee = Math.round((charge.amount * (subscription?.application_fee_percent ?? 0)) / 100);
  const applicationFee = takeFee(world, charge, fee);
  const { amount: cents, currency, id: source } = charge;
  const line = moveFunds(world, { kind: 'charge', cents, currency, source, applicationFee });
  world.change(charge, { balance_transaction: line?.id ?? null }, null);
  note(world, 'charged', invoice, charge, charge.amount);
}

/** What the platform takes of a payment. @returns in cents */
function takeFee(world: World, charge: ChargeRow, amount: number): number {
  if (world.account === null || amount === 0) return 0;
  const fee = world.platform.applicationFees.add({
    ...{ id: world.id('fee'), object: 'application_fee', account: world.account, amount, amount_refunded: 0 },
    ...{ application: 'ca_simulated', balance_transaction: null, charge: charge.id, created: world.now() },
    ...{ currency: charge.currency, fee_source: null, livemode: world.livemode, originating_transaction: null },
    ...{ refunded: false, refunds: listOf([], '/v1/application_fees') },
  } satisfies ApplicationFeeRow);
  world.change(charge, { application_fee: fee.id, application_fee_amount: amount }, null);
  return amount;
}

/** The bank took it back before it was there. */
export function bounce(world: World, invoice: InvoiceRow, intent: PaymentIntentRow, charge: ChargeRow): void {
  world.change(charge, { status: 'failed', failure_code: 'debit_not_authorized' }, 'charge.failed');
  note(world, 'bounced', invoice, charge, charge.amount);
  failIntent(world, intent, charge, 'debit_not_authorized', 'The customer’s bank account could not be debited.');
}

function decline(world: World, invoice: InvoiceRow, intent: PaymentIntentRow, code: string): void {
  const charge = makeCharge(world, invoice, intent, 'failed');
  const message = DECLINED[code] ?? 'Your card was declined.';
  world.change(charge, { failure_code: 'card_declined', failure_message: message }, null);
  world.change(intent, { latest_charge: charge.id }, null);
  world.emit('charge.failed', charge);
  note(world, 'declined', invoice, charge, charge.amount);
  failIntent(world, intent, charge, code, message);
}

function failIntent(world: World, intent: PaymentIntentRow, charge: ChargeRow, code: string, message: string): void {
  const error = {
    ...{ charge: charge.id, code: 'card_declined' as const, decline_code: code, message, type: 'card_error' as const },
  };
  world.change(
    intent,
    { status: 'requires_payment_method', next_action: null, last_payment_error: error, payment_method: null },
    'payment_intent.payment_failed',
  );
}

/** Of an invoice there is one, however often it is tried. */
export function intentOf(world: World, invoice: InvoiceRow): PaymentIntentRow {
  const [made] = invoice.payments.data;
  if (made !== undefined) return world.paymentIntents.get(made.payment.payment_intent);
  const { amount_remaining: amount, currency, customer } = invoice;
  const intent = makeIntent(world, { amount, currency, customer, metadata: {}, isKept: true });
  const payment = {
    ...{
      id: world.id('inpay'),
      object: 'invoice_payment',
      amount_paid: null,
      amount_requested: invoice.amount_remaining,
    },
    ...{
      created: world.now(),
      currency: invoice.currency,
      invoice: invoice.id,
      is_default: true,
      livemode: world.livemode,
    },
    payment: { type: 'payment_intent', payment_intent: intent.id },
    ...{ status: 'open', status_transitions: { canceled_at: null, paid_at: null } },
  } satisfies InvoicePaymentRow;
  invoice.payments = listOf([payment], `/v1/invoice_payments?invoice=${invoice.id}`);
  world.emit('payment_intent.created', intent);
  return intent;
}

type Wanted = Pick<PaymentIntentRow, 'amount' | 'currency' | 'customer' | 'metadata'> & { isKept: boolean };

function makeIntent(world: World, { amount, currency, customer, metadata, isKept }: Wanted): PaymentIntentRow {
  const id = world.id('pi');
  return world.paymentIntents.add({
    ...{ id, object: 'payment_intent', allowed_payment_method_types: null, amount },
    ...{ amount_capturable: 0, amount_received: 0, application: null, application_fee_amount: null },
    ...{ automatic_payment_methods: null, canceled_at: null, cancellation_reason: null, capture_method: 'automatic' },
    ...{ client_secret: `${id}_secret_simulated`, confirmation_method: 'automatic', created: world.now() },
    ...{ currency, customer, customer_account: null, description: null },
    ...{ excluded_payment_method_types: null, last_payment_error: null, latest_charge: null, livemode: world.livemode },
    ...{ managed_payments: null, metadata, next_action: null, on_behalf_of: null, payment_method: null },
    ...{
      payment_method_configuration_details: null,
      payment_method_options: null,
      payment_method_types: ['card', 'sepa_debit'],
    },
    ...{
      payment_record: null,
      processing: null,
      receipt_email: null,
      review: null,
      setup_future_usage: isKept ? 'off_session' : null,
    },
    ...{ shipping: null, source: null, statement_descriptor: null, statement_descriptor_suffix: null },
    ...{ status: 'requires_payment_method', transfer_group: null },
  } satisfies PaymentIntentRow);
}

/** @param sale.method null: it is not known here. `fee`: what the platform takes */
export function sellOnce(
  world: World,
  customer: CustomerRow,
  sale: { cents: number; currency: string; method: string | null; metadata: Record<string, string>; fee: number },
): PaymentIntentRow {
  const { cents, currency, method, metadata, fee } = sale;
  const { id, email, name = null } = customer;
  const intent = makeIntent(world, { amount: cents, currency, customer: id, metadata, isKept: false });
  const payer = { currency, customer: id, customer_email: email, customer_name: name };
  const charge = makeCharge(world, payer, { ...intent, payment_method: method }, 'succeeded');
  const applicationFee = takeFee(world, charge, fee);
  const line = moveFunds(world, { kind: 'charge', cents, currency, source: charge.id, applicationFee });
  const values = {
    paid: true,
    captured: true,
    amount_captured: cents,
    balance_transaction: line?.id ?? null,
    metadata,
  };
  world.change(charge, values, 'charge.succeeded');
  const paid = { amount_received: cents, latest_charge: charge.id, payment_method: method };
  world.change(intent, { ...paid, status: 'succeeded' }, 'payment_intent.succeeded');
  note(world, 'charged', null, charge, cents);
  return intent;
}

function makeCharge(
  world: World,
  invoice: Pick<InvoiceRow, 'currency' | 'customer' | 'customer_email' | 'customer_name'>,
  intent: Pick<PaymentIntentRow, 'amount' | 'id' | 'payment_method'>,
  status: 'failed' | 'pending' | 'succeeded',
): ChargeRow {
  return world.charges.add({
    ...{
      id: world.id('ch'),
      object: 'charge',
      amount: intent.amount,
      amount_captured: 0,
      amount_refunded: 0,
      application: null,
    },
    ...{ application_fee: null, application_fee_amount: null, balance_transaction: null },
    billing_details: {
      address: null,
      email: invoice.customer_email,
      name: invoice.customer_name,
      phone: null,
      tax_id: null,
    },
    ...{ calculated_statement_descriptor: null, captured: false, created: world.now(), currency: invoice.currency },
    ...{ customer: invoice.customer, description: null, disputed: false, failure_balance_transaction: null },
    ...{ failure_code: null, failure_message: null, fraud_details: null, livemode: world.livemode, metadata: {} },
    ...{
      on_behalf_of: null,
      outcome: null,
      paid: false,
      payment_intent: intent.id,
      payment_method: intent.payment_method,
    },
    ...{ payment_method_details: null, receipt_email: null, receipt_number: null, receipt_url: null, refunded: false },
    ...{ review: null, shipping: null, source: null, source_transfer: null, statement_descriptor: null },
    ...{ statement_descriptor_suffix: null, status, transfer_data: null, transfer_group: null },
  } satisfies ChargeRow);
}

/** @param cents of what is left of the charge */
export function refund(
  world: World,
  charge: ChargeRow,
  cents: number,
  reason: RefundRow['reason'],
  metadata: Record<string, string>,
): RefundRow {
  const id = world.id('re');
  const line = moveFunds(world, { kind: 'refund', cents: -cents, currency: charge.currency, source: id });
  const made = world.refunds.add({
    ...{ id, object: 'refund', amount: cents, balance_transaction: line?.id ?? null, charge: charge.id },
    ...{ created: world.now(), currency: charge.currency, customer: charge.customer, customer_account: null, metadata },
    ...{ payment_intent: charge.payment_intent, payment_method: null, reason, receipt_number: null },
    ...{ source_transfer_reversal: null, status: 'succeeded', transfer_reversal: null },
  } satisfies RefundRow);
  const refunded = charge.amount_refunded + cents;
  world.change(charge, { amount_refunded: refunded, refunded: refunded === charge.amount }, 'charge.refunded');
  world.emit('refund.created', made);
  noteMoney(world, 'refunded', charge, cents);
  return made;
}

/** @param kind what came of a charge that was made before */
export function noteMoney(world: World, kind: World['money'][number]['kind'], charge: ChargeRow, cents: number): void {
  const invoice = world.invoices
    .all()
    .find((one) => one.payments.data.some(({ payment }) => payment.payment_intent === charge.payment_intent));
  note(world, kind, invoice ?? null, charge, cents);
}

function note(
  world: World,
  kind: World['money'][number]['kind'],
  invoice: InvoiceRow | null,
  charge: ChargeRow,
  cents: number,
): void {
  const subscription = invoice?.parent?.subscription_details.subscription;
  const line = invoice?.lines.data.at(-1);
  world.money.push({
    ...{ at: world.now(), kind, customer: charge.customer, invoice: invoice?.id ?? null, charge: charge.id, cents },
    currency: charge.currency,
    period: subscription === undefined || line === undefined ? null : { subscription, ...line.period },
  });
}

/** Customers, and what they pay with. */
import type { Params } from '../wire/params.ts';
import { Refusal, wrongParam } from '../wire/refusal.ts';
import type { CustomerRow, PaymentMethodRow } from '../wire/rows.ts';
import type { Behavior, World } from '../world.ts';

const MOST_EMAIL = 512;
const CARD_YEARS = 4;

/** By number, as Stripe's own test cards are [D 2026-10, docs.stripe.com/testing]. */
export const TEST_CARDS: Readonly<Record<string, Behavior>> = {
  '4242424242424242': { kind: 'good' },
  '5555555555554444': { kind: 'good' },
  '4000000000000002': { kind: 'declined', code: 'generic_decline' },
  '4000000000009995': { kind: 'declined', code: 'insufficient_funds' },
  '4000000000009987': { kind: 'declined', code: 'lost_card' },
  '4000000000000069': { kind: 'declined', code: 'expired_card' },
  '4000000000000127': { kind: 'declined', code: 'incorrect_cvc' },
  '4000000000000119': { kind: 'declined', code: 'processing_error' },
  '4000002760003184': { kind: 'confirm' },
  '4000000000000341': { kind: 'fails', code: 'generic_decline' },
};

/** By the names of ready payment methods [D]. */
const READY: Readonly<Record<string, string>> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeDeclinedExpiredCard: '4000000000000069',
  pm_card_authenticationRequired: '4000002760003184',
  pm_card_chargeCustomerFail: '4000000000000341',
};

/** Bank accounts: one that pays, one whose debit bounces [D]. */
export const TEST_ACCOUNTS: Readonly<Record<string, Behavior>> = {
  DE89370400440532013000: { kind: 'debit', bounces: false },
  DE62370400440532013001: { kind: 'debit', bounces: true },
};

export function createCustomer(world: World, params: Params): CustomerRow {
  const customer = world.customers.add({
    ...{ id: world.id('cus'), object: 'customer', address: null, balance: 0, created: world.now(), currency: null },
    ...{ default_source: null, delinquent: false, description: params.text('description') ?? null, discount: null },
    ...{
      email: emailOf(params) ?? null,
      livemode: world.livemode,
      metadata: params.metadata(),
      name: params.text('name') ?? null,
    },
    invoice_prefix: world.id('X').slice(-8).toUpperCase(),
    invoice_settings: {
      ...{ custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    },
    ...{
      next_invoice_sequence: 1,
      phone: params.text('phone') ?? null,
      preferred_locales: params.texts('preferred_locales') ?? [],
    },
    ...{ shipping: null, tax_exempt: 'none', test_clock: clockOf(world, params) },
  } satisfies CustomerRow);
  world.emit('customer.created', customer);
  return customer;
}

function clockOf(world: World, params: Params): string | null {
  const clock = params.text('test_clock');
  return clock == null ? null : world.testClocks.get(clock, 'test_clock').id;
}

export function updateCustomer(world: World, customer: CustomerRow, params: Params): CustomerRow {
  const [email, name, phone] = [emailOf(params), params.text('name'), params.text('phone')];
  const method = params.part('invoice_settings')?.text('default_payment_method');
  if (method != null && world.paymentMethods.get(method).customer !== customer.id) {
    throw wrongParam(
      'invoice_settings[default_payment_method]',
      'The payment method must be attached to the customer.',
    );
  }
  world.change(
    customer,
    {
      metadata: params.metadata(customer.metadata),
      ...(email !== undefined && { email }),
      ...(name !== undefined && { name }),
      ...(phone !== undefined && { phone }),
      ...(method !== undefined && {
        invoice_settings: { ...customer.invoice_settings, default_payment_method: method },
      }),
    },
    'customer.updated',
  );
  return customer;
}

function emailOf(params: Params): string | null | undefined {
  const email = params.text('email');
  if (email == null) return email;
  if (email.length <= MOST_EMAIL && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) return email;
  throw wrongParam('email', `Invalid email address: ${email.slice(0, 100)}`, 'email_invalid');
}

export function makeCard(world: World, number: string, customer: string | null): PaymentMethodRow {
  const behavior = TEST_CARDS[number];
  if (behavior === undefined) throw wrongParam('card[number]', 'Your card number is incorrect.', 'incorrect_number');
  const method = world.paymentMethods.add({
    ...{ id: world.id('pm'), object: 'payment_method', allow_redisplay: 'unspecified' },
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    card: {
      ...{ brand: number.startsWith('5') ? 'mastercard' : 'visa', checks: null, country: 'US', display_brand: null },
      ...{
        exp_month: 12,
        exp_year: new Date(world.now() * 1000).getUTCFullYear() + CARD_YEARS,
        fingerprint: `fp${number.slice(-8)}`,
      },
      ...{ funding: 'credit', generated_from: null, last4: number.slice(-4), networks: null, regulated_status: null },
      ...{ three_d_secure_usage: { supported: true }, wallet: null },
    },
    ...{ created: world.now(), customer, customer_account: null, livemode: world.livemode, metadata: {}, type: 'card' },
  } satisfies PaymentMethodRow);
  world.behaviors.set(method.id, behavior);
  return method;
}

export function makeBankAccount(world: World, iban: string, customer: string): PaymentMethodRow {
  const behavior = TEST_ACCOUNTS[iban];
  if (behavior === undefined)
    throw wrongParam('sepa_debit[iban]', 'This IBAN is invalid.', 'invalid_bank_account_iban');
  const method = world.paymentMethods.add({
    ...{ id: world.id('pm'), object: 'payment_method', allow_redisplay: 'unspecified' },
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    ...{ created: world.now(), customer, customer_account: null, livemode: world.livemode, metadata: {} },
    sepa_debit: {
      ...{
        bank_code: '37040044',
        branch_code: '',
        country: 'DE',
        fingerprint: `fp${iban.slice(-8)}`,
        generated_from: null,
      },
      last4: iban.slice(-4),
    },
    type: 'sepa_debit',
  } satisfies PaymentMethodRow);
  world.behaviors.set(method.id, behavior);
  return method;
}

/** A ready one, as `pm_card_visa`, becomes one of this customer's own. @throws Refusal it is another's */
export function attach(world: World, id: string, customer: CustomerRow): PaymentMethodRow {
  const number = READY[id];
  const method = number === undefined ? world.paymentMethods.get(id) : makeCard(world, number, null);
  if (method.customer !== null && method.customer !== customer.id) {
    throw wrongParam('payment_method', 'The payment method is attached to another customer already.');
  }
  const behavior = world.behaviors.get(method.id);
  if (behavior?.kind === 'declined') throw declined(behavior.code);
  world.change(method, { customer: customer.id }, null);
  world.emit('payment_method.attached', method);
  return method;
}

export function detach(world: World, method: PaymentMethodRow): PaymentMethodRow {
  for (const subscription of world.subscriptions.all()) {
    if (subscription.default_payment_method === method.id)
      world.change(subscription, { default_payment_method: null }, 'customer.subscription.updated');
  }
  const owner = method.customer === null ? undefined : world.customers.find(method.customer);
  world.change(method, { customer: null }, 'payment_method.detached');
  if (owner?.invoice_settings.default_payment_method === method.id) {
    world.change(
      owner,
      { invoice_settings: { ...owner.invoice_settings, default_payment_method: null } },
      'customer.updated',
    );
  }
  return method;
}

export const DECLINED: Readonly<Record<string, string>> = {
  expired_card: 'Your card has expired.',
  incorrect_cvc: 'Your card’s security code is incorrect.',
  insufficient_funds: 'Your card has insufficient funds.',
  processing_error: 'An error occurred while processing your card. Try again in a little bit.',
};

/** @param code `decline_code` of the bank */
export function declined(code: string): Refusal {
  const isOwnCode = ['expired_card', 'incorrect_cvc', 'processing_error'].includes(code);
  const message = DECLINED[code] ?? 'Your card was declined.';
  return new Refusal(402, {
    ...{ type: 'card_error', code: isOwnCode ? code : 'card_declined', decline_code: code, message },
  });
}

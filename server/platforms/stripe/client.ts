/** The calls to Stripe, over its own library. Those that change something go through `calls.ts`, which keeps them from happening twice. */
import Stripe from 'stripe';
import { limitCalls } from './call-limit.ts';
import { failureOf } from './errors.ts';
import type { StripeSettings } from './settings.ts';

const TIMEOUT_MS = 10_000;
/** An event older than that is refused: whoever overheard it could send it again. */
const TOLERANCE_S = 300;
const MOST_SUBSCRIPTIONS = 100;

type Options = { idempotencyKey: string };
type Named = { id: string };

/** Each by its name in `stripe_calls`. Parameters are kept there as JSON. */
const CHANGES = {
  create_customer: (stripe: Stripe, params: Stripe.CustomerCreateParams, options: Options) =>
    stripe.customers.create(params, options),
  change_customer: (stripe: Stripe, { id, ...params }: Named & Stripe.CustomerUpdateParams, options: Options) =>
    stripe.customers.update(id, params, options),
  create_product: (stripe: Stripe, params: Stripe.ProductCreateParams, options: Options) =>
    stripe.products.create(params, options),
  create_price: (stripe: Stripe, params: Stripe.PriceCreateParams, options: Options) =>
    stripe.prices.create(params, options),
  create_coupon: (stripe: Stripe, params: Stripe.CouponCreateParams, options: Options) =>
    stripe.coupons.create(params, options),
  create_account: (stripe: Stripe, params: Stripe.V2.Core.AccountCreateParams, options: Options) =>
    stripe.v2.core.accounts.create(params, options),
  create_session: (stripe: Stripe, params: Stripe.Checkout.SessionCreateParams, options: Options) =>
    stripe.checkout.sessions.create(params, options),
  expire_session: (stripe: Stripe, { id }: Named, options: Options) => stripe.checkout.sessions.expire(id, {}, options),
  change_subscription: (stripe: Stripe, { id, ...params }: Named & Stripe.SubscriptionUpdateParams, options: Options) =>
    stripe.subscriptions.update(id, params, options),
  create_schedule: (stripe: Stripe, params: Stripe.SubscriptionScheduleCreateParams, options: Options) =>
    stripe.subscriptionSchedules.create(params, options),
  change_schedule: (
    stripe: Stripe,
    { id, ...params }: Named & Stripe.SubscriptionScheduleUpdateParams,
    options: Options,
  ) => stripe.subscriptionSchedules.update(id, params, options),
  release_schedule: (stripe: Stripe, { id }: Named, options: Options) =>
    stripe.subscriptionSchedules.release(id, {}, options),
  create_portal: (stripe: Stripe, params: Stripe.BillingPortal.ConfigurationCreateParams, options: Options) =>
    stripe.billingPortal.configurations.create(params, options),
  end_subscription: (stripe: Stripe, { id }: Named, options: Options) => stripe.subscriptions.cancel(id, {}, options),
  refund: (stripe: Stripe, params: Stripe.RefundCreateParams, options: Options) =>
    stripe.refunds.create(params, options),
  /** Of these several can be of one payment. */
  refund_part: (stripe: Stripe, params: Stripe.RefundCreateParams, options: Options) =>
    stripe.refunds.create(params, options),
} satisfies Record<string, (stripe: Stripe, params: never, options: Options) => Promise<Named>>;

export type StripeVerb = keyof typeof CHANGES;
export type StripeParams<V extends StripeVerb> = Parameters<(typeof CHANGES)[V]>[1];

const UNDECIDED: ReadonlySet<Stripe.Dispute.Status> = new Set([
  ...(['needs_response', 'under_review', 'warning_needs_response', 'warning_under_review'] as const),
]);

export type StripeClient = ReturnType<typeof createStripeClient>;

/** In the place of an account's id: this installation's own, where it is a creator's. */
export const OWN_ACCOUNT = 'own';

/** Our own account, and those that are connected to it. */
export type StripeAccounts = { platform: StripeClient; of(account: string): StripeClient };

export function createStripeAccounts(settings: StripeSettings): StripeAccounts {
  const platform = createStripeClient(settings);
  const clients = new Map([[OWN_ACCOUNT, platform]]);
  return {
    platform,
    of(account) {
      const known = clients.get(account) ?? createStripeClient(settings, account);
      clients.set(account, known);
      return known;
    },
  };
}

/**
 * @param settings of STRIPE_SECRET_KEY and the others; see `settings.ts`
 * @param account a connected one, in which all calls are made; absent: our own
 */
export function createStripeClient(settings: StripeSettings, account?: string) {
  const { secretKey, url, webhookSecrets, connectSecrets, isLive, hasTax } = settings;
  const address = url === null ? null : new URL(url);
  const stripe = new Stripe(secretKey, {
    ...(address !== null && {
      host: address.hostname,
      port: address.port,
      protocol: address.protocol === 'http:' ? ('http' as const) : ('https' as const),
    }),
    // What is to be asked again is asked by our own calls and jobs.
    ...{ maxNetworkRetries: 0, telemetry: false, timeout: TIMEOUT_MS },
    ...(account !== undefined && { stripeAccount: account }),
    httpClient: Stripe.createFetchHttpClient(limitCalls(fetch)),
  });
  return {
    ...{ isLive, hasTax },

    /** Of every status, with the last invoice and the schedule of each. */
    async subscriptionsOf(customer: string): Promise<Stripe.Subscription[]> {
      const expand = ['data.latest_invoice.payments', 'data.schedule'];
      return stripe.subscriptions
        .list({ customer, status: 'all', limit: MOST_SUBSCRIPTIONS, expand })
        .autoPagingToArray({ limit: MOST_SUBSCRIPTIONS });
    },

    /** All that are not over, a hundred with each call, with the last invoice of each. */
    async *subscriptionPages(): AsyncGenerator<Stripe.Subscription[]> {
      const expand = ['data.latest_invoice.payments'];
      let after: string | null = null;
      do {
        const { data, has_more }: Stripe.ApiList<Stripe.Subscription> = await stripe.subscriptions.list({
          ...{ limit: MOST_SUBSCRIPTIONS, expand, ...(after !== null && { starting_after: after }) },
        });
        yield data;
        after = has_more ? data.at(-1)!.id : null;
      } while (after !== null);
    },

    /** Customers who got something back since then. */
    async refundedSince(sinceS: number): Promise<string[]> {
      const refunds = stripe.refunds.list({ created: { gte: sinceS }, limit: 100 });
      const customers = (await refunds.autoPagingToArray({ limit: 10_000 })).map(({ customer }) => customer);
      return [...new Set(customers.flatMap((one) => (typeof one === 'string' ? one : (one?.id ?? []))))];
    },

    subscription: (id: string) => stripe.subscriptions.retrieve(id, { expand: ['latest_invoice', 'schedule'] }),

    /** What a change would cost now. */
    preview: (params: Stripe.InvoiceCreatePreviewParams) => stripe.invoices.createPreview(params),

    /** Newest first. @param after an invoice's id: those before it */
    invoicesOf: (customer: string, { limit, after }: { limit: number; after?: string | undefined }) =>
      stripe.invoices.list({ customer, limit, ...(after !== undefined && { starting_after: after }) }),

    /** Newest first. */
    openInvoicesOf: async (subscription: string) =>
      (await stripe.invoices.list({ subscription, status: 'open', limit: 1 })).data,

    /** With what was paid for them. */
    async paidInvoicesOf(subscription: string): Promise<Stripe.Invoice[]> {
      const invoices = stripe.invoices.list({ subscription, status: 'paid', expand: ['data.payments'], limit: 100 });
      return invoices.autoPagingToArray({ limit: 100 });
    },

    /** Stripe's word for why a payment failed; null: it did not. `authentication_required`: the bank wants a yes. */
    async causeOf(paymentIntent: string): Promise<string | null> {
      const { status, last_payment_error: error } = await stripe.paymentIntents.retrieve(paymentIntent);
      if (status === 'requires_action') return 'authentication_required';
      return error === null ? null : (error.decline_code ?? error.code ?? 'generic_decline');
    },

    /** A page where a customer changes card, address and tax ids. */
    async portalUrl(params: Stripe.BillingPortal.SessionCreateParams): Promise<string> {
      return (await stripe.billingPortal.sessions.create(params)).url;
    },

    /** False once somebody deleted them at Stripe. */
    async isCustomerThere(id: string): Promise<boolean> {
      try {
        return (await stripe.customers.retrieve(id)).deleted !== true;
      } catch (error) {
        if (failureOf(error) === 'gone') return false;
        throw error;
      }
    },

    session: (id: string) => stripe.checkout.sessions.retrieve(id),

    /** Customers whose events of the last days never reached us. */
    async missedCustomers(sinceS: number): Promise<string[]> {
      const events = stripe.events.list({ delivery_success: false, created: { gte: sinceS }, limit: 100 });
      const missed = await events.autoPagingToArray({ limit: 10_000 });
      return [...new Set(missed.flatMap((event) => customerOf(event) ?? []))];
    },

    /** @returns the secret of a new endpoint; null: there is one at this address */
    async listenAt(
      url: string,
      events: Stripe.WebhookEndpointCreateParams.EnabledEvent[],
      { connect = false }: { connect?: boolean } = {},
    ): Promise<string | null> {
      const known = await stripe.webhookEndpoints.list({ limit: 100 }).autoPagingToArray({ limit: 100 });
      if (known.some((endpoint) => endpoint.url === url && endpoint.status === 'enabled')) return null;
      return (await stripe.webhookEndpoints.create({ url, enabled_events: events, connect })).secret ?? null;
    },

    /** As `listenAt`, for what changes about connected accounts themselves. */
    async listenToAccounts(url: string, events: string[]): Promise<string | null> {
      const { data } = await stripe.v2.core.eventDestinations.list({ include: ['webhook_endpoint.url'] });
      if (data.some((one) => one.webhook_endpoint?.url === url && one.status === 'enabled')) return null;
      const made = await stripe.v2.core.eventDestinations.create({
        ...{ name: 'Creator HQ', type: 'webhook_endpoint', event_payload: 'thin', events_from: ['@accounts'] },
        ...{ enabled_events: events, webhook_endpoint: { url }, include: ['webhook_endpoint.signing_secret'] },
      });
      return made.webhook_endpoint?.signing_secret ?? null;
    },

    /** Payers who asked their bank for the money back, while nobody has decided. Newest first; money in cents. */
    async openDisputes() {
      const { data } = await stripe.disputes.list({ limit: 100, expand: ['data.charge'] });
      return data
        .filter(({ status }) => UNDECIDED.has(status))
        .map(({ id, charge, amount, currency, reason, created, evidence_details: { due_by: dueBy } }) => {
          const customer = typeof charge === 'string' ? null : charge.customer;
          return {
            ...{ id, cents: amount, currency, reason, openedAt: new Date(created * 1000) },
            customer: typeof customer === 'string' ? customer : (customer?.id ?? null),
            answerBy: dueBy === null ? null : new Date(dueBy * 1000),
          };
        });
    },

    /** What Stripe thinks of a connected account. */
    account: (id: string) =>
      stripe.v2.core.accounts.retrieve(id, { include: ['configuration.merchant', 'requirements'] }),

    /** A page of Stripe's for the owner of a connected account, good for one visit within minutes. */
    async accountPage(id: string, addresses: { refresh_url: string; return_url: string }): Promise<string> {
      const useCase = { type: 'account_onboarding' as const, account_onboarding: addresses };
      return (await stripe.v2.core.accountLinks.create({ account: id, use_case: useCase })).url;
    },

    /** What a customer paid, newest first, with what the bank took back. */
    async chargesOf(customer: string): Promise<Stripe.Charge[]> {
      return stripe.charges.list({ customer, limit: 100 }).autoPagingToArray({ limit: 100 });
    },

    charge: (id: string): Promise<Stripe.Charge> => stripe.charges.retrieve(id),

    /** Of a single payment: the one that went through. */
    async chargeOf(paymentIntent: string): Promise<Stripe.Charge | null> {
      const { data } = await stripe.charges.list({ payment_intent: paymentIntent, limit: 100 });
      return data.find(({ paid }) => paid) ?? null;
    },

    /** What moved the balance, oldest first. @param after the last that is known; null: from the beginning */
    async linesAfter(after: string | null): Promise<Stripe.BalanceTransaction[]> {
      const params = { limit: 100, expand: ['data.source'], ...(after !== null && { ending_before: after }) };
      const lines: Stripe.BalanceTransaction[] = [];
      for await (const line of stripe.balanceTransactions.list(params)) lines.push(line);
      // Pages before a line are given from the oldest on.
      return after === null ? lines.toReversed() : lines;
    },

    /** Available and on the way, by currency. */
    async balance(): Promise<Map<string, number>> {
      const { available, pending, connect_reserved: reserved = [] } = await stripe.balance.retrieve();
      const sums = new Map<string, number>();
      for (const { amount, currency } of [...available, ...pending, ...reserved]) {
        sums.set(currency, (sums.get(currency) ?? 0) + amount);
      }
      return sums;
    },

    /** Newest first. */
    payouts: async () => (await stripe.payouts.list({ limit: 100 })).data,

    /** Newest first. */
    disputes: async () => (await stripe.disputes.list({ limit: 100 })).data,

    /** Of a charge that is disputed. */
    disputesOf: async (charge: string) => (await stripe.disputes.list({ charge, limit: 10 })).data,

    /** Where Stripe computes taxes: whether it would collect any. */
    async collectsTax(): Promise<boolean> {
      const { status } = await stripe.tax.settings.retrieve();
      const { data } = await stripe.tax.registrations.list({ status: 'active', limit: 1 });
      return status === 'active' && data.length > 0;
    },

    change<V extends StripeVerb>(verb: V, params: StripeParams<V>, key: string): Promise<Named> {
      return CHANGES[verb](stripe, params as never, { idempotencyKey: key });
    },

    /**
     * @param bytes of the request, untouched
     * @returns null when none of our secrets signed it in the last five minutes
     */
    readEvent: (bytes: Buffer, signature: string, now: Date): Stripe.Event | null =>
      readSigned(bytes, signature, webhookSecrets, now) as Stripe.Event | null,

    /** As `readEvent`, of what happens in connected accounts (v1), or to them (v2, which says no more than the account). */
    readConnectEvent(bytes: Buffer, signature: string, now: Date): ConnectEvent | null {
      const event = readSigned(bytes, signature, connectSecrets, now) as (Stripe.Event & ThinEvent) | null;
      if (event === null) return null;
      const { id, type, livemode, data } = event;
      if ((event.object as string) === 'v2.core.event') {
        return { ...{ id, type, livemode }, account: event.related_object?.id ?? null, customer: null, session: null };
      }
      return data === undefined ? null : connectEventOf(event);
    },
  };

  function readSigned(bytes: Buffer, signature: string, secrets: string[], now: Date): unknown {
    for (const secret of secrets) {
      const at = now.getTime();
      try {
        stripe.webhooks.signature!.verifyHeader(bytes, signature, secret, TOLERANCE_S, undefined, at);
        return JSON.parse(bytes.toString('utf8'));
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
      }
    }
    return null;
  }
}

type ThinEvent = { related_object?: { id: string } };

/** What is about to be asked of Stripe, and in which account: its content is used for nothing else. */
export type ConnectEvent = {
  id: string;
  type: string;
  livemode: boolean;
  account: string | null;
  customer: string | null;
  session: string | null;
};

export function connectEventOf(event: Stripe.Event): ConnectEvent {
  const { id, type, livemode, data } = event;
  const { object: kind, id: subject } = data.object as { object?: string; id?: string };
  const session = kind === 'checkout.session' ? (subject ?? null) : null;
  return { ...{ id, type, livemode, session }, account: event.account ?? null, customer: customerOf(event) };
}

/** Whom an event is about; its content is used for nothing else. Null: about no customer. */
export function customerOf({ data: { object } }: Pick<Stripe.Event, 'data'>): string | null {
  const { object: kind, id, customer } = object as { object?: string; id?: string; customer?: string | Named | null };
  if (kind === 'customer') return id ?? null;
  return typeof customer === 'string' ? customer : (customer?.id ?? null);
}

/** The SDK's types as they are on the wire and in the store: texts in place of decimals, ids in place of what is only shown by `expand`. */
import type Stripe from 'stripe';

type Row<Kind, Changed> = Omit<Kind, keyof Changed | 'deleted'> & Changed;

export type ProductRow = Row<Stripe.Product, { default_price: string | null }>;
export type PriceRow = Row<
  Stripe.Price,
  {
    product: string;
    recurring: Row<Stripe.Price.Recurring, { interval: 'day' | 'month' | 'week' | 'year' }> | null;
    unit_amount_decimal: string | null;
  }
>;
export type CouponRow = Row<Stripe.Coupon, object>;
export type PromotionCodeRow = Row<
  Stripe.PromotionCode,
  { customer: string | null; promotion: { type: 'coupon'; coupon: string } }
>;
export type DiscountRow = Row<
  Stripe.Discount,
  { customer: string; promotion_code: string | null; source: { type: 'coupon'; coupon: string } }
>;
export type TestClockRow = Row<Stripe.TestHelpers.TestClock, object>;
export type CustomerRow = Row<
  Stripe.Customer,
  {
    test_clock: string | null;
    discount: DiscountRow | null;
    currency: string | null;
    email: string | null;
    invoice_settings: Row<Stripe.Customer.InvoiceSettings, { default_payment_method: string | null }>;
  }
>;
export type PaymentMethodRow = Row<Stripe.PaymentMethod, { customer: string | null }>;
export type PlanRow = Row<Stripe.Plan, { product: string; amount_decimal: string | null }>;
export type ItemRow = Row<
  Stripe.SubscriptionItem,
  { price: PriceRow; plan: PlanRow; quantity: number; discounts: string[] }
>;
export type ListRow<Kind> = { object: 'list'; data: Kind[]; has_more: boolean; url: string };
export type SubscriptionRow = Row<
  Stripe.Subscription,
  {
    customer: string;
    default_payment_method: string | null;
    discounts: string[];
    items: ListRow<ItemRow>;
    latest_invoice: string | null;
    pending_update: Row<Stripe.Subscription.PendingUpdate, { subscription_items: ItemRow[] | null }> | null;
    schedule: string | null;
  }
>;
export type LineRow = Row<
  Stripe.InvoiceLineItem,
  {
    discounts: string[];
    subscription: string | null;
    quantity: number;
    quantity_decimal: string | null;
    pricing: {
      type: 'price_details';
      unit_amount_decimal: string | null;
      price_details: { price: string; product: string };
    };
  }
>;
export type InvoicePaymentRow = Row<
  Stripe.InvoicePayment,
  { invoice: string; payment: { type: 'payment_intent'; payment_intent: string } }
>;
export type InvoiceRow = Row<
  Stripe.Invoice,
  {
    customer: string;
    discounts: string[];
    lines: ListRow<LineRow>;
    payments: ListRow<InvoicePaymentRow>;
    status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
    parent: {
      type: 'subscription_details';
      quote_details: null;
      subscription_details: { subscription: string; metadata: Record<string, string> };
    } | null;
  }
>;
export type PaymentIntentRow = Row<
  Stripe.PaymentIntent,
  { customer: string; latest_charge: string | null; payment_method: string | null }
>;
export type ChargeRow = Row<
  Stripe.Charge,
  {
    application_fee: string | null;
    balance_transaction: string | null;
    customer: string;
    payment_intent: string;
  }
>;
export type CustomerBalanceRow = Row<Stripe.CustomerBalanceTransaction, { customer: string; invoice: string | null }>;
export type BalanceTransactionRow = Row<Stripe.BalanceTransaction, { source: string | null }>;
export type PayoutRow = Row<
  Stripe.Payout,
  { balance_transaction: string | null; failure_balance_transaction: string | null; status: PayoutStatus }
>;
type PayoutStatus = 'canceled' | 'failed' | 'in_transit' | 'paid' | 'pending';
export type ApplicationFeeRow = Row<
  Stripe.ApplicationFee,
  { account: string; charge: string; refunds: ListRow<Stripe.FeeRefund> }
>;
export type RefundRow = Row<
  Stripe.Refund,
  { balance_transaction: string | null; charge: string; payment_intent: string }
>;
export type SessionRow = Row<
  Stripe.Checkout.Session,
  { customer: string | null; subscription: string | null; invoice: string | null; payment_intent: string | null }
>;
export type PhaseRow = Row<
  Stripe.SubscriptionSchedule.Phase,
  {
    default_payment_method: null;
    items: Row<Stripe.SubscriptionSchedule.Phase.Item, { plan: string; price: string; quantity: number }>[];
    proration_behavior: 'always_invoice' | 'create_prorations' | 'none';
  }
>;
export type ScheduleRow = Row<
  Stripe.SubscriptionSchedule,
  {
    customer: string;
    phases: PhaseRow[];
    subscription: string | null;
    status: 'active' | 'canceled' | 'completed' | 'released';
  }
>;
export type PortalConfigurationRow = Row<Stripe.BillingPortal.Configuration, object>;
export type PortalSessionRow = Row<Stripe.BillingPortal.Session, { configuration: string }>;
export type DisputeRow = Row<Stripe.Dispute, { charge: string; payment_intent: string }>;
export type EndpointRow = Row<Stripe.WebhookEndpoint, object>;
export type EventRow = Omit<Stripe.EventBase, 'type' | 'data'> & {
  type: string;
  data: { object: Record<string, unknown>; previous_attributes?: Record<string, unknown> };
};
export type AccountRow = Stripe.V2.Core.Account;
export type DestinationRow = Stripe.V2.Core.EventDestination;
/** Says what changed, not how. */
export type ThinEventRow = Omit<Stripe.V2.Core.EventBase, 'context'> & {
  type: string;
  related_object: { id: string; type: string; url: string };
};

/** All that this Stripe knows: an account's objects, its clock, its events, and a ledger of money. No part of it waits for anything. */
import { noSuch, Refusal } from './wire/refusal.ts';
import type {
  AccountRow,
  ApplicationFeeRow,
  BalanceTransactionRow,
  ChargeRow,
  CouponRow,
  CustomerBalanceRow,
  CustomerRow,
  DestinationRow,
  DiscountRow,
  DisputeRow,
  EndpointRow,
  EventRow,
  InvoiceRow,
  LineRow,
  PaymentIntentRow,
  PaymentMethodRow,
  PayoutRow,
  PortalConfigurationRow,
  PortalSessionRow,
  PriceRow,
  ProductRow,
  PromotionCodeRow,
  RefundRow,
  ScheduleRow,
  SessionRow,
  SubscriptionRow,
  TestClockRow,
  ThinEventRow,
} from './wire/rows.ts';

type Kept = { id: string; object: string };

/** Objects of one kind, in the order of their making. */
export class Shelf<Row extends Kept> {
  private readonly rows = new Map<string, Row>();
  readonly what: string;

  /** @param what in Stripe's words */
  constructor(what: string) {
    this.what = what;
  }

  add<Added extends Row>(row: Added): Added {
    this.rows.set(row.id, row);
    return row;
  }

  find(id: string): Row | undefined {
    return this.rows.get(id);
  }

  /** @throws Refusal resource_missing */
  get(id: string, param?: string): Row {
    const row = this.rows.get(id);
    if (row === undefined) throw noSuch(this.what, id, param);
    return row;
  }

  remove(id: string): void {
    this.rows.delete(id);
  }

  all(): Row[] {
    return [...this.rows.values()];
  }

  newestFirst(): Row[] {
    return this.all().toReversed();
  }
}

/** What a payment method does when it is charged. */
export type Behavior =
  | { kind: 'good' }
  | { kind: 'declined'; code: string }
  /** Attaches, and is declined when it is charged. */
  | { kind: 'fails'; code: string }
  /** The bank wants it confirmed each time. */
  | { kind: 'confirm' }
  /** A debit of a bank account: it is known after days. */
  | { kind: 'debit'; bounces: boolean };

/** A line of the ledger: money that moved, or was tried. In cents of `currency`. */
export type MoneyLine = {
  at: number;
  kind: 'charged' | 'declined' | 'refunded' | 'bounced' | 'disputed' | 'won_back';
  customer: string;
  invoice: string | null;
  charge: string;
  cents: number;
  currency: string;
  /** Of the subscription that it was for. */
  period: { subscription: string; start: number; end: number } | null;
};

export type Waking = {
  at: number;
  world: World;
  what: 'debit' | 'delivery' | 'invoice' | 'payout' | 'payouts' | 'session' | 'subscription';
  id: string;
};

/** What all accounts have in common. */
type Shared = {
  /** Where hosted pages are. */
  url: string;
  /** Of the call that is being answered. */
  request: { id: string; idempotencyKey: string | null } | null;
  onEvent: (event: EventRow | ThinEventRow) => void;
  /** Puts the clock forward; see `StripeControl.goTo`. */
  goTo: (seconds: number) => Promise<void>;
  /** What happens by itself, the latest first; see time.ts. */
  wakings: Waking[];
  made: number;
};

/** How failed payments are tried again, and what comes after. */
export type Retries = { afterDays: number[]; atEnd: 'cancel' | 'unpaid' | 'past_due' };

const ID_LETTERS = 14;

export class World {
  readonly products = new Shelf<ProductRow>('product');
  readonly prices = new Shelf<PriceRow>('price');
  readonly coupons = new Shelf<CouponRow>('coupon');
  readonly promotionCodes = new Shelf<PromotionCodeRow>('promotion code');
  readonly discounts = new Shelf<DiscountRow>('discount');
  readonly customers = new Shelf<CustomerRow>('customer');
  readonly deletedCustomers = new Set<string>();
  readonly customerBalances = new Shelf<CustomerBalanceRow>('customer balance transaction');
  readonly paymentMethods = new Shelf<PaymentMethodRow>('payment_method');
  readonly subscriptions = new Shelf<SubscriptionRow>('subscription');
  readonly invoices = new Shelf<InvoiceRow>('invoice');
  readonly paymentIntents = new Shelf<PaymentIntentRow>('payment_intent');
  readonly charges = new Shelf<ChargeRow>('charge');
  readonly refunds = new Shelf<RefundRow>('refund');
  readonly sessions = new Shelf<SessionRow>('checkout.session');
  readonly schedules = new Shelf<ScheduleRow>('subscription schedule');
  readonly portalConfigurations = new Shelf<PortalConfigurationRow>('configuration');
  readonly portalSessions = new Shelf<PortalSessionRow>('portal session');
  /** Of connected accounts alone: what moved their balance. */
  readonly balanceTransactions = new Shelf<BalanceTransactionRow>('balance transaction');
  readonly payouts = new Shelf<PayoutRow>('payout');
  readonly disputes = new Shelf<DisputeRow>('dispute');
  readonly testClocks = new Shelf<TestClockRow>('test clock');
  readonly endpoints = new Shelf<EndpointRow>('webhook endpoint');
  readonly events = new Shelf<EventRow>('event');

  /** Of the platform alone. */
  readonly accounts = new Shelf<AccountRow>('account');
  readonly applicationFees = new Shelf<ApplicationFeeRow>('application fee');
  readonly destinations = new Shelf<DestinationRow>('event destination');
  readonly connected = new Map<string, World>();

  readonly behaviors = new Map<string, Behavior>();
  /** Lines that wait for the next invoice of a subscription. */
  readonly pendingLines = new Map<string, LineRow[]>();
  /** Subscriptions whose trial was said to end soon. */
  readonly trialsTold = new Set<string>();
  /** Whether taxes could be collected, where, and how much of a price. */
  tax: { isActive: boolean; countries: string[]; percent: number } = { isActive: false, countries: [], percent: 20 };
  readonly money: MoneyLine[] = [];
  retries: Retries = { afterDays: [3, 5, 7], atEnd: 'cancel' };
  readonly livemode: boolean;
  /** By the id of a balance transaction, the payout that it is part of. */
  readonly paidOutBy = new Map<string, string>();
  /** Whether the bank takes them. */
  payoutsFail = false;
  /** The account that all others are connected to. */
  readonly platform: World;
  /** Of a connected account. */
  readonly account: string | null;
  readonly shared: Shared;

  private readonly nowMs: () => number;

  constructor({ livemode = false, nowMs }: { livemode?: boolean; nowMs: () => number }, of?: ConnectedTo) {
    this.livemode = livemode;
    this.nowMs = nowMs;
    this.platform = of?.platform ?? this;
    this.account = of?.account ?? null;
    this.shared = of?.platform.shared ?? {
      ...{ url: '', request: null, onEvent: () => {}, goTo: async () => {}, wakings: [], made: 0 },
    };
  }

  get url(): string {
    return this.shared.url;
  }

  set url(url: string) {
    this.shared.url = url;
  }

  connect(account: string): World {
    const world = new World({ livemode: this.livemode, nowMs: this.nowMs }, { platform: this.platform, account });
    this.platform.connected.set(account, world);
    return world;
  }

  /** @throws Refusal as for a key that has no right to it */
  connectedTo(account: string): World {
    const found = this.platform.connected.get(account);
    if (found !== undefined && this.platform.accounts.get(account).closed !== true) return found;
    const message = `The provided key does not have access to account '${account}' (or that account does not exist). Application access may have been revoked.`;
    throw new Refusal(403, { type: 'invalid_request_error', code: 'account_invalid', message });
  }

  /** The platform, and every account that is connected to it. */
  all(): World[] {
    return [this.platform, ...this.platform.connected.values()];
  }

  /** @returns whose this is; the platform, where nobody has it */
  ownerOf(id: string, shelfOf: (world: World) => Shelf<Kept>): World {
    return this.all().find((world) => shelfOf(world).find(id) !== undefined) ?? this.platform;
  }

  /** Seconds since 1970. */
  now(): number {
    return Math.floor(this.nowMs() / 1000);
  }

  /** Ids sort in the order of their making. */
  id(prefix: string): string {
    this.shared.made++;
    return `${prefix}_${this.shared.made.toString(36).padStart(ID_LETTERS, '0')}`;
  }

  /** Whoever is woken looks whether it is still time: many a thing has changed by then. */
  wake(at: number, what: Waking['what'], id: string): void {
    const { wakings } = this.shared;
    let [low, high] = [0, wakings.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (wakings[middle]!.at > at) low = middle + 1;
      else high = middle;
    }
    wakings.splice(low, 0, { at, world: this, what, id });
  }

  /** What is told is a copy, as it is at this moment. */
  emit(type: string, object: Kept, before?: Record<string, unknown>): void {
    const data = { object: structuredClone(object) as Record<string, unknown> };
    const event = this.events.add({
      ...{
        id: this.id('evt'),
        object: 'event',
        api_version: API_VERSION,
        created: this.now(),
        livemode: this.livemode,
      },
      data: before === undefined ? data : { ...data, previous_attributes: structuredClone(before) },
      pending_webhooks: this.platform.endpoints.all().filter((one) => isConnect(one) === (this.account !== null))
        .length,
      request: { id: this.shared.request?.id ?? null, idempotency_key: this.shared.request?.idempotencyKey ?? null },
      type,
      ...(this.account !== null && { account: this.account }),
    } satisfies EventRow);
    this.shared.onEvent(event);
  }

  /** Changes an object; where that makes a difference, it is told. @returns whether it did */
  change<Row extends Kept>(row: Row, changes: Partial<Row>, type: string | null): boolean {
    const before: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(changes)) {
      const old = (row as Record<string, unknown>)[name];
      if (JSON.stringify(old) !== JSON.stringify(value)) before[name] = structuredClone(old);
    }
    Object.assign(row, changes);
    const isChanged = Object.keys(before).length > 0;
    if (isChanged && type !== null) this.emit(type, row, before);
    return isChanged;
  }
}

type ConnectedTo = { platform: World; account: string };

/** It hears of connected accounts, and of nothing else. */
export function isConnect({ application }: EndpointRow): boolean {
  return application !== null;
}

/** Of the SDK that its answers are typed by. */
export const API_VERSION = '2026-10-28.endive';

export function listOf<Kind>(data: Kind[], url: string) {
  return { object: 'list' as const, data, has_more: false, url };
}

/** What is said to the simulator beside Stripe's own calls, in this process or over HTTP: its clock, faults, cards, webhooks, and its ledger. */
import type { CallLine, Fault, Faults } from './faults.ts';
import { keptOf } from './ledger.ts';
import { sellOnce } from './payments.ts';
import { type AccountState, setState } from './resources/accounts.ts';
import { createCustomer } from './resources/customers.ts';
import { closeDispute, dispute } from './resources/disputes.ts';
import type { SimulatedClock } from './time.ts';
import type { Delivered, DeliveryMode, Webhooks } from './webhooks.ts';
import { Params } from './wire/params.ts';
import type { EventRow, SubscriptionRow } from './wire/rows.ts';
import type { Behavior, MoneyLine, Retries, World } from './world.ts';

export type StripeControl = {
  /** @param seconds since 1970; everything that is due until then happens, each at its time, and its webhooks are sent */
  goTo(seconds: number): Promise<void>;
  advance(seconds: number): Promise<void>;
  now(): Promise<number>;
  /** For the next calls that they fit, first come first served. */
  failNext(...faults: Fault[]): Promise<void>;
  /** What was to fail and did not. */
  forgetFaults(): Promise<void>;
  /** Answers the calls that a `slow` fault holds back. */
  letCallsGo(): Promise<void>;
  /** What a payment method does from now on. */
  setBehavior(paymentMethod: string, behavior: Behavior): Promise<void>;
  setRetries(retries: Retries): Promise<void>;
  setDelivery(mode: DeliveryMode): Promise<void>;
  /** @param order of indexes in what is held: those left out are lost, those named twice come twice; absent: all as they came */
  letGo(order?: number[]): Promise<void>;
  heldCount(): Promise<number>;
  /** Until no webhook is on its way. */
  settled(): Promise<void>;
  /** Sends an event once more, however long ago it was. */
  sendAgain(event: string): Promise<void>;
  /** @returns the new one; both sign until `forgetOldSecrets` */
  newSecret(endpoint: string): Promise<string>;
  forgetOldSecrets(endpoint: string): Promise<void>;
  /** Somebody confirms at their bank, or does not. */
  confirm(paymentIntent: string, isConfirmed: boolean): Promise<void>;
  /** A payer asks their bank for the money back. @returns the dispute's id */
  dispute(charge: string): Promise<string>;
  closeDispute(dispute: string, isWon: boolean): Promise<void>;
  setTax(tax: Partial<World['tax']>): Promise<void>;
  /** What Stripe thinks of a connected account from now on. */
  setAccount(account: string, state: AccountState): Promise<void>;
  /** Whether the bank refuses what is paid out to it. */
  setPayouts(account: string, fail: boolean): Promise<void>;
  /** An owner of a connected account sells something that is not ours. */
  sellElsewhere(account: string, cents: number, currency: string): Promise<void>;
  money(): Promise<MoneyLine[]>;
  /** Money of a customer for one span of a subscription that was kept: charged, and not given back. In cents. */
  kept(customer: string, periodStart: number): Promise<{ charges: number; cents: number }>;
  /** Oldest first. */
  events(): Promise<EventRow[]>;
  calls(): Promise<CallLine[]>;
  deliveries(): Promise<Delivered[]>;
  subscriptions(customer: string): Promise<SubscriptionRow[]>;
  /** Others like it, of the same customer and with the same invoice, that nothing ever happens to. @returns their ids */
  copySubscription(subscription: string, count: number): Promise<string[]>;
  /** Calls that came and are not played: method and path. */
  unimplemented(): Promise<string[]>;
};

type Parts = {
  world: World;
  webhooks: Webhooks;
  faults: Faults;
  clock: SimulatedClock;
  catchUp: (untilMs?: number) => void;
  confirm: (paymentIntent: string, isConfirmed: boolean) => void;
};

export function createControl({ world, webhooks, faults, clock, catchUp, confirm }: Parts): StripeControl {
  const goTo = async (seconds: number) => {
    // What is not taken comes again: each answer is waited for before the clock goes on.
    const { wakings } = world.shared;
    for (let next = wakings.at(-1); next !== undefined && next.at < seconds; next = wakings.at(-1)) {
      catchUp(next.at * 1000);
      await webhooks.settled();
    }
    catchUp(seconds * 1000);
    await webhooks.settled();
  };
  return {
    goTo,
    advance: (seconds) => goTo(Math.floor(clock.nowMs() / 1000) + seconds),
    now: async () => world.now(),
    failNext: async (...more) => faults.add(more),
    forgetFaults: async () => faults.forget(),
    letCallsGo: async () => faults.letGo(),
    setBehavior: async (paymentMethod, behavior) => {
      const owner = world.ownerOf(paymentMethod, (one) => one.paymentMethods);
      owner.paymentMethods.get(paymentMethod);
      owner.behaviors.set(paymentMethod, behavior);
    },
    setRetries: async (retries) => {
      for (const one of world.all()) one.retries = retries;
    },
    setDelivery: async (mode) => {
      webhooks.mode = mode;
    },
    letGo: (order) => webhooks.letGo(order && (() => order)),
    heldCount: async () => webhooks.heldCount(),
    settled: () => webhooks.settled(),
    sendAgain: async (event) => {
      webhooks.again(world.ownerOf(event, (one) => one.events).events.get(event));
      await webhooks.settled();
    },
    newSecret: async (endpoint) => webhooks.newSecret(world.endpoints.get(endpoint).id),
    forgetOldSecrets: async (endpoint) => webhooks.forgetOldSecrets(endpoint),
    confirm: async (paymentIntent, isConfirmed) => confirm(paymentIntent, isConfirmed),
    dispute: async (charge) =>
      dispute(
        world.ownerOf(charge, (one) => one.charges),
        charge,
      ).id,
    closeDispute: async (id, isWon) =>
      closeDispute(
        world.ownerOf(id, (one) => one.disputes),
        id,
        isWon,
      ),
    setAccount: async (account, state) => setState(world, account, state),
    setPayouts: async (account, fail) => {
      world.connectedTo(account).payoutsFail = fail;
    },
    sellElsewhere: async (account, cents, currency) => {
      const owner = world.connectedTo(account);
      const sale = { cents, currency, method: null, metadata: {}, fee: 0 };
      sellOnce(owner, createCustomer(owner, new Params({ email: 'reader@example.com' })), sale);
    },
    setTax: async (tax) => {
      world.tax = { ...world.tax, ...tax };
    },
    money: async () => world.all().flatMap(({ money }) => money),
    kept: async (customer, periodStart) =>
      kept(
        world.all().flatMap(({ money }) => money),
        customer,
        periodStart,
      ),
    events: async () =>
      world
        .all()
        .flatMap(({ events }) => events.all())
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    calls: async () => faults.calls,
    deliveries: async () => webhooks.attempts,
    subscriptions: async (customer) =>
      world.all().flatMap(({ subscriptions }) => subscriptions.all().filter((one) => one.customer === customer)),
    copySubscription: async (subscription, count) => {
      const { subscriptions } = world.ownerOf(subscription, (one) => one.subscriptions);
      const like = subscriptions.get(subscription);
      return Array.from({ length: count }, () => subscriptions.add({ ...like, id: world.id('sub') }).id);
    },
    unimplemented: async () => [...faults.unimplemented],
  };
}

function kept(money: MoneyLine[], customer: string, periodStart: number): { charges: number; cents: number } {
  const ofSpan = money.filter((line) => line.customer === customer && line.period?.start === periodStart);
  const left = [...keptOf(ofSpan).values()].filter((cents) => cents > 0);
  return { charges: left.length, cents: left.reduce((sum, cents) => sum + cents, 0) };
}

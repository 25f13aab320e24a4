/** Schedules of a subscription: what it changes to, and when. The one that a downgrade at the period's end is made of. */
import { endOfPeriod } from '../periods.ts';
import type { Params } from '../wire/params.ts';
import { notNow, wrongParam } from '../wire/refusal.ts';
import { type Asked, type Route, rows } from '../wire/routes.ts';
import type { PhaseRow, ScheduleRow, SubscriptionRow } from '../wire/rows.ts';
import type { World } from '../world.ts';
import { change, end, isOver, itemOf, type NewItem, wakeFor } from './subscriptions.ts';

const PATH = '/v1/subscription_schedules';
const ENDS = ['release', 'cancel'] as const;
const PRORATIONS = ['always_invoice', 'create_prorations', 'none'] as const;

function create({ world, params }: Asked): ScheduleRow {
  const from = params.needText('from_subscription');
  const subscription = world.subscriptions.get(from, 'from_subscription');
  if (isOver(subscription)) throw notNow('The subscription has ended.');
  if (subscription.schedule !== null) throw notNow('This subscription has a schedule already.');
  const [first] = subscription.items.data;
  const phase = phaseOf(world, subscription, {
    items: subscription.items.data.map(({ price, quantity }) => ({ price, quantity })),
    ...{ start: first!.current_period_start, end: first!.current_period_end, prorations: 'create_prorations' },
  });
  const schedule = world.schedules.add({
    ...{ id: world.id('sub_sched'), object: 'subscription_schedule', application: null },
    ...{ billing_mode: subscription.billing_mode, canceled_at: null, completed_at: null, created: world.now() },
    current_phase: { start_date: phase.start_date, end_date: phase.end_date },
    ...{ customer: subscription.customer, customer_account: null },
    default_settings: {
      ...{ application_fee_percent: null, billing_cycle_anchor: 'automatic', billing_thresholds: null },
      ...{ collection_method: 'charge_automatically', default_payment_method: null, description: null },
      invoice_settings: {
        ...{ account_tax_ids: null, custom_fields: null, days_until_due: null, description: null, footer: null },
        issuer: { type: 'self' },
      },
      ...{ on_behalf_of: null, transfer_data: null },
    },
    ...{ end_behavior: 'release', livemode: world.livemode, metadata: params.metadata(), pause_schedules: [] },
    ...{ phases: [phase], released_at: null, released_subscription: null, status: 'active' },
    ...{ subscription: subscription.id, test_clock: null },
  } satisfies ScheduleRow);
  world.emit('subscription_schedule.created', schedule);
  world.change(subscription, { schedule: schedule.id }, 'customer.subscription.updated');
  return schedule;
}

function phaseOf(
  world: World,
  subscription: SubscriptionRow,
  {
    items,
    start,
    end: until,
    prorations,
    discounts = subscription.discounts,
  }: {
    items: NewItem[];
    start: number;
    end: number;
    prorations: PhaseRow['proration_behavior'];
    discounts?: string[];
  },
): PhaseRow {
  return {
    ...{ add_invoice_items: [], application_fee_percent: null, billing_cycle_anchor: null, billing_thresholds: null },
    ...{
      collection_method: null,
      currency: subscription.currency,
      default_payment_method: null,
      default_tax_rates: [],
    },
    ...{ description: null, end_date: until, invoice_settings: null },
    discounts: discounts.map((discount) => ({ coupon: null, discount, promotion_code: null })),
    items: items.map(({ price, quantity }) => ({
      ...{
        billing_thresholds: null,
        discounts: [],
        metadata: {},
        plan: price.id,
        price: world.prices.get(price.id).id,
        quantity,
      },
      tax_rates: [],
    })),
    ...{
      metadata: {},
      on_behalf_of: null,
      proration_behavior: prorations,
      start_date: start,
      transfer_data: null,
      trial_end: null,
    },
  } satisfies PhaseRow;
}

function update({ world, params, ids: [id] }: Asked): ScheduleRow {
  const schedule = world.schedules.get(id!);
  requireActive(schedule);
  const subscription = world.subscriptions.get(schedule.subscription!);
  const prorations = params.oneOf('proration_behavior', PRORATIONS) ?? 'create_prorations';
  const phases = params.parts('phases');
  const changes = {
    end_behavior: params.oneOf('end_behavior', ENDS) ?? schedule.end_behavior,
    metadata: params.metadata(schedule.metadata ?? {}),
    ...(phases !== undefined && { phases: phasesIn(world, subscription, schedule, phases, prorations) }),
  };
  world.change(schedule, changes, 'subscription_schedule.updated');
  wakeFor(world, subscription);
  return schedule;
}

/** Each begins where the one before ends; the one that goes on now keeps its beginning. */
function phasesIn(
  world: World,
  subscription: SubscriptionRow,
  schedule: ScheduleRow,
  said: Params[],
  prorations: PhaseRow['proration_behavior'],
): PhaseRow[] {
  let from: number | null = null;
  const phases = said.map((phase, at) => {
    const items = (phase.parts('items') ?? []).map((item) => ({
      price: world.prices.get(item.needText('price'), `phases[${at}][items][0][price]`),
      quantity: item.whole('quantity') ?? 1,
    }));
    if (items.length === 0) throw wrongParam(`phases[${at}][items]`, 'Missing required param.', 'parameter_missing');
    const start: number = from ?? phase.whole('start_date') ?? schedule.current_phase!.start_date;
    phase.whole('start_date');
    const duration = phase.part('duration');
    const span = {
      interval: duration?.oneOf('interval', ['day', 'week', 'month', 'year']) ?? items[0]!.price.recurring!.interval,
      interval_count: duration?.whole('interval_count') ?? 1,
    };
    const end = phase.whole('end_date') ?? endOfPeriod(start, start, span);
    if (end <= start) throw wrongParam(`phases[${at}][end_date]`, 'A phase ends after it starts.');
    from = end;
    const discounts = (phase.parts('discounts') ?? []).map((one) => world.discounts.get(one.needText('discount')).id);
    return phaseOf(world, subscription, {
      ...{ discounts, items, start, end, prorations: phase.oneOf('proration_behavior', PRORATIONS) ?? prorations },
    });
  });
  if (phases.some(({ start_date, end_date }) => start_date <= world.now() && world.now() < end_date)) return phases;
  throw wrongParam('phases', 'One of the phases must go on now.');
}

/** From here on the subscription goes on as it is. */
function release({ world, ids: [id] }: Asked): ScheduleRow {
  const schedule = world.schedules.get(id!);
  requireActive(schedule);
  letGo(world, schedule);
  return schedule;
}

function letGo(world: World, schedule: ScheduleRow): void {
  const subscription = world.subscriptions.get(schedule.subscription!);
  world.change(
    schedule,
    {
      ...{ status: 'released', released_at: world.now(), released_subscription: subscription.id, subscription: null },
      current_phase: null,
    },
    'subscription_schedule.released',
  );
  world.change(subscription, { schedule: null }, 'customer.subscription.updated');
}

function requireActive({ id, status }: ScheduleRow): void {
  if (status !== 'active') throw notNow(`The schedule ${id} is ${status}.`);
}

/** What its phases make of a subscription by now: before it is renewed, as a new price counts for the new period. */
export function followSchedule(world: World, subscription: SubscriptionRow): void {
  const schedule = subscription.schedule === null ? undefined : world.schedules.get(subscription.schedule);
  const now = world.now();
  if (schedule === undefined || isOver(subscription) || schedule.current_phase!.end_date > now) return;
  const next = schedule.phases.find(({ start_date, end_date }) => start_date <= now && now < end_date);
  if (next === undefined) {
    const isEnd = schedule.end_behavior === 'cancel';
    letGo(world, schedule);
    if (isEnd) end(world, subscription, 'cancellation_requested');
    return;
  }
  subscription.discounts = next.discounts.map(({ discount }) => discount as string);
  const current = { start_date: next.start_date, end_date: next.end_date };
  world.change(schedule, { current_phase: current }, 'subscription_schedule.updated');
  const wanted = (at: number): NewItem => {
    const { price, quantity } = next.items[at] ?? next.items[0]!;
    return { price: world.prices.get(price), quantity };
  };
  const { data } = subscription.items;
  if (data[0]!.current_period_end > now) {
    const items = new Map(data.map(({ id }, at) => [id, wanted(at)] as const));
    change(world, subscription, { items, prorations: next.proration_behavior, behavior: 'allow_incomplete', at: now });
    return;
  }
  // The period that just ended stays as it was; the one that begins is of the new price.
  const items = data.map((item, at) => {
    const span = { start: item.current_period_start, end: item.current_period_end };
    return itemOf(world, subscription.id, wanted(at), span, item.id);
  });
  const isNewRhythm = items.some(({ price }, at) => price.recurring!.interval !== data[at]!.price.recurring!.interval);
  const anchor = isNewRhythm ? now : subscription.billing_cycle_anchor;
  const changes = { items: { ...subscription.items, data: items }, billing_cycle_anchor: anchor };
  world.change(subscription, changes, 'customer.subscription.updated');
}

export const schedules: Route[] = [
  ...rows(PATH, (world) => world.schedules, ['customer']),
  { method: 'POST', path: PATH, answer: create },
  { method: 'POST', path: `${PATH}/:id`, answer: update },
  { method: 'POST', path: `${PATH}/:id/release`, answer: release },
  {
    method: 'POST',
    path: `${PATH}/:id/cancel`,
    answer({ world, ids: [id] }) {
      const schedule = world.schedules.get(id!);
      requireActive(schedule);
      const subscription = world.subscriptions.get(schedule.subscription!);
      world.change(
        schedule,
        { status: 'canceled', canceled_at: world.now(), current_phase: null },
        'subscription_schedule.canceled',
      );
      end(world, subscription, 'cancellation_requested');
      return schedule;
    },
  },
];

/** What happens by itself: the clock goes on, and everything that is due happens in its order, each at its own second. */
import { bounce, settle } from './payments.ts';
import { arrive, payOut } from './resources/funds.ts';
import { markPaid } from './resources/invoices.ts';
import { followSchedule } from './resources/schedules.ts';
import { expireSession } from './resources/sessions.ts';
import { settleOutcome, wakeInvoice, wakeSubscription } from './resources/subscriptions.ts';
import type { Waking, World } from './world.ts';

export type SimulatedClock = {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** It stands still there until it is set again. */
  setMs(ms: number): void;
};

/** @param startMs absent: it goes with the machine's, and can be put forward */
export function createClock(startMs?: number): SimulatedClock {
  let offset = 0;
  let standing = startMs;
  return {
    nowMs: () => standing ?? Date.now() + offset,
    setMs(ms) {
      if (standing === undefined) offset = ms - Date.now();
      else standing = ms;
    },
  };
}

/** Everything that is due by now, in order; a running clock stands at each second while it happens. */
export function catchUp(
  world: World,
  clock: SimulatedClock,
  deliver: (id: string) => void,
  untilMs = clock.nowMs(),
): void {
  const until = Math.floor(untilMs / 1000);
  const { wakings } = world.shared;
  for (let next = wakings.at(-1); next !== undefined && next.at <= until; next = wakings.at(-1)) {
    wakings.pop();
    clock.setMs(Math.max(next.at * 1000, 0));
    wake(next, deliver);
  }
  clock.setMs(untilMs);
}

function wake({ world, what, id }: Waking, deliver: (id: string) => void): void {
  if (what === 'delivery') deliver(id);
  else if (what === 'session') expireIfOpen(world, id);
  else if (what === 'debit') endDebit(world, id);
  else if (what === 'payouts') payOut(world);
  else if (what === 'payout') arrive(world, world.payouts.get(id));
  else if (what === 'invoice') wakeInvoice(world, world.invoices.get(id));
  else {
    const subscription = world.subscriptions.get(id);
    // A new price counts for the period that begins now.
    followSchedule(world, subscription);
    wakeSubscription(world, subscription);
  }
}

function expireIfOpen(world: World, id: string): void {
  const session = world.sessions.get(id);
  if (session.status === 'open') expireSession(world, session);
}

/** The bank's answer comes days after it was asked. */
function endDebit(world: World, invoiceId: string): void {
  const invoice = world.invoices.get(invoiceId);
  const intentId = invoice.payments.data[0]?.payment.payment_intent;
  const intent = intentId === undefined ? undefined : world.paymentIntents.get(intentId);
  if (invoice.status !== 'open' || intent?.status !== 'processing') return;
  const charge = world.charges.get(intent.latest_charge!);
  const behavior = world.behaviors.get(intent.payment_method ?? '');
  const subscription = world.subscriptions.get(invoice.parent!.subscription_details.subscription);
  const session = world.sessions.all().find((one) => one.invoice === invoice.id);
  if (behavior?.kind === 'debit' && behavior.bounces) {
    bounce(world, invoice, intent, charge);
    world.emit('invoice.payment_failed', invoice);
    if (session !== undefined) world.emit('checkout.session.async_payment_failed', session);
    settleOutcome(world, subscription, invoice, { kind: 'declined', code: 'debit_not_authorized' });
    return;
  }
  settle(world, invoice, intent, charge);
  markPaid(world, invoice);
  if (session !== undefined) {
    world.change(session, { payment_status: 'paid' }, null);
    world.emit('checkout.session.async_payment_succeeded', session);
  }
  settleOutcome(world, subscription, invoice, { kind: 'paid' });
}

/** The desk: what happens to payments, and goes wrong with them, done by hand. It says to `control` what tests say. */
import type { StripeControl } from '../control.ts';
import type { Fault } from '../faults.ts';
import { refund } from '../payments.ts';
import { ACCOUNT_STATES, stateOf } from '../resources/accounts.ts';
import { end, isOver } from '../resources/subscriptions.ts';
import { Refusal } from '../wire/refusal.ts';
import type { ChargeRow, CustomerRow, SubscriptionRow } from '../wire/rows.ts';
import type { Behavior, Retries, World } from '../world.ts';
import type { PageReply } from './hosted.ts';
import { escaped, htmlPage, money } from './html.ts';

const LAST = 20;
const DAY_S = 86_400;
const STEPS: Record<string, number> = { 'an hour': 3600, 'a day': DAY_S, 'a week': 7 * DAY_S, '31 days': 31 * DAY_S };
const FAULTS: Fault['kind'][] = [
  ...(['refused', 'rate_limited', 'slow', 'cut_before', 'cut_after', 'error_after', 'web_page'] as const),
];
const BEHAVIORS: Record<string, Behavior> = {
  good: { kind: 'good' },
  declined: { kind: 'fails', code: 'generic_decline' },
  'no money': { kind: 'fails', code: 'insufficient_funds' },
  expired: { kind: 'fails', code: 'expired_card' },
  'asks the bank': { kind: 'confirm' },
};
const AT_END: Retries['atEnd'][] = ['cancel', 'unpaid', 'past_due'];
const DELIVERY = ['at_once', 'held', 'lost'] as const;

/** @param form what a button of it said */
export async function serveDesk(
  world: World,
  control: StripeControl,
  form: URLSearchParams | null,
): Promise<PageReply> {
  if (form === null) return { status: 200, html: htmlPage('Desk', await desk(world, control), 'wide') };
  try {
    await act(world, control, (name) => form.get(name) ?? '');
    return { status: 303, location: '/desk/' };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const says = `<p class="error" role="alert">${escaped(error.message)}</p>`;
    return { status: error.status, html: htmlPage('Desk', says + (await desk(world, control)), 'wide') };
  }
}

async function act(world: World, control: StripeControl, said: (name: string) => string): Promise<void> {
  const id = said('id');
  const acts: Record<string, () => Promise<unknown> | unknown> = {
    pass: () => control.advance(STEPS[said('by')] ?? 0),
    go: () => control.goTo(Math.max(world.now(), Math.floor(Date.parse(`${said('at')}Z`) / 1000) || 0)),
    behave: () => control.setBehavior(id, BEHAVIORS[said('as')] ?? { kind: 'good' }),
    end: () => {
      const owner = world.ownerOf(id, (one) => one.subscriptions);
      end(owner, owner.subscriptions.get(id), 'cancellation_requested');
    },
    refund: () => {
      const owner = world.ownerOf(id, (one) => one.charges);
      giveBack(owner, owner.charges.get(id));
    },
    account: () => control.setAccount(id, ACCOUNT_STATES.find((one) => one === said('state')) ?? 'ready'),
    payouts: () => control.setPayouts(id, said('bank') === 'refuses'),
    elsewhere: () => control.sellElsewhere(id, Math.round(Number(said('amount')) * 100) || 1000, 'usd'),
    dispute: () => control.dispute(id),
    won: () => control.closeDispute(id, true),
    lost: () => control.closeDispute(id, false),
    confirm: () => control.confirm(id, true),
    deliver: () => control.setDelivery(DELIVERY.find((mode) => mode === said('how')) ?? 'at_once'),
    let_go: async () => control.letGo(orderOf(said('order'), await control.heldCount())),
    again: () => control.sendAgain(id),
    fail: () => control.failNext(...faultsOf(said)),
    heal: () => control.forgetFaults(),
    answer: () => control.letCallsGo(),
    retries: () =>
      control.setRetries({ ...world.retries, atEnd: AT_END.find((one) => one === said('end')) ?? 'cancel' }),
    tax: () => control.setTax({ isActive: said('on') === 'on', countries: said('on') === 'on' ? ['US'] : [] }),
  };
  await acts[said('act')]?.();
}

function giveBack(world: World, charge: ChargeRow): void {
  refund(world, charge, charge.amount - charge.amount_refunded, 'requested_by_customer', {});
}

function orderOf(name: string, count: number): number[] {
  const all = Array.from({ length: count }, (_, at) => at);
  if (name === 'backwards') return all.toReversed();
  return name === 'twice' ? [...all, ...all] : all;
}

function faultsOf(said: (name: string) => string): Fault[] {
  const kind = FAULTS.find((one) => one === said('kind')) ?? 'refused';
  const times = Math.min(Math.max(Number(said('times')) || 1, 1), 100);
  return Array.from({ length: times }, () => ({ kind, path: said('path') }));
}

async function desk(world: World, control: StripeControl): Promise<string> {
  const customers = customersOf(world);
  const events = (await control.events()).slice(-LAST).toReversed();
  const calls = (await control.calls()).slice(-LAST).toReversed();
  const unknown = await control.unimplemented();
  return `<p>It is <b>${timeOf(world.now())}</b>.</p>
<div class="row">${Object.keys(STEPS)
    .map((by) => button('pass', `Pass ${by}`, { by }))
    .join('')}
${form('go', `<label>Go to, in UTC<input type="datetime-local" name="at" required></label><button>Go</button>`)}</div>
<h2>Connected accounts</h2>${[...world.connected.values()].map(accountPart).join('') || '<p>None yet.</p>'}
<h2>Customers</h2>${customers || '<p>None yet: somebody has to begin to pay first.</p>'}
<h2>Messages</h2><div class="row">${form('deliver', `${select('how', 'Messages are', DELIVERY, '')}<button>Set</button>`)}
${form('let_go', `${select('order', `${await control.heldCount()} held`, ['in order', 'backwards', 'twice'], '')}<button>Let go</button>`)}</div>
${table(
  events.map(({ id, type, created, pending_webhooks: pending }) => [
    ...[timeOf(created), type, pending === 0 ? 'taken' : `${pending} to go`, button('again', 'Send again', { id })],
  ]),
)}
<h2>Calls</h2><div class="row">${form(
    'fail',
    `${select('kind', 'The next calls are', FAULTS, '')}<label>Whose path begins with<input name="path" value="/v1/"></label>
<label>How many<input name="times" type="number" min="1" max="100" value="1"></label><button>Set</button>`,
  )}${button('heal', 'Forget faults')}${button('answer', 'Answer what is held back')}</div>
${table(calls.map(({ at, method, path, status, isReplay }) => [timeOf(at), `${method} ${path}`, isReplay ? 'replay' : '', `${status ?? 'no answer'}`]))}
${unknown.length === 0 ? '' : `<p class="error">Not played: ${escaped(unknown.join(', '))}</p>`}
<h2>Rules</h2><div class="row">${form('retries', `${select('end', 'After the last retry', AT_END, world.retries.atEnd)}<button>Set</button>`)}
${form('tax', `${select('on', `Tax of ${world.tax.percent} percent`, ['on', 'off'], world.tax.isActive ? 'on' : 'off')}<button>Set</button>`)}</div>`;
}

function customersOf(world: World): string {
  return world.customers
    .newestFirst()
    .map((one) => customerPart(world, one))
    .join('');
}

function accountPart(world: World): string {
  const account = world.platform.accounts.get(world.account!);
  const payouts = world.payouts.newestFirst().slice(0, LAST);
  const lines = world.balanceTransactions.newestFirst().slice(0, LAST);
  const id = account.id;
  return `<section><h3>${escaped(account.display_name ?? id)}, ${id}</h3><div class="row">
${form('account', `${select('state', 'Stripe says', ACCOUNT_STATES, stateOf(account))}<button>Set</button>`, { id })}
${form('payouts', `${select('bank', 'Their bank', ['takes payouts', 'refuses'], world.payoutsFail ? 'refuses' : '')}<button>Set</button>`, { id })}
${form('elsewhere', '<label>They sell something else for<input name="amount" value="10.00" inputmode="decimal"></label><button>Sell</button>', { id })}</div>
${table(lines.map((one) => [timeOf(one.created), one.reporting_category, money(one.amount, one.currency), `fee ${money(one.fee, one.currency)}`]))}
${table(payouts.map((one) => [timeOf(one.created), 'payout', money(one.amount, one.currency), one.status]))}
${customersOf(world)}</section>`;
}

function customerPart(world: World, customer: CustomerRow): string {
  const own = <Row extends { customer: unknown }>(rows: Row[]) => rows.filter((row) => row.customer === customer.id);
  const subscriptions = own(world.subscriptions.newestFirst());
  const charges = own(world.charges.newestFirst()).slice(0, LAST);
  const open = own(world.invoices.newestFirst()).filter(({ status }) => status === 'open');
  const cards = own(world.paymentMethods.newestFirst());
  return `<h3>${escaped([customer.name, customer.email].filter(Boolean).join(', ') || customer.id)}</h3>
${table(subscriptions.map(subscriptionRow))}
${table(open.map(({ id, number, amount_due: due, currency }) => [`Invoice ${number}`, money(due, currency), `<a href="/invoice/${id}">Pay</a>`]))}
${table(charges.map((one) => chargeRow(world, one)))}
<div class="row">${cards
    .map(({ id, card }) =>
      form('behave', `${select('as', `Card ${card?.last4 ?? id}`, Object.keys(BEHAVIORS), '')}<button>Set</button>`, {
        id,
      }),
    )
    .join('')}</div>`;
}

function subscriptionRow(one: SubscriptionRow): string[] {
  const [item] = one.items.data;
  const price = item === undefined ? '' : money(item.price.unit_amount ?? 0, item.price.currency);
  const until = item === undefined ? '' : `until ${timeOf(item.current_period_end)}`;
  return [
    ...[`<b>${one.status}</b>`, `${price} a ${item?.price.recurring?.interval ?? ''}`, until],
    isOver(one) ? '' : button('end', 'End it here', { id: one.id }),
  ];
}

function chargeRow(world: World, one: ChargeRow): string[] {
  const dispute = world.disputes.all().find(({ charge, status }) => charge === one.id && status === 'needs_response');
  const intent = world.paymentIntents.find(one.payment_intent);
  const says = one.refunded ? 'given back' : one.status;
  const buttons =
    dispute !== undefined
      ? button('won', 'We win', { id: dispute.id }) + button('lost', 'We lose', { id: dispute.id })
      : one.status === 'succeeded' && !one.refunded
        ? button('refund', 'Give back', { id: one.id }) + button('dispute', 'Dispute', { id: one.id })
        : intent?.status === 'requires_action'
          ? button('confirm', 'Confirm at the bank', { id: intent.id })
          : '';
  return [timeOf(one.created), money(one.amount, one.currency), dispute === undefined ? says : 'disputed', buttons];
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
}

/** @param rows cells as HTML */
function table(rows: string[][]): string {
  if (rows.length === 0) return '';
  return `<table tabindex="0">${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}`).join('')}`).join('')}</table>`;
}

function button(act: string, label: string, fields: Record<string, string> = {}): string {
  return form(act, `<button class="quiet">${label}</button>`, fields);
}

function form(act: string, inner: string, fields: Record<string, string> = {}): string {
  const hidden = Object.entries({ act, ...fields }).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
  );
  return `<form method="post" action="/desk/">${hidden.join('')}${inner}</form>`;
}

function select(name: string, label: string, options: readonly string[], chosen: string): string {
  const all = options.map((one) => `<option${one === chosen ? ' selected' : ''}>${one}</option>`);
  return `<label>${escaped(label)}<select name="${name}">${all.join('')}</select></label>`;
}

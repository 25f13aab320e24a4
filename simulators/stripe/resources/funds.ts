/** The balance of a connected account: what comes in, what Stripe and the platform take of it, what goes out to its bank. */
import { page } from '../wire/pages.ts';
import type { Route } from '../wire/routes.ts';
import { rows } from '../wire/routes.ts';
import type { BalanceTransactionRow, PayoutRow } from '../wire/rows.ts';
import type { World } from '../world.ts';
import { canPayOut } from './accounts.ts';

const DAY_S = 86_400;
/** From a charge until it can be paid out, and from there to the bank. */
const AVAILABLE_AFTER_S = 2 * DAY_S;
const TO_THE_BANK_S = 2 * DAY_S;
const DISPUTE_CENTS = 1500;
/** In whole units, not hundredths [S]. */
const WITHOUT_CENTS = ['jpy', 'krw', 'vnd', 'clp'];

type Kind = 'charge' | 'refund' | 'dispute' | 'dispute_won' | 'payout' | 'payout_failed';
const WORDS: Record<Kind, { type: BalanceTransactionRow['type']; reporting_category: string }> = {
  charge: { type: 'charge', reporting_category: 'charge' },
  refund: { type: 'refund', reporting_category: 'refund' },
  dispute: { type: 'adjustment', reporting_category: 'dispute' },
  dispute_won: { type: 'adjustment', reporting_category: 'dispute_reversal' },
  payout: { type: 'payout', reporting_category: 'payout' },
  payout_failed: { type: 'payout_failure', reporting_category: 'payout_reversal' },
};

type Move = { kind: Kind; cents: number; currency: string; source: string; applicationFee?: number };

/**
 * @param move.cents below zero: it goes out
 * @returns null for the platform, whose balance is not played
 */
export function moveFunds(world: World, move: Move): BalanceTransactionRow | null {
  if (world.account === null) return null;
  const { kind, cents, currency, source, applicationFee = 0 } = move;
  const ofStripe = kind === 'charge' ? feeOn(cents, currency) : kind === 'dispute' ? DISPUTE_CENTS : 0;
  const parts = [
    { amount: ofStripe, application: null, type: 'stripe_fee', description: 'Stripe processing fees' },
    { amount: applicationFee, application: 'ca_simulated', type: 'application_fee', description: 'Application fee' },
  ];
  const fee = ofStripe + applicationFee;
  const waits = kind === 'charge' ? AVAILABLE_AFTER_S : 0;
  const made = world.balanceTransactions.add({
    ...{ id: world.id('txn'), object: 'balance_transaction', amount: cents, available_on: world.now() + waits },
    ...{ balance_type: 'payments', created: world.now(), currency, description: null, exchange_rate: null, fee },
    fee_details: parts.flatMap((part) => (part.amount === 0 ? [] : [{ ...part, currency }])),
    ...{ net: cents - fee, ...WORDS[kind], source, status: waits === 0 ? 'available' : 'pending' },
  } satisfies BalanceTransactionRow);
  if (kind === 'charge') world.wake(made.available_on, 'payouts', made.id);
  return made;
}

function feeOn(cents: number, currency: string): number {
  return Math.round(cents * 0.029) + (WITHOUT_CENTS.includes(currency) ? 0 : 30);
}

/** All that can be paid out is. */
export function payOut(world: World): void {
  for (const line of world.balanceTransactions.all()) {
    if (line.available_on <= world.now()) line.status = 'available';
  }
  if (!canPayOut(world)) return;
  const free = world.balanceTransactions
    .all()
    .filter(({ id, status }) => status === 'available' && !world.paidOutBy.has(id));
  for (const currency of new Set(free.map((line) => line.currency))) {
    const lines = free.filter((line) => line.currency === currency);
    const amount = lines.reduce((sum, { net }) => sum + net, 0);
    if (amount <= 0) continue;
    const id = world.id('po');
    const own = moveFunds(world, { kind: 'payout', cents: -amount, currency, source: id })!;
    for (const line of [...lines, own]) world.paidOutBy.set(line.id, id);
    const payout = world.payouts.add({
      ...{ id, object: 'payout', amount, application_fee: null, application_fee_amount: null, automatic: true },
      ...{ arrival_date: world.now() + TO_THE_BANK_S, balance_transaction: own.id, created: world.now(), currency },
      ...{ description: 'STRIPE PAYOUT', destination: null, failure_balance_transaction: null, failure_code: null },
      ...{ failure_message: null, livemode: world.livemode, metadata: {}, method: 'standard', original_payout: null },
      ...{ payout_method: null, reconciliation_status: 'completed', reversed_by: null, source_type: 'card' },
      ...{ statement_descriptor: null, status: 'in_transit', trace_id: null, type: 'bank_account' },
    } satisfies PayoutRow);
    world.emit('payout.created', payout);
    world.wake(payout.arrival_date, 'payout', id);
  }
}

/** The bank takes it, or sends it back. */
export function arrive(world: World, payout: PayoutRow): void {
  if (payout.status !== 'in_transit') return;
  if (!world.payoutsFail) {
    world.change(payout, { status: 'paid' }, 'payout.paid');
    return;
  }
  const { amount: cents, currency, id: source } = payout;
  const back = moveFunds(world, { kind: 'payout_failed', cents, currency, source })!;
  world.change(
    payout,
    {
      ...{ status: 'failed', failure_code: 'account_closed', failure_balance_transaction: back.id },
      failure_message: 'The bank account has been closed.',
    },
    'payout.failed',
  );
}

function balance(world: World) {
  const sums = new Map<string, { available: number; pending: number }>();
  for (const { currency, net, available_on: at } of world.balanceTransactions.all()) {
    const sum = sums.get(currency) ?? { available: 0, pending: 0 };
    sum[at <= world.now() ? 'available' : 'pending'] += net;
    sums.set(currency, sum);
  }
  const all = [...sums].toSorted();
  return {
    ...{ object: 'balance', livemode: world.livemode },
    available: all.map(([currency, { available }]) => ({ amount: available, currency })),
    pending: all.map(([currency, { pending }]) => ({ amount: pending, currency })),
  };
}

const LINES = '/v1/balance_transactions';

export const funds: Route[] = [
  { method: 'GET', path: '/v1/balance', answer: ({ world }) => balance(world) },
  {
    method: 'GET',
    path: LINES,
    answer({ world, params }) {
      const [payout, source, type] = ['payout', 'source', 'type'].map((name) => params.text(name));
      const found = world.balanceTransactions
        .newestFirst()
        .filter(({ id }) => payout == null || world.paidOutBy.get(id) === payout)
        .filter((line) => source == null || line.source === source)
        .filter((line) => type == null || line.type === type);
      return page(found, params, LINES);
    },
  },
  { method: 'GET', path: `${LINES}/:id`, answer: ({ world, ids: [id] }) => world.balanceTransactions.get(id!) },
  ...rows('/v1/payouts', (world) => world.payouts, ['status']),
  ...rows('/v1/application_fees', (world) => world.applicationFees, ['charge']),
];

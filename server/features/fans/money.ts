/** A creator's money of members: Stripe's lines, kept as they come, and the figures that are their sums. The one writer of `money_lines`, `money_sums` and `payouts`. */
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import type { QueryOf, ResponseOf } from '#contract/endpoint.ts';
import type { getMembersMoney, listMoneyLines, MoneyFigure } from '#contract/members-money.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { later, type QueuedJob } from '#server/db/jobs.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import { failureOf } from '#server/platforms/stripe/errors.ts';
import { type InAccount, inAccountOf, stripePage } from './accounts.ts';
import type { FanDeps } from './fan-deps.ts';
import { GIFT_MARK, markGifts } from './gifts.ts';
import { takePayments } from './joining.ts';
import { tellRefund } from './refunds.ts';
import { syncFan } from './sync.ts';

export const followMoney: QueuedJob<JobDeps, { creatorId: string }> = {
  name: 'follow-members-money',
  payload: z.object({ creatorId: z.string() }),
  atOnce: 2,
  run: async (deps, { creatorId }) => {
    if (deps.accounts !== null) await fetchMoney({ ...deps, accounts: deps.accounts }, creatorId);
  },
};

/** Lines may be added while they are asked for. */
const MOST_ROUNDS = 3;

/** Adds what is new. @throws what Stripe's library throws when it cannot be reached */
export async function fetchMoney(deps: FanDeps, creatorId: string): Promise<void> {
  const account = await inAccountOf(deps, creatorId);
  if (account === null) return;
  try {
    let balance = new Map<string, number>();
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const added = await addLines(account, creatorId);
      if (round > 0 && added === 0) break;
      balance = await account.stripe.balance();
    }
    const payouts = await account.stripe.payouts();
    const disputes = (await account.stripe.disputes())
      .filter(({ status }) => OPEN_DISPUTES.has(status))
      .map(openDispute);
    await deps.db.engine.transaction().execute(async (trx) => {
      for (const one of payouts) {
        const values = { status: one.status, arrives_at: dateOf(one.arrival_date), failure: one.failure_message };
        await trx
          .insertInto('payouts')
          .values({
            ...{ creator_id: creatorId, id: one.id, amount: one.amount, currency: one.currency },
            ...{ made_at: dateOf(one.created), ...values },
          })
          .onConflict((conflict) => conflict.columns(['creator_id', 'id']).doUpdateSet(values))
          .execute();
      }
      const now = deps.clock.now();
      const differs = differencesOf(Object.fromEntries(balance), await readTotals(trx, creatorId)).length > 0;
      await trx
        .updateTable('stripe_accounts')
        .set({
          balance: JSON.stringify(Object.fromEntries(balance)),
          balance_at: now,
          differs_since: differs ? sql`coalesce(differs_since, ${now})` : null,
          open_disputes: JSON.stringify(disputes),
        })
        .where('creator_id', '=', creatorId)
        .execute();
    });
    deps.live.publish(creatorId, { what: 'account' });
  } catch (error) {
    // Disconnected: what was known last stays.
    if (failureOf(error) !== 'gone') throw error;
  }
}

const TO_ANSWER = new Set(['needs_response', 'warning_needs_response']);
const OPEN_DISPUTES = new Set([...TO_ANSWER, 'under_review', 'warning_under_review']);
type OpenDispute = {
  id: string;
  charge: string;
  amount: number;
  currency: string;
  reason: string;
  answerBy: string | null;
};

function openDispute({ id, charge, amount, currency, reason, status, evidence_details }: Stripe.Dispute): OpenDispute {
  const { due_by: dueBy } = evidence_details;
  const answerBy = TO_ANSWER.has(status) && dueBy !== null ? dateOf(dueBy).toISOString() : null;
  return { id, charge: idOf(charge)!, amount, currency, reason, answerBy };
}

/** @returns how many */
async function addLines(deps: InAccount, creatorId: string): Promise<number> {
  const { last_line: last } = await deps.db.engine
    .selectFrom('stripe_accounts')
    .select('last_line')
    .where('creator_id', '=', creatorId)
    .executeTakeFirstOrThrow();
  const lines = await deps.stripe.linesAfter(last);
  if (lines.length === 0) return 0;
  if (await hasStranger(deps, creatorId, lines)) await takePayments(deps, { creatorId });
  await deps.db.engine.transaction().execute(async (trx) => {
    const { rows: fans } = await sql<{ contact_id: string; customers: string[] }>`
      select contact_id, customers from fans
      where creator_id = ${creatorId} and customers && ${lines.flatMap((line) => customerOf(line) ?? [])}::text[]
    `.execute(trx);
    const { rows: charges } = await sql<{ charge: string; contact_id: string | null }>`
      select charge, contact_id from money_lines
      where creator_id = ${creatorId} and is_ours and charge = any(${lines.flatMap((line) => chargeOf(line) ?? [])}::text[])
    `.execute(trx);
    const contactOf = new Map(fans.flatMap(({ contact_id, customers }) => customers.map((one) => [one, contact_id])));
    // Of a dispute Stripe tells the charge alone.
    const ownerOf = new Map<string, string | null>(charges.map(({ charge, contact_id }) => [charge, contact_id]));
    const rows = lines.map((line) => {
      const [customer, charge] = [customerOf(line), chargeOf(line)];
      const contact = customer === null ? undefined : contactOf.get(customer);
      if (charge !== null && contact !== undefined) ownerOf.set(charge, contact);
      if (charge !== null && isGift(line)) ownerOf.set(charge, null);
      const isOurs = contact !== undefined || (charge !== null && ownerOf.has(charge));
      return rowOf(creatorId, line, { charge, isOurs, contactId: contact ?? (charge && ownerOf.get(charge)) ?? null });
    });
    const sources = new Map(lines.map((line) => [line.id, line.source]));
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const added = await trx
        .insertInto('money_lines')
        .values(rows.slice(from, from + ROWS_AT_ONCE))
        .onConflict((conflict) => conflict.doNothing())
        .returning(['id', 'contact_id'])
        .execute();
      await addSums(trx, sql`creator_id = ${creatorId} and id = any(${added.map(({ id }) => id)}::text[])`);
      for (const { id, contact_id: contactId } of added) {
        const source = sources.get(id) ?? null;
        if (source === null || contactId === null || !isRefund(source)) continue;
        await tellRefund(deps, trx, { creatorId, contactId }, source);
      }
    }
    // Of a dispute Stripe tells no customer.
    const disputers = new Set(rows.flatMap((row) => (/dispute/.test(row.category) ? (row.contact_id ?? []) : [])));
    await later(trx, deps, syncFan, ...[...disputers].map((contactId) => ({ creatorId, contactId })));
    const takenBack = lines.filter((line) => /refund|dispute/.test(line.reporting_category));
    await markGifts(trx, deps, {
      creatorId,
      payments: takenBack.flatMap((line) => idOf(sourceOf(line)?.payment_intent) ?? []),
    });
    await trx
      .updateTable('stripe_accounts')
      .set({ last_line: lines.at(-1)!.id })
      .where('creator_id', '=', creatorId)
      .execute();
  });
  return lines.length;
}

/** A payment may be told before its payer is known. */
async function hasStranger({ db }: InAccount, creatorId: string, lines: Stripe.BalanceTransaction[]): Promise<boolean> {
  const payers = lines.flatMap((line) => customerOf(line) ?? []);
  const { rows } = await sql`
    select from unnest(${payers}::text[]) as payer
    where not exists (select from fans where creator_id = ${creatorId} and customers @> array[payer]) limit 1
  `.execute(db.engine);
  return rows.length > 0;
}

const ROWS_AT_ONCE = 1000;

type Of = { charge: string | null; isOurs: boolean; contactId: string | null };

function rowOf(creatorId: string, line: Stripe.BalanceTransaction, { charge, isOurs, contactId }: Of) {
  const ofType = (type: string) =>
    line.fee_details.filter((fee) => fee.type === type).reduce((sum, { amount }) => sum + amount, 0);
  const ourFee = ofType('application_fee');
  return {
    ...{ creator_id: creatorId, id: line.id, at: dateOf(line.created), category: line.reporting_category },
    ...{ amount: line.amount, stripe_fee: line.fee - ourFee, our_fee: ourFee, net: line.net, currency: line.currency },
    ...{ is_ours: isOurs, charge, contact_id: contactId },
  };
}

/** Whoever gives is no member; what they paid is known by what we wrote on it. */
function isGift(line: Stripe.BalanceTransaction): boolean {
  return sourceOf(line)?.metadata?.[GIFT_MARK] !== undefined;
}

function isRefund(source: string | { object: string }): source is Stripe.Refund {
  return typeof source !== 'string' && source.object === 'refund';
}

type Source = {
  object: string;
  metadata?: Record<string, string>;
  payment_intent?: string | { id: string } | null;
  id: string;
  customer?: string | { id: string } | null;
  charge?: string | { id: string } | null;
};

function sourceOf({ source }: Stripe.BalanceTransaction): Source | null {
  return source === null || typeof source === 'string' ? null : (source as unknown as Source);
}

function customerOf(line: Stripe.BalanceTransaction): string | null {
  return idOf(sourceOf(line)?.customer);
}

function chargeOf(line: Stripe.BalanceTransaction): string | null {
  const source = sourceOf(line);
  return source?.object === 'charge' ? source.id : idOf(source?.charge);
}

function idOf(named: string | { id: string } | null | undefined): string | null {
  return typeof named === 'string' ? named : (named?.id ?? null);
}

function dateOf(seconds: number): Date {
  return new Date(seconds * 1000);
}

const IS_PAID_OUT = sql`category in ('payout', 'payout_reversal')`;

/** Which lines a figure is the sum of, and what of each. */
const FIGURES: Record<MoneyFigure, { of: RawBuilder<unknown>; where: RawBuilder<unknown> }> = {
  gross: { of: sql`amount`, where: sql`is_ours and category = 'charge'` },
  refunds: { of: sql`amount`, where: sql`is_ours and category = 'refund'` },
  disputes: { of: sql`amount`, where: sql`is_ours and category in ('dispute', 'dispute_reversal')` },
  stripeFees: { of: sql`-stripe_fee`, where: sql`is_ours and stripe_fee <> 0` },
  ourFee: { of: sql`-our_fee`, where: sql`is_ours and our_fee <> 0` },
  other: {
    of: sql`case when is_ours then amount else net end`,
    where: sql`not ${IS_PAID_OUT} and (not is_ours or category not in ('charge', 'refund', 'dispute', 'dispute_reversal'))`,
  },
  net: { of: sql`net`, where: sql`not ${IS_PAID_OUT}` },
  paidOut: { of: sql`net`, where: IS_PAID_OUT },
};

/** @param which lines are not in the sums yet */
export async function addSums(trx: Transaction<Tables>, which: RawBuilder<unknown>): Promise<void> {
  const parts = Object.entries(FIGURES).map(
    ([name, { of, where }]) => sql`(${name}, case when ${where} then ${of} end)`,
  );
  await sql`
    insert into money_sums as s (creator_id, month, currency, figure, amount)
    select creator_id, to_char(at at time zone 'UTC', 'YYYY-MM'), currency, figure, sum(part.amount)
    from money_lines, lateral (values ${sql.join(parts)}) as part (figure, amount)
    where ${which} group by 1, 2, 3, 4 having sum(part.amount) is not null order by 1, 2, 3, 4
    on conflict (creator_id, month, currency, figure) do update set amount = s.amount + excluded.amount
  `.execute(trx);
}

export async function readMoney(
  { config }: Pick<JobDeps, 'config'>,
  trx: CreatorTransaction,
): Promise<ResponseOf<typeof getMembersMoney>> {
  const account = await trx
    .selectFrom('stripe_accounts')
    .select(['creator_id', 'account_id', 'balance', 'balance_at', 'differs_since', 'open_disputes'])
    .executeTakeFirst();
  const disputes = (account?.open_disputes ?? []) as OpenDispute[];
  const { rows: payers } = await sql<{ charge: string; email: string | null }>`
    select distinct l.charge, c.email from money_lines l
    join contacts c on c.creator_id = l.creator_id and c.id = l.contact_id
    where l.creator_id = current_creator_id() and l.charge = any(${disputes.map(({ charge }) => charge)}::text[])
  `.execute(trx);
  const payerOf = new Map(payers.map(({ charge, email }) => [charge, email]));
  const sums = Object.keys(FIGURES).map(
    (name) => sql`coalesce(sum(amount) filter (where figure = ${name}), 0)::float8 as ${sql.ref(name)}`,
  );
  const { rows: months } = await sql<ResponseOf<typeof getMembersMoney>['months'][number]>`
    select month, currency, ${sql.join(sums)}
    from money_sums where creator_id = current_creator_id() group by 1, 2 order by 1 desc, 2 limit 240
  `.execute(trx);
  const balance = (account?.balance ?? {}) as Record<string, number>;
  const differences = account === undefined ? [] : differencesOf(balance, await readTotals(trx, account.creator_id));
  const payouts = await trx
    .selectFrom('payouts')
    .selectAll()
    .orderBy('made_at', 'desc')
    .orderBy('id', 'desc')
    .limit(24)
    .execute();
  return {
    checkedAt: account?.balance_at?.toISOString() ?? null,
    differences,
    differsSince: account?.differs_since?.toISOString() ?? null,
    balance: Object.entries(balance).map(([currency, amount]) => ({ currency, amount })),
    taxUrl: stripePage(config, account?.account_id ?? null, 'tax/reporting'),
    disputes: disputes
      .map(({ charge, ...dispute }) => ({
        ...{ ...dispute, email: payerOf.get(charge) ?? null },
        url: stripePage(config, account?.account_id ?? null, `disputes/${dispute.id}`),
      }))
      .toSorted((one, other) => (one.answerBy ?? '~').localeCompare(other.answerBy ?? '~')),
    months,
    payouts: payouts.map(({ id, amount, currency, status, made_at, arrives_at, failure }) => ({
      ...{ id, amount: Number(amount), currency, madeAt: made_at.toISOString(), arrivesAt: arrives_at.toISOString() },
      ...{ status: status as ResponseOf<typeof getMembersMoney>['payouts'][number]['status'], failure },
    })),
  };
}

/** @returns what our lines come to, by currency */
async function readTotals(trx: Transaction<Tables>, creatorId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ currency: string; amount: number }>`
    select currency, sum(amount)::float8 as amount from money_sums
    where creator_id = ${creatorId} and figure in ('net', 'paidOut') group by currency
  `.execute(trx);
  return new Map(rows.map(({ currency, amount }) => [currency, amount]));
}

function differencesOf(balance: Record<string, number>, ours: Map<string, number>) {
  return [...new Set([...ours.keys(), ...Object.keys(balance)])].flatMap((currency) => {
    const amount = (balance[currency] ?? 0) - (ours.get(currency) ?? 0);
    return amount === 0 ? [] : [{ currency, amount }];
  });
}

const USUAL_PAGE = 50;

export async function readLines(
  trx: CreatorTransaction,
  { month, currency, figure, after: from, limit = USUAL_PAGE }: QueryOf<typeof listMoneyLines>,
): Promise<ResponseOf<typeof listMoneyLines>> {
  const after = readPosition(from, 'text');
  const since = new Date(`${month}-01T00:00:00Z`);
  if (Number.isNaN(since.getTime())) throw new AppError('invalid_input', 'Ask for a month like 2027-03.');
  const until = new Date(since);
  until.setUTCMonth(until.getUTCMonth() + 1);
  const { rows } = await sql<{
    id: string;
    at: Date;
    category: string;
    amount: number;
    fee: number;
    net: number;
    email: string | null;
    position: string;
  }>`
    select l.id, l.at, l.category, l.amount::float8, (l.stripe_fee + l.our_fee)::float8 as fee, l.net::float8, c.email, l.at::text as position
    from money_lines l left join contacts c on c.creator_id = l.creator_id and c.id = l.contact_id
    where l.creator_id = current_creator_id() and l.at >= ${since} and l.at < ${until} and l.currency = ${currency}
      and ${FIGURES[figure].where} ${after === null ? sql`` : sql`and (l.at, l.id) < (${after.at}::timestamptz, ${after.id})`}
    order by l.at desc, l.id desc limit ${limit + 1}
  `.execute(trx);
  const { items, next } = pageFrom(rows, limit);
  return { items: items.map(({ at, position: _, ...line }) => ({ ...line, at: at.toISOString() })), next };
}

const HOUR_MS = 3_600_000;

/** Whose money was not looked at for an hour. */
export function accountsToCount({ db, clock }: Pick<FanDeps, 'db' | 'clock'>): Promise<{ creatorId: string }[]> {
  return db.engine
    .selectFrom('stripe_accounts')
    .select('creator_id as creatorId')
    .where('is_filled_in', '=', true)
    .where('left_at', 'is', null)
    .where((eb) =>
      eb.or([eb('balance_at', 'is', null), eb('balance_at', '<', new Date(clock.now().getTime() - HOUR_MS))]),
    )
    .limit(200)
    .execute();
}

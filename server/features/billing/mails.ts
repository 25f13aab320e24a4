/** What owners, and whoever invoices go to, are told about their plan. */

import type { Transaction } from 'kysely';
import { dollars, LATE_DAYS, lateUntil } from '#contract/plans.ts';
import type { Tables } from '#server/db/types.ts';
import { findOwners } from '#server/features/notices/owners.ts';
import { type Mail, mailLater } from '#server/platforms/email/mail-later.ts';
import { markTold } from '#server/platforms/stripe/calls.ts';
import type { BillingDeps } from './billing-deps.ts';
import { findBought } from './subscriptions.ts';

export type TellingDeps = Pick<BillingDeps, 'db' | 'clock' | 'ids' | 'config'>;
type Letter = Extract<Mail['letter'], { heading: string }>;

/** Where all mails about plans lead to. */
export const PLAN_PATH = '/creator-hq/settings?tab=plan';
const DAY_MS = 86_400_000;

/** Days after a payment failed, and at last the day on which the free plan's rule begins. */
const LATE_ON_DAYS = [0, 3, 7, 12, LATE_DAYS];
const TRIAL_DAYS_BEFORE = [7, 1];

/** Each once, by their address. @param trx of the engine's role */
export async function mailPayers(
  trx: Transaction<Tables>,
  deps: TellingDeps,
  creatorId: string,
  { kind, letter }: { kind: string; letter: Omit<Letter, 'heading'> },
): Promise<void> {
  const owners = await findOwners(trx, creatorId);
  const { billing_email } = await trx
    .selectFrom('creators')
    .select('billing_email')
    .where('id', '=', creatorId)
    .executeTakeFirstOrThrow();
  const addresses = owners.map(({ email }) => email).concat(billing_email ?? []);
  for (const to of new Set(addresses)) {
    await mailLater(trx, deps, {
      ...{ kind, to, aboutCreatorId: creatorId },
      letter: { ...letter, heading: letter.subject },
    });
  }
}

export async function tellEnding(deps: TellingDeps, creatorId: string): Promise<void> {
  const bought = await findBought(deps, creatorId);
  if (bought?.cancel_at == null) return;
  const { plan, cancel_at: until } = bought;
  await deps.db.engine.transaction().execute((trx) =>
    mailPayers(trx, deps, creatorId, {
      kind: 'plan_canceled',
      letter: {
        subject: `Your plan ${plan} ends on ${dayOf(until)}`,
        paragraphs: [
          `It’s canceled. You have ${plan} until ${dayOf(until)}, and pay nothing more. After that, you’re on the free plan. What you made stays.`,
        ],
        button: { label: 'Keep my plan', url: deps.config.baseUrl + PLAN_PATH },
      },
    }),
  );
}

export async function tellRefunded(deps: TellingDeps, creatorId: string, plan: string): Promise<void> {
  await deps.db.engine.transaction().execute((trx) =>
    mailPayers(trx, deps, creatorId, {
      kind: 'plan_refunded',
      letter: {
        subject: `Your plan ${plan} has ended`,
        paragraphs: [
          'You get back all you paid for it, in 5 to 10 days, the way you paid. You’re on the free plan now.',
        ],
        button: { label: 'See your plan', url: deps.config.baseUrl + PLAN_PATH },
      },
    }),
  );
}

/** Once. @param callKey of the call that ended the second plan */
export async function tellDuplicate(deps: TellingDeps, creatorId: string, callKey: string): Promise<void> {
  await deps.db.engine.transaction().execute(async (trx) => {
    if (!(await markTold(trx, callKey, deps.clock.now()))) return;
    await mailPayers(trx, deps, creatorId, {
      kind: 'plan_paid_twice',
      letter: {
        subject: 'A plan was paid twice: you get one payment back',
        paragraphs: [
          'Someone paid for a plan while you already had one. We ended the second and gave back all that was paid for it. It’s with you in 5 to 10 days.',
        ],
        button: { label: 'See your plan', url: deps.config.baseUrl + PLAN_PATH },
      },
    });
  });
}

/** Whose payment failed, on the days for it: once a day, in the words of the cause, with the page that takes the payment. */
export async function tellLatePayers(deps: TellingDeps & Pick<BillingDeps, 'stripe' | 'log'>): Promise<void> {
  const now = deps.clock.now();
  const rows = await deps.db.engine
    .selectFrom('subscriptions')
    .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
    .select([
      'creator_id',
      'stripe_subscription_id',
      'late_since',
      'late_mails',
      'pay_needed',
      'retry_at',
      'plans.name',
    ])
    .where('late_since', 'is not', null)
    .where('late_mails', '<', LATE_ON_DAYS.length)
    .execute();
  for (const row of rows) {
    const lateSince = row.late_since!;
    const due = LATE_ON_DAYS.filter((day) => now.getTime() >= lateSince.getTime() + day * DAY_MS).length;
    if (due <= row.late_mails) continue;
    try {
      const { latest_invoice: invoice } = await deps.stripe.subscription(row.stripe_subscription_id);
      const payUrl = invoice === null || typeof invoice === 'string' ? null : invoice.hosted_invoice_url;
      const url = payUrl ?? deps.config.baseUrl + PLAN_PATH;
      await deps.db.engine.transaction().execute(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('subscriptions')
          .set({ late_mails: due })
          .where('creator_id', '=', row.creator_id)
          .where('late_since', '=', lateSince)
          .where('late_mails', '<', due)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return;
        const letter = lateLetter({ ...row, lateSince, now, url });
        await mailPayers(trx, deps, row.creator_id, { kind: 'payment_due', letter });
      });
    } catch (error) {
      deps.log.error({ err: error, creatorId: row.creator_id }, 'a late payer could not be told yet');
    }
  }
}

type Late = { name: string; lateSince: Date; now: Date; pay_needed: string | null; retry_at: Date | null; url: string };

function lateLetter({ name, lateSince, now, pay_needed, retry_at, url }: Late): Omit<Letter, 'heading'> {
  const until = lateUntil(lateSince);
  const cause = causeInWords(pay_needed);
  if (now >= until) {
    return {
      subject: `You’re on the free plan until ${name} is paid`,
      paragraphs: [
        `${cause} The ${LATE_DAYS} days are over, so the rules of the free plan apply: it’s for creators with under 25K followers. Paying puts everything back within seconds.`,
      ],
      button: { label: 'Pay now', url },
    };
  }
  const again = retry_at === null ? '' : ` We try again on ${dayOf(retry_at)}.`;
  return {
    subject: `Your payment for ${name} didn’t go through`,
    paragraphs: [`${cause}${again} Everything works until ${dayOf(until)}.`],
    button: { label: pay_needed === BANK_WANTS_A_YES ? 'Confirm the payment' : 'Pay now', url },
    footnote: 'The button opens Stripe’s page. You don’t have to log in there.',
  };
}

export const BANK_WANTS_A_YES = 'authentication_required';

function causeInWords(cause: string | null): string {
  switch (cause) {
    case BANK_WANTS_A_YES:
      return 'Your bank wants you to confirm the payment.';
    case 'expired_card':
      return 'Your card has expired.';
    case 'insufficient_funds':
      return 'There wasn’t enough money in the account.';
    default:
      return 'Your bank declined the payment.';
  }
}

/** A week and a day before a trial ends. */
export async function tellTrialsEnd(deps: TellingDeps): Promise<void> {
  const now = deps.clock.now();
  const rows = await deps.db.engine
    .selectFrom('subscriptions')
    .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
    .leftJoin('plan_prices', 'plan_prices.stripe_price_id', 'subscriptions.stripe_price_id')
    .select([
      'creator_id',
      'created_at',
      'trial_end',
      'trial_mails',
      'plans.name',
      'cents',
      'subscriptions.billing_interval',
    ])
    .where('status', '=', 'trialing')
    .where('cancel_at', 'is', null)
    .where('trial_mails', '<', TRIAL_DAYS_BEFORE.length)
    .execute();
  for (const row of rows) {
    const end = row.trial_end!;
    const momentOf = (days: number) => end.getTime() - days * DAY_MS;
    // Of a short trial nobody is told that it will end when it has just begun.
    const due = TRIAL_DAYS_BEFORE.filter((days) => now.getTime() >= momentOf(days)).length;
    const isWorthIt = momentOf(TRIAL_DAYS_BEFORE[due - 1] ?? 0) > row.created_at.getTime();
    if (due <= row.trial_mails || !isWorthIt) continue;
    await deps.db.engine.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('subscriptions')
        .set({ trial_mails: due })
        .where('creator_id', '=', row.creator_id)
        .where('trial_mails', '<', due)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return;
      const price = row.cents === null ? '' : ` Then ${dollars(row.cents)} a ${row.billing_interval}.`;
      await mailPayers(trx, deps, row.creator_id, {
        kind: 'trial_ends',
        letter: {
          subject: `Your trial of ${row.name} ends on ${dayOf(end)}`,
          paragraphs: [`It’s free until ${dayOf(end)}.${price} If you don’t want it, cancel before then: two taps.`],
          button: { label: 'See your plan', url: deps.config.baseUrl + PLAN_PATH },
        },
      });
    });
  }
}

export function dayOf(at: Date): string {
  return at.toLocaleDateString('en-US', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' });
}

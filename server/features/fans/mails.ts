/** What members are told. All of it belongs to their contract, so none of it can be unsubscribed from. */

import { sql, type Transaction } from 'kysely';
import { amountLabel } from '#contract/amounts.ts';
import type { Tables } from '#server/db/types.ts';
import { dayOf } from '#server/features/billing/mails.ts';
import { inNameOf } from '#server/features/creators/creator-name.ts';
import { type Mail, mailLater } from '#server/platforms/email/mail-later.ts';
import { markTold } from '#server/platforms/stripe/calls.ts';
import { isReaderBlocked } from './blocking.ts';
import type { FanDeps } from './fan-deps.ts';
import { priceInWords, type Turn } from './passes.ts';

type Deps = Pick<FanDeps, 'db' | 'clock' | 'ids' | 'config'>;
type Whose = { creatorId: string; contactId: string };
type Letter = Omit<Extract<Mail['letter'], { heading: string }>, 'heading'>;

/** On these days a late payer is told. */
const LATE_ON_DAYS = [0, 3, 6];
const DAY_MS = 86_400_000;
/** At once; the others ten minutes later. */
const MOST_TOLD = 1000;
export const CLOSES = 'The creator closes their memberships.';

export async function tellTurns(deps: Deps, trx: Transaction<Tables>, whose: Whose, turns: Turn[]): Promise<void> {
  for (const { kind, pass } of turns) {
    const about = { closes: await isClosing(trx, whose), isBlocked: await isReaderBlocked(trx, whose) };
    const letter = letterFor(kind, pass, about);
    if (letter !== null) await mailFan(deps, trx, whose, { kind: `fan_${kind}`, letter });
  }
}

async function isClosing(trx: Transaction<Tables>, { creatorId }: Whose): Promise<boolean> {
  const row = await trx
    .selectFrom('membership_ends')
    .select('way')
    .where('creator_id', '=', creatorId)
    .where('way', '=', 'close')
    .where('called_off_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

function letterFor(
  kind: Turn['kind'],
  pass: Turn['pass'],
  { closes, isBlocked }: { closes: boolean; isBlocked: boolean },
): Letter | null {
  const price = priceInWords(pass);
  switch (kind) {
    case 'joined':
      return {
        subject: `You’re a member: ${pass.tier}`,
        paragraphs: [
          pass.trialEnd === null
            ? `You pay ${price}, until you cancel. The next payment is on ${dayOf(pass.renewsAt ?? pass.readsUntil)}.`
            : `It’s free until ${dayOf(pass.trialEnd)}, then ${price}, until you cancel.`,
          'To read on another phone or computer, press “Enter as a member” there and type this address.',
        ],
      };
    case 'canceled':
      if (isBlocked) {
        const paragraphs = ['The creator canceled it. You read no more, and nothing more is charged.'];
        return { subject: 'Your membership was canceled', paragraphs };
      }
      return {
        subject: `Your membership ends on ${dayOf(pass.cancelAt!)}`,
        paragraphs: [
          ...(closes ? [CLOSES] : []),
          `It’s canceled, and nothing more is charged. You read on until ${dayOf(pass.cancelAt!)}.`,
        ],
      };
    case 'kept':
      return { subject: 'Your membership goes on', paragraphs: [`It isn’t canceled any longer. You pay ${price}.`] };
    case 'changed':
      return {
        subject: `Your membership is ${pass.tier} now`,
        paragraphs: [
          `You pay ${price}, until you cancel. The next payment is on ${dayOf(pass.renewsAt ?? pass.readsUntil)}.`,
        ],
      };
    case 'mended':
      return {
        subject: 'Your payment went through',
        paragraphs: [
          pass.renewsAt === null
            ? `Thank you. You read on until ${dayOf(pass.readsUntil)}.`
            : `Thank you. You read on, and the next payment is on ${dayOf(pass.renewsAt)}.`,
        ],
      };
    case 'refunded':
      return {
        subject: 'You got your money back',
        paragraphs: ['Your payment was given back, and your membership has ended. It’s with you in 5 to 10 days.'],
      };
    case 'over':
      return pass.cancelAt === null && !pass.isRefunded
        ? { subject: 'Your membership has ended', paragraphs: ['You can join again at any time.'] }
        : null;
    default:
      return null;
  }
}

/** @param trx of the engine's role */
export async function mailFan(
  deps: Deps,
  trx: Transaction<Tables>,
  { creatorId, contactId }: Whose,
  { kind, letter }: { kind: string; letter: Letter },
): Promise<void> {
  const row = await trx
    .selectFrom('contacts as c')
    .innerJoin('creators as r', 'r.id', 'c.creator_id')
    .select(['c.email', 'r.handle'])
    .where('c.creator_id', '=', creatorId)
    .where('c.id', '=', contactId)
    .executeTakeFirst();
  if (row?.email == null) return;
  await mailLater(trx, deps, {
    ...{ kind, to: row.email, aboutCreatorId: creatorId, from: inNameOf(creatorId) },
    letter: {
      button: { label: 'Your membership', url: accountUrl(deps, row.handle) },
      ...letter,
      ...{ subject: `@${row.handle}: ${letter.subject}`, heading: letter.subject },
    },
  });
}

export function momentOf(at: Date): string {
  const day = { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
  return `${at.toLocaleString('en-US', { timeZone: 'UTC', ...day })} UTC`;
}

export function accountUrl({ config }: Pick<Deps, 'config'>, handle: string): string {
  return `${config.baseUrl}/join/${encodeURIComponent(handle)}/account`;
}

/** Once. @param callKey of the call that ended the second membership */
export async function tellDuplicate(deps: Deps, whose: Whose, callKey: string): Promise<void> {
  await deps.db.engine.transaction().execute(async (trx) => {
    if (!(await markTold(trx, callKey, deps.clock.now()))) return;
    const letter = (await isReaderBlocked(trx, whose))
      ? {
          subject: 'You get your payment back',
          paragraphs: ['You can’t be a member with this address. Your payment is given back in full.'],
        }
      : {
          subject: 'You paid twice, and get one payment back',
          paragraphs: [
            'You were a member already. The second membership was ended, and its payment is given back in full.',
          ],
        };
    await mailFan(deps, trx, whose, { kind: 'fan_paid_twice', letter });
  });
}

/** Whose payment failed, on the days for it. */
export async function tellLateFans(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const late = await deps.db.engine
    .selectFrom('passes')
    .select(['creator_id', 'contact_id', 'id', 'late_since', 'late_mails', 'ends_at'])
    .where('late_since', 'is not', null)
    .where('ended_at', 'is', null)
    .where('late_mails', '<', LATE_ON_DAYS.length)
    .execute();
  for (const row of late) {
    const since = row.late_since!.getTime();
    const due = LATE_ON_DAYS.filter((day) => now.getTime() >= since + day * DAY_MS).length;
    if (due <= row.late_mails) continue;
    const whose = { creatorId: row.creator_id, contactId: row.contact_id };
    await deps.db.engine.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('passes')
        .set({ late_mails: due })
        .where('creator_id', '=', row.creator_id)
        .where('id', '=', row.id)
        .where('late_mails', '<', due)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return;
      const readsOn =
        row.ends_at! > now ? `You read on until ${dayOf(row.ends_at!)}.` : 'You don’t read on until it’s paid.';
      const letter = {
        subject: 'Your payment didn’t go through',
        paragraphs: [`Your bank declined it. ${readsOn} Change your card, or pay what is due, in your account.`],
      };
      await mailFan(deps, trx, whose, { kind: 'fan_late', letter });
    });
  }
}

/** Trials that end in a week or a day, and yearly payments that come in 30 days, once each. */
export async function tellBeforeCharges(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  await deps.db.engine.transaction().execute(async (trx) => {
    const { rows } = await sql<Whose & Charge & { renews_at: Date; told: string }>`
      with dated as (
        select creator_id, id, told_charge, case
            when trial_end > ${now} and trial_end <= ${days(now, 1)} then 'trial_1'
            when trial_end > ${now} and trial_end <= ${days(now, 7)} and begins_at < trial_end - interval '7 days' then 'trial_7'
            when billing_interval = 'year' and renews_at > ${now} and renews_at <= ${days(now, 30)}
              and begins_at < renews_at - interval '60 days' then 'year'
          end || ':' || renews_at::date as told
        from passes where source = 'stripe' and ended_at is null and renews_at is not null
      ), due as (
        select creator_id, id, told from dated where told is not null and told_charge is distinct from told limit ${MOST_TOLD}
      )
      update passes p set told_charge = due.told from due
      where p.creator_id = due.creator_id and p.id = due.id and p.told_charge is distinct from due.told
      returning p.creator_id as "creatorId", p.contact_id as "contactId", p.renews_at, due.told, p.amount, p.currency, p.billing_interval
    `.execute(trx);
    for (const row of rows) {
      const price = `${amountLabel(row.amount, row.currency)}`;
      const day = dayOf(row.renews_at);
      const letter = row.told.startsWith('trial')
        ? {
            subject: `Your trial ends on ${day}`,
            paragraphs: [
              `Then you pay ${price} a ${row.billing_interval}. If you don’t want that, cancel before: two taps.`,
            ],
          }
        : {
            subject: `Your membership renews on ${day}`,
            paragraphs: [`${price} for another year. You can cancel until then.`],
          };
      await mailFan(deps, trx, row, { kind: 'fan_charge_comes', letter });
    }
  });
}

type Charge = { amount: number; currency: string; billing_interval: string };

function days(now: Date, count: number): Date {
  return new Date(now.getTime() + count * DAY_MS);
}

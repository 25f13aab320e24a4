/** What a reader sees of their own membership. */
import { sql } from 'kysely';
import { amountLabel } from '#contract/amounts.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { dayOf } from '#server/features/billing/mails.ts';
import { findPaid, type Paid } from './ending.ts';
import { type Asked, begunBy, queryOf } from './fan-page.ts';
import { accountPage } from './pages.ts';
import { priceInWords } from './passes.ts';
import { readPlain } from './tiers.ts';

/** @param said what is wrong */
export async function showAccount(
  deps: RouteDeps,
  { creator: { id: creatorId, handle }, request }: Asked,
  { contactId, device }: { contactId: string; device: string },
  said: string | null = null,
): Promise<string> {
  const paid = await findPaid(deps, { creatorId, contactId });
  const { email, given, devices } = await readAccount(deps, { creatorId, contactId });
  const now = deps.clock.now();
  const isLate = paid?.late_since != null;
  const items = await deps.db.withCreator(creatorId, (trx) => readPlain(trx));
  const canChange = paid !== null && paid.cancel_at === null && !isLate && paid.next_at === null;
  const choices = items
    .filter(({ isArchived, currency }) => canChange && !isArchived && currency === paid.currency)
    .flatMap(({ id, name, currency, ...prices }) =>
      (['month', 'year'] as const).flatMap((interval) => {
        const amount = prices[interval];
        if (amount === null || (id === paid?.tier_id && interval === paid.billing_interval)) return [];
        const label = `${name}, ${interval === 'month' ? 'monthly' : 'yearly'}`;
        return [{ value: `${id} ${interval}`, label, price: amountLabel(amount, currency) }];
      }),
    );
  const goes = `/join/${encodeURIComponent(handle)}/account${queryOf(request)}&go=1`;
  return accountPage(
    handle,
    {
      ...{ email, tier: paid?.tier ?? given?.tier ?? null, isLate, isPaid: paid !== null },
      price:
        paid === null
          ? null
          : priceInWords({
              ...{
                amount: paid.amount ?? 0,
                currency: paid.currency ?? 'usd',
                interval: paid.billing_interval ?? '',
              },
              discount: paid.discount,
            }),
      says: accountInWords(paid, given, now),
      canCancel: paid !== null && paid.cancel_at === null,
      canKeep: paid?.cancel_at != null,
      asksWhy: paid?.cancel_at != null && paid.left_because === null,
      ...{ canUnplan: paid?.next_at != null, choices, backUrl: begunBy(request) === null ? null : goes },
      devices: devices.map(({ id, seen_at, site }) => ({
        ...{ id, isThis: id === device, says: `${site ?? 'This page'}, last used ${dayOf(seen_at)}` },
      })),
    },
    said,
  );
}

function accountInWords(paid: Paid | null, given: { from: Date; until: Date | null } | null, now: Date): string {
  if (paid !== null) {
    if (paid.withdraws_at !== null) {
      return `You withdrew from the contract: it ends on ${dayOf(paid.withdraws_at)}, and you get your money back.`;
    }
    if (paid.cancel_at !== null) return `It ends on ${dayOf(paid.cancel_at)}. Nothing more is charged.`;
    if (paid.late_since !== null) {
      const until = paid.ends_at!;
      return now < until
        ? `Your last payment didn’t go through. You read on until ${dayOf(until)}.`
        : 'Your last payment didn’t go through, so you don’t read on until it’s paid.';
    }
    if (paid.next_at !== null && paid.next_tier !== null) {
      const price = `${amountLabel(paid.next_amount ?? 0, paid.currency ?? 'usd')} a ${paid.next_interval}`;
      return `On ${dayOf(paid.next_at)} it changes to ${paid.next_tier}, ${price}.`;
    }
    const next = [`The next payment is on ${dayOf(paid.renews_at ?? now)}.`, paid.nextPrice].filter(Boolean).join(' ');
    return paid.status === 'trialing' ? `It’s free until ${dayOf(paid.trial_end ?? now)}. ${next}` : next;
  }
  if (given === null) return 'No membership is running for this address.';
  if (given.from > now) return `It was given to you, and begins on ${dayOf(given.from)}.`;
  return given.until === null ? 'It was given to you, for good.' : `It was given to you until ${dayOf(given.until)}.`;
}

async function readAccount(
  { db, clock }: RouteDeps,
  { creatorId, contactId }: { creatorId: string; contactId: string },
) {
  const now = clock.now();
  const contact = await db.engine
    .selectFrom('contacts')
    .select('email')
    .where('creator_id', '=', creatorId)
    .where('id', '=', contactId)
    .executeTakeFirstOrThrow();
  const given = await db.engine
    .selectFrom('passes as p')
    .innerJoin('tiers as t', (join) => join.onRef('t.creator_id', '=', 'p.creator_id').onRef('t.id', '=', 'p.tier_id'))
    .select(['t.name as tier', 'p.begins_at as from', 'p.ends_at as until'])
    .where('p.creator_id', '=', creatorId)
    .where('p.contact_id', '=', contactId)
    .where('p.source', '!=', 'stripe')
    .where('p.ended_at', 'is', null)
    .where((eb) => eb.or([eb('p.ends_at', 'is', null), eb('p.ends_at', '>', now)]))
    .orderBy(sql`p.begins_at > ${now}, p.ends_at desc nulls first`)
    .executeTakeFirst();
  const devices = await db.engine
    .selectFrom('fan_devices as d')
    .leftJoin('sites as s', (join) => join.onRef('s.creator_id', '=', 'd.creator_id').onRef('s.id', '=', 'd.site_id'))
    .select(['d.id', 'd.seen_at', 's.place as site'])
    .where('d.creator_id', '=', creatorId)
    .where('d.contact_id', '=', contactId)
    .where('d.ended_at', 'is', null)
    .orderBy('d.seen_at', 'desc')
    .limit(20)
    .execute();
  return { email: contact.email ?? '', given: given ?? null, devices };
}

/** What a reader does with what is known about them: takes it along, or deletes it. */
import type { RouteDeps } from '#server/features/app-deps.ts';
import { dayOf } from '#server/features/billing/mails.ts';
import { erase, exportAddress } from '#server/features/contacts/erasure.ts';
import { countTry } from '#server/http/rate-limits.ts';
import { findPaid, type Whose, WITHDRAW_DAYS } from './ending.ts';
import { asEntered, forget, type Pages } from './fan-page.ts';
import { deletePage, sayingPage } from './pages.ts';

const DAY_MS = 86_400_000;

export function registerOwnDataPages(deps: RouteDeps, { on, send, orSay }: Pages): void {
  on(
    'GET',
    '/account/data',
    asEntered(deps, async ({ creator, reply }, whose) =>
      orSay(
        reply,
        async () => {
          const { db, clock } = deps;
          await countTry(db.engine, clock.now(), 'fan_files_by_contact', `${whose.creatorId} ${whose.contactId}`);
          const file = await db.withCreator(creator.id, (trx) => exportAddress(deps, trx, whose));
          return reply
            .type('application/json; charset=utf-8')
            .header('content-disposition', `attachment; filename="${creator.handle}.json"`)
            .header('cache-control', 'no-store')
            .send(JSON.stringify(file, null, 2));
        },
        (wrong) => sayingPage(creator.handle, 'Not now', wrong),
      ),
    ),
  );

  on(
    'GET',
    '/account/delete',
    asEntered(deps, async ({ creator, reply }, whose) =>
      send(reply, deletePage(creator.handle, { ends: await endInWords(deps, whose) })),
    ),
  );

  on(
    'POST',
    '/account/delete',
    asEntered(deps, async (asked, whose) => {
      const { creator, reply } = asked;
      await erase(deps, { ...whose, userId: null });
      deps.live.publish(creator.id, { what: 'account' });
      forget(deps, asked);
      const says = 'Nothing about you is held here any longer. Nothing more is charged.';
      return send(reply, sayingPage(creator.handle, 'Deleted', says));
    }),
  );
}

/** @returns null: nothing ends */
async function endInWords(deps: RouteDeps, whose: Whose): Promise<string | null> {
  const paid = await findPaid(deps, whose);
  if (paid === null) return null;
  const until = paid.paid_until ?? paid.ends_at!;
  const ends = `Your membership ${paid.tier} ends first, now, and nothing more is charged.`;
  if (paid.withdraws_at !== null) return `${ends} You withdrew from it, and get back all you paid.`;
  const now = deps.clock.now();
  if (until <= now) return ends;
  const isFree = paid.status === 'trialing';
  const later = `${ends} It’s ${isFree ? 'free' : 'paid'} until ${dayOf(until)}: to read on until then, cancel it, and delete after that.`;
  if (isFree) return later;
  const canWithdraw = now.getTime() < paid.begins_at.getTime() + WITHDRAW_DAYS * DAY_MS;
  return `${later} ${canWithdraw ? 'To get your money back, withdraw from the contract first.' : 'Nothing is given back.'}`;
}

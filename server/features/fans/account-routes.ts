/** A reader's own membership. */
import * as z from 'zod/mini';
import { amountLabel } from '#contract/amounts.ts';
import { LeavingReason } from '#contract/members.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { dayOf } from '#server/features/billing/mails.ts';
import { needAccounts } from './accounts.ts';
import { changeTierOf, type Preview, previewTier } from './changing.ts';
import * as ending from './ending.ts';
import { ask } from './enter-routes.ts';
import { endDevices, grantKnown } from './entering.ts';
import { begunBy, entered, type Pages, queryOf } from './fan-page.ts';
import { changePage, emailPage } from './pages.ts';
import { setLeftBecause } from './passes.ts';
import { showAccount } from './reader-account.ts';

export function registerAccountPages(deps: RouteDeps, pages: Pages): void {
  const { on, send, orSay } = pages;

  on('GET', '/account', async (asked) => {
    const { creator, request, reply } = asked;
    const known = await entered(deps, asked);
    if (known === null) return send(reply, emailPage(creator.handle, { forWhat: 'account' }));
    const begun = begunBy(request);
    if (begun !== null && (request.query as { go?: unknown }).go !== undefined) {
      const granted = { creatorId: creator.id, contactId: known.contactId, begun };
      const url = await deps.db.withCreator(creator.id, (trx) => grantKnown(deps, trx, granted));
      if (url !== null) return reply.header('cache-control', 'no-store').redirect(url, 303);
    }
    return send(reply, await showAccount(deps, asked, known));
  });

  on('POST', '/account', async (asked) => {
    const { creator, request, reply, fields } = asked;
    const known = await entered(deps, asked);
    if (known === null) return ask(deps, pages, asked, null);
    const whose = { creatorId: creator.id, contactId: known.contactId };
    const here = `${deps.config.baseUrl}/join/${encodeURIComponent(creator.handle)}/account${queryOf(request)}`;
    return orSay(
      reply,
      async () => {
        switch (fields.act) {
          case 'cancel':
            await ending.cancelMembership(needAccounts(deps), whose);
            break;
          case 'keep':
            await ending.keepMembership(needAccounts(deps), whose);
            break;
          case 'why': {
            const reason = LeavingReason.safeParse(fields.reason);
            if (!reason.success) break;
            const said = { ...whose, reason: reason.data };
            await deps.db.withCreator(creator.id, (trx) => setLeftBecause(deps, trx, said));
            deps.live.publish(creator.id, { what: 'account' });
            break;
          }
          case 'card':
            return reply.redirect(await ending.openFanPortal(needAccounts(deps), whose, here), 303);
          case 'pay':
            return reply.redirect((await ending.findDue(needAccounts(deps), whose)) ?? here, 303);
          case 'preview': {
            const [tierId = '', interval] = (fields.choice ?? '').split(' ');
            if (!z.uuid().safeParse(tierId).success || (interval !== 'month' && interval !== 'year')) break;
            const { handle } = creator;
            return send(reply, changeShown(handle, await previewTier(needAccounts(deps), whose, { tierId, interval })));
          }
          case 'change': {
            const url = await changeTierOf(needAccounts(deps), whose, (fields.token ?? '').slice(0, 2000));
            if (url !== null) return reply.redirect(url, 303);
            break;
          }
          case 'sign_out': {
            const device = z.uuid().safeParse(fields.device);
            if (!device.success) break;
            await deps.db.withCreator(creator.id, (trx) => endDevices(deps, trx, { ...whose, device: device.data }));
            break;
          }
        }
        return reply.redirect(here, 303);
      },
      (wrong) => showAccount(deps, asked, known, wrong),
    );
  });
}

function changeShown(handle: string, { when, price, due, lines, nextAt, discount, token }: Preview): string {
  const money = (amount: number) => amountLabel(amount, price.currency);
  const then = `${money(price.amount)} a ${price.interval}`;
  const isNow = when === 'now';
  return changePage(handle, {
    ...{ to: price.tier, token, isNow },
    says: [
      ...(isNow
        ? [`You pay ${money(due)} now.`, `From ${dayOf(nextAt)} on you pay ${then}, until you cancel.`]
        : [`Nothing is charged now. On ${dayOf(nextAt)} it changes, and you pay ${then}, until you cancel.`]),
      ...(discount === null ? [] : [`Your code stays: ${discount}.`]),
    ],
    lines: lines.map(({ says, cents }) => [says, money(cents)]),
  });
}

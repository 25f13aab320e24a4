/** Canceling and withdrawing, and taking it back, without logging in. */
import type { RouteDeps } from '#server/features/app-deps.ts';
import { needAccounts } from './accounts.ts';
import { declareEnd, findToKeep, keepMembership } from './ending.ts';
import type { Pages } from './fan-page.ts';
import { keepGift } from './gift-withdrawals.ts';
import { endedPage, endPage, keepPage, sayingPage } from './pages.ts';

export function registerEndPages(deps: RouteDeps, { on, send, orSay }: Pages): void {
  for (const what of ['cancel', 'withdraw'] as const) {
    on('GET', `/${what}`, async ({ creator, reply }) => send(reply, endPage(creator.handle, { what })));
    on('POST', `/${what}`, async ({ creator, request, reply, fields }) => {
      const said = {
        email: (fields.email ?? '').trim().slice(0, 300),
        name: (fields.name ?? '').trim().slice(0, 100),
        of: fields.of === 'gift' ? ('gift' as const) : ('membership' as const),
      };
      return orSay(
        reply,
        async () => {
          await declareEnd(needAccounts(deps), creator, { what, ...said, ip: request.ip });
          return send(reply, endedPage(creator.handle, { what, at: deps.clock.now() }));
        },
        (wrong) => endPage(creator.handle, { what, said, wrong }),
      );
    });
  }

  // Programs open links: only the button keeps it.
  on('GET', '/keep/:passId/:mac', async ({ creator, reply }) => send(reply, keepPage(creator.handle)));
  on('POST', '/keep/:passId/:mac', async ({ creator, request, reply }) => {
    const { passId, mac } = request.params as { passId: string; mac: string };
    if (await keepGift(needAccounts(deps), creator.id, { id: passId, mac })) {
      return send(reply, sayingPage(creator.handle, 'It goes on', 'Your gift isn’t withdrawn from any longer.'));
    }
    const whose = await findToKeep(needAccounts(deps), creator.id, { passId, mac });
    const title = 'Not possible any longer';
    const gone = sayingPage(creator.handle, title, 'This membership has ended. You can join again.');
    if (whose === null) return send(reply, gone, 404);
    return orSay(
      reply,
      async () => {
        await keepMembership(needAccounts(deps), whose);
        return send(reply, sayingPage(creator.handle, 'It goes on', 'Your membership isn’t canceled any longer.'));
      },
      (wrong) => sayingPage(creator.handle, title, wrong),
    );
  });
}

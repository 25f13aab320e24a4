/** Another address for a membership: from their account, or a moment after paying, if it was mistyped. */
import type { FastifyReply } from 'fastify';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { askForChange, confirmChange, findTypo, undoChange } from './address-changes.ts';
import { type Asked, asEntered, type Pages } from './fan-page.ts';
import { addressCodePage, addressPage, sayingPage, undoAddressPage } from './pages.ts';

export function registerAddressPages(deps: RouteDeps, { on, send, orSay }: Pages): void {
  const change = (
    { creator, request, reply, fields }: Asked,
    { contactId, isTypo, next }: { contactId: string; isTypo: boolean; next: string },
  ): Promise<FastifyReply> => {
    const email = (fields.email ?? '').trim().slice(0, 300);
    const { change: id, code = '' } = fields;
    if (id !== undefined) {
      return orSay(
        reply,
        async () => {
          await confirmChange(deps, creator, { contactId, id, code: code.slice(0, 20) });
          return reply.redirect(next, 303);
        },
        (wrong) => addressCodePage(creator.handle, { email, change: id, wrong }),
      );
    }
    return orSay(
      reply,
      async () => {
        const asked = await askForChange(deps, creator, { contactId, email, isTypo, ip: request.ip });
        return send(reply, addressCodePage(creator.handle, { email, change: asked }));
      },
      (wrong) => addressPage(creator.handle, { email, wrong }),
    );
  };

  on(
    'GET',
    '/account/email',
    asEntered(deps, async ({ creator, reply }) => send(reply, addressPage(creator.handle, {}))),
  );

  on(
    'POST',
    '/account/email',
    asEntered(deps, (asked, { contactId }) => {
      const next = `/join/${encodeURIComponent(asked.creator.handle)}/account`;
      return change(asked, { contactId, isTypo: false, next });
    }),
  );

  on('POST', '/done', async (asked) => {
    const { creator, request, reply } = asked;
    const { session_id: sessionId = '' } = request.query as { session_id?: string };
    const contactId = await findTypo(deps, creator.id, String(sessionId));
    if (contactId !== null) return change(asked, { contactId, isTypo: true, next: request.url });
    const says = 'Enter with your address, and change it in your account. If you can’t, write to the creator.';
    return send(reply, sayingPage(creator.handle, 'It can’t be changed here', says), 409);
  });

  // Programs open links: only the button takes it back.
  on('GET', '/address/:changeId/:mac', async ({ creator, reply }) => send(reply, undoAddressPage(creator.handle)));
  on('POST', '/address/:changeId/:mac', async ({ creator, request, reply }) => {
    const { changeId: id, mac } = request.params as { changeId: string; mac: string };
    const say = (title: string, says: string, status: number) =>
      send(reply, sayingPage(creator.handle, title, says), status);
    return orSay(
      reply,
      async () =>
        (await undoChange(deps, creator, { id, mac }))
          ? say(
              'It’s yours again',
              'Your membership is at your address again. Everyone was logged out: enter anew.',
              200,
            )
          : say('Not possible any longer', 'This link is good for a day, and once. Write to the creator.', 404),
      (wrong) => sayingPage(creator.handle, 'Not possible', wrong),
    );
  });
}

/** `/join/{handle}/message/{code}/{part}`: where the link of a message leads whose contact reads the post as a member. */
import type { FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import { deliveryIdOf } from '#server/engine/deciding/tracked-url.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { hostCookieOptions } from '#server/http/cookies.ts';
import { html } from '#server/http/html.ts';
import { openOrNull, seal } from '#server/secrets.ts';
import { type Begun, grantKnown } from './entering.ts';
import { type Asked, cookieName, type Pages } from './fan-page.ts';
import { findWay, isStillIn, type MessageWay, usualUrl, WAY_HOURS } from './message-ways.ts';
import { page, pagePolicy } from './pages.ts';

/** From the press of the button to the way back from the blog. */
const PRESSED_MS = 2 * 60_000;
/** As long as the blog's own cookie. */
const KNOWN_FOR_S = 400 * 86_400;
const Pressed = z.object({ creatorId: z.string(), code: z.string(), deliveryId: z.string(), at: z.number() });

export function registerMessagePages(deps: RouteDeps, { on, send }: Pages): void {
  const read = async ({ creator, request }: Asked) => {
    const { code, part } = request.params as { code: string; part: string };
    const deliveryId = deliveryIdOf(part);
    const way = deliveryId === null ? null : await findWay(deps, { creatorId: creator.id, code, deliveryId });
    return { code, deliveryId, way, usual: usualUrl(code, part) };
  };

  // Programs open links: only the button lets in.
  on('GET', '/message/:code/:part', async (asked) => {
    const { creator, request, reply } = asked;
    const { way, usual } = await read(asked);
    const device = request.cookies[cookieName(deps.config.baseUrl, creator, 'device')];
    const isIn = way !== null && z.uuid().safeParse(device).success && (await isStillIn(deps, way, device!));
    if (way === null || isIn) return goOn(reply, usual);
    return send(
      reply,
      messagePage(creator.handle, way, usual),
      200,
      pagePolicy(`'self' ${new URL(way.siteUrl).origin}`),
    );
  });

  on('POST', '/message/:code/:part', async (asked) => {
    const { creator, reply } = asked;
    const { code, deliveryId, way, usual } = await read(asked);
    if (way === null) return goOn(reply, usual);
    const pressed = { creatorId: creator.id, code, deliveryId: deliveryId!, at: deps.clock.now().getTime() };
    const sealed = seal(deps.keys.encryptionKeys, JSON.stringify(pressed satisfies z.infer<typeof Pressed>));
    const options = { ...hostCookieOptions(deps.config.baseUrl), maxAge: PRESSED_MS / 1000 };
    reply.setCookie(cookieName(deps.config.baseUrl, creator, 'pressed'), sealed, options);
    // The blog takes a press only, and this stays one.
    return goOn(reply, `${way.siteUrl.replace(/\/+$/, '')}/?creator-hq=enter`, 307);
  });
}

/**
 * Of a browser that pressed the button and comes from the blog, which gave it a start: see `Enter.php`.
 *
 * @returns where the blog lets them in; null: nothing was pressed in this browser, or it is not good any longer
 */
export async function takePressed(
  deps: RouteDeps,
  { creator, request, reply }: Asked,
  begun: Begun,
): Promise<string | null> {
  const creatorId = creator.id;
  const options = hostCookieOptions(deps.config.baseUrl);
  const name = cookieName(deps.config.baseUrl, creator, 'pressed');
  const cookie = request.cookies[name];
  if (cookie === undefined) return null;
  reply.clearCookie(name, options);
  const text = openOrNull(deps.keys.encryptionKeys, cookie);
  const said = text?.startsWith('{') ? Pressed.safeParse(JSON.parse(text)) : null;
  if (said?.success !== true || said.data.creatorId !== creatorId) return null;
  const now = deps.clock.now();
  const { code, deliveryId, at } = said.data;
  const way = at < now.getTime() - PRESSED_MS ? null : await findWay(deps, { creatorId, code, deliveryId });
  if (way?.siteId !== begun.siteId) return null;
  const { contactId, to } = way;
  const message = { deliveryId, device: deps.ids.uuid(now) };
  const url = await deps.db.withCreator(creatorId, (trx) =>
    grantKnown(deps, trx, { creatorId, contactId, begun: { ...begun, to }, message }),
  );
  if (url !== null) {
    reply.setCookie(cookieName(deps.config.baseUrl, creator, 'device'), message.device, {
      ...options,
      maxAge: KNOWN_FOR_S,
    });
  }
  return url;
}

function goOn(reply: FastifyReply, url: string, status: 302 | 307 = 302): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(url, status);
}

function messagePage(handle: string, { title, username, to }: MessageWay, usual: string): string {
  return page(
    { handle, title: 'Open as a member' },
    html`<p><strong><bdi>${title}</bdi></strong> is for members${username !== null && html`, and <bdi>@${username}</bdi> is one`}. You don’t have to log in.</p>
<form method="post"><input type="hidden" name="to" value="${to}"><button>Open as a member</button></form>
<p class="small">This works once, within ${WAY_HOURS} hours of the message. This browser stays logged in on the blog.</p>
<p class="line"><a href="${usual}">See what everyone sees</a></p>`,
  );
}

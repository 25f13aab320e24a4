/** `/l/{code}` and `/l/{code}/{delivery}`: where the buttons of our messages lead. Outside the API: people tap these. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { AppDeps } from '#server/app.ts';
import { deliveryIdOf } from './tracked-url.ts';
import { notCountedBecause } from './visitors.ts';

type Link = { creatorId: string; id: string; url: string };

/** An address never changes under its code, so what is remembered is never wrong. */
const REMEMBERED_AT_MOST = 20_000;

export function registerLinks(app: FastifyInstance, deps: AppDeps): void {
  const remembered = new Map<string, Link>();

  async function find(code: string): Promise<Link | null> {
    const known = remembered.get(code);
    if (known !== undefined) return known;
    if (!/^[0-9A-Za-z]{4,16}$/.test(code)) return null;
    const { rows } = await sql<Link>`
      select creator_id as "creatorId", id, url from links where code = ${code}
    `.execute(deps.db.engine);
    const link = rows[0];
    if (link === undefined) return null;
    // The oldest goes: a Map keeps the order of insertion.
    if (remembered.size >= REMEMBERED_AT_MOST) remembered.delete(remembered.keys().next().value!);
    remembered.set(code, link);
    return link;
  }

  async function follow(request: FastifyRequest, reply: FastifyReply) {
    const { code, delivery } = request.params as { code: string; delivery?: string };
    const link = await find(code);
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer-when-downgrade');
    if (link === null || !/^https?:\/\//i.test(link.url)) return sayUnknown(reply);
    deps.clicks.record({
      creatorId: link.creatorId,
      linkId: link.id,
      deliveryId: delivery === undefined ? null : deliveryIdOf(delivery),
      at: deps.clock.now(),
      notCountedBecause: notCountedBecause(request),
    });
    return reply.code(302).header('location', new URL(link.url).href).send();
  }

  for (const url of ['/l/:code', '/l/:code/:delivery']) app.route({ method: ['GET', 'HEAD'], url, handler: follow });
}

function sayUnknown(reply: FastifyReply) {
  return reply
    .code(404)
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>This link leads nowhere</title>
<style>
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.05rem/1.5 system-ui, sans-serif; color: #2b2622; background: #faf7f2; }
main { max-width: 26rem; padding: 2rem; text-align: center; }
h1 { font-size: 1.4rem; }
@media (prefers-color-scheme: dark) { body { color: #efe9e1; background: #1d1a17; } }
</style>
</head>
<body><main><h1>This link leads nowhere</h1><p>It may be incomplete. Open it once more from the message, or ask the person who sent it.</p></main></body>
</html>
`);
}

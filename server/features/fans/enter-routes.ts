/** Entering: an address, and the code that was mailed there. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { openOrNull, seal } from '#server/secrets.ts';
import { askForCode, type Begun, type Creator, enterCode } from './entering.ts';
import { type Asked, begunBy, type Pages, queryOf, remember } from './fan-page.ts';
import { takePressed } from './message-routes.ts';
import { type CodeGoesTo, codePage, emailPage, enteredPage, sayingPage } from './pages.ts';
import { readForBlog } from './tiers.ts';

const State = z.object({ creatorId: z.string(), entryId: z.string(), email: z.string() });

export function registerEnterPages(deps: RouteDeps, pages: Pages): void {
  const { on, send } = pages;

  on('GET', '/enter', async (asked) => {
    const { creator, request, reply } = asked;
    const begun = begunBy(request);
    if (begun === null) return send(reply, beginOnTheBlog(creator));
    const url = await takePressed(deps, asked, begun);
    if (url !== null) return reply.header('cache-control', 'no-store').redirect(url, 303);
    return send(reply, emailPage(creator.handle, { forWhat: await enterAs(deps, creator, request) }));
  });

  on('POST', '/enter', async (asked) => {
    const begun = begunBy(asked.request);
    if (begun === null) return send(asked.reply, beginOnTheBlog(asked.creator));
    return ask(deps, pages, asked, begun);
  });
}

/** @param begun null: they want to see their membership */
export async function ask(deps: RouteDeps, pages: Pages, asked: Asked, begun: Begun | null): Promise<FastifyReply> {
  const { creator, request, reply, fields } = asked;
  const { send, orSay } = pages;
  const forWhat = begun === null ? 'account' : await enterAs(deps, creator, request);
  if (fields.again !== undefined) {
    return send(reply, emailPage(creator.handle, { email: fields.typed ?? '', forWhat }));
  }
  if (fields.state !== undefined) return takeCode(deps, pages, asked, begun);
  const email = (fields.email ?? '').trim().slice(0, 300);
  return orSay(
    reply,
    async () => {
      const toWhom = begun !== null && (await hasFreeReaders(deps, creator)) ? 'anyone' : 'members';
      return sendCode(deps, pages, asked, { email, begun, toWhom });
    },
    (wrong) => emailPage(creator.handle, { email, wrong, forWhat }),
  );
}

export async function sendCode(
  deps: RouteDeps,
  { send }: Pages,
  { creator, request, reply }: Asked,
  { email, begun, toWhom }: { email: string; begun: Begun | null; toWhom: CodeGoesTo },
): Promise<FastifyReply> {
  const entryId = await askForCode(deps, creator, { email, ip: request.ip, begun });
  const said = { creatorId: creator.id, entryId, email } satisfies z.infer<typeof State>;
  const state = seal(deps.keys.encryptionKeys, JSON.stringify(said));
  return send(reply, codePage(creator.handle, { email, state, toWhom }));
}

export async function takeCode(
  deps: RouteDeps,
  { send, orSay }: Pages,
  { creator, request, reply, fields }: Asked,
  begun: Begun | null,
): Promise<FastifyReply> {
  const { state = '', code = '' } = fields;
  const text = openOrNull(deps.keys.encryptionKeys, state);
  const read = text?.startsWith('{') ? State.safeParse(JSON.parse(text)) : null;
  if (read?.success !== true || read.data.creatorId !== creator.id) {
    return send(reply, emailPage(creator.handle, { forWhat: begun === null ? 'account' : 'members' }));
  }
  const { entryId, email } = read.data;
  return orSay(
    reply,
    async () => {
      const done = await enterCode(deps, creator, { entryId, code: code.slice(0, 20) });
      if ('url' in done) return send(reply, enteredPage(creator.handle, done.url));
      return remember(deps, { creator, reply }, done.device, queryOf(request));
    },
    (wrong) => codePage(creator.handle, { email, state, wrong }),
  );
}

async function hasFreeReaders(deps: RouteDeps, { id }: Creator): Promise<boolean> {
  return (await deps.db.withCreator(id, readForBlog)).hasFreeReaders;
}

/** A blog may not know yet that readers have to pay again. */
async function enterAs(deps: RouteDeps, creator: Creator, { query }: FastifyRequest): Promise<'members' | 'readers'> {
  const asksFor = (query as { for?: unknown }).for;
  return asksFor === 'readers' && (await hasFreeReaders(deps, creator)) ? 'readers' : 'members';
}

function beginOnTheBlog({ handle }: Creator): string {
  return sayingPage(handle, 'Begin on the blog', 'Open the recipe there, and press “Enter as a member”.');
}

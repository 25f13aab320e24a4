import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { hostCookieName, hostCookieOptions } from '#server/http/cookies.ts';
import { type Begun, type Creator, findEntered } from './entering.ts';

export type Fields = Record<string, string>;
/** A request below `/join/{handle}`, with the fields of its form. */
export type Asked = { creator: Creator; request: FastifyRequest; reply: FastifyReply; fields: Fields };
export type Pages = {
  /** @param path below `/join/:handle` */
  on: (method: 'GET' | 'POST', path: string, answer: (asked: Asked) => Promise<FastifyReply>) => void;
  send: (reply: FastifyReply, html: string, status?: number, csp?: string) => FastifyReply;
  /** The content security policy of a page that says nothing else. */
  csp: string;
  /** @param again the page once more, with what is wrong */
  orSay: (
    reply: FastifyReply,
    work: () => Promise<FastifyReply>,
    again: (wrong: string) => string | Promise<string>,
  ) => Promise<FastifyReply>;
};

const LONGEST_PATH = 500;
const KNOWN_FOR_S = 30 * 86_400;

/** Null: nobody came from a blog. */
export function begunBy({ query }: FastifyRequest): Begun | null {
  const { site, start, to, back, friend } = query as Record<string, unknown>;
  if (!z.uuid().safeParse(site).success || typeof start !== 'string' || !/^[A-Za-z0-9_-]{43}$/.test(start)) return null;
  // Browsers leave control characters out: what is a path with them may be another host without.
  const isPath = typeof to === 'string' && /^\/(?![/\\])\P{Cc}*$/u.test(to) && to.length <= LONGEST_PATH;
  return {
    siteId: site as string,
    start,
    to: isPath ? to : '/',
    goesByPath: back !== 'query',
    friend: z.uuid().safeParse(friend).data,
  };
}

export function queryOf({ url }: FastifyRequest): string {
  return url.includes('?') ? url.slice(url.indexOf('?')) : '';
}

/** Their browser is known at this hub from now on. */
export function remember(
  { config }: RouteDeps,
  { creator, reply }: Pick<Asked, 'creator' | 'reply'>,
  device: string,
  query = '',
): FastifyReply {
  const options = { ...hostCookieOptions(config.baseUrl), maxAge: KNOWN_FOR_S };
  reply.setCookie(cookieName(config.baseUrl, creator), device, options);
  return reply.redirect(`/join/${encodeURIComponent(creator.handle)}/account${query}`, 303);
}

/** As before they entered. */
export function forget({ config }: RouteDeps, { creator, reply }: Pick<Asked, 'creator' | 'reply'>): void {
  reply.clearCookie(cookieName(config.baseUrl, creator), hostCookieOptions(config.baseUrl));
}

export function entered(deps: RouteDeps, { creator, request }: Asked) {
  const cookie = request.cookies[cookieName(deps.config.baseUrl, creator)] ?? '';
  return findEntered(deps, { creatorId: creator.id, cookie });
}

/** Whoever has not entered is led to where they can. */
export function asEntered(
  deps: RouteDeps,
  answer: (asked: Asked, whose: { creatorId: string; contactId: string }) => Promise<FastifyReply>,
) {
  return async (asked: Asked): Promise<FastifyReply> => {
    const known = await entered(deps, asked);
    if (known === null) return asked.reply.redirect(`/join/${encodeURIComponent(asked.creator.handle)}/account`, 303);
    return answer(asked, { creatorId: asked.creator.id, contactId: known.contactId });
  };
}

export function cookieName(baseUrl: string, { id }: Creator, what: 'fan' | 'pressed' | 'device' = 'fan'): string {
  return hostCookieName(baseUrl, `chq_${what}_${id}`);
}

/** Refuses changes that another site makes through a visitor's browser, on top of the cookie's SameSite=Lax. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#server/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route carries its own proof (a signature, a token) and may be called from other sites. */
    crossSite?: 'allowed';
  }
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Calls without `Origin` and `Sec-Fetch-Site` come from programs, not from browsers, and pass: they carry no one's cookie. */
export function refuseCrossSiteChanges(app: FastifyInstance, baseUrl: string): void {
  app.addHook('onRequest', async (request) => {
    if (SAFE_METHODS.includes(request.method) || request.routeOptions.config.crossSite === 'allowed') return;
    refuseCrossSite(request, baseUrl);
  });
}

/** For a safe method that changes something all the same. @throws AppError cross_site_request */
export function refuseCrossSite(request: FastifyRequest, baseUrl: string): void {
  if (!isFromElsewhere(request, baseUrl)) return;
  throw new AppError('cross_site_request', 'This request came from another website. Open Creator HQ and try there.');
}

function isFromElsewhere(request: FastifyRequest, baseUrl: string): boolean {
  const site = request.headers['sec-fetch-site'];
  // Pages cannot set this header. `none`: the visitor, by the address bar or a bookmark.
  if (site === 'same-origin' || site === 'none') return false;
  const { origin, host } = request.headers;
  // A proxy may change Host, a visitor may come by another name of this machine: either match will do.
  const known = origin === new URL(baseUrl).origin || (URL.canParse(origin ?? '') && new URL(origin!).host === host);
  if (site !== undefined) return site === 'cross-site' || !known;
  return origin !== undefined && !known;
}

/** Who may try the program: somebody at this machine, or near it where `TRUSTED_PROXIES` says so. */
import type { FastifyRequest } from 'fastify';
import { type Config, isNearbyHost } from '#server/config.ts';
import { AppError } from '#server/errors.ts';
import { isForwarded } from '#server/http/setup-notes.ts';

/**
 * A proxy on this machine also connects from here, but mostly says for whom, or names a public host; so does a page that had
 * its name point to this machine (DNS rebinding). The rest is ruled out by `trying`: a public BASE_URL, or a HOST for others.
 */
export function isTrying(request: FastifyRequest, config: Pick<Config, 'trying' | 'trustedProxies'>): boolean {
  const { ip, headers } = request;
  return (
    config.trying &&
    (config.trustedProxies > 0 || !isForwarded(request)) &&
    URL.canParse(`http://${headers.host}`) &&
    isNearbyHost(new URL(`http://${headers.host}`).hostname) &&
    isNearbyHost(ip.replace(/^::ffff:/, '').replace(/^::1$/, '[::1]'))
  );
}

/** @throws AppError not_found */
export function refuseUnlessTrying(request: FastifyRequest, config: Pick<Config, 'trying' | 'trustedProxies'>): void {
  if (!isTrying(request, config)) throw new AppError('not_found', 'There’s nothing at this address.');
}

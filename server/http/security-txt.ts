/** `/.well-known/security.txt` (RFC 9116): where somebody who found a hole in this install writes to. */
import type { FastifyInstance } from 'fastify';
import type { Clock } from '#server/clock.ts';

/** The RFC asks for less than a year. */
const GOOD_FOR_MS = 180 * 24 * 3_600_000;

/** @param deps.config.securityContact null: the address is not there */
export function registerSecurityTxt(
  app: FastifyInstance,
  { config, clock }: { config: { baseUrl: string; securityContact: string | null }; clock: Clock },
): void {
  const { securityContact, baseUrl } = config;
  if (securityContact === null) return;
  app.get('/.well-known/security.txt', async (_request, reply) => {
    const expires = new Date(clock.now().getTime() + GOOD_FOR_MS).toISOString();
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(
        `Contact: ${securityContact}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${baseUrl}/.well-known/security.txt\n`,
      );
  });
}

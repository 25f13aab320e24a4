/** `/.well-known/security.txt` (RFC 9116): where somebody who found a hole in this install writes to. */
import type { FastifyInstance } from 'fastify';
import type { Clock } from '#server/clock.ts';

/** The RFC asks for less than a year. */
const GOOD_FOR_MS = 180 * 24 * 3_600_000;

const NOBODY_NAMED = 'This installation has no security contact: SECURITY_CONTACT isn’t set.\n';

/** @param deps.config.securityContact null: not found, and the answer says so */
export function registerSecurityTxt(
  app: FastifyInstance,
  { config, clock }: { config: { baseUrl: string; securityContact: string | null }; clock: Clock },
): void {
  const { securityContact, baseUrl } = config;
  app.get('/.well-known/security.txt', async (_request, reply) => {
    if (securityContact === null) return reply.code(404).type('text/plain; charset=utf-8').send(NOBODY_NAMED);
    const expires = new Date(clock.now().getTime() + GOOD_FOR_MS).toISOString();
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(
        `Contact: ${securityContact}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${baseUrl}/.well-known/security.txt\n`,
      );
  });
}

/** Settings the operator forgot: named in the log once, in `/readyz` and in Admin > Operations. Nothing stops because of it. */
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '#server/config.ts';

export type SetupNote = { setting: string; says: string };

type NotedConfig = Pick<Config, 'baseUrl' | 'smtpUrl' | 'trustedProxies' | 'trying'>;

export const NO_MAIL_SERVER =
  'No mail server is set up, so emails aren’t sent. Admins can read them under Admin > Operations. Set SMTP_URL.';

/**
 * Watches requests for what does not fit TRUSTED_PROXIES: everybody would share one limit on guessing, or strangers could
 * choose the address they are counted by.
 *
 * @returns the notes up to now, one per setting
 */
export function watchSetup(
  app: FastifyInstance,
  { config, log }: { config: NotedConfig; log: Pick<FastifyBaseLogger, 'warn'> },
): () => SetupNote[] {
  const { baseUrl, smtpUrl, trustedProxies, trying } = config;
  const notes = new Map<string, string>();
  if (smtpUrl === null && !trying) notes.set('SMTP_URL', NO_MAIL_SERVER);
  // We speak no TLS ourselves.
  if (trustedProxies === 0 && baseUrl.startsWith('https:')) {
    notes.set(
      'TRUSTED_PROXIES',
      'BASE_URL is https, so there’s a proxy in front. Set TRUSTED_PROXIES to 1 and let the proxy add X-Forwarded-For. Until then, all callers count as one.',
    );
  }

  let seen = false;
  app.addHook('onRequest', async (request) => {
    // Process supervisors ask them directly.
    if (seen || request.url === '/healthz' || request.url === '/readyz') return;
    const says = misfit(request, trustedProxies);
    if (says === null) return;
    seen = true;
    notes.set('TRUSTED_PROXIES', says);
    log.warn({ setting: 'TRUSTED_PROXIES' }, says);
  });
  return () => [...notes].map(([setting, says]) => ({ setting, says }));
}

function misfit(request: FastifyRequest, trustedProxies: number): string | null {
  if (trustedProxies === 0) {
    return isForwarded(request)
      ? 'A request was forwarded by a proxy, but TRUSTED_PROXIES is 0, so all callers behind it count as one. Set TRUSTED_PROXIES to the number of proxies in front.'
      : null;
  }
  const hops = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .filter((hop) => hop.trim() !== '').length;
  return hops < trustedProxies
    ? `A request came with ${hops} of the ${trustedProxies} addresses in X-Forwarded-For that TRUSTED_PROXIES expects. Let every proxy add its own, and let no one reach Creator HQ around them. Otherwise callers can fake their address.`
    : null;
}

/** A proxy says that it asks for somebody else. */
export function isForwarded({ headers }: FastifyRequest): boolean {
  return (headers['x-forwarded-for'] ?? headers['x-real-ip'] ?? headers.forwarded ?? headers.via) !== undefined;
}

/** The web app's files, as `npm run build` left them. */
import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problemOf, sendProblem } from '#server/http/problems.ts';

/** Paths that programs ask: an unknown one is answered with a problem document, never with a page. */
const FOR_PROGRAMS = /^\/(api|webhooks|l|s|widgets|assets|healthz|readyz)(\/|$)/;

/**
 * @param options.webDir folder with index.html; null where another process serves the web app
 * @param options.methodsOf what an address takes
 */
export async function registerStatic(
  app: FastifyInstance,
  {
    webDir,
    methodsOf,
    linkHosts,
  }: {
    webDir: string | null;
    methodsOf: (path: string) => string[];
    linkHosts: { creatorOf(host?: string): string | null };
  },
): Promise<void> {
  const hasPages = webDir !== null && existsSync(join(webDir, 'index.html'));
  if (hasPages) {
    await app.register(fastifyStatic, {
      root: resolve(webDir),
      // One route per file that is there: what is not there goes on to the answers below.
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, file) => {
        reply.header('cache-control', cacheControlOf(relative(resolve(webDir), file)));
        // Emails show it, wherever they are read; the frame of a preview has no origin.
        if (file.endsWith('sample-recipe.jpg')) reply.header('cross-origin-resource-policy', 'cross-origin');
      },
    });
    const sendPage = (_request: FastifyRequest, reply: FastifyReply) => reply.sendFile('index.html');
    for (const url of ['/', '/creator-hq', '/creator-hq/*']) app.get(url, sendPage);
  }

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0]!;
    // Under a creator's host nothing says what else there is.
    const isOurs = linkHosts.creatorOf(request.headers.host) === null;
    const forPrograms = FOR_PROGRAMS.test(path);
    const isPage =
      isOurs &&
      ['GET', 'HEAD'].includes(request.method) &&
      String(request.headers.accept ?? '').includes('text/html') &&
      !forPrograms;
    // The web app has a page for addresses that are not there.
    if (hasPages && isPage) return reply.code(404).sendFile('index.html');
    const allowed = isOurs && forPrograms ? methodsOf(path) : [];
    if (allowed.length > 0) {
      reply.header('allow', allowed.join(', '));
      return sendProblem(reply, problemOf('method_not_allowed', `This address accepts ${allowed.join(', ')}.`));
    }
    return sendProblem(reply, problemOf('not_found', 'There’s nothing at this address.'));
  });
}

/** Vite names what lies in `assets` after its content: it never changes under its name. */
function cacheControlOf(file: string): string {
  if (file.startsWith(`assets${sep}`)) return 'public, max-age=31536000, immutable';
  return /\.html(\.br|\.gz)?$/.test(file) ? 'no-store' : 'public, max-age=3600';
}

/** A blog of as many recipes as a test wants, on this machine; it says what it was asked for. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

export type BigBlog = Awaited<ReturnType<typeof startBigBlog>>;
type Answer = (response: ServerResponse) => void;

export async function startBigBlog() {
  const answers: Record<string, Answer> = {};
  const asked: string[] = [];
  let onAsked: (path: string) => void = () => {};
  const server = createServer((request, response) => {
    const path = request.url!;
    asked.push(path);
    onAsked(path);
    const answer = answers[path];
    if (answer === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end();
    else answer(response);
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send = (path: string, body: string | Buffer, type = 'text/html; charset=utf-8') => {
    answers[path] = (response) => response.writeHead(200, { 'content-type': type }).end(body);
  };
  return {
    url,
    answers,
    asked,
    send,
    onAsked: (listener: (path: string) => void) => {
      onAsked = listener;
    },
    recipe: (path: string, name: string, ...lines: string[]) =>
      send(
        path,
        `<title>${name}</title><script type="application/ld+json">${JSON.stringify({
          ...{ '@context': 'https://schema.org', '@type': 'Recipe', name, recipeYield: '4', recipeIngredient: lines },
        })}</script>`,
      ),
    sitemap: (path: string, ...pages: string[]) => send(path, urlset(url, pages), 'application/xml'),
    packedSitemap: (path: string, ...pages: string[]) => send(path, gzipSync(urlset(url, pages)), 'application/x-gzip'),
    index: (path: string, ...sitemaps: string[]) =>
      send(
        path,
        `<sitemapindex>${sitemaps.map((one) => `<sitemap><loc>${absolute(url, one)}</loc></sitemap>`).join('')}</sitemapindex>`,
        'text/xml',
      ),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => void server.close(done));
    },
  };
}

function urlset(url: string, pages: string[]): string {
  return `<?xml version="1.0"?><urlset>${pages.map((page) => `<url><loc>${absolute(url, page)}</loc></url>`).join('')}</urlset>`;
}

function absolute(url: string, path: string): string {
  return path.startsWith('/') ? url + path : path;
}

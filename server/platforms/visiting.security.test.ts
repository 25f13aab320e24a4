/** Visits to servers that mean harm, or are old. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGuardedFetch } from './guarded-fetch.ts';
import { visit } from './visiting.ts';

const MB = 1024 * 1024;
const MAX_BYTES = 3 * MB;
const SOUP = '<title>Soup</title>';
const HTML = { 'content-type': 'text/html' };
type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let site: string;
let asked: IncomingMessage[] = [];
let turns: string[] = [];
let answers: Record<string, Answer> = {};
const server = createServer((request, response) => {
  asked.push(request);
  const answer = answers[request.url!];
  if (answer === undefined) response.writeHead(200, HTML).end(SOUP);
  else answer(response, request);
});
const fetching = createGuardedFetch({ isAllowed: (address) => address === '127.0.0.1' });
beforeAll(async () => {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await fetching.close();
});

function go(path: string, given: Record<string, Answer> = {}, options: { timeoutMs?: number; maxBytes?: number } = {}) {
  asked = [];
  turns = [];
  answers = given;
  const takeTurn = async (host: string) => void turns.push(host);
  const deps = { fetching, takeTurn, userAgent: 'Visitor/1.0', timeoutMs: 5000, maxBytes: MAX_BYTES, ...options };
  return visit(deps, path.startsWith('/') ? site + path : path);
}

const send =
  (body: Buffer | string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(200, { ...HTML, ...headers }).end(body);
const redirect =
  (location: string): Answer =>
  (response) =>
    response.writeHead(302, { location, 'set-cookie': 'seen=1' }).end();

describe('what is packed', () => {
  test.each<[string, Record<string, string>, Buffer]>([
    ['not at all', {}, Buffer.from(SOUP)],
    ['as itself', { 'content-encoding': 'identity' }, Buffer.from(SOUP)],
    ['by gzip', { 'content-encoding': 'gzip' }, zlib.gzipSync(SOUP)],
    ['by gzip under its old name', { 'content-encoding': 'X-GZIP' }, zlib.gzipSync(SOUP)],
    ['by brotli', { 'content-encoding': 'br' }, zlib.brotliCompressSync(SOUP)],
    ['by deflate', { 'content-encoding': 'deflate' }, zlib.deflateSync(SOUP)],
    ['by deflate without its head', { 'content-encoding': 'deflate' }, zlib.deflateRawSync(SOUP)],
    ['by gzip, its end missing', { 'content-encoding': 'gzip' }, zlib.gzipSync(SOUP).subarray(0, -8)],
  ])('%s is read', async (_, headers, body) => {
    expect(await go('/soup', { '/soup': send(body, headers) })).toMatchObject({
      status: 200,
      text: SOUP,
      isCut: false,
    });
  });

  test.each<[string, Record<string, string>, Buffer]>([
    ['a way nobody asked for', { 'content-encoding': 'zstd' }, Buffer.from(SOUP)],
    ['gzip within gzip', { 'content-encoding': 'gzip, gzip' }, zlib.gzipSync(zlib.gzipSync(SOUP))],
    ['gzip that is none', { 'content-encoding': 'gzip' }, Buffer.from(SOUP)],
    ['brotli that is none', { 'content-encoding': 'br' }, Buffer.from('x'.repeat(100))],
  ])('%s is a failure', async (_, headers, body) => {
    expect(await go('/soup', { '/soup': send(body, headers) })).toEqual({ kind: 'failure', because: 'broken_off' });
  });

  const zeros = Buffer.alloc(64 * MB);
  test.each<[string, string, (bytes: Buffer) => Buffer]>([
    ['gzip', 'gzip', (bytes) => zlib.gzipSync(bytes, { level: 1 })],
    [
      'brotli',
      'br',
      (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
    ],
    ['deflate', 'deflate', (bytes) => zlib.deflateSync(bytes, { level: 1 })],
  ])('a bomb of 64 MB in %s is cut at the cap, in little memory', { timeout: 30_000 }, async (_, encoding, pack) => {
    const bomb = pack(zeros);
    const before = process.memoryUsage.rss();
    const sight = await go('/bomb', { '/bomb': send(bomb, { 'content-encoding': encoding }) });
    expect(sight).toMatchObject({ kind: 'page', isCut: true });
    expect(sight.kind === 'page' && sight.text?.length).toBe(MAX_BYTES);
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * MB);
  });
});

describe('how much', () => {
  test('a page of 200 MB is cut at the cap, in little memory', { timeout: 30_000 }, async () => {
    const part = Buffer.alloc(MB, 'x');
    const endless: Answer = (response) => {
      let sent = 0;
      const write = () => {
        while (sent++ < 200 && response.write(part));
        if (sent > 200) response.end();
      };
      response.writeHead(200, HTML).on('drain', write);
      write();
    };
    const before = process.memoryUsage.rss();
    const sight = await go('/long', { '/long': endless });
    expect(sight).toMatchObject({ kind: 'page', isCut: true });
    expect(sight.kind === 'page' && sight.text?.length).toBe(MAX_BYTES);
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * MB);
  });

  test.each([
    [3, true],
    [4, false],
    [5, false],
  ])('four letters with a cap of %i are cut: %s', async (maxBytes, isCut) => {
    const text = 'soup'.slice(0, maxBytes);
    expect(await go('/soup', { '/soup': send('soup') }, { maxBytes })).toMatchObject({ text, isCut });
  });

  test('what is no page is not read', async () => {
    const picture = send(Buffer.alloc(100), { 'content-type': 'image/png' });
    expect(await go('/picture', { '/picture': picture })).toMatchObject({ kind: 'page', text: null, isCut: false });
  });
});

describe('how long', () => {
  test('a page that drips ends with the time', async () => {
    let dripping: NodeJS.Timeout | undefined;
    const drip: Answer = (response) => {
      response.writeHead(200, HTML);
      dripping = setInterval(() => response.write('x'), 5);
    };
    expect(await go('/drip', { '/drip': drip }, { timeoutMs: 100 })).toEqual({ kind: 'failure', because: 'timeout' });
    clearInterval(dripping);
  });

  test('silence ends with the time', async () => {
    expect(await go('/silent', { '/silent': () => {} }, { timeoutMs: 100 })).toMatchObject({ because: 'timeout' });
  });

  test('all steps have the time together', async () => {
    let timeouts: number[] = [];
    const slow = {
      close: async () => {},
      addressOf: async (host: string) => host,
      request: async ({ url, timeoutMs }: { url: string; timeoutMs: number }) => {
        timeouts.push(timeoutMs);
        const headers = { location: `${url}/x` };
        return {
          kind: 'answer' as const,
          status: 302,
          bytes: Buffer.alloc(0),
          text: '',
          headers,
          tookMs: 400,
          certificateEndsAt: null,
        };
      },
    };
    const deps = { fetching: slow, takeTurn: async () => {}, userAgent: '', timeoutMs: 1000, maxBytes: 100 };
    expect(await visit(deps, site)).toEqual({ kind: 'failure', because: 'timeout' });
    expect(timeouts).toEqual([1000, 600, 200]);
    timeouts = [];
  });
});

describe('where it leads', () => {
  test('each step is in its host’s turn, with the same word who asks and no cookie', async () => {
    const sight = await go('/a', { '/a': redirect('/b'), '/b': redirect(`${site}/soup#step-2`) });
    expect(sight).toMatchObject({ kind: 'page', url: `${site}/soup`, text: SOUP });
    expect(turns).toEqual(Array(3).fill(new URL(site).host));
    expect(asked.map(({ headers }) => headers['user-agent'])).toEqual(Array(3).fill('Visitor/1.0'));
    expect(asked.some(({ headers }) => 'cookie' in headers || 'referer' in headers)).toBe(false);
  });

  test.each([
    ['a private address', 'http://10.0.0.1/', 'private_address'],
    ['the cloud’s secrets', 'http://169.254.169.254/latest/meta-data/', 'private_address'],
    ['another machine of the network by version 6', 'http://[fd00::1]/', 'private_address'],
    ['a file', 'file:///etc/passwd', 'bad_address'],
    ['a password', 'http://anna:secret@127.0.0.1/', 'bad_address'],
    ['no address', 'http://', 'bad_address'],
  ])('not to %s', async (_, location, because) => {
    expect(await go('/away', { '/away': redirect(location) })).toEqual({ kind: 'failure', because });
  });

  test.each([
    ['in a circle', { '/a': redirect('/b'), '/b': redirect('/a') }],
    [
      'on and on',
      Object.fromEntries(
        ['a', 'b', 'c', 'd', 'e', 'f'].map((step, at, all) => [`/${step}`, redirect(`/${all[at + 1] ?? 'g'}`)]),
      ),
    ],
  ])('not %s', async (_, given) => {
    expect(await go('/a', given)).toEqual({ kind: 'loop' });
    expect(asked.length).toBeLessThanOrEqual(6);
  });
});

describe('letters', () => {
  const latin = (text: string) => Buffer.from(text, 'latin1');
  test.each<[string, string, Buffer]>([
    ['of UTF-8 without a word', 'text/html', Buffer.from('<p>Käse</p>')],
    ['as the header says', 'text/html; charset=ISO-8859-1', latin('<p>Käse</p>')],
    ['as the header says, in quotes', 'text/html; charset="windows-1252"', latin('<p>Käse</p>')],
    ['as the page says', 'text/html', latin('<meta charset=windows-1252><p>Käse</p>')],
    [
      'as the page said of old',
      'text/html',
      latin('<meta http-equiv=x content="text/html; charset=latin1"><p>Käse</p>'),
    ],
    ['of a set that nobody knows', 'text/html; charset=klingon', Buffer.from('<p>Käse</p>')],
    ['with a mark', 'text/html', Buffer.from('\ufeff<p>Käse</p>', 'utf16le')],
    ['said to be of 16 bits', 'text/html', Buffer.from('<meta charset=utf-16><p>Käse</p>')],
  ])('%s', async (_, type, body) => {
    const sight = await go('/cheese', { '/cheese': send(body, { 'content-type': type }) });
    expect(sight.kind === 'page' && sight.text).toContain('<p>Käse</p>');
  });
});

import { readFileSync } from 'node:fs';
import { extname, join, normalize, sep } from 'node:path';

/** Gives a picture for a path under `/pictures/`, or undefined to let the simulator draw a placeholder. */
export type Pictures = (path: string) => { contentType: string; body: string | Buffer } | undefined;

interface Page {
  status: number;
  body: string | Buffer;
  contentType: string;
  headers?: Record<string, string>;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.ico': 'image/x-icon',
};

/** The phone (built files), pictures, and permalinks of posts, which open the phone. */
export class StaticPages {
  readonly #phoneDirectory: string;
  readonly #pictures: Pictures | undefined;

  constructor(phoneDirectory: string, pictures: Pictures | undefined) {
    this.#phoneDirectory = phoneDirectory;
    this.#pictures = pictures;
  }

  find(path: string): Page {
    if (path === '/' || path === '/phone')
      return { status: 302, body: '', contentType: 'text/plain', headers: { location: '/phone/' } };
    if (path.startsWith('/phone/')) return this.#phone(path.slice('/phone/'.length));
    if (path.startsWith('/pictures/')) return this.#picture(path);
    const post = /^\/(?:p|reel|live|stories)\/([\w-]+)\/?$/.exec(path);
    if (post)
      return { status: 302, body: '', contentType: 'text/plain', headers: { location: `/phone/?post=${post[1]}` } };
    return { status: 404, body: 'Not found', contentType: 'text/plain' };
  }

  #phone(path: string): Page {
    const relative = normalize(decodeURIComponent(path));
    if (relative.startsWith('..') || relative.startsWith(sep))
      return { status: 404, body: 'Not found', contentType: 'text/plain' };
    const file = this.#file(relative);
    if (file) return file;
    // Client-side routes of the phone; assets that are missing stay missing.
    const index = extname(relative) === '' || relative === '.' ? this.#file('index.html') : undefined;
    return (
      index ?? {
        status: 404,
        body: 'The phone has not been built yet: run the web build first.',
        contentType: 'text/plain',
      }
    );
  }

  #file(relative: string): Page | undefined {
    const type = TYPES[extname(relative)];
    if (!type) return undefined;
    try {
      return { status: 200, body: readFileSync(join(this.#phoneDirectory, relative)), contentType: type };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  #picture(path: string): Page {
    const given = this.#pictures?.(path);
    if (given) return { status: 200, ...given, headers: { 'cache-control': 'public, max-age=3600' } };
    return {
      status: 200,
      body: placeholder(path),
      contentType: 'image/svg+xml',
      headers: { 'cache-control': 'public, max-age=3600' },
    };
  }
}

/** A quiet gradient whose colours follow from the path. */
function placeholder(path: string): string {
  let hash = 7;
  for (const character of path) hash = (hash * 31 + character.codePointAt(0)!) % 360;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400" width="400" height="400"><defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="hsl(${hash} 60% 72%)"/><stop offset="1" stop-color="hsl(${(hash + 50) % 360} 55% 52%)"/></linearGradient></defs><rect width="400" height="400" fill="url(#g)"/><circle cx="200" cy="200" r="90" fill="#fff" fill-opacity=".35"/></svg>`;
}

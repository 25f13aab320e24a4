/** Debian's nginx as a cache in front of a blog, as hosts set it up: well, carelessly, and badly. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureProgram } from '../../scripts/debian-package.ts';
import { freePort } from './processes.ts';

/**
 * - `heeds_cookies`: leaves visitors with the usual cookies of WordPress alone, and heeds what answers say of caching
 * - `ignores_cookies`: one page for everybody, whatever answers say
 * - `ignores_queries`: that, and one page for all queries
 */
export type CacheKind = 'heeds_cookies' | 'ignores_cookies' | 'ignores_queries';

export const NGINX_REMEDY = 'Install nginx (Debian, Ubuntu: apt-get install nginx-light).';

export function ensureNginx(): boolean {
  return ensureProgram({ program: 'nginx', args: ['-v'], name: 'nginx-light' });
}

const CACHES: Record<CacheKind, string> = {
  heeds_cookies: `
    proxy_cache_key $scheme$request_uri;
    proxy_cache_bypass $has_cookie;
    proxy_no_cache $has_cookie;`,
  ignores_cookies: `
    proxy_cache_key $scheme$request_uri;
    proxy_ignore_headers Cache-Control Expires Set-Cookie Vary X-Accel-Expires;`,
  ignores_queries: `
    proxy_cache_key $scheme$uri;
    proxy_ignore_headers Cache-Control Expires Set-Cookie Vary X-Accel-Expires;`,
};

const READY_WITHIN_MS = 10_000;

/** @param origin the blog, which is told of every request as if it had come to it */
export async function startCache(kind: CacheKind, origin: string): Promise<{ url: string; close(): Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'creator-hq-nginx-'));
  const port = await freePort();
  const configuration = `
${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/errors;
events { worker_connections 256; }
http {
  access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  proxy_cache_path ${folder}/cache keys_zone=pages:1m;
  map $http_cookie $has_cookie { default 0; "~(wordpress_logged_in|comment_author|wp-postpass)" 1; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass ${origin}; proxy_set_header Host ${new URL(origin).host}; proxy_http_version 1.1;
      proxy_cache pages; proxy_cache_valid 200 301 10m; add_header X-Cache $upstream_cache_status always;
      ${CACHES[kind]}
    }
  }
}`;
  await writeFile(path.join(folder, 'nginx.conf'), configuration);
  const child = spawn('nginx', ['-e', `${folder}/errors`, '-c', path.join(folder, 'nginx.conf')], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const giveUpAt = performance.now() + READY_WITHIN_MS;
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() > giveUpAt)
      throw new Error(`nginx did not start: ${folder}/errors`);
    await sleep(50);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

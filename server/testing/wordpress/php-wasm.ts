/**
 * PHP as WebAssembly, for versions that this machine does not have. As a program it is a web server with PHP 7.4 and a single
 * worker: `node php-wasm.ts FOLDER PORT`, with the folder that has `core` and `node_modules`; the site stands in its
 * environment, as for PHP's own server.
 */
import { readFile, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';

/** What we use of `@php-wasm/universal`, which is fetched when it is needed. */
type Php = {
  runStream(run: Record<string, unknown>): Promise<{
    stdoutText: Promise<string>;
    stdoutBytes: Promise<Uint8Array>;
    stderrText: Promise<string>;
    headers: Promise<Record<string, string[]>>;
    httpStatusCode: Promise<number>;
    exitCode: Promise<number>;
  }>;
  setSapiName(name: string): Promise<void>;
  exit(): void;
};

/** @param folder the one with `node_modules`. It sees all files of this machine. */
export async function loadPhp(folder: string, version: '7.4' | '8.4'): Promise<Php> {
  const load = createRequire(path.join(folder, 'package.json'));
  const { PHP } = load('@php-wasm/universal');
  const { loadNodeRuntime, useHostFilesystem: showFilesOfMachine } = load('@php-wasm/node');
  const php = new PHP(await loadNodeRuntime(version, { followSymlinks: true, emscriptenOptions: { processId: 1 } }));
  showFilesOfMachine(php);
  return php;
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.gif': 'image/gif',
};

/** It keeps memory of every request, and dies of it after some hundred. */
const REQUESTS_OF_A_LIFE = 100;

async function serve(folder: string, port: string): Promise<void> {
  const core = path.join(folder, 'core');
  const site = process.env.CREATOR_HQ_SITE!;
  const ours = Object.entries(process.env).filter(([name]) => name.startsWith('CREATOR_HQ_'));
  const begin = async () => {
    const fresh = await loadPhp(folder, '7.4');
    // Its cache of compiled code works under the names of PHP's own servers only, and halves the time of a page.
    await fresh.setSapiName('cli-server');
    return fresh;
  };
  let php = await begin();
  let asked = 0;

  let last: Promise<unknown> = Promise.resolve();
  createServer((request, response) => {
    last = last
      .then(async () => {
        if (++asked % REQUESTS_OF_A_LIFE === 0) {
          php.exit();
          php = await begin();
        }
        await answer(request, response);
      })
      .catch(async (error) => {
        console.error(error);
        if (!response.writableEnded) response.destroy();
        // What has crashed once crashes again.
        php = await begin();
      });
  }).listen(Number(port), '127.0.0.1');

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const file = await fileOf(decodeURIComponent(new URL(request.url!, 'http://blog.test').pathname));
    if (file !== null && !file.endsWith('.php')) {
      response.setHeader('content-type', TYPES[path.extname(file)] ?? 'application/octet-stream');
      response.end(await readFile(file));
      return;
    }
    const script = file === null ? '/index.php' : file.slice(core.length);
    const { status, headers, bytes, complaint, exitCode } = await run({
      scriptPath: path.join(core, script),
      relativeUri: request.url,
      protocol: 'http',
      method: request.method,
      headers: request.headers,
      body: new Uint8Array(await buffer(request)),
      env: Object.fromEntries(ours),
      $_SERVER: {
        ...{ DOCUMENT_ROOT: core, SCRIPT_NAME: script, PHP_SELF: script },
        ...{ REMOTE_ADDR: '127.0.0.1', SERVER_PORT: port },
      },
    });
    // One that ended before its headers says 200 with nothing in it.
    response.statusCode = exitCode !== 0 && bytes.length === 0 ? 500 : status;
    for (const [name, values] of Object.entries(headers)) response.setHeader(name, values);
    response.end(bytes);
    if (exitCode !== 0) throw new Error(`PHP ended with ${exitCode}: ${complaint}`);
  }

  /** Answers when all of it is over, the shutdown of WordPress too: the next one must not begin within it. */
  async function run(asked: Record<string, unknown>) {
    const { httpStatusCode, headers, stdoutBytes, stderrText, exitCode } = await php.runStream(asked);
    return {
      ...{ status: await httpStatusCode, headers: await headers, bytes: await stdoutBytes },
      complaint: await stderrText,
      exitCode: await exitCode.catch(String),
    };
  }

  /** As `router.php`: a file of the site, a file or a folder's index of the core; null: WordPress answers. */
  async function fileOf(pathname: string): Promise<string | null> {
    const candidates = [path.join(core, pathname), path.join(core, pathname, 'index.php')];
    if (pathname.startsWith('/wp-content/') && !pathname.endsWith('.php'))
      candidates.unshift(path.join(site, pathname));
    for (const file of candidates) {
      if ((await stat(file).catch(() => null))?.isFile()) return file;
    }
    return null;
  }
}

if (import.meta.main) await serve(process.argv[2]!, process.argv[3]!);

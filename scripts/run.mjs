/**
 * Runs one of the project's scripts on a machine that has only git and Node (20 or newer), as in
 *
 *     node scripts/run.mjs scripts/start.ts [arguments]
 *
 * It sees to it that the Node version which package.json asks for is there (in .node/ when the machine's is older) and that
 * node_modules is what package-lock.json says, then runs the script. Plain JavaScript for old Node: it must start anywhere.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Brought along when the machine's own Node is older than package.json's `engines` asks for. */
const NODE_VERSION = '24.21.0';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const localNode = path.join(root, '.node');
const localNodeBin = path.join(localNode, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin');

class SetupError extends Error {}

try {
  process.chdir(root);
  const node = nodeIsNewEnough() ? process.execPath : await bringNode();
  process.env.PATH = [path.dirname(node), path.join(root, 'node_modules', '.bin'), process.env.PATH].join(
    path.delimiter,
  );
  if (!packagesAreInstalled()) await installPackages(node);
  await runScript(node);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`\n${error.message}`);
  process.exitCode = 1;
}

function nodeIsNewEnough() {
  const wanted = /(\d+)\.(\d+)/.exec(readJson('package.json').engines.node);
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > Number(wanted[1]) || (major === Number(wanted[1]) && minor >= Number(wanted[2]));
}

async function bringNode() {
  const node = path.join(localNodeBin, 'node');
  if (versionOf(node) === NODE_VERSION) return node;
  // Installed aside and renamed when complete: a kill in between leaves no half Node behind.
  const cache = path.join(root, '.cache');
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache).filter((entry) => entry.startsWith('node-'))) {
    const abandoned = path.join(cache, name);
    if (Date.now() - statSync(abandoned).mtimeMs > 3_600_000) rmSync(abandoned, { recursive: true, force: true });
  }
  const aside = mkdtempSync(path.join(cache, 'node-'));
  try {
    const spec = `node-${process.platform}-${process.arch}@${NODE_VERSION}`;
    await npm(
      process.execPath,
      ['install', '--prefix', aside, '--no-save', '--no-package-lock', '--no-audit', '--no-fund', spec],
      `Installing Node ${NODE_VERSION} for this project (yours is ${process.versions.node})`,
    );
    rmSync(localNode, { recursive: true, force: true });
    // A temporary folder is closed to others; root may have installed for an ordinary user.
    chmodSync(aside, 0o755);
    renameSync(aside, localNode);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  if (versionOf(node) !== NODE_VERSION) {
    throw new SetupError(
      `The Node ${NODE_VERSION} installed in .node/ does not run on this machine. Install Node 24 from https://nodejs.org and try again.`,
    );
  }
  return node;
}

function versionOf(node) {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return stdout?.trim().replace(/^v/, '');
}

/**
 * npm writes node_modules/.package-lock.json when it has finished, so its content says what is there; a killed install has
 * none. Comparing contents, not a stamp of ours, also takes a package that somebody added with `npm install` as it is.
 */
function packagesAreInstalled() {
  const file = path.join('node_modules', '.package-lock.json');
  if (!existsSync(file)) return false;
  const wanted = readJson('package-lock.json').packages;
  const present = readJson(file).packages;
  // A container carries the built web app, and neither its sources nor what builds them.
  const isBuilt = !existsSync('web');
  return Object.entries(wanted).every(
    ([name, entry]) =>
      name === '' ||
      (isBuilt && (entry.dev || entry.devOptional || entry.optional)) ||
      (present[name] ? present[name].version === entry.version : entry.optional && !isForThisMachine(entry)),
  );
}

/** Optional packages are mostly one program built for many machines; only ours is needed, and npm leaves out the rest. */
function isForThisMachine({ os, cpu, libc }) {
  if (!os || !cpu) return false;
  const ourLibc = process.report?.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
  return os.includes(process.platform) && cpu.includes(process.arch) && (!libc || libc.includes(ourLibc));
}

async function installPackages(node) {
  // Under the Node that will run them: under another one npm silently picks other versions. Development packages build the
  // web app, so they are needed whatever NODE_ENV or the user's npm settings say.
  await npm(node, ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'], 'Installing packages');
  if (!packagesAreInstalled()) {
    throw new SetupError('npm finished, but packages are missing. Delete the folder node_modules and try again.');
  }
}

async function npm(node, args, what) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  console.log(`${what}…`);
  const progress = setInterval(() => console.log(`  still installing (${seconds()} s)…`), 10_000);
  // Set by npm for its scripts: the npm that started us. Windows and old installations apart, `npm` itself is a program.
  const npmScript = process.env.npm_execpath?.endsWith('npm-cli.js') ? process.env.npm_execpath : undefined;
  const child = spawn(npmScript ? node : 'npm', npmScript ? [npmScript, ...args] : args, {
    env: { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      said += error.message;
      resolve(1);
    });
    child.once('close', (status) => resolve(status ?? 1));
  });
  clearInterval(progress);
  if (code !== 0) throw new SetupError(`${what} failed.\n${remedy(said)}\nnpm said:\n${said.trim().slice(-3000)}`);
  console.log(`  done (${seconds()} s)`);
}

function remedy(said) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ECONNRESET/.test(said)) {
    return 'The npm registry cannot be reached. Check the network (or the proxy and registry settings of npm) and try again.';
  }
  if (/EACCES|EPERM|EROFS/.test(said)) {
    return `You may not write to ${root}. Run this as the user who owns the folder (was it run as root before?), or give the folder to yourself with chown -R.`;
  }
  if (/ENOSPC/.test(said)) return 'The disk is full. Free about 1 GB and try again.';
  if (/spawn npm ENOENT/.test(said))
    return 'npm was not found. It comes with Node: install Node from https://nodejs.org.';
  return 'Trying again often helps; so does deleting the folder node_modules first.';
}

async function runScript(node) {
  const [script, ...args] = process.argv.slice(2);
  const isFile = /\.(ts|mjs)$/.test(script ?? '');
  const file = path.join(root, isFile ? script : path.join('node_modules', '.bin', script ?? ''));
  if (!script || !existsSync(file)) throw new SetupError(`There is no ${script ?? 'script'} to run.`);
  if (node === process.execPath && isFile) {
    endWithNpm((signal) => process.kill(process.pid, signal));
    process.argv.splice(1, 2, file);
    await import(pathToFileURL(file).href);
    return;
  }
  const child = spawn(node, [file, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // Ctrl+C in a terminal reaches the whole group, the script included: a second copy would read as "stop at once".
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  endWithNpm((signal) => child.kill(signal));
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (signal === 'SIGINT' ? 2 : 15);
    process.removeAllListeners();
    process.exit();
  });
}

/** A killed npm leaves its script running unseen, with the port and the database in use. */
function endWithNpm(stop) {
  if (!process.env.npm_lifecycle_event) return;
  const starters = findStarters();
  const watch = setInterval(() => {
    if (findStarters() === starters) return;
    clearInterval(watch);
    stop('SIGTERM');
  }, 500);
  watch.unref();
}

/** Who started us: npm, or the shell that npm runs scripts in and npm behind it (some shells give way to the script). */
function findStarters() {
  const parent = process.ppid;
  try {
    // Linux only; elsewhere the parent alone must do.
    const isShell = readFileSync(`/proc/${parent}/cmdline`, 'utf8').split('\0')[1] === '-c';
    // The name in brackets may itself hold spaces and brackets; the state and the parent follow it.
    const stat = readFileSync(`/proc/${parent}/stat`, 'utf8');
    return isShell ? `${parent} of ${stat.slice(stat.lastIndexOf(')')).split(' ')[2]}` : `${parent}`;
  } catch {
    return `${parent}`;
  }
}

function readJson(file) {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
}

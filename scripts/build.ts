import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);

type WebApp = { name: string; folder: string; output: string; sources: string[] };

const webApps: WebApp[] = [
  { name: 'the app', folder: 'web', output: 'dist/web', sources: ['web/**/*', 'contract/**/*'] },
  {
    name: "the simulator's phone",
    folder: 'simulators/meta/phone',
    output: 'dist/phone',
    sources: ['simulators/meta/phone/**/*', 'simulators/meta/**/*types.ts', 'web/ui/**/*'],
  },
];
const formScript: WebApp = {
  name: 'the forms of blogs',
  folder: 'widgets/form',
  output: 'dist/form',
  sources: ['widgets/form/**/*'],
};

const shopButton: WebApp = {
  name: 'the shop button of blogs',
  folder: 'widgets/shop-button',
  output: 'dist/shop-button',
  sources: ['widgets/shop-button/**/*'],
};

/** Builds what browsers load, where its sources changed since the last build. @throws when a build fails, with its output */
export async function buildWebApps(log: (message: string) => void): Promise<void> {
  await build([...webApps, formScript, shopButton], log);
}

/** Builds the script that the WordPress plugin carries. */
export async function buildFormScript(): Promise<void> {
  await build([formScript], () => {});
}

/** Builds the button for blogs without the plugin. */
export async function buildShopButton(): Promise<void> {
  await build([shopButton], () => {});
}

async function build(apps: WebApp[], log: (message: string) => void): Promise<void> {
  for (const app of apps) {
    if (!existsSync(path.join(root, app.folder, 'vite.config.ts'))) continue;
    const stamp = path.join(root, `${app.output}.sources`);
    const sources = await hashSources(app.sources);
    if ((await readFile(stamp, 'utf8').catch(() => '')) === sources) continue;
    log(`Building ${app.name}…`);
    // Away first: a build that is killed half way must not count as the one before.
    await rm(stamp, { force: true });
    await runVite(app);
    await mkdir(path.dirname(stamp), { recursive: true });
    await writeFile(stamp, sources);
  }
}

async function hashSources(patterns: string[]): Promise<string> {
  const files = new Set(['package-lock.json', 'package.json']);
  for await (const entry of glob(patterns, { cwd: root, withFileTypes: true })) {
    if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name)) {
      files.add(path.relative(root, path.join(entry.parentPath, entry.name)));
    }
  }
  const hash = createHash('sha256');
  for (const file of [...files].sort()) {
    hash.update(`${file}\0`).update(await readFile(path.join(root, file)));
  }
  return hash.digest('hex');
}

/** In a process of its own: what a bundler leaves in memory would stay with the server for its whole life. */
async function runVite(app: WebApp): Promise<void> {
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const args = ['build', app.folder, '--config', path.join(app.folder, 'vite.config.ts')];
  const child = spawn(
    process.execPath,
    [vite, ...args, '--outDir', path.join(root, app.output), '--emptyOutDir', '--logLevel', 'warn'],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_ENV: 'production' } },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const code = await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  if (code !== 0) throw new Error(`Building ${app.name} failed:\n${said.trim()}`);
}

/**
 * Adds to package-lock.json the optional packages for other machines that npm left out: `node scripts/complete-lock.ts`, to
 * be run after `npm install` of a new package. With --check it changes nothing and fails when some are missing.
 *
 * npm forgets them when node_modules was already there (https://github.com/npm/cli/issues/4828) or the registry did not have
 * them at that moment; afterwards `npm ci` refuses the lock everywhere. Entries added here carry a version and no checksum.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

type LockEntry = { version: string; optional?: boolean; os?: string[]; cpu?: string[]; libc?: string[] } & {
  optionalDependencies?: Record<string, string>;
};

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32'];

const file = path.join(import.meta.dirname, '../package-lock.json');
const lock = JSON.parse(await readFile(file, 'utf8')) as { packages: Record<string, LockEntry> };

const missing: Record<string, LockEntry> = {};
for (const [folder, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (!isLocked(folder, name)) missing[`node_modules/${name}`] = { version, optional: true, ...machineOf(name) };
  }
}

const names = Object.keys(missing);
if (names.length > 0 && process.argv.includes('--check')) {
  console.error(`package-lock.json lacks ${names.join(', ')}. Run: node scripts/complete-lock.ts`);
  process.exitCode = 1;
} else if (names.length > 0) {
  const packages = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => (a < b ? -1 : 1));
  await writeFile(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`);
  console.log(`Added ${names.length} packages to package-lock.json`);
}

/** As Node finds packages: in the package's own node_modules, then in those of the folders above. */
function isLocked(folder: string, name: string): boolean {
  for (let at = folder; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    if (lock.packages[`${at}${at ? '/' : ''}node_modules/${name}`]) return true;
    if (at === '') return false;
  }
}

/** Such packages are named after their machine, as in `@biomejs/cli-linux-x64-musl`. */
function machineOf(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[-/]/);
  const cpu = PROCESSORS.find((processor) => words.includes(processor));
  const os = SYSTEMS.find((system) => words.includes(system));
  if (!cpu || (!os && cpu !== 'wasm32')) throw new Error(`Cannot tell from its name for which machine ${name} is.`);
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : words.includes('gnu') ? 'glibc' : undefined;
  return { cpu: [cpu], ...(os && { os: [os] }), ...(libc && { libc: [libc] }) };
}

/** Programs that no npm package brings: looked for, and installed where that is possible. */
import { spawnSync } from 'node:child_process';

/** Installs Debian's package when the program is missing and we may. False: there is none. */
export function ensureProgram({ program, args, name }: { program: string; args: string[]; name: string }): boolean {
  const isInstalled = () => spawnSync(program, args, { stdio: 'ignore' }).status === 0;
  if (isInstalled()) return true;
  if (process.getuid?.() !== 0) return false;
  // A machine that was just made has no package lists.
  spawnSync('apt-get', ['update'], { stdio: 'ignore' });
  spawnSync('apt-get', ['install', '--yes', '--no-install-recommends', name], {
    stdio: 'ignore',
    // A package may start a service of its own; ours are started by us.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  });
  return isInstalled();
}

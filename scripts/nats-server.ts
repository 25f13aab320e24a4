/** Finds the NATS server's program, which no npm package brings. */
import { spawnSync } from 'node:child_process';

export const NATS_REMEDY =
  'Install the package nats-server (Debian, Ubuntu, Homebrew), or put the program on the PATH.';

/** Installs Debian's package when it is missing and we may. False: there is none; see `NATS_REMEDY`. */
export function ensureNatsServer(): boolean {
  if (isInstalled()) return true;
  if (process.getuid?.() !== 0) return false;
  // A machine that was just made has no package lists.
  spawnSync('apt-get', ['update'], { stdio: 'ignore' });
  spawnSync('apt-get', ['install', '--yes', '--no-install-recommends', 'nats-server'], {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return isInstalled();
}

function isInstalled(): boolean {
  return spawnSync('nats-server', ['--version'], { stdio: 'ignore' }).status === 0;
}

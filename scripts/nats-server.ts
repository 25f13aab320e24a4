/** Finds the NATS server's program. */
import { ensureProgram } from './debian-package.ts';

export const NATS_REMEDY =
  'Install the package nats-server (Debian, Ubuntu, Homebrew), or put the program on the PATH.';

/** Installs Debian's package when it is missing and we may. False: there is none; see `NATS_REMEDY`. */
export function ensureNatsServer(): boolean {
  return ensureProgram({ program: 'nats-server', args: ['--version'], name: 'nats-server' });
}

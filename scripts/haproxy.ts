/** Finds the balancing proxy's program. */
import { ensureProgram } from './debian-package.ts';

export const HAPROXY_REMEDY = 'Install the package haproxy (Debian, Ubuntu, Homebrew), or put the program on the PATH.';

/** Installs Debian's package when it is missing and we may. False: there is none; see `HAPROXY_REMEDY`. */
export function ensureHaproxy(): boolean {
  return ensureProgram({ program: 'haproxy', args: ['-v'], name: 'haproxy' });
}

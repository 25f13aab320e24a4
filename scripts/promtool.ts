/** Finds Prometheus' checker of alerts. */
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(path.dirname(import.meta.dirname), '.cache/promtool');

/**
 * The program's path. Where it is missing, Debian's package is unpacked into .cache/, not installed: that would start a server.
 * Null: there is none, and the machine is no Debian.
 */
export function findPromtool(): string | null {
  const programs = ['promtool', path.join(folder, 'usr/bin/promtool')];
  const find = () => programs.find((program) => spawnSync(program, ['--version']).status === 0) ?? null;
  return find() ?? (unpackPackage() ? find() : null);
}

function unpackPackage(): boolean {
  mkdirSync(folder, { recursive: true });
  const run = (program: string, ...args: string[]) => spawnSync(program, args, { cwd: folder }).status === 0;
  const downloaded = () => run('apt-get', 'download', 'prometheus');
  // A machine that was just made has no package lists.
  if (!downloaded() && !(run('apt-get', 'update') && downloaded())) return false;
  return globSync('prometheus_*.deb', { cwd: folder }).every((file) => run('dpkg', '--extract', file, '.'));
}

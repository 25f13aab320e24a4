/** TCP sockets at a port of this machine, as the kernel tells of them. Linux only; none elsewhere. */
import { existsSync, readFileSync } from 'node:fs';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
const STATES: Record<string, 'open' | 'left'> = { '01': 'open', '08': 'left' };

/** `left`: the other side has gone, and whoever listens at the port has not let go of it. */
export type HeldSocket = { remotePort: number; state: 'open' | 'left' };

/** Those that the program listening at `port` holds. */
export function socketsAt(port: number): HeldSocket[] {
  return TABLES.filter(existsSync)
    .flatMap((table) => readFileSync(table, 'utf8').trimEnd().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local]) => portOf(local!) === port)
    .flatMap(([, , remote, code]) => {
      const state = STATES[code!];
      return state === undefined ? [] : [{ remotePort: portOf(remote!), state }];
    });
}

function portOf(address: string): number {
  return Number.parseInt(address.split(':').at(-1)!, 16);
}

/** Codes that are guessed: of a network that asked for too many that are not there, the database is not asked. */
import { networksOf } from './rate-limits.ts';

const MISSES_AT_MOST = 60;
const MISSES_PER_MS = 60_000;
const NETWORKS_AT_MOST = 20_000;

/** What to wait for, in seconds. */
export const MISSES_WAIT = MISSES_PER_MS / 1000;

export class MissLimit {
  private readonly misses = new Map<string, { count: number; untilMs: number }>();

  /** @param ip of the caller */
  isReached(ip: string, nowMs: number): boolean {
    const counted = this.misses.get(widest(ip));
    return counted !== undefined && counted.untilMs > nowMs && counted.count >= MISSES_AT_MOST;
  }

  countMiss(ip: string, nowMs: number): void {
    const network = widest(ip);
    const before = this.misses.get(network);
    const counted =
      before === undefined || before.untilMs <= nowMs ? { count: 0, untilMs: nowMs + MISSES_PER_MS } : before;
    counted.count += 1;
    this.misses.delete(network);
    // The oldest goes: a Map keeps the order of insertion.
    if (this.misses.size >= NETWORKS_AT_MOST) this.misses.delete(this.misses.keys().next().value!);
    this.misses.set(network, counted);
  }
}

function widest(ip: string): string {
  return networksOf(ip).at(-1)!;
}

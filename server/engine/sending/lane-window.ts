/**
 * Counts calls over a sliding period: at most `most` in any `periodMs`. Unlike a token bucket it lets a whole period's
 * allowance go at once (a comment is answered within a second as long as there is allowance at all) and still never
 * exceeds the limit however the platform lays its hour.
 */
export class LaneWindow {
  readonly most: number;
  readonly periodMs: number;
  /** Times of the last `most` calls, a ring with the oldest at `start`. */
  private readonly times: number[] = [];
  private start = 0;

  constructor(most: number, periodMs: number) {
    this.most = most;
    this.periodMs = periodMs;
  }

  /**
   * How many calls may start at `now`.
   *
   * @param most fewer than the window's own, while somebody slows it down
   */
  available(now: number, most = this.most): number {
    this.forget(now);
    return Math.max(0, most - this.count());
  }

  /** Records a call at `now`. */
  take(now: number): void {
    this.times.push(now);
  }

  /** When a call may start that has `ahead` others before it; `now` if at once. */
  nextAt(now: number, ahead = 0, most = this.most): number {
    this.forget(now);
    const count = this.count();
    // Each call waits for the one that is `most` before it; go back to one that has been made, or to the beginning.
    const position = count + ahead;
    const periods = Math.ceil((position - count + 1) / most);
    const index = position - periods * most;
    if (index < 0) return now + this.periodMs * (periods - 1);
    return Math.max(now, this.times[this.start + index]! + this.periodMs * periods);
  }

  /** The calls that count at `now`, oldest first, in ms since 1970. */
  recent(now: number): number[] {
    this.forget(now);
    return this.times.slice(this.start);
  }

  private count(): number {
    return this.times.length - this.start;
  }

  private forget(now: number): void {
    const since = now - this.periodMs;
    while (this.times[this.start]! <= since) this.start++;
    // More than half is over: what is copied is less than what was forgotten.
    if (this.start * 2 > this.times.length) {
      this.times.splice(0, this.start);
      this.start = 0;
    }
  }
}

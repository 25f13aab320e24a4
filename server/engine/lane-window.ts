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

  /** How many calls may start at `now`. */
  available(now: number): number {
    this.forget(now);
    return this.most - this.count();
  }

  /** Records a call at `now`. */
  take(now: number): void {
    this.times.push(now);
  }

  /** When a call may start that has `ahead` others before it; `now` if at once. */
  nextAt(now: number, ahead = 0): number {
    this.forget(now);
    const free = this.most - this.count();
    if (ahead < free) return now;
    const position = ahead - free;
    const wholePeriods = Math.floor(position / this.most);
    const index = position % this.most;
    const slot = this.start + index < this.times.length ? this.times[this.start + index]! : now;
    return slot + this.periodMs * (wholePeriods + 1);
  }

  private count(): number {
    return this.times.length - this.start;
  }

  private forget(now: number): void {
    const since = now - this.periodMs;
    while (this.start < this.times.length && this.times[this.start]! <= since) this.start++;
    if (this.start > 1024 && this.start * 2 > this.times.length) {
      this.times.splice(0, this.start);
      this.start = 0;
    }
  }
}

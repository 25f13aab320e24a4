interface Job {
  due: number;
  seq: number;
  run: () => void | Promise<void>;
}

/**
 * The simulator's time. `real` follows the wall clock with an offset that grows when the clock is moved; a fixed clock stands still until
 * moved. Work scheduled on it (retries, delays) runs when the clock passes its instant: by a timer in real mode, while moving in both.
 */
export class Clock {
  #fixed: boolean;
  #held = false;
  #offsetMs = 0;
  #fixedNow = 0;
  #jobs: Job[] = [];
  #seq = 0;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(start: 'real' | number) {
    this.#fixed = start !== 'real';
    if (start !== 'real') this.#fixedNow = start;
  }

  now(): number {
    return this.#fixed ? this.#fixedNow : Date.now() + this.#offsetMs;
  }

  /** For the snapshot: what must be restored so that time goes on where it stopped being moved. */
  position(): { offsetMs: number; fixedNow: number } {
    return { offsetMs: this.#offsetMs, fixedNow: this.#fixedNow };
  }
  restore(position: { offsetMs: number; fixedNow: number }): void {
    this.#offsetMs = position.offsetMs;
    if (this.#fixed && position.fixedNow > 0) this.#fixedNow = position.fixedNow;
  }

  at(due: number, run: () => void | Promise<void>): void {
    const job = { due, seq: ++this.#seq, run };
    let index = this.#jobs.length;
    while (index > 0 && this.#jobs[index - 1]!.due > due) index -= 1;
    this.#jobs.splice(index, 0, job);
    this.#arm();
  }

  get waiting(): number {
    return this.#jobs.length;
  }

  /** Moves on to `instant`, stopping at every piece of due work and waiting for it. Never goes back. */
  async moveTo(instant: number): Promise<void> {
    for (;;) {
      const next = this.#jobs[0];
      if (!next || next.due > instant) break;
      this.#jobs.shift();
      this.#set(next.due);
      await next.run();
    }
    this.#set(instant);
    this.#arm();
  }

  /** Moves on to `instant` at once; the work that falls due on the way is done afterwards. Never goes back. */
  jumpTo(instant: number): void {
    this.#set(instant);
    this.#arm();
  }

  get isHeld(): boolean {
    return this.#held;
  }

  /** Stands still at `instant`, which may be before now, until it is moved or let go. */
  holdAt(instant: number): void {
    this.#held = true;
    this.#fixed = true;
    this.#fixedNow = instant;
    this.#arm();
  }

  /** Follows the wall clock from now on. */
  letGo(): void {
    this.#held = false;
    this.#fixed = false;
    this.#offsetMs = 0;
    this.#arm();
  }

  close(): void {
    this.#closed = true;
    this.#jobs = [];
    if (this.#timer) clearTimeout(this.#timer);
  }

  #set(instant: number): void {
    if (instant <= this.now()) return;
    if (this.#fixed) this.#fixedNow = instant;
    else this.#offsetMs += instant - this.now();
  }

  #arm(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const next = this.#jobs[0];
    if (this.#closed || !next) return;
    const waitMs = next.due - this.now();
    // Overdue work of a fixed clock must run too (scheduled for now), but never inside the caller.
    if (this.#fixed && waitMs > 0) return;
    this.#timer = setTimeout(() => void this.moveTo(this.now()), Math.min(Math.max(waitMs, 0), 2 ** 31 - 1));
    this.#timer.unref();
  }
}

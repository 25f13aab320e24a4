import type { Clock } from '#server/clock.ts';

/** Lets a loop sleep until there is work; ringing while it is awake is not lost. */
export class Wake {
  private rung = false;
  private waiting: (() => void) | null = null;

  ring(): void {
    this.rung = true;
    this.waiting?.();
  }

  async wait(clock: Clock, atMostMs: number, signal: AbortSignal): Promise<void> {
    if (!this.rung && !signal.aborted) {
      const woken = new AbortController();
      const rung = new Promise<void>((resolve) => {
        this.waiting = resolve;
      });
      await Promise.race([rung, clock.sleep(atMostMs, AbortSignal.any([woken.signal, signal]))]);
      woken.abort();
      this.waiting = null;
    }
    this.rung = false;
  }
}

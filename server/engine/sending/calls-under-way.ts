/** Calls that are claimed and not recorded yet, over all connections. */
import type { Lane } from './lanes.ts';

/** More that are answered and not recorded, and the database is behind: nothing new is called until it has caught up. */
const UNRECORDED_AT_MOST = 2048;

/** Without the delivery itself: V8 keeps the tables that a set outgrew, with all in them, until the next full collection. */
export type CallUnderWay = { readonly deliveryId: string; isAnswered: boolean };

export class CallsUnderWay {
  /** Of one delivery there may be two for a moment: see `Dispatcher.start`. */
  private readonly calls = new Set<CallUnderWay>();
  /** How many of these are answered. */
  private answered = 0;
  private readonly idleWaiters: (() => void)[] = [];
  private readonly endWaiters: (() => void)[] = [];

  begin(deliveryId: string): CallUnderWay {
    const call = { deliveryId, isAnswered: false };
    this.calls.add(call);
    return call;
  }

  answer(call: CallUnderWay): void {
    call.isAnswered = true;
    this.answered++;
  }

  /** Its result is recorded. */
  end(call: CallUnderWay, lane: Lane): void {
    this.calls.delete(call);
    if (call.isAnswered) this.answered--;
    lane.end();
    for (const resolve of this.endWaiters.splice(0)) resolve();
    if (this.calls.size === 0) for (const resolve of this.idleWaiters.splice(0)) resolve();
  }

  /** How many more may begin where so many may be unanswered. */
  free(unanswered: number): number {
    return Math.min(unanswered + this.answered, UNRECORDED_AT_MOST) - this.calls.size;
  }

  get isIdle(): boolean {
    return this.calls.size === 0;
  }

  deliveryIds(): string[] {
    return [...this.calls].map(({ deliveryId }) => deliveryId);
  }

  /** Resolves when no call is under way and every result is recorded. */
  idle(): Promise<void> {
    if (this.isIdle) return Promise.resolve();
    return new Promise((resolve) => this.idleWaiters.push(resolve));
  }

  /** Resolves when no call of these lanes is under way. */
  async ended(lanes: Lane[]): Promise<void> {
    while (lanes.some((lane) => lane.isWorking)) {
      await new Promise<void>((resolve) => this.endWaiters.push(resolve));
    }
  }
}

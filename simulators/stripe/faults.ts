/** What goes wrong with calls, and a line for each that came. */
import type { RefusalBody } from './wire/refusal.ts';

/**
 * - `refused`: answered so, and nothing is done; `rate_limited`: 429
 * - `slow`: done, and answered when `letCallsGo` is said
 * - `cut_before`, `cut_after`: the connection breaks before or after it took effect
 * - `error_after`: done, and answered with 500; `web_page`: done, and answered with something that is no JSON
 */
export type Fault = {
  kind: 'cut_after' | 'cut_before' | 'error_after' | 'rate_limited' | 'refused' | 'slow' | 'web_page';
  /** Only of these calls: `POST`, and the beginning of a path. */
  method?: string;
  path?: string;
  /** Of `refused`. */
  status?: number;
  error?: RefusalBody;
};

/** A call as it came. `status` null: it was never answered. */
export type CallLine = {
  at: number;
  method: string;
  path: string;
  status: number | null;
  idempotencyKey: string | null;
  isReplay: boolean;
  account: string | null;
};

export class Faults {
  readonly calls: CallLine[] = [];
  readonly unimplemented = new Set<string>();
  private readonly waiting: Fault[] = [];
  private heldBack: (() => void)[] = [];

  add(faults: Fault[]): void {
    this.waiting.push(...faults);
  }

  forget(): void {
    this.waiting.length = 0;
  }

  next(method: string, path: string): Fault | null {
    const at = this.waiting.findIndex((one) => (one.method ?? method) === method && path.startsWith(one.path ?? ''));
    return at === -1 ? null : this.waiting.splice(at, 1)[0]!;
  }

  untilLetGo(): Promise<void> {
    return new Promise((resolve) => this.heldBack.push(resolve));
  }

  letGo(): void {
    for (const go of this.heldBack.splice(0)) go();
  }
}

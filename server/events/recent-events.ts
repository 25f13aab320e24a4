/** The newest events that this process appended itself, so that they need not be read back from where they are kept. */
import type { LoggedEvent } from '#server/events/event-log.ts';

/** Of their bodies. A few seconds of a viral hour; what waits for longer is read back. */
const MOST_BYTES = 8 * 1024 * 1024;

export class RecentEvents {
  private readonly kept = new Map<number, { event: LoggedEvent | null }>();
  private readonly mostBytes: number;
  private bytes = 0;

  constructor(mostBytes = MOST_BYTES) {
    this.mostBytes = mostBytes;
  }

  /** @param event with a higher id than those before */
  keep(event: LoggedEvent): void {
    // A database that was restored gives ids out again.
    this.forget(event.id);
    this.kept.set(event.id, { event });
    this.bytes += event.body.length;
    for (const id of this.kept.keys()) {
      if (this.bytes <= this.mostBytes) return;
      this.forget(id);
    }
  }

  /** The lowest id that is kept, null when none is. Not all above it are: others append too. */
  first(): number | null {
    return this.kept.keys().next().value ?? null;
  }

  find(id: number): LoggedEvent | undefined {
    return this.kept.get(id)?.event ?? undefined;
  }

  forget(id: number): void {
    const found = this.kept.get(id);
    if (!found?.event) return;
    this.kept.delete(id);
    this.bytes -= found.event.body.length;
    // V8 keeps the tables that a map outgrew, with what was in them, until the next full collection.
    found.event = null;
  }
}

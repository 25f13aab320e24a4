import type { EngineConnection } from '#server/engine/deciding/connections.ts';
import type { LaneKind } from '#server/engine/outcomes/rows.ts';
import type { Lanes } from '#server/engine/sending/lanes.ts';

/** When each further message of a connection's lane gets its turn, those of the batch before it counted. */
export class Turns {
  private readonly lanes: Lanes;
  private readonly now: number;
  private readonly taken = new Map<string, number>();

  constructor(lanes: Lanes, now: number) {
    this.lanes = lanes;
    this.now = now;
  }

  next({ creatorId, id }: EngineConnection, kind: LaneKind): Date | null {
    const lane = this.lanes.of(creatorId, id, kind);
    const at = lane.turnAt(this.now, this.taken.get(`${id} ${kind}`) ?? 0);
    // A turn within a second is no waiting that anyone should read about.
    return Number.isFinite(at) && at > this.now + 1000 ? new Date(at) : null;
  }

  take({ id }: EngineConnection, kind: LaneKind): void {
    const key = `${id} ${kind}`;
    this.taken.set(key, (this.taken.get(key) ?? 0) + 1);
  }
}

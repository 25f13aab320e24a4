/**
 * Deliveries that need not stand in the queue: calls are set aside for them before they are inserted as `sending`, and
 * they are called right after the commit.
 */
import type { ClaimedDelivery } from '#server/engine/outcomes/rows.ts';
import type { Lane, Lanes } from './lanes.ts';

/** Calls set aside, by lane. */
export type Reservation = Map<Lane, number>;

/** Durably `sending` and not called yet. */
export type Begun = { delivery: ClaimedDelivery; lane: Lane };

export class Reservations {
  /** How many calls are set aside, for these too. */
  private reserved = 0;
  private begun: Begun[] = [];

  get count(): number {
    return this.reserved;
  }

  get hasBegun(): boolean {
    return this.begun.length > 0;
  }

  begunIds(): string[] {
    return this.begun.map(({ delivery }) => delivery.id);
  }

  /**
   * Sets calls aside. Each lane gets all that it asks for or nothing, so that the queue decides who goes first where not
   * all can go.
   *
   * @param free how many calls may be set aside
   */
  reserve(wanted: Reservation, free: number, now: number): Reservation {
    const granted: Reservation = new Map();
    let left = free;
    for (const [lane, count] of wanted) {
      if (count > left || count > lane.availableAtOnce(now)) continue;
      left -= count;
      this.add(lane, count);
      granted.set(lane, count);
    }
    return granted;
  }

  /** Reserved calls that are not needed. */
  giveBack(reservation: Reservation): void {
    for (const [lane, count] of reservation) this.add(lane, -count);
    reservation.clear();
  }

  /** These are durably `sending` now; the rest of the reservation is given back. */
  begin(reservation: Reservation, deliveries: ClaimedDelivery[], lanes: Lanes): void {
    for (const delivery of deliveries) {
      const lane = lanes.of(delivery.creator_id, delivery.connection_id, delivery.lane);
      reservation.set(lane, reservation.get(lane)! - 1);
      this.begun.push({ delivery, lane });
    }
    this.giveBack(reservation);
  }

  /** Hands out what is to be called now. */
  takeBegun(): Begun[] {
    const begun = this.begun;
    this.begun = [];
    for (const { lane } of begun) this.add(lane, -1);
    return begun;
  }

  /** Hands out what was not called yet on lanes that are others' now. */
  takeRetired(): ClaimedDelivery[] {
    const { retired = [], ours = [] } = Object.groupBy(this.takeBegun(), ({ lane }) =>
      lane.retired ? 'retired' : 'ours',
    );
    for (const { lane } of ours) this.add(lane, 1);
    this.begun = ours;
    return retired.map(({ delivery }) => delivery);
  }

  private add(lane: Lane, count: number): void {
    lane.reserved += count;
    this.reserved += count;
  }
}

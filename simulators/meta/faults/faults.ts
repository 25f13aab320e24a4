import { createHash } from 'node:crypto';
import type { FaultAction, FaultInput, FaultMatch, FaultView } from '../control/types.ts';
import type { GraphCall } from '../graph/call.ts';
import type { Update } from '../state/records.ts';
import type { World } from '../state/world.ts';

type WebhookFault = Extract<FaultAction, { kind: `webhook_${string}` }>;
export type GraphFault = Exclude<FaultAction, WebhookFault>;

interface Fault extends FaultInput {
  faultId: string;
  hits: number;
  until: number | null;
}

/** Misbehaviour on request. The first fault that fits a call hits it and uses up one of its times. */
export class Faults {
  readonly #world: World;
  readonly #seed: string;
  #faults: Fault[] = [];
  #count = 0;
  #draws = 0;

  constructor(world: World, seed: string) {
    this.#world = world;
    this.#seed = seed;
  }

  get any(): boolean {
    return this.#faults.length > 0;
  }

  add(input: FaultInput): FaultView {
    const fault: Fault = {
      ...input,
      faultId: `fault-${++this.#count}`,
      hits: 0,
      until: input.forMs === undefined ? null : this.#world.now() + input.forMs,
    };
    this.#faults.push(fault);
    return view(fault);
  }

  list(): FaultView[] {
    return this.#faults.map(view);
  }

  /** @returns whether there was such a fault */
  remove(faultId: string): boolean {
    const before = this.#faults.length;
    this.#faults = this.#faults.filter((fault) => fault.faultId !== faultId);
    return this.#faults.length < before;
  }

  clear(): void {
    this.#faults = [];
  }

  forCall(call: GraphCall): GraphFault | undefined {
    if (this.#faults.length === 0) return undefined;
    return this.#take((fault) => !fault.action.kind.startsWith('webhook_') && matchesCall(fault.match, call)) as
      | GraphFault
      | undefined;
  }

  forUpdate(update: Update): WebhookFault | undefined {
    if (this.#faults.length === 0) return undefined;
    return this.#take((fault) => fault.action.kind.startsWith('webhook_') && matchesUpdate(fault.match, update)) as
      | WebhookFault
      | undefined;
  }

  #take(fits: (fault: Fault) => boolean): FaultAction | undefined {
    const now = this.#world.now();
    this.#faults = this.#faults.filter((fault) => fault.until === null || fault.until > now);
    for (const fault of this.#faults) {
      if (!fits(fault)) continue;
      if (fault.probability !== undefined && this.#draw() >= fault.probability) continue;
      fault.hits += 1;
      const times = fault.times ?? (fault.until === null ? 1 : 0);
      if (times !== 0 && fault.hits >= times) this.remove(fault.faultId);
      return fault.action;
    }
    return undefined;
  }

  /** A number in [0, 1) that follows from the seed and the number of draws. */
  #draw(): number {
    return (
      createHash('sha256')
        .update(`${this.#seed}:${++this.#draws}`)
        .digest()
        .readUInt32BE() /
      2 ** 32
    );
  }
}

function matchesCall(match: FaultMatch | undefined, call: GraphCall): boolean {
  if (!match) return true;
  if (match.field !== undefined) return false;
  if (match.operation !== undefined && ![match.operation].flat().includes(call.operation)) return false;
  return (
    (match.accountId === undefined || match.accountId === call.account?.id) &&
    (match.recipientId === undefined || match.recipientId === call.recipientId) &&
    (match.personId === undefined || match.personId === call.personId) &&
    (match.commentId === undefined || match.commentId === call.commentId)
  );
}

function matchesUpdate(match: FaultMatch | undefined, update: Update): boolean {
  if (!match) return true;
  return (
    (match.field === undefined || match.field === update.field) &&
    (match.accountId === undefined || match.accountId === update.accountId) &&
    (match.commentId === undefined || match.commentId === update.subjectId)
  );
}

function view(fault: Fault): FaultView {
  const { until: _until, ...rest } = fault;
  return { ...rest };
}

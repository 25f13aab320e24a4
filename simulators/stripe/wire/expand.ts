/** `expand`: ids are replaced by what they name, up to four steps deep. */
import type { World } from '../world.ts';
import { Refusal } from './refusal.ts';

const MOST_STEPS = 4;

type Found = Record<string, unknown>;

/** @returns a copy of the answer @throws Refusal a path that leads nowhere */
export function expanded(world: World, answer: object, paths: string[]): object {
  const copy = structuredClone(answer) as Found;
  for (const path of paths) {
    const steps = path.split('.');
    const isOfList = steps[0] === 'data';
    if (steps.length - (isOfList ? 1 : 0) > MOST_STEPS) {
      throw wrong(`You cannot expand more than ${MOST_STEPS} levels of a property (Property: ${path}).`);
    }
    walk(world, copy, steps, path);
  }
  return copy;
}

function walk(world: World, at: Found, [step, ...rest]: string[], path: string): void {
  if (step === undefined) return;
  if (!(step in at)) throw wrong(`This property cannot be expanded (${path}).`);
  const value = at[step];
  if (value === null) return;
  if (Array.isArray(value)) {
    at[step] = value.map((one) => (typeof one === 'string' ? objectOf(world, one, path) : one));
    for (const one of at[step] as Found[]) walk(world, one, rest, path);
    return;
  }
  const inner = typeof value === 'string' ? objectOf(world, value, path) : (value as Found);
  at[step] = inner;
  walk(world, inner, rest, path);
}

function objectOf(world: World, id: string, path: string): Found {
  const shelves = [
    ...[
      world.customers,
      world.subscriptions,
      world.invoices,
      world.paymentMethods,
      world.paymentIntents,
      world.charges,
    ],
    ...[
      world.products,
      world.prices,
      world.coupons,
      world.promotionCodes,
      world.discounts,
      world.sessions,
      world.refunds,
    ],
    ...[world.schedules, world.portalConfigurations, world.disputes, world.balanceTransactions, world.payouts],
  ];
  for (const shelf of shelves) {
    const found = shelf.find(id);
    if (found !== undefined) return structuredClone(found) as unknown as Found;
  }
  throw wrong(`This property cannot be expanded (${path}).`);
}

function wrong(message: string): Refusal {
  return new Refusal(400, { type: 'invalid_request_error', param: 'expand', message });
}

import { afterAll, beforeAll, test } from 'vitest';
import { CASES } from './conformance.ts';
import { type StripeWorld, startStripeWorld } from './testing.ts';

let world: StripeWorld;
beforeAll(async () => {
  world = await startStripeWorld();
});
afterAll(() => world?.close());

test.each(CASES)('$name', ({ run }) => run(world.stripe));

/** Test clocks: they put the clock forward. There is one time here for everybody, whichever clock a customer is on. */
import { page } from '../wire/pages.ts';
import { Refusal, wrongParam } from '../wire/refusal.ts';
import type { Asked, Route } from '../wire/routes.ts';
import type { TestClockRow } from '../wire/rows.ts';
import type { World } from '../world.ts';
import { removeCustomer } from './subscriptions.ts';

const PATH = '/v1/test_helpers/test_clocks';
const KEPT_S = 30 * 86_400;

function create({ world, params }: Asked): TestClockRow {
  const clock = world.testClocks.add({
    ...{ id: world.id('clock'), object: 'test_helpers.test_clock', created: world.now(), livemode: world.livemode },
    ...{ deletes_after: world.now() + KEPT_S, frozen_time: world.now(), name: params.text('name') ?? null },
    ...{ status: 'ready', status_details: {} },
  } satisfies TestClockRow);
  world.emit('test_helpers.test_clock.created', clock);
  goTo(world, clock, params.whole('frozen_time'));
  return clock;
}

function advance({ world, params, ids: [id] }: Asked): TestClockRow {
  const clock = world.testClocks.get(id!);
  if (clock.status === 'advancing') {
    const message = 'The test clock is advancing. Wait until it is ready.';
    throw new Refusal(429, { type: 'invalid_request_error', code: 'test_clock_advancing', message });
  }
  goTo(world, clock, params.whole('frozen_time'));
  return clock;
}

/** It is ready when everything that is due until then has happened, and was told. */
function goTo(world: World, clock: TestClockRow, seconds: number | null | undefined): void {
  if (seconds == null) {
    throw wrongParam('frozen_time', 'Missing required param: frozen_time.', 'parameter_missing');
  }
  if (seconds < world.now()) throw wrongParam('frozen_time', 'Time does not go back here.');
  const details = { advancing: { target_frozen_time: seconds } };
  world.change(clock, { status: 'advancing', status_details: details }, 'test_helpers.test_clock.advancing');
  setImmediate(async () => {
    await world.shared.goTo(seconds);
    const ready = { status: 'ready' as const, status_details: {}, frozen_time: seconds };
    world.change(clock, ready, 'test_helpers.test_clock.ready');
  });
}

function remove({ world, ids: [id] }: Asked) {
  const clock = world.testClocks.get(id!);
  for (const customer of world.customers.all()) if (customer.test_clock === id) removeCustomer(world, customer);
  world.testClocks.remove(clock.id);
  world.emit('test_helpers.test_clock.deleted', clock);
  return { id: clock.id, object: 'test_helpers.test_clock', deleted: true };
}

export const testClocks: Route[] = [
  { method: 'GET', path: PATH, answer: ({ world, params }) => page(world.testClocks.newestFirst(), params, PATH) },
  { method: 'GET', path: `${PATH}/:id`, answer: ({ world, ids: [id] }) => world.testClocks.get(id!) },
  { method: 'POST', path: PATH, answer: create },
  { method: 'POST', path: `${PATH}/:id/advance`, answer: advance },
  { method: 'DELETE', path: `${PATH}/:id`, answer: remove },
];

import type { Faults } from '../faults/faults.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Rates } from '../limits/rates.ts';
import type { World } from '../state/world.ts';
import type { WebhookDelivery } from '../webhooks/delivery.ts';

/** The parts that rules work with, passed in rather than reached for. */
export interface MetaPlatform {
  world: World;
  rates: Rates;
  faults: Faults;
  ledger: Ledger;
  webhooks: WebhookDelivery;
  /** Calls that a fault makes slow: these take their time by the real clock, whatever the simulated one says. */
  slowCalls: Set<Promise<void>>;
}

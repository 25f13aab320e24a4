/**
 * `npm run stripe -- setup`: makes products, prices, the portal and the webhook endpoint at Stripe; docs/stripe.md. `start-over`: from a
 * test key to a live one. `conformance`: asks Stripe itself, with a test key, what the simulator is asked by its tests. Each
 * difference belongs into simulators/stripe/DIFFERENCES.md.
 */
import { pino } from 'pino';
import Stripe from 'stripe';
import { systemClock, systemIds } from '#server/clock.ts';
import { ConfigError, readConfig } from '#server/config.ts';
import { AppError } from '#server/errors.ts';
import { setUpConnect, setUpStripe } from '#server/features/billing/setting-up.ts';
import { forgetStripe } from '#server/features/billing/sync.ts';
import { createStripeClient } from '#server/platforms/stripe/client.ts';
import { CASES } from '#simulators/stripe/conformance.ts';
import { loadDotEnv } from './dot-env.ts';
import { Refused, withDatabase } from './with-database.ts';

const USAGE = `Usage:
  npm run stripe -- setup         makes what is missing at Stripe, and says what to set
  npm run stripe -- start-over    forgets customers, prices and calls of another key; everyone who paid is on the free plan
  npm run stripe -- conformance   compares the simulator with Stripe; needs a test key`;

const [command] = process.argv.slice(2);
try {
  loadDotEnv();
  if (command === 'setup') await setUp();
  else if (command === 'start-over') await startOver();
  else if (command === 'conformance') await compare(process.env.STRIPE_SECRET_KEY ?? '');
  else throw new Refused(USAGE);
} catch (error) {
  const isForPeople = [Refused, ConfigError, AppError, Stripe.errors.StripeError].some((kind) => error instanceof kind);
  console.error(isForPeople ? (error as Error).message : error);
  process.exitCode = 2;
}

async function setUp(): Promise<void> {
  withoutSecrets();
  const config = readConfig();
  const settings = config.stripe ?? config.fanStripe;
  if (settings === null) throw new Refused('Set STRIPE_SECRET_KEY first: docs/stripe.md.');
  const stripe = createStripeClient(settings);
  const log = pino({ level: 'silent' });
  if (config.fanStripe !== null) for (const line of await setUpConnect({ stripe, config })) console.log(line);
  if (config.stripe === null) return;
  await withDatabase(config, async (db) => {
    for (const line of await setUpStripe({ db, stripe, log, clock: systemClock, config })) console.log(line);
  });
}

/** They are what is about to be made. */
function withoutSecrets(): void {
  process.env.STRIPE_WEBHOOK_SECRETS ||= 'whsec_not_yet';
  process.env.STRIPE_CONNECT_WEBHOOK_SECRETS ||= 'whsec_not_yet';
}

async function startOver(): Promise<void> {
  withoutSecrets();
  await withDatabase(readConfig(), (db) => forgetStripe({ db, clock: systemClock, ids: systemIds }));
  console.log('Forgotten. Run `npm run stripe -- setup` with the new key.');
}

async function compare(key: string): Promise<void> {
  if (!/^[rs]k_test_/.test(key)) {
    throw new Refused(
      'Set STRIPE_SECRET_KEY to a test key (sk_test_…): the cases make customers and charge test cards.',
    );
  }
  const stripe = new Stripe(key, { telemetry: false });
  let differ = 0;
  for (const { name, run } of CASES) {
    const problem = await run(stripe).then(
      () => null,
      (error: Error) => error.message,
    );
    if (problem !== null) differ++;
    console.log(
      problem === null ? `ok      ${name}` : `differs ${name}\n        ${problem.replaceAll('\n', '\n        ')}`,
    );
  }
  console.log(`${CASES.length - differ} passed, ${differ} failed`);
  process.exitCode = differ === 0 ? 0 : 1;
}

/** A creator before the Stripe simulator, and its page for them to pay on. */
import { createHmac } from 'node:crypto';
import * as contract from '#contract/billing.ts';
import type { TestDatabase } from '#server/db/testing/test-database.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { describeCreator } from '#server/features/people/me.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { type StripeWorld, startStripeWorld } from '#simulators/stripe/testing.ts';
import type { BillingDeps } from '../billing-deps.ts';
import { feature } from '../feature.ts';

const WEBHOOK_SECRET = 'whsec_test';
const GOOD_CARD = '4242424242424242';

/** Those that delete are held where clocks jump. */
export const JOBS = feature.jobs!.filter((job) => !('deletesByAge' in job));

export type BillingWorld = Awaited<ReturnType<typeof startBillingWorld>>;
type Wish = { planId: string; interval: 'month' | 'year' };

/** @param db absent: one of its own */
export async function startBillingWorld({
  db,
  settings,
}: {
  db?: TestDatabase;
  settings?: Record<string, string>;
} = {}) {
  const world: StripeWorld = await startStripeWorld(Date.now());
  const app: TestApp = await createTestApp({
    ...(db !== undefined && { db }),
    settings: {
      STRIPE_SECRET_KEY: world.secretKey,
      STRIPE_API_URL: world.url,
      STRIPE_WEBHOOK_SECRETS: WEBHOOK_SECRET,
      ...settings,
    },
  });
  const deps: BillingDeps = { ...app.deps, stripe: app.deps.stripe! };
  return {
    ...{ app, deps, control: world.control, stripe: world.stripe, price: world.price, submit: world.submit },

    async owner(): Promise<Person & { creatorId: string }> {
      const person = await app.signUpAndIn();
      return { ...person, creatorId: (await person.createCreator()).id };
    },

    begin: (person: Person & { creatorId: string }, over: Partial<Wish> = {}) =>
      person.call(contract.startCheckout, {
        params: { creatorId: person.creatorId },
        body: { planId: 'creator-plan', interval: 'month', ...over },
      }),

    look: (person: Person & { creatorId: string }, url: string) =>
      person.call(contract.getCheckout, { params: { creatorId: person.creatorId, stripeSessionId: sessionOf(url) } }),

    pay: (url: string, number = GOOD_CARD, code = '') =>
      world.submit(url, { email: 'anna@example.com', name: 'Anna', number, code }),

    /** As `auth/me` tells it, also when sessions have ended by the clock. */
    read: (creatorId: string) => app.db.withCreator(creatorId, (trx) => describeCreator(trx, app.deps, creatorId)),

    /** Both clocks. */
    async pass(seconds: number): Promise<void> {
      await app.clock.advance(seconds * 1000);
      await world.control.advance(seconds);
    },

    /** What is due, until nothing is. */
    async work(): Promise<void> {
      while ((await runDue(JOBS, app.deps as JobDeps)) > 0);
    },

    async fetches(creatorId: string): Promise<number> {
      const customers = app.db.engine.selectFrom('stripe_customers').select('fetches_begun');
      return (await customers.where('creator_id', '=', creatorId).executeTakeFirstOrThrow()).fetches_begun;
    },

    /** A message as Stripe signs it, or somebody else. */
    message(event: object, { secret = WEBHOOK_SECRET, ageS = 0 } = {}) {
      const body = JSON.stringify(event);
      const at = Math.floor(app.clock.now().getTime() / 1000) - ageS;
      const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
      const headers = { 'stripe-signature': `t=${at},v1=${signature}`, 'content-type': 'application/json' };
      return { method: 'POST', url: '/webhooks/stripe/platform', body, headers };
    },

    async close(): Promise<void> {
      await app.close();
      await world.close();
    },
  };
}

export function sessionOf(url: string): string {
  return url.split('/').at(-1)!;
}

import type { AppDeps } from '#server/features/app-deps.ts';
import type { StripeClient } from '#server/platforms/stripe/client.ts';

/** Where plans can be paid for. */
export type BillingDeps = Pick<AppDeps, 'db' | 'clock' | 'ids' | 'log' | 'live' | 'automationsChanged'> & {
  stripe: StripeClient;
  config: { baseUrl: string };
};

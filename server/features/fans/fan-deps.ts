import type { AppDeps } from '#server/features/app-deps.ts';
import type { StripeAccounts } from '#server/platforms/stripe/client.ts';

/** Where readers can pay. */
export type FanDeps = Pick<
  AppDeps,
  'db' | 'clock' | 'ids' | 'log' | 'live' | 'automationsChanged' | 'keys' | 'config'
> & {
  accounts: StripeAccounts;
};

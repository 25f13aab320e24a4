import type { Transaction } from 'kysely';
import type { Tables } from '#server/db/types.ts';
import { countAgain } from './pass-counts.ts';

/** A simulator that began anew, or another key, knows no creator's account: whoever paid is out, prices stay as they were set. */
export async function forgetPayers(trx: Transaction<Tables>): Promise<void> {
  await trx.deleteFrom('fan_checkouts').execute();
  await trx.deleteFrom('fans').execute();
  await trx.deleteFrom('passes').where('source', '=', 'stripe').execute();
  await countAgain(trx);
  await trx.deleteFrom('money_lines').execute();
  await trx.deleteFrom('money_sums').execute();
  await trx.deleteFrom('payouts').execute();
  await trx.deleteFrom('stripe_accounts').execute();
  await trx.updateTable('tier_prices').set({ stripe_price_id: null }).execute();
}

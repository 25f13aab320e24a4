/** What customers have left with the account (below zero), or owe it, in cents: taken into account by their next invoice. */
import { page } from '../wire/pages.ts';
import { wrongParam } from '../wire/refusal.ts';
import type { Route } from '../wire/routes.ts';
import type { CustomerBalanceRow, CustomerRow } from '../wire/rows.ts';
import type { World } from '../world.ts';

const PATH = '/v1/customers/:id/balance_transactions';

type Move = Pick<CustomerBalanceRow, 'amount' | 'type'> &
  Partial<Pick<CustomerBalanceRow, 'invoice' | 'description' | 'metadata'>>;

export function moveBalance(world: World, customer: CustomerRow, move: Move): CustomerBalanceRow {
  const balance = customer.balance + move.amount;
  const made = world.customerBalances.add({
    ...{ id: world.id('cbtxn'), object: 'customer_balance_transaction', checkout_session: null, created: world.now() },
    ...{ credit_note: null, currency: customer.currency ?? 'usd', customer: customer.id, customer_account: null },
    ...{ description: null, ending_balance: balance, invoice: null, livemode: world.livemode, metadata: {}, ...move },
  } satisfies CustomerBalanceRow);
  world.change(customer, { balance }, 'customer.updated');
  return made;
}

export const balances: Route[] = [
  {
    method: 'GET',
    path: PATH,
    answer: ({ world, params, ids: [id] }) =>
      page(
        world.customerBalances.newestFirst().filter(({ customer }) => customer === id),
        params,
        PATH.replace(':id', id!),
      ),
  },
  {
    method: 'POST',
    path: PATH,
    answer({ world, params, ids: [id] }) {
      const customer = world.customers.get(id!);
      const amount = params.whole('amount');
      if (amount == null || amount === 0) throw wrongParam('amount', 'Missing required param.', 'parameter_missing');
      const currency = params.needText('currency');
      if (currency !== (customer.currency ?? currency)) throw wrongParam('currency', 'It is not their currency.');
      return moveBalance(world, customer, {
        ...{ amount, type: 'adjustment', description: params.text('description') ?? null },
        metadata: params.metadata(),
      });
    },
  },
];

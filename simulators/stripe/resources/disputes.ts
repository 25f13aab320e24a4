/** Disputes: a payer asks their bank for the money back, and the bank decides. And whether taxes could be collected. */

import { noteMoney } from '../payments.ts';
import { type Route, rows } from '../wire/routes.ts';
import type { DisputeRow } from '../wire/rows.ts';
import type { World } from '../world.ts';
import { moveFunds } from './funds.ts';

const DAYS_TO_ANSWER = 14;
const DAY_S = 86_400;

const NO_EVIDENCE = {
  ...{
    access_activity_log: null,
    billing_address: null,
    cancellation_policy: null,
    cancellation_policy_disclosure: null,
  },
  ...{ cancellation_rebuttal: null, customer_communication: null, customer_email_address: null, customer_name: null },
  ...{ customer_purchase_ip: null, customer_signature: null, duplicate_charge_documentation: null },
  ...{
    duplicate_charge_explanation: null,
    duplicate_charge_id: null,
    enhanced_evidence: {},
    product_description: null,
  },
  ...{ receipt: null, refund_policy: null, refund_policy_disclosure: null, refund_refusal_explanation: null },
  ...{
    service_date: null,
    service_documentation: null,
    shipping_address: null,
    shipping_carrier: null,
    shipping_date: null,
  },
  ...{
    shipping_documentation: null,
    shipping_tracking_number: null,
    uncategorized_file: null,
    uncategorized_text: null,
  },
} as const;

/** The money is gone until it is decided. */
export function dispute(world: World, chargeId: string): DisputeRow {
  const charge = world.charges.get(chargeId);
  world.change(charge, { disputed: true }, 'charge.updated');
  const made = world.disputes.add({
    ...{ id: world.id('du'), object: 'dispute', amount: charge.amount, balance_transactions: [], charge: charge.id },
    ...{ created: world.now(), currency: charge.currency, enhanced_eligibility_types: [], evidence: NO_EVIDENCE },
    evidence_details: {
      ...{
        due_by: world.now() + DAYS_TO_ANSWER * DAY_S,
        enhanced_eligibility: {},
        has_evidence: false,
        past_due: false,
      },
      ...{ submission_count: 0, submission_method: 'manual' },
    },
    ...{ intended_submission_method: null, is_charge_refundable: false, livemode: world.livemode, metadata: {} },
    ...{ payment_intent: charge.payment_intent, reason: 'general', status: 'needs_response' },
  } satisfies DisputeRow);
  const { amount, currency } = charge;
  moveFunds(world, { kind: 'dispute', cents: -amount, currency, source: made.id });
  noteMoney(world, 'disputed', charge, charge.amount);
  world.emit('charge.dispute.created', made);
  return made;
}

export function closeDispute(world: World, id: string, isWon: boolean): void {
  const found = world.disputes.get(id);
  if (isWon) {
    const { amount: cents, currency } = found;
    moveFunds(world, { kind: 'dispute_won', cents, currency, source: id });
    noteMoney(world, 'won_back', world.charges.get(found.charge), cents);
  }
  world.change(found, { status: isWon ? 'won' : 'lost' }, 'charge.dispute.closed');
}

export const disputes: Route[] = rows('/v1/disputes', (world) => world.disputes, ['charge', 'payment_intent']);

export const tax: Route[] = [
  {
    method: 'GET',
    path: '/v1/tax/settings',
    answer: ({ world }) => ({
      ...{ object: 'tax.settings', livemode: world.livemode, status: world.tax.isActive ? 'active' : 'pending' },
      ...{ defaults: { provider: 'stripe', tax_behavior: null, tax_code: null }, head_office: null },
      status_details: world.tax.isActive ? { active: {} } : { pending: { missing_fields: ['head_office'] } },
    }),
  },
  {
    method: 'GET',
    path: '/v1/tax/registrations',
    answer({ world, params }) {
      params.oneOf('status', ['active', 'all', 'expired', 'scheduled']);
      params.whole('limit');
      const data = world.tax.countries.map((country) => ({
        ...{
          id: `taxreg_${country}`,
          object: 'tax.registration',
          active_from: 0,
          country,
          country_options: {},
          created: 0,
        },
        ...{ expires_at: null, livemode: world.livemode, status: 'active' },
      }));
      return { object: 'list', data, has_more: false, url: '/v1/tax/registrations' };
    },
  },
];

/** Invoices, paying one that is open, and the page for card, address and tax ids. All of it is Stripe's, and asked for when it is looked at. */
import type Stripe from 'stripe';
import type { listInvoices as listInvoicesEndpoint } from '#contract/billing.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { AppError } from '#server/errors.ts';
import { type CallDeps, changeStripe } from '#server/platforms/stripe/calls.ts';
import { askStripe } from '#server/platforms/stripe/errors.ts';
import type { BillingDeps } from './billing-deps.ts';
import { needBought } from './subscriptions.ts';

const PAGE = 24;
/** A draft is nobody's yet. */
const SHOWN = ['open', 'paid', 'uncollectible', 'void'] as const;
type Shown = (typeof SHOWN)[number];

/** @param after the last invoice of the page before @throws AppError stripe_unreachable, payments_off */
export async function listInvoices(
  deps: BillingDeps,
  creatorId: string,
  { after }: { after?: string | undefined },
): Promise<ResponseOf<typeof listInvoicesEndpoint>> {
  const customer = await findCustomer(deps, creatorId);
  if (customer === null) return { items: [], next: null };
  const { data, has_more } = await askStripe(deps.stripe.invoicesOf(customer, { limit: PAGE, after }));
  return {
    items: data.flatMap((invoice) => {
      const status = SHOWN.find((one) => one === invoice.status);
      return status === undefined ? [] : describe(invoice, status);
    }),
    next: has_more ? (data.at(-1)?.id ?? null) : null,
  };
}

function describe(invoice: Stripe.Invoice, status: Shown) {
  const net = invoice.total_excluding_tax ?? invoice.total;
  return {
    ...{ id: invoice.id!, number: invoice.number, status },
    at: new Date((invoice.effective_at ?? invoice.created) * 1000).toISOString(),
    says: invoice.lines.data.at(-1)?.description ?? '',
    ...{ netCents: net, taxCents: invoice.total - net, totalCents: invoice.total, currency: invoice.currency },
    payUrl: status === 'open' ? (invoice.hosted_invoice_url ?? null) : null,
    pdfUrl: invoice.invoice_pdf ?? null,
  };
}

/** @returns Stripe's page for the payment that is due @throws AppError not_possible_now: none is; stripe_unreachable, payments_off */
export async function payDue(deps: BillingDeps, creatorId: string): Promise<{ url: string }> {
  const { stripe_subscription_id: id } = await needBought(deps, creatorId);
  const [due] = await askStripe(deps.stripe.openInvoicesOf(id));
  const url = due?.hosted_invoice_url;
  if (!url) throw new AppError('not_possible_now', 'Nothing is due. Reload the page.');
  return { url };
}

/** @returns Stripe's page for card, address and tax ids: canceling and changing the plan are ours @throws as `payDue` */
export async function openPortal(deps: BillingDeps, creatorId: string): Promise<{ url: string }> {
  const customer = await findCustomer(deps, creatorId);
  if (customer === null) throw new AppError('not_possible_now', 'There is no plan that you pay for.');
  const configuration = await makePortal(deps);
  const return_url = `${deps.config.baseUrl}/creator-hq/settings?tab=plan`;
  return { url: await askStripe(deps.stripe.portalUrl({ customer, configuration, return_url })) };
}

/** @returns the id of what that page offers, made once */
export function makePortal(deps: CallDeps): Promise<string> {
  return changeStripe(deps, {
    ...{
      creatorId: null,
      verb: 'create_portal',
      key: deps.account === undefined ? 'portal:1' : `${deps.account}:portal:2`,
    },
    params: {
      features: {
        payment_method_update: { enabled: true },
        customer_update: { enabled: true, allowed_updates: ['address', 'name', 'tax_id'] },
        // Of ours a creator has a list of their own.
        invoice_history: { enabled: deps.account !== undefined },
      },
    },
  });
}

async function findCustomer({ db }: BillingDeps, creatorId: string): Promise<string | null> {
  const known = await db.engine
    .selectFrom('stripe_customers')
    .select('customer_id')
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  return known?.customer_id ?? null;
}

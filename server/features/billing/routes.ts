import type { FastifyInstance } from 'fastify';
import * as money from '#contract/admin-money.ts';
import * as contract from '#contract/billing.ts';
import { AppError } from '#server/errors.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { serve } from '#server/http/serve.ts';
import { changePlan as changePlanOnSale, describeMoney, giveMoreDays, movePayers, syncPlan } from './admin-money.ts';
import { changePlan, previewChange } from './changing.ts';
import { readCheckout, startCheckout } from './checkout.ts';
import { cancelPlan, keepPlan, refundPlan } from './ending.ts';
import { listInvoices, openPortal, payDue } from './invoices.ts';
import { readSubscriptions } from './subscriptions.ts';
import { refreshSubscription, takeEvent } from './sync.ts';

const MAX_BODY_BYTES = 256 * 1024;

export async function registerBilling(app: FastifyInstance, deps: RouteDeps): Promise<void> {
  const billing = () => {
    if (deps.stripe === null) throw new AppError('payments_off', 'Nothing has to be paid on this Creator HQ.');
    return { ...deps, stripe: deps.stripe };
  };

  serve(app, deps, contract.startCheckout, ({ creatorId, body }) => startCheckout(billing(), creatorId, body));

  serve(app, deps, contract.getCheckout, ({ creatorId, params }) =>
    readCheckout(deps, creatorId, params.stripeSessionId),
  );

  serve(app, deps, contract.cancelPlan, async ({ creatorId, body }) => {
    await cancelPlan(billing(), creatorId, body.reason);
    return { message: 'Plan canceled. It runs until the end of what you paid for.' };
  });

  serve(app, deps, contract.keepPlan, async ({ creatorId }) => {
    await keepPlan(billing(), creatorId);
    return { message: 'Your plan goes on.' };
  });

  serve(app, deps, contract.refundPlan, async ({ creatorId }) => {
    await refundPlan(billing(), creatorId);
    return { message: 'Your plan has ended. You get back all you paid for it.' };
  });

  serve(app, deps, contract.previewPlanChange, ({ creatorId, body }) => previewChange(billing(), creatorId, body));

  serve(app, deps, contract.changePlan, ({ creatorId, body }) => changePlan(billing(), creatorId, body.token));

  serve(app, deps, contract.payDue, ({ creatorId }) => payDue(billing(), creatorId));

  serve(app, deps, contract.refreshPlan, async ({ creatorId }) => {
    await refreshSubscription(billing(), creatorId);
    return { message: 'This is how it is.' };
  });

  serve(app, deps, contract.openPortal, ({ creatorId }) => openPortal(billing(), creatorId));

  serve(app, deps, contract.listInvoices, ({ creatorId, query }) => listInvoices(billing(), creatorId, query));

  serve(app, deps, contract.listSubscriptions, ({ inCreator }) => inCreator(readSubscriptions));

  serve(app, deps, money.adminGetMoney, () => describeMoney(deps));

  serve(app, deps, money.adminChangePlan, async ({ params, body, signedIn }) => {
    await changePlanOnSale(deps, signedIn, params.planId, body);
    return { message: 'Everyone who buys it from now on pays this.' };
  });

  serve(app, deps, money.adminMovePayers, async ({ params, body, signedIn }) => {
    await movePayers(billing(), signedIn, params.planId, body);
    return { message: 'They’re told by email.' };
  });

  serve(app, deps, money.adminSyncPlan, async ({ params, signedIn }) => {
    await syncPlan(billing(), signedIn, params.adminCreatorId);
    return { message: 'The copy is as Stripe says.' };
  });

  serve(app, deps, money.adminGiveDays, async ({ params, body, signedIn }) => {
    await giveMoreDays(billing(), signedIn, { creatorId: params.adminCreatorId, ...body });
    return { message: 'Fourteen more days given.' };
  });

  await app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    const options = { bodyLimit: MAX_BODY_BYTES, config: { webhook: 'stripe', crossSite: 'allowed' } } as const;
    raw.post('/webhooks/stripe/platform', options, async (request, reply) => {
      // With plans off, members may pay into this account.
      const stripe = deps.stripe ?? deps.accounts?.platform;
      if (stripe === undefined) throw new AppError('not_found', 'Nothing has to be paid on this Creator HQ.');
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const signature = request.headers['stripe-signature'];
      const event = stripe.readEvent(bytes, typeof signature === 'string' ? signature : '', deps.clock.now());
      if (event === null)
        throw new AppError('not_allowed', 'This call isn’t from Stripe, is too old, or the secret here is wrong.');
      await takeEvent({ ...deps, stripe }, event);
      return reply.type('text/plain').send('OK');
    });
  });
}

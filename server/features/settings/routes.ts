import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/settings.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { changeCustomerEmail } from '#server/features/billing/checkout.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { changeBillingEmail, readBillingEmail } from './billing-email.ts';
import { cancelDeletion, readDeletion, requestDeletion } from './deletion.ts';
import { changeChoices, readChoices } from './notifications.ts';
import { changeTimeZone, readTimeZone } from './time-zone.ts';

export function registerSettings(
  app: FastifyInstance,
  deps: ServeDeps & Pick<AppDeps, 'automationsChanged' | 'config' | 'ids' | 'live' | 'log' | 'stripe'>,
): void {
  serve(app, deps, contract.getNotifications, ({ creatorId, signedIn, inCreator }) =>
    inCreator((trx) => readChoices(trx, { creatorId, userId: signedIn.user.id })),
  );

  serve(app, deps, contract.changeNotifications, async ({ creatorId, signedIn, inCreator, body }) => {
    await inCreator((trx) => changeChoices(trx, { creatorId, userId: signedIn.user.id }, body));
    return body;
  });

  serve(app, deps, contract.getTimeZone, ({ creatorId, inCreator }) =>
    inCreator((trx) => readTimeZone(trx, creatorId)),
  );

  serve(app, deps, contract.changeTimeZone, async ({ creatorId, inCreator, body }) => {
    const chosen = await inCreator((trx) => changeTimeZone(trx, creatorId, body));
    deps.live.publish(creatorId, { what: 'account' });
    return chosen;
  });

  serve(app, deps, contract.getBillingEmail, async ({ creatorId }) => ({
    email: await readBillingEmail(deps, creatorId),
  }));

  serve(app, deps, contract.changeBillingEmail, async ({ creatorId, body }) => {
    // Stripe sends the invoices: it is told first.
    if (deps.stripe !== null) await changeCustomerEmail({ ...deps, stripe: deps.stripe }, creatorId, body.email);
    await changeBillingEmail(deps, creatorId, body.email);
    return body;
  });

  serve(app, deps, contract.getDeletion, ({ creatorId }) => readDeletion(deps, creatorId));

  serve(app, deps, contract.requestDeletion, async ({ creatorId, signedIn, body }) => {
    const planned = await requestDeletion(deps, { creatorId, userId: signedIn.user.id, ...body });
    deps.live.publish(creatorId, { what: 'account' });
    // Waiting messages were dropped.
    deps.live.publish(creatorId, { what: 'interactions' });
    return planned;
  });

  serve(app, deps, contract.cancelDeletion, async ({ creatorId }) => {
    await cancelDeletion(deps, creatorId);
    deps.live.publish(creatorId, { what: 'account' });
    return { message: 'The account won’t be deleted, and automations reply again.' };
  });
}

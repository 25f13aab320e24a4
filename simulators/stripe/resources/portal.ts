/** The portal: a page where payers change card and address. What it may do is said by a configuration. */

import type { Params } from '../wire/params.ts';
import { wrongParam } from '../wire/refusal.ts';
import { type Asked, type Route, rows } from '../wire/routes.ts';
import type { PortalConfigurationRow, PortalSessionRow } from '../wire/rows.ts';

const CONFIGURATIONS = '/v1/billing_portal/configurations';
const UPDATES = ['address', 'email', 'name', 'phone', 'shipping', 'tax_id'] as const;

function createConfiguration({ world, params }: Asked): PortalConfigurationRow {
  const features = params.part('features');
  if (features === undefined) throw wrongParam('features', 'Missing required param: features.', 'parameter_missing');
  const profile = params.part('business_profile');
  return world.portalConfigurations.add({
    ...{ id: world.id('bpc'), object: 'billing_portal.configuration', active: true, application: null },
    business_profile: {
      headline: profile?.text('headline') ?? null,
      privacy_policy_url: profile?.text('privacy_policy_url') ?? null,
      terms_of_service_url: profile?.text('terms_of_service_url') ?? null,
    },
    ...{
      created: world.now(),
      default_return_url: params.text('default_return_url') ?? null,
      features: featuresIn(features),
    },
    ...{ is_default: world.portalConfigurations.all().length === 0, livemode: world.livemode },
    ...{ login_page: { enabled: false, url: null }, metadata: params.metadata(), name: params.text('name') ?? null },
    updated: world.now(),
  } satisfies PortalConfigurationRow);
}

function featuresIn(features: Params): PortalConfigurationRow['features'] {
  const customer = features.part('customer_update');
  const allowed = (customer?.texts('allowed_updates') ?? []).map((one) => {
    const known = UPDATES.find((update) => update === one);
    if (known === undefined) throw wrongParam('features[customer_update][allowed_updates]', `Invalid value: ${one}`);
    return known;
  });
  const isOn = (name: string) => features.part(name)?.flag('enabled') ?? false;
  return {
    customer_update: { allowed_updates: allowed, enabled: customer?.flag('enabled') ?? false },
    invoice_history: { enabled: isOn('invoice_history') },
    payment_method_update: { enabled: isOn('payment_method_update'), payment_method_configuration: null },
    subscription_cancel: {
      cancellation_reason: { enabled: false, feedback_options: null, options: [] },
      ...{ enabled: isOn('subscription_cancel'), mode: 'at_period_end', proration_behavior: 'none' },
    },
    subscription_pause: {
      duration: { interval_options: [{ interval: 'month', interval_count: 1 }], type: 'interval_options' },
      enabled: isOn('subscription_pause'),
    },
    subscription_update: {
      ...{
        billing_cycle_anchor: null,
        default_allowed_updates: [],
        enabled: isOn('subscription_update'),
        products: null,
      },
      ...{ proration_behavior: 'none', schedule_at_period_end: { conditions: [] }, trial_update_behavior: 'end_trial' },
    },
  };
}

function createSession({ world, params }: Asked): PortalSessionRow {
  const customer = world.customers.get(params.needText('customer'), 'customer');
  const named = params.text('configuration');
  const configuration =
    named == null
      ? world.portalConfigurations.all().find(({ is_default }) => is_default)
      : world.portalConfigurations.get(named, 'configuration');
  if (configuration === undefined) {
    throw wrongParam('configuration', 'No configuration provided and your default configuration has not been created.');
  }
  const id = world.id('bps');
  return world.portalSessions.add({
    ...{
      id,
      object: 'billing_portal.session',
      configuration: configuration.id,
      created: world.now(),
      customer: customer.id,
    },
    ...{ customer_account: null, flow: null, livemode: world.livemode, locale: null, on_behalf_of: null },
    ...{ return_url: params.text('return_url') ?? configuration.default_return_url, url: `${world.url}/portal/${id}` },
  } satisfies PortalSessionRow);
}

export const portal: Route[] = [
  ...rows(CONFIGURATIONS, (world) => world.portalConfigurations),
  { method: 'POST', path: CONFIGURATIONS, answer: createConfiguration },
  {
    method: 'POST',
    path: `${CONFIGURATIONS}/:id`,
    answer({ world, params, ids: [id] }) {
      const configuration = world.portalConfigurations.get(id!);
      const features = params.part('features');
      const address = params.text('default_return_url');
      Object.assign(configuration, {
        ...{
          active: params.flag('active') ?? configuration.active,
          metadata: params.metadata(configuration.metadata ?? {}),
        },
        ...(features !== undefined && { features: featuresIn(features) }),
        ...(address !== undefined && { default_return_url: address }),
        updated: world.now(),
      });
      return configuration;
    },
  },
  { method: 'POST', path: '/v1/billing_portal/sessions', answer: createSession },
];

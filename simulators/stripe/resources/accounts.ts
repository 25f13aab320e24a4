/** Connected accounts, as v2 has them: begun by a call, filled in on a page of Stripe's, and in one of a few states ever after. */
import type Stripe from 'stripe';
import type { Params } from '../wire/params.ts';
import { noSuch, Refusal, wrongParam } from '../wire/refusal.ts';
import type { Asked, Route } from '../wire/routes.ts';
import type { AccountRow, DestinationRow } from '../wire/rows.ts';
import type { World } from '../world.ts';

const DAY_S = 86_400;
const LINK_GOOD_FOR_S = 5 * 60;

/** What Stripe thinks of an account: `in_review` waits for Stripe, `unfinished`, `due_soon` and `past_due` for its owner. */
export const ACCOUNT_STATES = [
  ...(['unfinished', 'in_review', 'ready', 'payouts_wait', 'due_soon', 'past_due', 'paused', 'closed'] as const),
] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

type Capability = Stripe.V2.Core.Account.Configuration.Merchant.Capabilities.CardPayments;
type Entry = Stripe.V2.Core.Account.Requirements.Entry;

const ACTIVE: Capability = { status: 'active', status_details: [] };
const waiting = (
  status: Capability['status'],
  code: Capability['status_details'][number]['code'],
  resolution: Capability['status_details'][number]['resolution'],
): Capability => ({ status, status_details: [{ code, resolution }] });
const NEEDS_MORE = waiting('restricted', 'requirements_past_due', 'provide_info');
const IN_REVIEW = waiting('pending', 'requirements_pending_verification', 'no_resolution');
const REFUSED = waiting('restricted', 'rejected_other', 'contact_stripe');

/** Links by their key, each good for one visit. */
const links = new WeakMap<World, Map<string, { account: string; useCase: Required<Onboarding>; expiresAt: number }>>();
type Onboarding = Stripe.V2.Core.AccountLink.UseCase.AccountOnboarding;
const states = new WeakMap<AccountRow, AccountState>();

export function stateOf(account: AccountRow): AccountState {
  return states.get(account) ?? 'unfinished';
}

function merchantIn(state: AccountState): { card: Capability; payouts: Capability; entries: Entry[] } {
  const asks = (description: string, from: 'stripe' | 'user', status: Entry['minimum_deadline']['status']) => [
    {
      ...{ awaiting_action_from: from, description, errors: [], requested_reasons: [{ code: 'routine_onboarding' }] },
      impact: { restricts_capabilities: [] },
      minimum_deadline: { status },
    } satisfies Entry,
  ];
  switch (state) {
    case 'ready':
      return { card: ACTIVE, payouts: ACTIVE, entries: [] };
    case 'in_review':
      return {
        card: IN_REVIEW,
        payouts: IN_REVIEW,
        entries: asks('identity.individual.documents', 'stripe', 'currently_due'),
      };
    case 'payouts_wait':
      return { card: ACTIVE, payouts: NEEDS_MORE, entries: asks('defaults.payout_methods', 'user', 'past_due') };
    case 'due_soon':
      return { card: ACTIVE, payouts: ACTIVE, entries: asks('identity.individual.documents', 'user', 'currently_due') };
    case 'past_due':
      return {
        card: NEEDS_MORE,
        payouts: NEEDS_MORE,
        entries: asks('identity.individual.documents', 'user', 'past_due'),
      };
    case 'paused':
    case 'closed':
      return { card: REFUSED, payouts: REFUSED, entries: [] };
    case 'unfinished':
      return {
        card: NEEDS_MORE,
        payouts: NEEDS_MORE,
        entries: asks('defaults.payout_methods', 'user', 'currently_due'),
      };
  }
}

/** Told by a thin event to the platform, and by `account.updated` to whoever hears of connected accounts. */
export function setState(world: World, id: string, state: AccountState): void {
  const account = world.platform.accounts.get(id);
  states.set(account, state);
  const { card, payouts, entries } = merchantIn(state);
  const deadline = { status: entries[0]?.minimum_deadline.status ?? 'eventually_due' } as const;
  const isDue = state === 'due_soon';
  const time = new Date((world.now() + 14 * DAY_S) * 1000).toISOString();
  Object.assign(account, {
    configuration: {
      merchant: { applied: true, capabilities: { card_payments: card, stripe_balance: { payouts } } },
    },
    requirements: {
      entries,
      ...(entries.length > 0 && { summary: { minimum_deadline: { ...deadline, ...(isDue && { time }) } } }),
    },
    closed: state === 'closed',
  } satisfies Partial<AccountRow>);
  const types =
    state === 'closed'
      ? ['v2.core.account.closed']
      : ['v2.core.account[requirements].updated', 'v2.core.account[configuration.merchant].capability_status_updated'];
  for (const type of types) tellThin(world, type, account.id);
  const connected = world.platform.connected.get(id)!;
  if (state === 'closed')
    connected.emit('account.application.deauthorized', { id: 'ca_simulated', object: 'application' });
  else connected.emit('account.updated', { id, object: 'account' });
}

function tellThin(world: World, type: string, account: string): void {
  world.shared.onEvent({
    ...{ id: world.id('evt'), object: 'v2.core.event', created: isoNow(world), livemode: world.livemode, type },
    related_object: { id: account, type: 'v2.core.account', url: `/v2/core/accounts/${account}` },
  });
}

export function canCharge(world: World): boolean {
  if (world.account === null) return true;
  const { configuration } = world.platform.accounts.get(world.account);
  return configuration?.merchant?.capabilities?.card_payments?.status === 'active';
}

export function canPayOut(world: World): boolean {
  const { configuration } = world.platform.accounts.get(world.account!);
  return configuration?.merchant?.capabilities?.stripe_balance?.payouts?.status === 'active';
}

function isoNow(world: World): string {
  return new Date(world.now() * 1000).toISOString();
}

/** What is not asked for by `include` is left out [S]. */
function shown(account: AccountRow, params: Params): AccountRow {
  const wanted = params.texts('include') ?? [];
  const { configuration, requirements, defaults, identity, ...rest } = account;
  return {
    ...rest,
    ...(wanted.includes('configuration.merchant') && configuration !== undefined && { configuration }),
    ...(wanted.includes('requirements') && requirements !== undefined && { requirements }),
    ...(wanted.includes('defaults') && defaults !== undefined && { defaults }),
    ...(wanted.includes('identity') && identity !== undefined && { identity }),
  };
}

function create({ world, params }: Asked): AccountRow {
  const merchant = params.part('configuration')?.part('merchant');
  const isAsked = merchant?.part('capabilities')?.part('card_payments')?.flag('requested');
  if (isAsked !== true) throw wrongParam('configuration.merchant', 'This simulator plays merchants with cards alone.');
  const dashboard = params.oneOf('dashboard', ['express', 'full', 'none']);
  const defaults = params.part('defaults');
  const said = defaults?.part('responsibilities');
  const owner = ['application', 'stripe'] as const;
  const responsibilities = {
    fees_collector: said?.oneOf('fees_collector', owner) ?? 'stripe',
    losses_collector: said?.oneOf('losses_collector', owner) ?? 'stripe',
    requirements_collector: 'stripe' as const,
  };
  const currency = defaults?.text('currency');
  const country = params.part('identity')?.text('country');
  const [email, name] = [params.text('contact_email'), params.text('display_name')];
  const account = world.accounts.add({
    ...{
      id: world.id('acct'),
      object: 'v2.core.account',
      applied_configurations: ['merchant'],
      created: isoNow(world),
    },
    ...{ livemode: world.livemode, closed: false, metadata: params.metadata() },
    ...(email != null && { contact_email: email }),
    ...(name != null && { display_name: name }),
    ...(dashboard !== undefined && { dashboard }),
    defaults: { responsibilities, ...(currency != null && { currency }) },
    ...(country != null && { identity: { country } }),
  } satisfies AccountRow);
  world.connect(account.id);
  setState(world, account.id, 'unfinished');
  return shown(account, params);
}

function link({ world, params }: Asked): Stripe.V2.Core.AccountLink {
  const account = world.accounts.get(params.needText('account'), 'account');
  const useCase = params.part('use_case');
  const type = useCase?.oneOf('type', ['account_onboarding', 'account_update']);
  const part = type === undefined ? undefined : useCase?.part(type);
  part?.part('collection_options')?.oneOf('fields', ['currently_due', 'eventually_due']);
  part?.texts('configurations');
  if (type === undefined || part === undefined) throw wrongParam('use_case', 'Missing required param: use_case.');
  if (account.closed) throw noSuch('account', account.id, 'account');
  const addresses = { refresh_url: part.needText('refresh_url'), return_url: part.needText('return_url') };
  const key = world.id('link');
  const expiresAt = world.now() + LINK_GOOD_FOR_S;
  const known = links.get(world) ?? new Map();
  links.set(world, known);
  known.set(key, { account: account.id, useCase: { ...addresses, collection_options: {} }, expiresAt });
  return {
    ...{ object: 'v2.core.account_link', account: account.id, created: isoNow(world), livemode: world.livemode },
    expires_at: new Date(expiresAt * 1000).toISOString(),
    ...{ url: `${world.url}/onboarding/${key}`, use_case: { type, [type]: addresses } },
  };
}

/** @returns null: it is used up, or too old @param key of the link */
export function visitLink(world: World, key: string, isDone: boolean) {
  const found = links.get(world)?.get(key);
  if (found === undefined) return undefined;
  const { account, useCase, expiresAt } = found;
  if (expiresAt <= world.now()) return { account: null, useCase };
  if (isDone) found.expiresAt = 0;
  return { account: world.accounts.get(account), useCase };
}

function listen({ world, webhooks, params }: Asked): DestinationRow {
  if (params.needText('event_payload') !== 'thin')
    throw wrongParam('event_payload', 'This simulator plays thin events alone.');
  const include = params.texts('include') ?? [];
  params.texts('events_from');
  const url = params.part('webhook_endpoint')?.needText('url');
  if (url === undefined || params.needText('type') !== 'webhook_endpoint')
    throw new Refusal(400, { type: 'invalid_request_error', message: 'Missing required param: webhook_endpoint.' });
  const made = world.destinations.add({
    ...{ id: world.id('ed'), object: 'v2.core.event_destination', created: isoNow(world), updated: isoNow(world) },
    ...{ description: params.text('description') ?? '', enabled_events: params.texts('enabled_events') ?? [] },
    ...{ event_payload: 'thin', livemode: world.livemode, name: params.needText('name'), status: 'enabled' },
    ...{ type: 'webhook_endpoint', webhook_endpoint: { url } },
  } satisfies DestinationRow);
  const secret = webhooks.newSecret(made.id);
  const isTold = include.includes('webhook_endpoint.signing_secret');
  return isTold ? { ...made, webhook_endpoint: { url, signing_secret: secret } } : made;
}

const PATH = '/v2/core/accounts';
const DESTINATIONS = '/v2/core/event_destinations';

export const accounts: Route[] = [
  { method: 'POST', path: PATH, answer: create },
  {
    method: 'GET',
    path: `${PATH}/:id`,
    answer: ({ world, params, ids: [id] }) => shown(world.accounts.get(id!), params),
  },
  {
    method: 'POST',
    path: `${PATH}/:id/close`,
    answer({ world, params, ids: [id] }) {
      params.texts('applied_configurations');
      setState(world, world.accounts.get(id!).id, 'closed');
      return shown(world.accounts.get(id!), params);
    },
  },
  { method: 'POST', path: '/v2/core/account_links', answer: link },
  { method: 'POST', path: DESTINATIONS, answer: listen },
  {
    method: 'GET',
    path: DESTINATIONS,
    answer({ world, params }) {
      params.texts('include');
      params.whole('limit');
      return { data: world.destinations.all(), next_page_url: null, previous_page_url: null };
    },
  },
];

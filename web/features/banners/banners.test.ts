import { expect, it } from 'vitest';
import type * as z from 'zod/mini';
import type { Me, TokenDetail } from '#contract/session.ts';
import type { Invite } from '#contract/team.ts';
import { bannersFor, pluginBanner } from '#web/features/banners/banners.ts';
import { EXAMPLE_ME } from '#web/shell/testing/example-me.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

const FINE: z.infer<typeof TokenDetail> = {
  rateLimited: false,
  pauseWebhooks: { instagram: false, facebook: false },
  missingPermissions: [],
  missingWebhooks: [],
  requiresAuth: false,
  needsFacebookUserToken: false,
  policyBlocked: false,
};

const INVITE: Invite = {
  inviteId: '0197a0aa-0000-7000-8000-0000000000b1',
  creatorAccountHandle: 'ben.bakes',
  creatorAccountAvatar: null,
  invitedBy: 'Ben',
  role: 'collaborator',
  expiresAt: '2026-11-27T12:00:00Z',
};

/** With an Instagram account whose token is as given. */
function withToken(detail: Partial<typeof FINE>, rest: Partial<Me> = {}): Me {
  return { ...EXAMPLE_ME, tokenDetails: { INSTAGRAM_BUSINESS_USER: { ...FINE, ...detail } }, ...rest };
}

function shown(me: Me, invites: Invite[] = []) {
  return bannersFor(me, null, invites, NOW);
}

const ids = (me: Me, invites: Invite[] = []) => shown(me, invites).map(({ id }) => id);

it('says nothing while all is well, or while nothing is known yet', () => {
  expect(shown(withToken({}))).toEqual([]);
  expect(bannersFor(EXAMPLE_ME, null, null, NOW)).toEqual([]);
});

it('tells of viral rate limiting, how many wait and until when', () => {
  const queue = { waiting: 1204, doneAt: '2026-11-20T14:20:00Z' };
  const [banner] = shown(withToken({ rateLimited: true }, { queue }));
  expect(banner?.text).toBe(
    'Congrats on going viral! DM sends are currently being rate limited by the platform... delays are to be expected',
  );
  expect(banner?.detail).toMatch(/^1,204 messages are waiting; all sent by \d/);
  expect(shown(withToken({ rateLimited: true }, { queue: { waiting: 1, doneAt: null } }))[0]?.detail).toMatch(
    /^1 message is waiting; sending resumes/,
  );
  expect(ids(withToken({ rateLimited: false }, { queue }))).toEqual([]);
});

it('tells that Meta has blocked the Page, before everything that can wait', () => {
  const blocked = withToken({ policyBlocked: true, missingWebhooks: ['feed'] });
  expect(ids(blocked)).toEqual(['policy-blocked', 'missing-grants']);
  expect(shown(blocked)[0]).toMatchObject({ variant: 'error', dismissible: false });
});

it('tells of paused webhooks for Instagram, Facebook or both', () => {
  const paused = (instagram: boolean, facebook: boolean) =>
    shown(withToken({ pauseWebhooks: { instagram, facebook } })).map(({ text, detail }) => `${text} ${detail}`);
  const rest =
    'are paused right now. The issue is being resolved. Paused comments and messages are sent retroactively.';
  expect(paused(true, false)).toEqual([`Comments and messages from Instagram ${rest}`]);
  expect(paused(false, true)).toEqual([`Comments and messages from Facebook ${rest}`]);
  expect(paused(true, true)).toEqual([`Comments and messages from Instagram and Facebook ${rest}`]);
  expect(paused(false, false)).toEqual([]);
});

it('sends to Settings to reconnect when permissions and/or webhooks are missing', () => {
  const missing = (missingPermissions: string[], missingWebhooks: string[]) =>
    shown(withToken({ missingPermissions, missingWebhooks })).map(({ text }) => text);
  expect(missing(['a'], [])).toEqual(['Your account is missing permissions.']);
  expect(missing([], ['b'])).toEqual(['Your account is missing webhooks.']);
  expect(missing(['a'], ['b'])).toEqual(['Your account is missing permissions and webhooks.']);
  expect(missing([], [])).toEqual([]);
  const [banner] = shown(withToken({ missingPermissions: ['a'] }));
  expect(banner).toMatchObject({
    detail: 'Go to Settings to reconnect.',
    action: { to: '/creator-hq/settings?tab=connections' },
    dismissible: false,
  });
});

it('asks to reconnect the account in Settings when requiresAuth, so DMs resume', () => {
  expect(shown(withToken({ requiresAuth: true }))[0]).toMatchObject({
    id: 'requires-auth',
    detail: 'Reconnect the account in Settings so DMs resume.',
    dismissible: false,
  });
  expect(ids(withToken({ requiresAuth: false }))).toEqual([]);
});

it('shows the Meta authentication update notice for a page token without an Instagram user token', () => {
  const page: Me = { ...EXAMPLE_ME, tokenDetails: { FACEBOOK_BUSINESS_PAGE: FINE } };
  expect(shown(page)[0]?.text).toBe('Action Required... Reconnect now in Settings');
  const both: Me = { ...EXAMPLE_ME, tokenDetails: { FACEBOOK_BUSINESS_PAGE: FINE, INSTAGRAM_BUSINESS_USER: FINE } };
  expect(ids(both)).toEqual([]);
});

it('says until when a requested deletion can be taken back, and where', () => {
  const deleteAt = '2026-12-04T12:00:00Z';
  const me = (at: string | null, role: Me['role'] = 'owner'): Me => ({
    ...EXAMPLE_ME,
    role,
    creatorAccount: { ...EXAMPLE_ME.creatorAccount!, deleteAt: at },
  });
  expect(ids(me(null))).toEqual([]);
  const [banner] = shown(me(deleteAt));
  expect(banner).toMatchObject({
    id: 'deletion',
    text: '@ada.cooks will be deleted. Its automations are off until then.',
    action: { to: '/creator-hq/settings?tab=data' },
    dismissible: false,
  });
  expect(banner?.detail).toMatch(/^You can cancel this until Dec \d+, 2026, .+ in Settings > Privacy & data\.$/);
  expect(shown(me(deleteAt, 'collaborator'))[0]?.detail).toMatch(/^An owner can cancel this until /);

  const lastMoment = bannersFor(me(deleteAt), null, null, Date.parse(deleteAt) - 1);
  expect(lastMoment[0]?.action).toBeDefined();
  const [over] = bannersFor(me(deleteAt), null, null, Date.parse(deleteAt));
  expect(over).toMatchObject({
    text: '@ada.cooks is being deleted now.',
    detail: 'This can’t be undone anymore.',
  });
  expect(over?.action).toBeUndefined();
});

it('asks to reconnect newsletter tools, or to have an owner do it', () => {
  const me = (toolsToReconnect: string[], role: Me['role'] = 'owner') => ({ ...EXAMPLE_ME, toolsToReconnect, role });
  expect(shown(me(['Kit']))).toMatchObject([
    {
      text: 'Kit needs to be reconnected.',
      detail: 'Contacts wait here until you reconnect in Settings.',
      action: { to: '/creator-hq/settings?tab=other-tools' },
      dismissible: false,
    },
  ]);
  expect(shown(me(['Kit', 'Mailchimp'], 'collaborator'))).toMatchObject([
    { text: 'Kit and Mailchimp need to be reconnected.', detail: expect.stringContaining('an owner reconnects') },
  ]);
});

it('tells that the creator’s own mail server takes no emails, and who can check it', () => {
  expect(shown({ ...EXAMPLE_ME, mailServerFails: true })).toMatchObject([
    {
      text: 'Your mail server doesn’t take your emails.',
      detail: 'Emails to your readers wait until you check it under Save to Email > Sending.',
      action: { to: '/creator-hq/save-to-email/sending' },
      dismissible: false,
    },
  ]);
  expect(shown({ ...EXAMPLE_ME, mailServerFails: true, role: 'collaborator' })[0]?.detail).toContain(
    'an owner checks it',
  );
});

it('shows the Meta authentication update notice when needsFacebookUserToken is set', () => {
  expect(ids(withToken({ needsFacebookUserToken: true }))).toEqual(['meta-authentication']);
});

it('asks free plans with 25,000 followers or more, on both platforms together, to upgrade', () => {
  const creator = (isFree: boolean, instagram: number | null, facebook: number | null): Me => ({
    ...EXAMPLE_ME,
    subscription: { ...EXAMPLE_ME.subscription!, isFree },
    creatorAccount: {
      ...EXAMPLE_ME.creatorAccount!,
      instagramFollowersCount: instagram,
      facebookFollowersCount: facebook,
    },
  });
  expect(ids(creator(true, 24_999, null))).toEqual([]);
  expect(ids(creator(true, 24_000, 999))).toEqual([]);
  expect(ids(creator(false, 90_000, 90_000))).toEqual([]);
  expect(shown(creator(true, 20_000, 5000))).toMatchObject([
    {
      text: 'Our free plan is for creators with under 25K followers... Your current follower count is 25,000',
      action: { label: 'Upgrade Now', to: '/creator-hq/settings/plan-upgrade' },
      dismissible: false,
    },
  ]);
});

it('tells of pending invites in a banner only when the dialog does not open by itself', () => {
  expect(shown(EXAMPLE_ME, [INVITE])).toMatchObject([{ id: 'invites', action: { opens: 'invites' } }]);
  expect(ids(EXAMPLE_ME, [])).toEqual([]);
  expect(ids({ ...EXAMPLE_ME, memberships: [] }, [INVITE])).toEqual([]);
});

it('keeps an admin’s own invites out of the account they are inside', () => {
  const inside = { ...EXAMPLE_ME, adminAccess: { until: '2026-11-20T13:00:00Z', reason: 'Checking the queue' } };
  expect(ids(inside, [INVITE])).toEqual([]);
});

it('shows the plugin banner when an expected version exists and the installed one is lower or missing', () => {
  const plugin = (pluginVersion: string | null, expectedPluginVersion: string | null) =>
    pluginBanner({ pluginVersion, expectedPluginVersion });
  expect(plugin('1.9', '1.10')).toMatchObject({
    text: 'Action Required: There is a new version of the Creator HQ WordPress Plugin. To get all the latest features please update to the latest version.',
    action: { label: 'Update WordPress Plugin' },
  });
  expect(plugin(null, '1.10')).toMatchObject({
    text: 'Action Required: Your current API Key has not been registered to the Creator HQ WordPress Plugin. In order for the plugin to function, you must install and activate the plugin to your WordPress site, then paste in the API Key under Creator HQ plugin settings in WordPress admin.',
    action: { label: 'Get WordPress Plugin' },
  });
});

it('shows no plugin banner when installed is at least expected, or nothing is expected', () => {
  for (const [installed, expected] of [
    ['1.10', '1.9'],
    ['1.10', '1.10.0'],
    ['2.0', null],
    [null, null],
  ] as const) {
    expect(pluginBanner({ pluginVersion: installed, expectedPluginVersion: expected })).toBeNull();
  }
});

it('puts the most urgent first and what comes late last', () => {
  const me = withToken(
    {
      requiresAuth: true,
      rateLimited: true,
      missingWebhooks: ['x'],
      needsFacebookUserToken: true,
      pauseWebhooks: { instagram: true, facebook: false },
    },
    {
      subscription: { ...EXAMPLE_ME.subscription!, isFree: true },
      creatorAccount: {
        ...EXAMPLE_ME.creatorAccount!,
        instagramFollowersCount: 30_000,
        deleteAt: '2026-12-04T12:00:00Z',
      },
    },
  );
  const apiKey = { pluginVersion: null, expectedPluginVersion: '2.0' };
  expect(bannersFor(me, apiKey, [INVITE], NOW).map(({ id }) => id)).toEqual([
    'requires-auth',
    'deletion',
    'meta-authentication',
    'missing-grants',
    'paused-webhooks',
    'rate-limited',
    'free-plan-limit',
    'invites',
    'plugin-missing',
  ]);
});

type Billing = NonNullable<Me['billing']>;
const owing = (over: Partial<Billing>, rest: Partial<Me> = {}) =>
  withToken({}, { billing: { ...EXAMPLE_ME.billing!, ...over }, ...rest });
const LATE = {
  standing: 'late',
  until: '2026-12-04T12:00:00Z',
  payNeeded: 'card',
  retryAt: '2026-11-23T12:00:00Z',
} as const;

it('tells of a payment that failed, and until when all works; only owners get the button', () => {
  const [banner] = shown(owing(LATE));
  expect(banner).toMatchObject({
    id: 'payment-due',
    text: 'Your last payment did not go through.',
    detail: 'We try again on November 23, 2026. Everything works until December 4, 2026.',
    action: { label: 'Pay now' },
  });
  expect(shown(owing(LATE, { role: 'collaborator' }))[0]?.action).toBeUndefined();
  const lapsed = shown(owing({ ...LATE, standing: 'lapsed', until: null, retryAt: null }));
  expect(lapsed[0]?.detail).toBe('Until it’s paid, the rules of the free plan apply.');
});

it.each([
  ['paid', null],
  ['ending', null],
  ['trial', null],
  ['free', null],
  ['given', null],
  // A change that waits for its first payment is said where it is made.
  ['paid', 'bank_confirmation'],
] as const)('says nothing of payments to whoever is %s (needed: %s)', (standing, payNeeded) => {
  expect(ids(owing({ standing, payNeeded }))).toEqual([]);
});

it('tells who has too many followers for the free plan until when all goes on', () => {
  const subscription = { ...EXAMPLE_ME.subscription!, isFree: true };
  const creatorAccount = { ...EXAMPLE_ME.creatorAccount!, instagramFollowersCount: 25_000 };
  const limit = { forecastOn: null, isOver: true, graceUntil: '2026-12-20T12:00:00Z', isLimited: false };
  const over = (more: Partial<Billing['limit']>) =>
    shown(owing({ standing: 'free', limit: { ...limit, ...more } }, { subscription, creatorAccount }))[0];
  expect(over({})).toMatchObject({
    id: 'free-plan-limit',
    text: 'Our free plan is for creators with under 25K followers... Your current follower count is 25,000',
    detail: 'Everything goes on as it is until December 20, 2026.',
  });
  expect(over({ isLimited: true })?.detail).toContain('aren’t answered until you’re on another plan');
});

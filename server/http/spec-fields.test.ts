/** The specification's names to the letter: fields of section 3, states of section 4, calls of section 7. */
import { describe, expect, test } from 'vitest';
import { Connection } from '#contract/connections.ts';
import { EmailTypeName } from '#contract/email-templates.ts';
import { API_BASE } from '#contract/endpoint.ts';
import { Flags } from '#contract/flags.ts';
import {
  Account,
  CreatorAccount,
  getEnv,
  Me,
  Membership,
  Subscription,
  TokenDetail,
  TokenKind,
} from '#contract/session.ts';
import { getApiKey, getBillingEmail } from '#contract/settings.ts';
import { Invite, listInvites, listMemberships } from '#contract/team.ts';
import { ENDPOINTS } from '#server/features/registered.ts';

const fields = (schema: { shape: object }) => Object.keys(schema.shape);

describe('fields of the specification', () => {
  test('User/Account: _id, name, email, isAdmin, avatarUrl', () => {
    expect(fields(Account)).toEqual(expect.arrayContaining(['_id', 'name', 'email', 'isAdmin', 'avatarUrl']));
  });

  test('an Intercom user hash is held with the user', () => {
    const hash = Me.shape.intercomUserHash;
    expect(hash.safeParse('5f3c').success).toBe(true);
    expect(hash.safeParse(null).success).toBe(true);
  });

  test('Creator account: _id, handle, two avatars, two follower counts', () => {
    expect(fields(CreatorAccount)).toEqual(
      expect.arrayContaining([
        '_id',
        'handle',
        'instagramAvatarUrl',
        'facebookAvatarUrl',
        'instagramFollowersCount',
        'facebookFollowersCount',
      ]),
    );
  });

  test('Current session response (auth/me): account, creatorAccount, subscription, tokenDetails, memberships, currentMembership, intercomUserHash', () => {
    expect(fields(Me)).toEqual(
      expect.arrayContaining([
        'account',
        'creatorAccount',
        'subscription',
        'tokenDetails',
        'memberships',
        'currentMembership',
        'intercomUserHash',
      ]),
    );
  });

  test('Subscription: plan, interval, status, cancelAt, canceledAt, stripeSubscriptionId, isActive, isFree', () => {
    expect(fields(Subscription)).toEqual([
      'plan',
      'interval',
      'status',
      'cancelAt',
      'canceledAt',
      'stripeSubscriptionId',
      'isActive',
      'isFree',
    ]);
    expect(fields(Subscription.shape.plan)).toEqual(['name', 'productId', 'price']);
    expect(Subscription.shape.plan.shape.price.safeParse({ month: 2900, year: 29_000 }).success).toBe(true);
  });

  test('Token details are keyed by type FACEBOOK_BUSINESS_USER, FACEBOOK_BUSINESS_PAGE, INSTAGRAM_BUSINESS_USER', () => {
    expect(TokenKind.options).toEqual(['FACEBOOK_BUSINESS_USER', 'FACEBOOK_BUSINESS_PAGE', 'INSTAGRAM_BUSINESS_USER']);
    expect(Me.shape.tokenDetails.safeParse({ SOMETHING_ELSE: {} }).success).toBe(false);
    expect(Me.shape.tokenDetails.safeParse({}).success).toBe(true);
  });

  test('Token details: rateLimited, pauseWebhooks{instagram,facebook}, missingPermissions, missingWebhooks, requiresAuth, needsFacebookUserToken', () => {
    expect(fields(TokenDetail)).toEqual([
      'rateLimited',
      'pauseWebhooks',
      'missingPermissions',
      'missingWebhooks',
      'requiresAuth',
      'needsFacebookUserToken',
      // Ours: Meta blocks the Page.
      'policyBlocked',
    ]);
    expect(fields(TokenDetail.shape.pauseWebhooks)).toEqual(['instagram', 'facebook']);
  });

  test('Membership: membershipId, displayName, displayImage, current (boolean)', () => {
    expect(fields(Membership)).toEqual(['membershipId', 'displayName', 'displayImage', 'current']);
    expect(Membership.shape.current.safeParse(true).success).toBe(true);
    expect(Membership.shape.current.safeParse('yes').success).toBe(false);
  });

  test('Invite: inviteId, creatorAccountHandle, creatorAccountAvatar', () => {
    expect(fields(Invite)).toEqual(
      expect.arrayContaining(['inviteId', 'creatorAccountHandle', 'creatorAccountAvatar']),
    );
  });

  test('Billing email response: email', () => {
    expect(fields(getBillingEmail.response)).toEqual(['email']);
  });

  test('API key current record: pluginVersion, expectedPluginVersion', () => {
    expect(fields(getApiKey.response)).toEqual(expect.arrayContaining(['pluginVersion', 'expectedPluginVersion']));
  });

  test('Runtime config: base URL, feature-flag client id, environment name, error-reporting DSN', () => {
    expect(fields(getEnv.response)).toEqual(
      expect.arrayContaining(['baseUrl', 'featureFlagClientId', 'environment', 'errorReportingDsn']),
    );
  });

  test('Feature flags: mealPlansEnabled, appLinksEnabled, storyMentions, referralFactoryEnabled', () => {
    expect(fields(Flags)).toEqual(['mealPlansEnabled', 'appLinksEnabled', 'storyMentions', 'referralFactoryEnabled']);
  });

  test('Template type: save-to-email', () => {
    expect(EmailTypeName.options).toContain('save-to-email');
  });

  test('Platforms: instagram, facebook', () => {
    expect(Connection.shape.platform.options).toEqual(['instagram', 'facebook']);
  });

  test('Subscription status values', () => {
    expect(Subscription.shape.status.options.toSorted()).toEqual([
      'active',
      'canceled',
      'incomplete',
      'incomplete_expired',
      'past_due',
      'trialing',
      'unpaid',
    ]);
  });
});

describe('calls of the specification', () => {
  test('all paths are under /api/v1', () => {
    expect(API_BASE).toBe('/api/v1');
    for (const { name, endpoint } of ENDPOINTS) {
      expect(endpoint.path, name).toMatch(/^\/[a-z]/);
      expect(endpoint.path, name).not.toContain('api/v1');
    }
  });

  test.each([
    ['GET', '/env'],
    ['GET', '/auth/me'],
    ['GET', '/auth/logout'],
    ['GET', '/accounts/:userId/memberships'],
    ['GET', '/accounts/:userId/invites'],
    ['POST', '/accounts/:userId/invites/:inviteId/accept'],
    ['DELETE', '/accounts/:userId/invites/:inviteId'],
    ['POST', '/accounts/:userId/memberships/:membershipId/access'],
    ['GET', '/creators/:creatorId/settings/billing-email'],
    ['GET', '/creators/:creatorId/api-keys/current'],
  ])('%s %s is there and takes no payload', (method, path) => {
    const found = ENDPOINTS.filter(({ endpoint }) => endpoint.method === method && endpoint.path === path);
    expect(found).toHaveLength(1);
    expect(found[0]!.endpoint.body).toBeUndefined();
    expect(found[0]!.endpoint.query).toBeUndefined();
  });

  test('memberships and invites are answered as lists', () => {
    expect(listMemberships.response.safeParse({ memberships: [] }).success).toBe(true);
    expect(listInvites.response.safeParse({ invites: [] }).success).toBe(true);
    expect(listMemberships.response.safeParse({ memberships: {} }).success).toBe(false);
    expect(listInvites.response.safeParse({ invites: {} }).success).toBe(false);
  });

  test('what belongs to a creator is under /creators/{creatorId}/', () => {
    for (const { name, endpoint } of ENDPOINTS.filter(({ endpoint }) => endpoint.access === 'creator'))
      expect(endpoint.path, name).toMatch(/^\/creators\/:creatorId(\/[a-z-]+|$)/);
  });

  test('sub-resources of a creator that exist have the path segments of section 3', () => {
    const segments = new Set(
      ENDPOINTS.map(({ endpoint }) => /^\/creators\/:creatorId\/([^/]+)/.exec(endpoint.path)?.[1]),
    );
    expect([...segments]).toEqual(
      expect.arrayContaining([
        'api-keys',
        'contacts',
        'email-templates',
        'invites',
        'keywords',
        'memberships',
        'posts',
        'prepared-posts',
        'recipes',
        'replies',
        'settings',
        'story-links',
        'story-mentions',
      ]),
    );
    // The creator itself.
    expect(ENDPOINTS.some(({ endpoint }) => `${endpoint.method} ${endpoint.path}` === 'GET /creators/:creatorId')).toBe(
      true,
    );
  });
});

import { expect, it } from 'vitest';
import type { Me } from '#contract/session.ts';
import { redirectFor } from '#web/shell/guards.ts';

const account = {
  _id: '0197a0aa-0000-7000-8000-000000000001',
  name: 'Ada',
  email: 'ada@example.com',
  emailVerified: true,
  isAdmin: false,
  needsTwoStep: false,
  avatarUrl: null,
  twoFactorEnabled: false,
};
const noCreator: Me = {
  account,
  creatorAccount: null,
  subscription: null,
  billing: null,
  tokenDetails: {},
  memberships: [],
  currentMembership: null,
  intercomUserHash: null,
  role: null,
  adminAccess: null,
  queue: null,
  toolsToReconnect: [],
  mailServerFails: false,
};
const creator: Me = {
  ...noCreator,
  creatorAccount: {
    _id: '0197a0aa-0000-7000-8000-000000000002',
    handle: 'ada.cooks',
    instagramAvatarUrl: null,
    facebookAvatarUrl: null,
    instagramFollowersCount: null,
    timeZone: null,
    facebookFollowersCount: null,
    deleteAt: null,
  },
};

it('leads somebody logged out to the login page', () => {
  expect(redirectFor('main', null)).toBe('/creator-hq/login');
  expect(redirectFor('setup', null)).toBe('/creator-hq/login');
  expect(redirectFor('admin', null)).toBe('/creator-hq/login');
  expect(redirectFor('public', null)).toBeNull();
});

it('leads somebody without a creator to account setup', () => {
  expect(redirectFor('main', noCreator)).toBe('/creator-hq/account-setup');
  expect(redirectFor('setup', noCreator)).toBeNull();
  expect(redirectFor('public', noCreator)).toBe('/creator-hq');
});

it('leads a creator away from the public screens only', () => {
  expect(redirectFor('public', creator)).toBe('/creator-hq');
  expect(redirectFor('setup', creator)).toBeNull();
  expect(redirectFor('main', creator)).toBeNull();
});

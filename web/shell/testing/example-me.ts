import type { Me } from '#contract/session.ts';

/** Somebody with a creator and nothing wrong; tests change what they are about. */
export const EXAMPLE_ME: Me = {
  account: {
    _id: '0197a0aa-0000-7000-8000-000000000001',
    name: 'Ada',
    email: 'ada@example.com',
    emailVerified: true,
    isAdmin: false,
    needsTwoStep: false,
    avatarUrl: null,
    twoFactorEnabled: false,
  },
  creatorAccount: {
    _id: '0197a0aa-0000-7000-8000-00000000000a',
    handle: 'ada.cooks',
    instagramAvatarUrl: null,
    facebookAvatarUrl: null,
    instagramFollowersCount: null,
    timeZone: 'UTC',
    facebookFollowersCount: null,
    deleteAt: null,
  },
  subscription: {
    plan: { name: 'Creator', productId: 'creator-plan', price: { month: 2900 } },
    interval: 'month',
    status: 'active',
    cancelAt: null,
    canceledAt: null,
    stripeSubscriptionId: 'sub_1',
    isActive: true,
    isFree: false,
  },
  billing: {
    ...{ mode: 'play', standing: 'paid', until: null, nextPayment: null, payNeeded: null, retryAt: null },
    ...{ nextPlan: null, refundUntil: null, mayTry: false, nextPrice: null },
    limit: { forecastOn: null, isOver: false, graceUntil: null, isLimited: false },
  },
  tokenDetails: {},
  memberships: [
    {
      membershipId: '0197a0aa-0000-7000-8000-0000000000a1',
      displayName: 'ada.cooks',
      displayImage: null,
      current: true,
    },
  ],
  currentMembership: {
    membershipId: '0197a0aa-0000-7000-8000-0000000000a1',
    displayName: 'ada.cooks',
    displayImage: null,
    current: true,
  },
  intercomUserHash: null,
  role: 'owner',
  adminAccess: null,
  queue: null,
  toolsToReconnect: [],
  mailServerFails: false,
};

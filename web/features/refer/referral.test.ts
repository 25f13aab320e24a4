import { expect, it } from 'vitest';
import type { Me } from '#contract/session.ts';
import { getBillingEmail } from '#contract/settings.ts';
import { referralAddress } from '#web/features/refer/referral.ts';
import { useReferral } from '#web/features/refer/use-referral.ts';
import { makeQueryClient } from '#web/shell/query-client.ts';
import { act } from '#web/shell/testing/act.tsx';
import { EXAMPLE_ME } from '#web/shell/testing/example-me.ts';

const given = {
  me: EXAMPLE_ME,
  flags: { mealPlansEnabled: false, appLinksEnabled: false, storyMentions: false, referralFactoryEnabled: true },
  billingEmail: 'billing+1@example.com',
  programmeUrl: 'https://refer.example.com/start?campaign=7',
};
const subscribed = (change: Partial<NonNullable<Me['subscription']>>): Me => ({
  ...EXAMPLE_ME,
  subscription: { ...EXAMPLE_ME.subscription!, ...change },
});

it('shows Refer & Earn only when all five conditions hold', () => {
  expect(referralAddress({ ...given, flags: { ...given.flags, referralFactoryEnabled: false } })).toBeNull();
  expect(referralAddress({ ...given, flags: null })).toBeNull();
  expect(referralAddress({ ...given, me: subscribed({ isFree: true }) })).toBeNull();
  expect(referralAddress({ ...given, me: { ...EXAMPLE_ME, creatorAccount: null } })).toBeNull();
  expect(referralAddress({ ...given, billingEmail: undefined })).toBeNull();
  expect(referralAddress({ ...given, programmeUrl: null })).toBeNull();
});

it('opens the programme with the creator’s handle and billing email', () => {
  expect(referralAddress(given)).toBe(
    'https://refer.example.com/start?campaign=7&handle=ada.cooks&email=billing%2B1%40example.com',
  );
});

it('shows admins no Refer & Earn', () => {
  const me = { ...EXAMPLE_ME, account: { ...EXAMPLE_ME.account, isAdmin: true } };
  expect(referralAddress({ ...given, me })).toBeNull();
});

it('asks for the billing email only when the creator exists and pays for a plan', async () => {
  const asks = async (me: Me) => {
    const client = makeQueryClient();
    await act(
      () => {
        useReferral(me, given.flags);
        return async () => {};
      },
      undefined,
      client,
    );
    return client.getQueryCache().find({ queryKey: [getBillingEmail.path], exact: false })?.options;
  };
  expect(await asks({ ...EXAMPLE_ME, creatorAccount: null })).toMatchObject({ enabled: false });
  expect(await asks({ ...EXAMPLE_ME, subscription: null })).toMatchObject({ enabled: false });
  expect(await asks(subscribed({ stripeSubscriptionId: 'inhouse_1' }))).toMatchObject({ enabled: false });
  const plan = { name: 'Free', productId: 'free-plan', price: {} };
  expect(await asks(subscribed({ plan }))).toMatchObject({ enabled: false });
  expect(await asks(EXAMPLE_ME)).toMatchObject({ enabled: true });
});

/** Parts that come and go on an open page: banners, Refer & Earn, and those behind flags. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type * as z from 'zod/mini';
import type { Connection } from '#contract/connections.ts';
import type { Me, TokenDetail } from '#contract/session.ts';
import type { Invite } from '#contract/team.ts';
import { policyInWords } from '#server/features/connections/health.ts';
import { becomeAdmin } from './admins.ts';
import {
  changeAnswer,
  chooseHandle,
  DEVICES,
  enterDemo,
  expect,
  type RunningApp,
  signUp,
  startApp,
} from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

const FINE: z.infer<typeof TokenDetail> = {
  rateLimited: false,
  pauseWebhooks: { instagram: false, facebook: false },
  missingPermissions: [],
  missingWebhooks: [],
  requiresAuth: false,
  needsFacebookUserToken: false,
  policyBlocked: false,
};

/** Every reason at once: the account's, most urgent first. */
const TROUBLE = {
  ...FINE,
  requiresAuth: true,
  needsFacebookUserToken: true,
  missingPermissions: ['instagram_business_manage_comments'],
  pauseWebhooks: { instagram: true, facebook: true },
  rateLimited: true,
};

const INVITE: Invite = {
  inviteId: '0197a0aa-0000-7000-8000-0000000000b1',
  creatorAccountHandle: 'ben.bakes',
  creatorAccountAvatar: null,
  invitedBy: 'Ben',
  role: 'collaborator',
  expiresAt: '2100-01-01T00:00:00.000Z',
};

const BLOCKED = policyInWords(null);
const PAUSED = 'are paused right now.';
const VIRAL = 'Congrats on going viral! DM sends are currently being rate limited by the platform...';

const PLUGIN: [installed: string | null, words: string, button: string][] = [
  [
    null,
    'Action Required: Your current API Key has not been registered to the Creator HQ WordPress Plugin. In order for the plugin to function, you must install and activate the plugin to your WordPress site, then paste in the API Key under Creator HQ plugin settings in WordPress admin.',
    'Get WordPress Plugin',
  ],
  [
    '1.9',
    'Action Required: There is a new version of the Creator HQ WordPress Plugin. To get all the latest features please update to the latest version.',
    'Update WordPress Plugin',
  ],
];

describe.each(DEVICES)('banners on a %s', (device) => {
  /** Each alone, with its words. */
  const ALONE: [what: string, change: Partial<typeof FINE>, words: string][] = [
    ['an account to reconnect', { requiresAuth: true }, 'Reconnect the account in Settings so DMs resume.'],
    ['missing permissions', { missingPermissions: ['comments'] }, 'Your account is missing permissions.'],
    ['Instagram paused', { pauseWebhooks: { instagram: true, facebook: false } }, `messages from Instagram ${PAUSED}`],
    ['Facebook paused', { pauseWebhooks: { instagram: false, facebook: true } }, `messages from Facebook ${PAUSED}`],
    ['both paused', { pauseWebhooks: { instagram: true, facebook: true } }, `Instagram and Facebook ${PAUSED}`],
    ['a viral hour', { rateLimited: true }, VIRAL],
  ];

  test('each has its words, and none is there while all is well', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    let detail = FINE;
    await changeMe(page, (me) => ({ ...me, tokenDetails: { INSTAGRAM_BUSINESS_USER: detail } }));
    await enterDemo(visit);
    const notices = page.getByRole('region', { name: 'Notices' });
    await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible();
    await expect(notices).toHaveCount(0);
    for (const [what, change, words] of ALONE) {
      detail = { ...FINE, ...change };
      await page.reload();
      await expect(notices.getByText(words), what).toBeVisible();
    }
    await visit.end();
  });

  test('of the plugin: not registered, a new version, or none when what is installed is new enough', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    let pluginVersion: string | null = null;
    await page.route('**/api-keys/current', (route) =>
      route.fulfill({
        json: { pluginVersion, expectedPluginVersion: '1.10', prefix: null, createdAt: null, lastUsedAt: null },
      }),
    );
    await enterDemo(visit);
    const notices = page.getByRole('region', { name: 'Notices' });
    for (const [installed, words, button] of PLUGIN) {
      pluginVersion = installed;
      await page.reload();
      await expect(notices.getByText(words, { exact: true })).toBeVisible();
      await expect(notices.getByRole('link', { name: button })).toBeVisible();
    }
    pluginVersion = '1.10.0';
    const known = page.waitForResponse('**/api-keys/current');
    await page.reload();
    await known;
    await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible();
    await expect(notices).toHaveCount(0);
    await visit.end();
  });

  test('a creator with Facebook Login alone is asked for nothing while both accounts work', async () => {
    const username = `page.only.${device}`;
    const creator = await app.control.seedCreator({ username, name: `Page Kitchen ${device}` });
    const visit = await app.visit(device);
    const { page } = visit;
    await signUp(visit, { name: 'Fay', email: `fay.${device}@example.com` }, { checkScreens: false });
    await chooseHandle(visit, `@${username}`, username);
    await page.getByRole('link', { name: 'Connect with Facebook' }).click();
    await page.locator(`a[href*="as=${creator.facebookUserId}"]`).click();
    await page.getByRole('button', { name: /^(Allow|Continue)/ }).click();
    await page.getByRole('button', { name: /^Connect/ }).click();
    await expect(page.getByRole('heading', { level: 1, name: `Connected as @${username}` })).toBeVisible();
    await expect(page.getByRole('main').locator('img')).toHaveCount(1);
    await expect(page.getByText(`Also connected: Page Kitchen ${device}`)).toBeVisible();
    await visit.checkBothThemes('Connected by Facebook');
    await page.getByRole('link', { name: 'Go to Creator HQ' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible();

    const notices = page.getByRole('region', { name: 'Notices' });
    await expect(notices).toHaveCount(0);
    await visit.checkBothThemes('Facebook Login alone, home');

    await page.goto('/creator-hq/settings?tab=connections');
    await expect(page.getByText('Working', { exact: true })).toHaveCount(2);
    await expect(notices).toHaveCount(0);
    await visit.checkBothThemes('Facebook Login alone, connections');

    await visit.end();
  });

  test('all are seen, the most urgent first, and what is put away stays away', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    await changeMe(page, (me) => ({
      ...me,
      tokenDetails: { INSTAGRAM_BUSINESS_USER: TROUBLE },
      creatorAccount: me.creatorAccount && { ...me.creatorAccount, instagramFollowersCount: 31_200 },
      queue: { waiting: 1204, doneAt: null },
    }));
    await page.route('**/accounts/*/invites', (route) => route.fulfill({ json: { invites: [INVITE] } }));
    await enterDemo(visit);
    // On home the card of the queue says how many wait.
    await page.goto('/creator-hq/contacts');
    const notices = page.getByRole('region', { name: 'Notices' });
    for (const words of [
      'Reconnect the account in Settings so DMs resume.',
      'Action Required... Reconnect now in Settings',
      'Your account is missing permissions.',
      `Instagram and Facebook ${PAUSED}`,
      VIRAL,
      '1,204 messages are waiting',
      'Your current follower count is 31,200',
      'You’re invited to work on @ben.bakes.',
    ])
      await expect(notices.getByText(words)).toBeVisible();
    await visit.checkBothThemes('every banner');

    // Only what can wait may be put away: the pause, the viral hour, the invite.
    const dismiss = notices.getByRole('button', { name: 'Dismiss' });
    await expect(dismiss).toHaveCount(3);
    await dismiss.first().click();
    await expect(notices.getByText(PAUSED)).toHaveCount(0);
    await page.reload();
    await expect(notices.getByText(VIRAL)).toBeVisible();
    await expect(notices.getByText(PAUSED)).toHaveCount(0);

    await notices.getByRole('link', { name: 'Upgrade Now' }).click();
    await expect(page).toHaveURL(/\/settings\/plan-upgrade$/);
    await expect(page.getByRole('link', { name: 'Choose Creator' })).toBeVisible();
    await visit.end();
  });
});

describe.each(DEVICES)('Settings > Connections on a %s', (device) => {
  const CASES: [what: string, seen: Partial<Connection['comments']>, words: string][] = [
    ['comments arrive', { byWebhook: 1204, lastByWebhookAt: '2026-06-01T12:00:00.000Z' }, '1,204 comments so far'],
    ['none for a week', { byWebhook: 12 }, 'none in the last 7 days'],
    ['no comment yet', {}, 'No comment has come in yet'],
    ['reading finds them', { byReading: 17, reading: 'finds', platformCounts: 20 }, 'finds them (17 so far)'],
    ['reading finds none', { reading: 'finds_none', platformCounts: 12 }, 'Comments can’t get a reply'],
  ];

  test('says how comments were seen to arrive, with the next step, and why Meta blocked a Page', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    let seen: Partial<Connection['comments']> = {};
    let blocked: Partial<Connection> = {};
    await changeAnswer(page, '**/creators/*/connections', (answer) => ({
      items: (answer.items as Connection[]).map((one) => ({
        ...one,
        comments: {
          byWebhook: 0,
          lastByWebhookAt: null,
          byReading: 0,
          reading: 'nothing_to_find',
          platformCounts: 0,
          ...seen,
        },
        ...blocked,
      })),
    }));
    await enterDemo(visit);
    await page.goto('/creator-hq/settings?tab=connections');
    for (const [what, change, words] of CASES) {
      seen = change;
      await page.reload();
      await expect(page.getByText(words).first(), what).toBeVisible();
    }
    await visit.checkBothThemes('connections, reading finds none');
    const says = 'Meta says: Spam and misleading content in messages.';
    blocked = { health: 'blocked', healthDetail: `${BLOCKED} ${says}` };
    await changeMe(page, (me) => ({
      ...me,
      tokenDetails: { FACEBOOK_BUSINESS_PAGE: { ...FINE, policyBlocked: true } },
    }));
    await page.reload();
    await expect(page.getByText(says).first()).toBeVisible();
    await expect(page.getByText('Blocked by Facebook', { exact: true }).first()).toBeVisible();
    await visit.checkBothThemes('connections, a blocked Page');
    await visit.end();
  });
});

describe('Refer & Earn', () => {
  const PAYING = {
    plan: { name: 'Creator', productId: 'creator-plan', price: { month: 2900 } },
    stripeSubscriptionId: 'sub_1',
    isFree: false,
  };
  const ALL = { programme: true, flag: true, paying: true, handle: true, billingEmail: true, inHouse: false };

  test.each([
    ['all five hold', ALL, true],
    ['the flag is off', { ...ALL, flag: false }, false],
    ['the plan is free', { ...ALL, paying: false }, false],
    ['the subscription is in-house', { ...ALL, inHouse: true }, false],
    ['the creator has no handle', { ...ALL, handle: false }, false],
    ['no billing email is known', { ...ALL, billingEmail: false }, false],
    ['this install has no programme', { ...ALL, programme: false }, false],
  ])('when %s', async (_when, given, isShown) => {
    const visit = await app.visit('desktop');
    visit.expectComplaint(/404 \(Not Found\) \(.*billing-email\)$/);
    const { page } = visit;
    const programme = 'https://example.com/refer?campaign=7';
    const plan = { ...(given.paying && PAYING), ...(given.inHouse && { stripeSubscriptionId: 'inhouse_1' }) };
    const isBilled = given.paying && !given.inHouse;
    let billingAsked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/settings/billing-email')) billingAsked += 1;
    });
    await changeAnswer(page, '**/api/v1/env', (env) => ({
      ...env,
      referralProgrammeUrl: given.programme ? programme : null,
    }));
    await changeMe(page, (me) => ({
      ...me,
      subscription: me.subscription && { ...me.subscription, ...plan },
      creatorAccount: me.creatorAccount && { ...me.creatorAccount, ...(!given.handle && { handle: '' }) },
    }));
    await page.route('**/settings/billing-email', (route) =>
      given.billingEmail
        ? route.fulfill({ json: { email: 'billing+1@example.com' } })
        : route.fulfill({ status: 404, json: { title: 'Not found', detail: 'There is none.', code: 'not_found' } }),
    );
    // Everything is known before the entry is looked for.
    const known = [
      page.waitForResponse('**/ofrep/v1/evaluate/flags'),
      ...(isBilled ? [page.waitForResponse('**/settings/billing-email')] : []),
    ];
    await page.route('**/ofrep/v1/evaluate/flags', (route) =>
      route.fulfill({
        json: { flags: [{ key: 'referralFactoryEnabled', value: given.flag, reason: 'STATIC', variant: 'any' }] },
      }),
    );
    await enterDemo(visit);
    await Promise.all(known);
    // The menu waits for the flags as well.
    await expect(page.getByRole('link', { name: 'Posts & Reels' })).toBeVisible();
    const link = page.getByRole('banner').getByRole('link', { name: 'Refer & Earn' });
    if (isShown) {
      await expect(link).toHaveAttribute('href', `${programme}&handle=thegoldenspoon&email=billing%2B1%40example.com`);
      const opened = page.waitForEvent('popup');
      await link.click();
      expect((await opened).url()).toContain(programme);
    } else {
      await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible();
      await expect(link).toHaveCount(0);
    }
    expect(billingAsked > 0).toBe(isBilled);
    await visit.end();
  });
});

test('the menu has App Links, Story Mentions and Meal Plans only where their flag is on', async () => {
  const visit = await app.visit('desktop');
  const { page } = visit;
  const entries = { appLinksEnabled: 'App Links', storyMentions: 'Story Mentions', mealPlansEnabled: 'Meal Plans' };
  let on = '';
  await page.route('**/ofrep/v1/evaluate/flags', (route) =>
    route.fulfill({
      json: {
        flags: Object.keys(entries).map((key) => ({ key, value: key === on, reason: 'STATIC', variant: 'any' })),
      },
    }),
  );
  await enterDemo(visit);
  const menu = page.getByRole('navigation', { name: 'Main' });
  for (const flag of ['', ...Object.keys(entries)]) {
    on = flag;
    await page.reload();
    // The menu waits for the flags.
    await expect(menu.getByRole('link', { name: 'Posts & Reels' })).toBeVisible();
    for (const [key, entry] of Object.entries(entries)) {
      await expect(menu.getByRole('link', { name: entry }), `${entry}, ${flag}`).toHaveCount(key === flag ? 1 : 0);
    }
  }
  await visit.end();
});

test('prices are those of the interval that is chosen, and Free where there is none by the month', async () => {
  const visit = await app.visit('desktop');
  const { page } = visit;
  await enterDemo(visit);
  await page.goto('/creator-hq/settings/plan-upgrade');
  const price = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
  await expect(price('Free').getByText('Free', { exact: true })).toHaveCount(2);
  await expect(price('Creator').getByText('$29.00', { exact: true })).toBeVisible();
  await page.getByText('Yearly').click();
  await expect(price('Creator').getByText('$290.00', { exact: true })).toBeVisible();
  await expect(price('Free').getByText('Free', { exact: true })).toHaveCount(2);
  await visit.end();
});

test('a flag that an admin switches on reaches an open page within a minute', async () => {
  const creator = await app.visit('desktop');
  await creator.page.clock.install();
  await enterDemo(creator);
  const entry = creator.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Story Mentions' });
  await expect(creator.page.getByRole('link', { name: 'Recipes', exact: true })).toBeVisible();
  await expect(entry).toHaveCount(0);

  const admin = await app.visit('phone');
  await becomeAdmin(app, admin, 'sam.flags@example.com');
  await admin.page.goto('/creator-hq/admin/flags');
  const saved = admin.page.waitForResponse(
    (response) => response.request().method() !== 'GET' && response.url().includes('/admin/') && response.ok(),
  );
  await admin.page.getByRole('switch', { name: 'Story mentions' }).click();
  await saved;
  await admin.end();

  await creator.page.clock.fastForward(60_000);
  await expect(entry).toBeVisible();
  await creator.end();
});

/** Also what an open page reads again of the creator when something happens. */
async function changeMe(page: Page, change: (me: Me) => Me): Promise<void> {
  await changeAnswer(page, '**/api/v1/auth/me', (me) => change(me as Me));
  await changeAnswer(page, '**/api/v1/creators/*', (answer) => {
    const { subscription, tokenDetails, queue, toolsToReconnect, ...creatorAccount } = answer;
    const parts = { creatorAccount, subscription, tokenDetails, queue, toolsToReconnect };
    const { creatorAccount: account, ...others } = change(parts as unknown as Me);
    return { ...account, ...others };
  });
}

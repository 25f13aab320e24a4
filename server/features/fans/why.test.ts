/** "They can't get in": each reason brought about by what leads to it, and what its button does about it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  blockMember,
  givePass,
  REASONS,
  type Reason,
  sendMemberCode,
  signMemberOut,
  unblockMember,
  whyNotIn,
} from '#contract/members.ts';
import { registerPlugin, syncBlogPosts } from '#contract/plugin.ts';
import type { BlogLock } from '#contract/recipes.ts';
import { makeApiKey } from '#contract/settings.ts';
import { createTier } from '#contract/tiers.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { FRIENDS } from '#server/testing/inputs.ts';
import type { Visitor } from '#server/testing/test-app.ts';
import { askForChange, confirmChange } from './address-changes.ts';
import { cancelMembership } from './ending.ts';
import { probeSite } from './probe.ts';
import { type FanWorld, joinUrl, type Shop, startFanWorld } from './testing/fan-world.ts';

let world: FanWorld;
let shop: Shop;
beforeAll(async () => {
  world = await startFanWorld();
  shop = await world.shop();
  // Longer than months that pass.
  await world.app.db.enginePool.query(`update sessions set expires_at = expires_at + interval '10 years'`);
});
afterAll(() => world?.close());

type Row = {
  bring: (email: string) => Promise<unknown>;
  detail?: string;
  /** Who else they may be. */
  nearest?: (email: string) => string;
  /** The blog has not called since. */
  isAway?: true;
  /** What a reader or the blog does once the button was pressed. */
  afterwards?: (email: string) => Promise<unknown>;
  /** What is said afterwards. */
  after: Reason;
};

/** A row a reason: another reason wants another row. */
const ROWS: Record<Reason, Row> = {
  no_such_address: { bring: async () => {}, afterwards: (email) => world.member(shop, email), after: 'never_entered' },
  other_address: {
    bring: async (email) => {
      await world.member(shop, email);
      const { id: creatorId, handle } = shop.creator;
      const [{ contact_id: contactId }] = await world.passOf(shop, email);
      const to = newAddressOf(email);
      const id = await askForChange(
        world.deps,
        { id: creatorId, handle },
        { contactId, email: to, isTypo: false, ip: '10.0.0.1' },
      );
      const [mail] = (await world.app.mails(to)).reverse();
      await confirmChange(world.deps, { id: creatorId, handle }, { contactId, id, code: mail!.subject.slice(0, 6) });
    },
    nearest: newAddressOf,
    after: 'other_address',
  },
  never_paid: {
    bring: (email) => world.join(shop, email),
    afterwards: (email) => world.member(shop, email),
    after: 'never_entered',
  },
  payment_failed: {
    bring: async (email) => {
      await world.member(shop, email);
      await setCard(email, false);
      await world.pass(32);
      await world.pass(7);
    },
    detail: 'It failed on ',
    afterwards: async (email) => {
      const [mail] = (await world.app.mails(email))
        .filter(({ subject }) => subject.includes('didn’t go through'))
        .reverse();
      expect(mail!.text).toContain('Pay now');
      await setCard(email, true);
      const due = await world.stripe.invoices.list({ customer: await customerOf(email), status: 'open' }, inAccount());
      await world.stripe.invoices.pay(due.data[0]!.id!, {}, inAccount());
      await world.pass(0.1);
    },
    after: 'never_entered',
  },
  blocked: {
    bring: async (email) => {
      await become(email);
      const [{ contact_id: memberId }] = await world.passOf(shop, email);
      await shop.owner.call(blockMember, { params: { ...params(), memberId }, body: { refund: false } });
    },
    afterwards: (email) => enter(email),
    after: 'all_right',
  },
  refunded: {
    bring: async (email) => {
      await world.member(shop, email);
      await world.stripe.refunds.create({ charge: await chargeOf(email) }, inAccount());
      await world.pass(1.1);
    },
    after: 'never_entered',
  },
  disputed: {
    bring: async (email) => {
      await world.member(shop, email);
      await world.control.dispute(await chargeOf(email));
      await world.pass(1.1);
    },
    afterwards: async (email) => {
      const [dispute] = (await world.stripe.disputes.list({ charge: await chargeOf(email) }, inAccount())).data;
      await world.control.closeDispute(dispute!.id, true);
      await world.pass(1.1);
    },
    after: 'never_entered',
  },
  ended: {
    bring: async (email) => {
      await world.member(shop, email);
      const [{ contact_id: contactId }] = await world.passOf(shop, email);
      await cancelMembership(world.deps, { creatorId: shop.creator.id, contactId });
      await world.pass(32);
    },
    detail: 'It ended on ',
    after: 'never_entered',
  },
  gift_not_begun: {
    bring: async (to) => {
      const day = new Date(world.app.clock.now().getTime() + 40 * 86_400_000).toISOString().slice(0, 10);
      const fields = { choice: `${shop.tierId} 1`, to, from: 'giver@example.com', day, words: '' };
      const { location } = await world.visit('POST', `/join/${shop.creator.handle}/gift`, fields);
      await world.visit('GET', await world.pay(location!));
    },
    detail: 'It begins on ',
    after: 'never_entered',
  },
  gift_over: {
    bring: async (email) => {
      await give(shop.owner, email, 1);
      await world.pass(1.1);
    },
    detail: 'It ended on ',
    after: 'never_entered',
  },
  code_bounced: {
    bring: async (email) => {
      await world.member(shop, email);
      await askForCode(email);
      await world.app.db.enginePool.query(
        `update mails set state = 'failed', finished_at = $2 where recipient = $1 and kind = 'fan_code'`,
        [email, world.app.clock.now()],
      );
    },
    afterwards: (email) => enter(email),
    after: 'all_right',
  },
  many_devices: {
    bring: async (email) => {
      await world.member(shop, email);
      for (let device = 0; device < 6; device++) await enter(email);
    },
    afterwards: (email) => enter(email),
    after: 'all_right',
  },
  never_entered: {
    bring: (email) => world.member(shop, email),
    afterwards: (email) => enter(email),
    after: 'all_right',
  },
  site_away: {
    bring: async (email) => {
      await world.member(shop, email);
      await enter(email);
      await world.pass(3);
    },
    isAway: true,
    afterwards: () => callFromBlog(),
    after: 'all_right',
  },
  plugin_off: ofBlog(() => ({ name: 'A blog' })),
  site_moved: ofBlog(
    () => ({}),
    301,
    () => ({ location: `${blogUrl().replace('https:', 'http:')}?rest_route=/hub` }),
  ),
  rest_off: ofBlog(() => (world.blogs.calls.at(-1)!.url.includes('rest_route') ? { code: 'rest_disabled' } : usual())),
  wordpress_untried: {
    bring: async (email) => {
      await become(email);
      await tellOfWordPress('6.1.9');
    },
    isAway: true,
    detail: 'needs 6.2 or newer. Update WordPress.',
    afterwards: async (email) => {
      await tellOfWordPress('8.0');
      expect((await whyOf(email)).detail).toContain('tried up to 7.1. Update the plugin.');
      await tellOfWordPress('7.1.2');
    },
    after: 'all_right',
  },
  clock_wrong: ofBlog(() => ({ ...usual(), time: blogTime() + 20 * 60, refused: 'clock' }), 403),
  cache_in_between: ofBlog(() => sampled(() => 'The page of strangers')),
  key_replaced: {
    bring: async (email) => {
      await become(email);
      newKey = ((await shop.owner.call(makeApiKey, { params: params() })).body as { key: string }).key;
    },
    afterwards: async () => {
      shop = { ...shop, key: newKey };
    },
    after: 'all_right',
  },
  all_right: { bring: become, after: 'all_right' },
  // The last: from here on the blog has a post for a higher tier.
  tier_too_low: {
    bring: async (email) => {
      await world.member(shop, email);
      await enter(email);
      const gold = { ...FRIENDS, name: 'Gold' };
      const { id } = (await shop.owner.call(createTier, { params: params(), body: gold })).body;
      await tellOfPost({ for: `tier:${id}`, of: 'text' });
    },
    detail: 'some posts are for Gold',
    after: 'all_right',
  },
};

const whyOf = async (email: string) => (await shop.owner.call(whyNotIn, { params: params(), body: { email } })).body;
const tellOfWordPress = (wordpressVersion: string) =>
  fromBlog(registerPlugin.path, { pluginVersion: '0.1.0', wordpressVersion });

/** A member's, who may be found there. */
function newAddressOf(email: string): string {
  return `new-${email}`;
}

let newKey = '';
async function become(email: string): Promise<void> {
  await world.member(shop, email);
  await enter(email);
}

/** A blog that answers so when it is looked at, and then as it should. */
function ofBlog(answer: () => object, status = 200, headers: () => Record<string, string> = () => ({})): Row {
  const look = (said: () => object, status: number, headers: Record<string, string>) => {
    Object.assign(world.blogs, { answer: said, status, headers });
    return probeSite.run(world.app.deps as JobDeps, { creatorId: shop.creator.id, siteId: shop.siteId });
  };
  return {
    bring: async (email) => {
      await become(email);
      await look(answer, status, headers());
    },
    afterwards: () => look(() => sampled((claims) => claims), 200, {}),
    after: 'all_right',
  };
}

const blogTime = () => Math.floor(world.app.clock.now().getTime() / 1000);
const usual = () => ({ plugin: 'creator-hq', time: blogTime() });

/** A blog with a locked post. @param page what it shows, to whom such claims are made */
function sampled(page: (claims: string) => string): object {
  const { url, headers } = world.blogs.calls.at(-1)!;
  const post = { id: 1, url: `${blogUrl()}cake/`, title: 'Cake', words: 20, runWords: 5, runs: [], isForSearch: false };
  if (url.endsWith('/creator-hq/v1/hub'))
    return { ...usual(), post, cookie: 'wp-postpass_chq_0', openAt: `${blogUrl()}open` };
  const said = headers?.cookie?.split('.')[1] ?? '';
  return { text: page(Buffer.from(said, 'base64url').toString()) };
}

const BUTTONS: Record<
  (typeof REASONS)[Reason]['remedy'],
  (owner: Visitor, email: string, memberId: string) => Promise<number>
> = {
  none: async () => 200,
  give_days: (owner, email) => give(owner, email, 7),
  send_code: async (owner, _, memberId) =>
    (await owner.call(sendMemberCode, { params: { ...params(), memberId } })).status,
  send_pay_link: (...asked) => BUTTONS.send_code(...asked),
  give_tier: async (owner, email) => {
    const { higherTierId } = await whyOf(email);
    return give(owner, email, 7, higherTierId);
  },
  unblock: async (owner, _, memberId) =>
    (await owner.call(unblockMember, { params: { ...params(), memberId } })).status,
  sign_out_all: async (owner, _, memberId) =>
    (await owner.call(signMemberOut, { params: { ...params(), memberId } })).status,
};

test.each(Object.entries(ROWS))('%s', async (reason, { bring, detail, nearest, isAway, afterwards, after }) => {
  const { says, remedy } = REASONS[reason as Reason];
  const email = `${reason.replaceAll('_', '-')}@example.com`;
  await bring(email);
  if (isAway !== true) await callFromBlog();
  const { owner } = shop;
  const said = await whyOf(email);
  if (nearest !== undefined) expect(said.nearest).toBe(nearest(email));
  expect(said).toMatchObject({ reason, detail: detail === undefined ? null : expect.stringContaining(detail) });
  expect(says).toMatch(/\.$/);
  expect(await BUTTONS[remedy](owner, email, said.contactId!)).toBe(200);
  await afterwards?.(email);
  await callFromBlog();
  expect(await whyOf(email)).toMatchObject({ reason: after });
});

const params = () => ({ creatorId: shop.creator.id });
const inAccount = () => ({ stripeAccount: shop.account });
const give = async (owner: Visitor, email: string, days: number, tierId = shop.tierId) =>
  (await owner.call(givePass, { params: params(), body: { email, tierId, days, note: '' } })).status;
const fromBlog = (path: string, body: object) =>
  world.app.visitor().send({
    ...{ method: 'POST', url: `/api/v1${path}`, body, headers: { authorization: `Bearer ${shop.key}` } },
  });
const callFromBlog = () => fromBlog(registerPlugin.path, { pluginVersion: '0.1.0' });
const blogUrl = () => `https://blog-of-${shop.creator.id}.example.test/`;

/** A post that not everybody may read. */
async function tellOfPost(lock: BlogLock): Promise<void> {
  const at = world.app.clock.now().toISOString();
  const page = { url: `${blogUrl()}gold/`, title: 'Gold', pictureUrl: null, recipe: null, categories: [] };
  const post = { ...page, id: 1, lock, publishedAt: at, changedAt: at };
  const { status, text } = await fromBlog(syncBlogPosts.path, { siteUrl: blogUrl(), waiting: 0, posts: [post] });
  expect(status, text).toBe(200);
}

async function customerOf(email: string): Promise<string> {
  const [{ contact_id }] = await world.passOf(shop, email);
  const { rows } = await world.app.db.enginePool.query('select customers from fans where contact_id = $1', [
    contact_id,
  ]);
  return rows[0].customers[0];
}

async function chargeOf(email: string): Promise<string> {
  return (await world.stripe.charges.list({ customer: await customerOf(email) }, inAccount())).data[0]!.id;
}

async function setCard(email: string, isGood: boolean): Promise<void> {
  const methods = await world.stripe.paymentMethods.list({ customer: await customerOf(email) }, inAccount());
  const behavior = isGood ? { kind: 'good' as const } : { kind: 'fails' as const, code: 'insufficient_funds' };
  await world.control.setBehavior(methods.data[0]!.id, behavior);
}

const enterUrl = () => joinUrl(shop).replace('?', '/enter?');

/** @returns what belongs to the form for it */
async function askForCode(email: string): Promise<string> {
  const { html } = await world.visit('POST', enterUrl(), { email });
  return /name="state" value="([^"]+)"/.exec(html)![1]!;
}

/** On the blog, in another browser each time. */
async function enter(email: string): Promise<void> {
  await world.pass(1 / 24);
  const state = await askForCode(email);
  const [mail] = (await world.app.mails(email)).filter(({ kind }) => kind === 'fan_code').reverse();
  const { html } = await world.visit('POST', enterUrl(), { state, code: mail!.subject.slice(0, 6) });
  await world.comeBack(shop, html);
}

/** A creator with an account in the Stripe simulator and a tier, a blog, and readers who join. */
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { exchangeMemberGrant } from '#contract/plugin.ts';
import { adminGiveOwnAccount, checkStripeAccount, connectStripeAccount } from '#contract/stripe-account.ts';
import { createTier, type TierInput } from '#contract/tiers.ts';
import type { TestDatabase } from '#server/db/testing/test-database.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { feature as billing } from '#server/features/billing/feature.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createGuardedFetch, type GuardedRequest } from '#server/platforms/guarded-fetch.ts';
import { OWN_ACCOUNT } from '#server/platforms/stripe/client.ts';
import { registerBlog } from '#server/testing/endpoint-walk.ts';
import { FRIENDS } from '#server/testing/inputs.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { type StripeWorld, startStripeWorld } from '#simulators/stripe/testing.ts';
import type { FanDeps } from '../fan-deps.ts';
import { feature } from '../feature.ts';

export const START = 's'.repeat(43);
const FORM = 'application/x-www-form-urlencoded';
const GOOD_CARD = '4242424242424242';

/** Those that delete are held where clocks jump. */
export const JOBS = [...feature.jobs!, ...billing.jobs!].filter((job) => !('deletesByAge' in job));

export type Shop = {
  creator: { id: string; handle: string };
  owner: Person;
  account: string;
  tierId: string;
  siteId: string;
  key: string;
};
export type FanWorld = Awaited<ReturnType<typeof startFanWorld>>;
type Page = { status: number; html: string; location: string | null; cookies: string };

/** @param db absent: one of its own @param log absent: nothing is kept */
export async function startFanWorld(settings: Record<string, string> = {}, db?: TestDatabase, log?: Logger) {
  const world: StripeWorld = await startStripeWorld(Date.now());
  /** What blogs were told, and their answer. */
  const blogs = {
    calls: [] as GuardedRequest[],
    status: 200,
    headers: {} as Record<string, string>,
    answer: () => ({ plugin: 'creator-hq', time: Math.floor(app.clock.now().getTime() / 1000) }) as object,
  };
  const fetching = {
    ...createGuardedFetch(),
    request: async (request: GuardedRequest) => {
      blogs.calls.push(request);
      const bytes = Buffer.from(JSON.stringify(blogs.answer()));
      const about = { status: blogs.status, headers: blogs.headers, tookMs: 1, certificateEndsAt: null };
      return { kind: 'answer' as const, bytes, text: bytes.toString(), ...about };
    },
  };
  const app: TestApp = await createTestApp({
    deps: { fetching, ...(log !== undefined && { log }) },
    ...(db !== undefined && { db }),
    settings: {
      ...{ FAN_MEMBERSHIPS: 'on', STRIPE_SECRET_KEY: world.secretKey, STRIPE_API_URL: world.url },
      ...{ STRIPE_WEBHOOK_SECRETS: 'whsec_test', STRIPE_CONNECT_WEBHOOK_SECRETS: 'whsec_connect', ...settings },
    },
  });
  const deps: FanDeps = { ...app.deps, accounts: app.deps.accounts! };
  let visitors = 0;

  const visit = async (
    method: 'GET' | 'POST',
    url: string,
    fields: Record<string, string> = {},
    cookie = '',
  ): Promise<Page> => {
    visitors++;
    const response = await app.app.inject({
      ...{ method, url, remoteAddress: `10.${visitors >> 16}.${(visitors >> 8) & 255}.${visitors & 255}` },
      ...(method === 'POST' && { payload: new URLSearchParams(fields).toString() }),
      headers: {
        ...(method === 'POST' && { 'content-type': FORM }),
        ...{ 'sec-fetch-site': 'same-origin', ...(cookie !== '' && { cookie }) },
      },
    });
    const cookies = response.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    return {
      ...{ status: response.statusCode, html: response.body, cookies },
      location: response.headers.location ?? null,
    };
  };
  const work = async () => {
    while ((await runDue(JOBS, app.deps as JobDeps)) > 0);
  };

  const sell = async (whose: Pick<Shop, 'owner' | 'creator' | 'account'>, tier: Partial<TierInput>): Promise<Shop> => {
    const { owner, creator } = whose;
    const { body: made } = await owner.call(createTier, {
      ...{ params: { creatorId: creator.id }, body: { ...FRIENDS, ...tier } },
    });
    const { key } = await registerBlog(app, owner, creator.id);
    const { rows } = await app.db.enginePool.query('select id from sites where creator_id = $1', [creator.id]);
    return { ...whose, tierId: made.id, siteId: rows[0].id, key };
  };

  return {
    ...{ app, deps, blogs, control: world.control, stripe: world.stripe, submit: world.submit, visit, work },

    /** Ready to sell. */
    async shop(tier: Partial<TierInput> = {}): Promise<Shop> {
      const owner = await app.signUpAndIn();
      const creator = await owner.createCreator();
      const params = { creatorId: creator.id };
      const { body: page } = await owner.call(connectStripeAccount, { params });
      await world.submit(page.url, { act: 'submit', state: 'ready' });
      const [{ account_id: account }] = (
        await app.db.enginePool.query('select account_id from stripe_accounts where creator_id = $1', [creator.id])
      ).rows;
      await owner.call(checkStripeAccount, { params });
      return sell({ owner, creator, account }, tier);
    },

    /** A creator who runs their own install: members pay into its own account. */
    async ownShop(tier: Partial<TierInput> = {}): Promise<Shop> {
      const owner = await app.signUpAndIn();
      const creator = await owner.createCreator();
      const admin = await app.signUpAndIn();
      await app.db.enginePool.query('update users set is_admin = true where id = $1', [admin.id]);
      const about = { params: { adminCreatorId: creator.id }, body: { reason: 'It’s their install.' } };
      const { status, body } = await admin.call(adminGiveOwnAccount, about);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return sell({ owner, creator, account: OWN_ACCOUNT }, tier);
    },

    /** From the blog. @returns the answer to the form */
    async join(shop: Shop, email: string, interval: 'month' | 'year' = 'month'): Promise<Page> {
      return visit('POST', joinUrl(shop), { email, choice: `${shop.tierId} ${interval}` });
    },

    /** @returns where Stripe leads back to */
    async pay(url: string, number = GOOD_CARD): Promise<string> {
      const { location } = await world.submit(url, { act: 'pay', name: 'Fan', number });
      return new URL(location!).pathname + new URL(location!).search;
    },

    /** Joins, pays and comes back. */
    async member(shop: Shop, email: string, interval: 'month' | 'year' = 'month', number = GOOD_CARD): Promise<Page> {
      const { location, html } = await this.join(shop, email, interval);
      if (location === null) throw new Error(html);
      return visit('GET', await this.pay(location, number));
    },

    /** From the page that says that it is paid. @returns where it leads */
    async goBack(html: string): Promise<string> {
      const [, url] = /class="button" href="([^"]+)"/.exec(html)!;
      return (await visit('GET', url!.replaceAll('&amp;', '&'))).location!;
    },

    /** As the blog does with what the page leads to. @returns the hub's word, or null */
    async comeBack({ key }: Shop, said: string): Promise<{ token: string | null; secret: string; to: string }> {
      const [, grant] = /creator-hq-entered\/([\w-]+)\//.exec(said) ?? [];
      const { body } = await app.visitor().send({
        ...{ method: 'POST', url: `/api/v1${exchangeMemberGrant.path}`, body: { grant, start: START } as never },
        headers: { authorization: `Bearer ${key}` },
      });
      return body;
    },

    async passOf({ creator }: Shop, email: string) {
      const { rows } = await app.db.enginePool.query(
        `select p.*, (p.begins_at <= $3 and p.ended_at is null and coalesce(p.ends_at, 'infinity') > $3) as "isIn"
         from passes p join contacts c on c.creator_id = p.creator_id and c.id = p.contact_id
         where p.creator_id = $1 and c.email_key = $2 order by p.begins_at desc`,
        [creator.id, email.toLowerCase(), app.clock.now()],
      );
      return rows;
    },

    async isIn(shop: Shop, email: string): Promise<boolean> {
      return (await this.passOf(shop, email)).some(({ isIn }) => isIn);
    },

    /** Both clocks, and what is due. */
    async pass(days: number): Promise<void> {
      await app.clock.advance(days * 86_400_000);
      await world.control.advance(days * 86_400);
      await work();
    },

    /** At the hub itself. @returns the cookie */
    async enterAccount({ creator }: Shop, email: string): Promise<string> {
      const at = `/join/${creator.handle}/account`;
      const { html } = await visit('POST', at, { email });
      const state = /name="state" value="([^"]+)"/.exec(html)![1]!;
      const code = (await app.mails(email))
        .filter(({ subject }) => /is your code/.test(subject))
        .at(-1)!
        .subject.slice(0, 6);
      return (await visit('POST', at, { state, code })).cookies;
    },

    async close(): Promise<void> {
      await app.close();
      await world.close();
    },
  };
}

export function joinUrl({ creator, siteId }: Shop): string {
  const start = createHash('sha256').update(START).digest('base64url');
  return `/join/${creator.handle}?${new URLSearchParams({ site: siteId, to: '/cake/', back: 'path', start })}`;
}

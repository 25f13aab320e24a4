/** Followers of a creator whose reel leads to a post for members, one of them a member, and the browsers that they tap in. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { syncBlogPosts } from '#contract/plugin.ts';
import type { BlogLock } from '#contract/recipes.ts';
import { createTier } from '#contract/tiers.ts';
import { systemIds } from '#server/clock.ts';
import { linkGivenAddresses } from '#server/features/contacts/given-addresses.ts';
import { createFollowers } from '#server/testing/followers.ts';
import { FRIENDS } from '#server/testing/inputs.ts';
import { givePass } from '../passes.ts';
import { type FanWorld, START } from './fan-world.ts';

/** Instagram’s browser on a phone. */
export const IN_INSTAGRAM =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 400.0';

export type MessageWorld = Awaited<ReturnType<typeof startMessageWorld>>;

export async function startMessageWorld(world: FanWorld) {
  const shop = await world.shop();
  const { app } = world;
  const params = { creatorId: shop.creator.id };
  const blogUrl = `https://blog-of-${shop.creator.id}.example.test`;
  const { body: gold } = await shop.owner.call(createTier, { params, body: { ...FRIENDS, name: 'Gold' } });
  const followers = await createFollowers(app);
  const account = await followers.connect(shop.creator.id, 60);
  let posts = 0;

  /** A post of the blog as its plugin tells of it. @returns its address */
  async function post(lock: BlogLock | null, path = `post-${++posts}`): Promise<string> {
    const at = app.clock.now().toISOString();
    const url = `${blogUrl}/${path}/`;
    const page = { url, title: `The ${path}`, pictureUrl: null, recipe: null, categories: [] };
    const told = {
      ...page,
      id: Number.parseInt(createHash('sha256').update(path).digest('hex').slice(0, 6), 16),
      lock,
    };
    const { status, text } = await app.visitor().send({
      ...{ method: 'POST', url: `/api/v1${syncBlogPosts.path}`, headers: { authorization: `Bearer ${shop.key}` } },
      body: { siteUrl: blogUrl, waiting: 0, posts: [{ ...told, publishedAt: at, changedAt: at }] },
    });
    if (status !== 200) throw new Error(text);
    return url;
  }

  /** Somebody comments. @returns the path of the link in the message to them */
  async function ask(word: string, person?: number) {
    const asked = await followers.ask(account, { text: word, ...(person !== undefined && { person }) });
    const { rows } = await app.db.enginePool.query(
      `select d.content #>> '{buttons,0,url}' as url, d.recipient_person_id as "personId" from deliveries d where d.id = $1`,
      [asked.deliveryId],
    );
    return { ...asked, path: new URL(rows[0].url).pathname, personId: rows[0].personId as string };
  }

  return {
    ...{ world, app, shop, blogUrl, gold, followers, account, post, ask },

    /** An automation whose button leads to an address. @returns its word */
    async automation(url: string, word: string): Promise<string> {
      await followers.automation(shop.owner, account, { name: word, words: [word], buttons: [{ title: 'Open', url }] });
      return word;
    },

    /** As the engine writes it down when somebody answers with their address. */
    async givesAddress(personId: string, email: string): Promise<void> {
      const [id, now] = [systemIds.uuid(app.clock.now()), app.clock.now()];
      await sql`
        insert into consents (creator_id, id, connection_id, person_id, email, wording, place, agreed_at)
        values (${shop.creator.id}, ${id}, ${account.connectionId}, ${personId}, ${email}, 'You get my letter.', 'instagram_message', ${now})
      `.execute(app.db.engine);
      await linkGivenAddresses(app.deps);
    },

    give(email: string, tierId = shop.tierId, endsAt: Date | null = null): Promise<string> {
      const given = { creatorId: shop.creator.id, email, tierId, endsAt, note: null };
      return app.db.withCreator(shop.creator.id, (trx) => givePass(app.deps, trx, given));
    },

    /** One of its own cookies. */
    browser(agent = IN_INSTAGRAM) {
      const cookies = new Map<string, string>();
      async function go(
        method: 'GET' | 'POST' | 'HEAD',
        url: string,
        fields: Record<string, string> = {},
        from = 'same-origin',
      ) {
        const { pathname, search } = new URL(url, 'http://here');
        const response = await app.app.inject({
          ...{ method, url: pathname + search },
          ...(method === 'POST' && { payload: new URLSearchParams(fields).toString() }),
          headers: {
            ...{ 'user-agent': agent, 'sec-fetch-site': from },
            ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
            ...(cookies.size > 0 && { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
          },
        });
        for (const { name, value } of response.cookies) {
          if (value === '') cookies.delete(name);
          else cookies.set(name, value);
        }
        const { statusCode: status, body: html, headers } = response;
        return { status, html, location: (headers.location as string | undefined) ?? null, headers };
      }
      /** What the blog makes of a press: it gives the browser a start, and sends it to the hub. */
      function begin(to: string): Promise<Awaited<ReturnType<typeof go>>> {
        const start = createHash('sha256').update(START).digest('base64url');
        const query = new URLSearchParams({ site: shop.siteId, to, back: 'path', start });
        return go('GET', `/join/${shop.creator.handle}/enter?${query}`, {}, 'cross-site');
      }
      return {
        ...{ cookies, go, begin },
        /** @returns where a link leads in the end, or the page with the button */
        async tap(path: string) {
          const first = await go('GET', path);
          return first.location?.includes('/message/') ? go('GET', first.location) : first;
        },
        /** All of it, up to the way back to the blog. @returns where it leads; null: nowhere as a member */
        async openAsMember(path: string): Promise<string | null> {
          const { location: page } = await go('GET', path);
          if (!page?.includes('/message/')) return null;
          const pressed = await go('POST', page, { to: '/' });
          if (pressed.status !== 307) return null;
          return (await begin('/elsewhere/')).location;
        },
      };
    },
  };
}

import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { endpoint } from '#contract/endpoint.ts';
import * as contract from '#contract/plugin.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { later } from '#server/db/jobs.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { findShopButtons, takeGone, takePosts } from '#server/features/blog-posts/blog-posts.ts';
import { findSwaps } from '#server/features/conversions/conversions.ts';
import { exchangeGrant, openForFree, openForFriend, passRecipe, renewWord } from '#server/features/fans/entering.ts';
import { probeSite } from '#server/features/fans/probe.ts';
import { isSelling, readForBlog } from '#server/features/fans/tiers.ts';
import { tellingOf } from '#server/features/fans/word-ends.ts';
import { printAll } from '#server/features/forms/forms.ts';
import { listUrl } from '#server/features/recipes/ingredients.ts';
import { findOpen } from '#server/features/sites/gate-passes.ts';
import { isOfSite } from '#server/features/sites/site-place.ts';
import { liveSiteAt, notePostsWaiting, noteSite, signingKeyOf, siteOf } from '#server/features/sites/sites.ts';
import { submitAll } from '#server/features/submissions/submissions.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { packagesOf, updateFor } from './updates.ts';

/** A link and WordPress open it: no call of the browser's client. */
const pluginZip = endpoint({
  method: 'GET',
  path: '/plugin/creator-hq.zip',
  access: 'public',
  summary: 'The WordPress plugin',
  stream: true,
});

export function registerPluginCalls(
  app: FastifyInstance,
  deps: ServeDeps & Pick<AppDeps, 'automationsChanged' | 'config' | 'deliveriesQueued' | 'ids' | 'keys' | 'live'>,
): void {
  serve(app, deps, contract.registerPlugin, async ({ body, creatorId, plugin, inCreator, reply }) => {
    reply.header('cache-control', 'no-store');
    const { fanMemberships, baseUrl } = deps.config;
    const { noted, members, forms, sells, tiers, hasFreeReaders, freeOpens } = await inCreator(async (trx) => {
      const noted = await noteSite(deps, trx, plugin, body);
      if (noted.looksOtherwise) await later(trx, deps, probeSite, { creatorId, siteId: noted.row.id });
      return {
        noted,
        members: await tellingOf(deps, trx, noted.row),
        forms: await printAll(deps, trx, creatorId),
        sells: fanMemberships && (await isSelling(trx)),
        ...(await readForBlog(trx)),
      };
    });
    if (noted.changed) deps.live.publish(creatorId, { what: 'account' });
    const { id, is_live } = noted.row;
    return {
      handle: plugin.handle,
      expectedPluginVersion: deps.config.plugin.version,
      site: { id, state: is_live ? ('live' as const) : ('copy' as const) },
      signingKeys: noted.signingKeys,
      ...{ forms, members },
      membersAt: fanMemberships ? `${baseUrl}/join/${plugin.handle}/enter` : null,
      joinAt: sells ? `${baseUrl}/join/${plugin.handle}` : null,
      readersAt: fanMemberships && hasFreeReaders ? `${baseUrl}/join/${plugin.handle}/enter?for=readers` : null,
      ...{ tiers, freeOpens },
    };
  });

  serve(app, deps, contract.submitForms, async ({ body, creatorId, plugin, inCreator }) => ({
    results: await submitAll(
      deps,
      { creatorId, inCreator, siteOf: (trx, pageUrl) => siteOf(deps, trx, plugin, pageUrl) },
      body.submissions,
    ),
  }));

  serve(app, deps, contract.listPrintedForms, async ({ creatorId, inCreator }) => ({
    forms: await inCreator((trx) => printAll(deps, trx, creatorId)),
  }));

  serve(app, deps, contract.syncBlogPosts, async ({ body, creatorId, inCreator }) => {
    const told = await inCreator(async (trx) => {
      const site = await liveSiteAt(trx, creatorId, body.siteUrl);
      if (site === null) return null;
      await notePostsWaiting(trx, site, body.waiting);
      // The key of a blog leads nobody elsewhere.
      const posts = body.posts.filter(({ url }) => isOfSite(site, url));
      return takePosts(deps, trx, { creatorId, siteId: site.id }, posts);
    });
    return answer(creatorId, told);
  });

  serve(app, deps, contract.syncGoneBlogPosts, async ({ body, creatorId, inCreator }) => {
    const told = await inCreator(async (trx) => {
      const site = await liveSiteAt(trx, creatorId, body.siteUrl);
      return site && takeGone(deps, trx, { creatorId, siteId: site.id }, body.ids);
    });
    return answer(creatorId, told);
  });

  /** @param told null: by a copy of the blog */
  async function answer(creatorId: string, told: { moved: boolean; freed: string[] } | null) {
    if (told === null) return { state: 'copy' as const };
    // The engine keeps the links of automations in memory.
    if (told.moved) await deps.automationsChanged({ creatorId });
    for (const connectionId of told.freed) await deps.deliveriesQueued({ creatorId, connectionId });
    deps.live.publish(creatorId, { what: 'account' });
    deps.live.publish(creatorId, { what: 'automations' });
    return { state: 'live' as const };
  }

  serve(app, deps, contract.listShopButtons, async ({ query, creatorId, inCreator }) => {
    const listsAt = listUrl(deps.config, '');
    const found = await inCreator((trx) => atLiveSite(trx, creatorId, query.siteUrl, findShopButtons));
    const { told: buttons, ...answered } = asVersion(found, listsAt, query.version);
    return { ...answered, listsAt, buttons };
  });

  serve(app, deps, contract.listLinkSwaps, async ({ query, creatorId, inCreator }) => {
    const linksAt = `${deps.config.baseUrl}/l/`;
    const found = await inCreator((trx) => atLiveSite(trx, creatorId, query.siteUrl, findSwaps));
    const { told: posts, ...answered } = asVersion(found, linksAt, query.version);
    return { ...answered, linksAt, posts };
  });

  serve(app, deps, contract.checkGatePasses, async ({ body, creatorId, inCreator }) => {
    const open = await inCreator((trx) => findOpen(deps, trx, creatorId, body.attempts));
    return { passes: body.attempts.map((attempt) => ({ attempt, opens: open.has(attempt) })) };
  });

  serve(app, deps, contract.exchangeMemberGrant, ({ body, creatorId, inCreator }) =>
    inCreator((trx) => exchangeGrant(deps, trx, creatorId, body)),
  );

  serve(app, deps, contract.renewMemberPass, ({ body, creatorId, inCreator }) =>
    inCreator((trx) => renewWord(deps, trx, creatorId, body)),
  );

  serve(app, deps, contract.openForFree, ({ body, creatorId, inCreator }) =>
    inCreator((trx) => openForFree(deps, trx, creatorId, body)),
  );

  serve(app, deps, contract.passRecipe, ({ body, creatorId, inCreator }) =>
    inCreator((trx) => passRecipe(deps, trx, creatorId, body)),
  );

  serve(app, deps, contract.openPassedRecipe, ({ body, creatorId, inCreator }) =>
    inCreator((trx) => openForFriend(deps, trx, creatorId, body)),
  );

  const packed = packagesOf(deps.config.baseUrl);

  serve(app, deps, pluginZip, async ({ reply }) => {
    const { zip } = await packed();
    reply.type('application/zip').header('content-disposition', 'attachment; filename="creator-hq.zip"').send(zip);
  });

  serve(app, deps, contract.getPluginUpdate, async ({ creatorId, query, inCreator }) => {
    const signingKey = await inCreator((trx) => signingKeyOf(deps, trx, creatorId, query.siteUrl ?? ''));
    return { update: signingKey === null ? null : updateFor(await packed(), signingKey) };
  });
}

/** @returns null: a copy of the blog asks */
async function atLiveSite<T>(
  trx: CreatorTransaction,
  creatorId: string,
  siteUrl: string | undefined,
  find: (trx: CreatorTransaction, of: { creatorId: string; siteId: string }) => Promise<T>,
): Promise<T | null> {
  const site = await liveSiteAt(trx, creatorId, siteUrl ?? '');
  return site && find(trx, { creatorId, siteId: site.id });
}

/** What is new to a site that knows `known`. */
function asVersion<T>(found: T | null, at: string, known: string | undefined) {
  if (found === null) return { state: 'copy' as const, version: '', told: null };
  const version = createHash('sha256')
    .update(JSON.stringify([at, found]))
    .digest('base64url');
  return { state: 'live' as const, version, told: version === known ? null : found };
}

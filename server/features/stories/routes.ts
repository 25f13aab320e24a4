import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { Id } from '#contract/shapes.ts';
import * as contract from '#contract/stories.ts';
import { AppError } from '#server/errors.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { sendPicture } from '#server/http/picture-answer.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { analyse } from './analytics.ts';
import * as links from './links.ts';
import * as mentions from './mentions.ts';
import { findPicture } from './queries.ts';
import * as stories from './stories.ts';
import { readNow } from './story-sync.ts';

/** Pages show it with `<img>`, so it is no call of the browser's client. */
const storyPicture = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/stories/:storyId/picture',
  access: 'creator',
  summary: 'Our copy of a story’s picture',
  params: z.object({ creatorId: Id, storyId: z.string().check(z.maxLength(64)) }),
  stream: true,
});

export function registerStories(
  app: FastifyInstance,
  deps: ServeDeps & Pick<AppDeps, 'automationsChanged' | 'config' | 'ids' | 'live' | 'log' | 'meta' | 'speakerOf'>,
): void {
  serve(app, deps, contract.listStories, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => stories.list(trx, creatorId, 'story', query)),
  );

  serve(app, deps, contract.getStory, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => stories.get(trx, creatorId, 'story', params.storyId)),
  );

  serve(app, deps, storyPicture, async ({ creatorId, params, inCreator, reply }) => {
    const picture = await inCreator((trx) => findPicture(trx, creatorId, params.storyId));
    if (picture === undefined) throw new AppError('not_found', 'There’s no picture of this story.');
    sendPicture(reply, picture);
  });

  serve(app, deps, contract.readStories, ({ creatorId }) => readNow(deps, creatorId));

  serve(app, deps, contract.listLives, async ({ creatorId, query, inCreator }) =>
    inCreator((trx) => stories.list(trx, creatorId, 'live', query)),
  );

  serve(app, deps, contract.getLive, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => stories.get(trx, creatorId, 'live', params.liveId)),
  );

  serve(app, deps, contract.getStoryAnalytics, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => analyse(deps, trx, creatorId, query)),
  );

  registerLinks(app, deps);

  serve(app, deps, contract.listStoryMentions, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => mentions.list(deps, trx, creatorId, query)),
  );
}

function registerLinks(
  app: FastifyInstance,
  deps: ServeDeps & Pick<AppDeps, 'automationsChanged' | 'config' | 'ids' | 'live'>,
): void {
  const changed = async (creatorId: string) => {
    await deps.automationsChanged({ creatorId });
    deps.live.publish(creatorId, { what: 'automations' });
  };

  serve(app, deps, contract.listStoryLinks, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => links.list(trx, creatorId, query)),
  );

  serve(app, deps, contract.createStoryLink, async ({ creatorId, body, signedIn, inCreator }) => {
    const link = await inCreator((trx) => links.create(deps, trx, creatorId, body, { userId: signedIn.user.id }));
    await changed(creatorId);
    return link;
  });

  serve(app, deps, contract.changeStoryLink, async ({ creatorId, params, body, signedIn, inCreator }) => {
    const by = { userId: signedIn.user.id };
    const link = await inCreator((trx) => links.change(deps, trx, creatorId, params.storyLinkId, body, by));
    await changed(creatorId);
    return link;
  });

  serve(app, deps, contract.deleteStoryLink, async ({ creatorId, params, inCreator }) => {
    await inCreator((trx) => links.remove(deps, trx, creatorId, params.storyLinkId));
    await changed(creatorId);
    return { message: 'Link removed. Its activity stays.' };
  });
}

import type { FastifyInstance } from 'fastify';
import { endpoint } from '#contract/endpoint.ts';
import * as contract from '#contract/posts.ts';
import { AppError } from '#server/errors.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { sendPicture } from '#server/http/picture-answer.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { findPicture } from './pictures.ts';
import { syncNow } from './post-sync.ts';
import * as posts from './posts.ts';

/** Pages show it with `<img>`, so it is no call of the browser's client. */
const postPicture = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/posts/:postId/picture',
  access: 'creator',
  summary: 'Our small copy of a post’s picture',
  params: contract.getPost.params,
  stream: true,
});

export function registerPosts(
  app: FastifyInstance,
  deps: ServeDeps & Pick<AppDeps, 'automationsChanged' | 'live' | 'log' | 'meta' | 'speakerOf'>,
): void {
  serve(app, deps, contract.listPosts, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => posts.list(trx, creatorId, query)),
  );

  serve(app, deps, contract.getPost, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => posts.get(trx, creatorId, params.postId)),
  );

  serve(app, deps, contract.testPost, async ({ creatorId, params, body, inCreator }) => {
    const answer = await inCreator((trx) => posts.test(deps, trx, creatorId, params.postId, body.open));
    await deps.automationsChanged({ creatorId });
    return answer;
  });

  serve(app, deps, postPicture, async ({ creatorId, params, inCreator, reply }) => {
    const picture = await inCreator((trx) => findPicture(trx, creatorId, params.postId));
    if (picture === undefined) throw new AppError('not_found', 'There’s no picture of this post.');
    sendPicture(reply, picture);
  });

  serve(app, deps, contract.syncPosts, async ({ creatorId }) => {
    const result = await syncNow(deps, creatorId);
    deps.live.publish(creatorId, { what: 'posts' });
    return result;
  });
}

import * as z from 'zod/mini';
import { previewCatchUp } from '#contract/catch-up.ts';
import { endpoint } from '#contract/endpoint.ts';
import { listLinkChecks } from '#contract/link-guard.ts';
import { listPosts } from '#contract/posts.ts';
import { listCaptionWarnings, listPreparedPosts, listWakingPosts } from '#contract/prepared-posts.ts';
import { listQueues } from '#contract/queue.ts';
import { CreatorParams } from '#contract/shapes.ts';

/** One question instead of seven when the home screen opens; after that each is asked about by itself. */
export const getHomeNotices = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/home-notices',
  access: 'creator',
  summary: 'All the notices on home in one call, each as its own endpoint returns it',
  params: CreatorParams,
  response: z.object({
    queues: listQueues.response,
    linkChecks: listLinkChecks.response,
    catchUp: previewCatchUp.response,
    captionWarnings: listCaptionWarnings.response,
    preparedPosts: listPreparedPosts.response,
    wakingPosts: listWakingPosts.response,
    /** With `automation=asks` and `limit=1`: how many there are. */
    askingPosts: listPosts.response,
  }),
});

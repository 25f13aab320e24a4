import * as z from 'zod/mini';

/** Its name and payload apart from its work, which needs what queues it. */
export const PAGE_JOB = {
  name: 'make-shop-page',
  payload: z.object({ creatorId: z.uuid(), pageId: z.uuid() }),
};

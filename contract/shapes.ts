/** Small schemas that many endpoints share. */
import * as z from 'zod/mini';

export const Id = z.uuid();
export const Timestamp = z.iso.datetime();

export const CreatorParams = z.object({ creatorId: Id });

/** A page of a list: pass `next` back as `after` to go on; null means the end. */
export function pageOf<S extends z.ZodMiniType>(item: S) {
  return z.object({ items: z.array(item), next: z.nullable(z.string()) });
}

export const PageQuery = {
  after: z.optional(z.string().check(z.maxLength(200))),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100))),
};

/** Small schemas that many endpoints share. */
import * as z from 'zod/mini';
import { completeLink } from '#contract/links.ts';
import { QUOTAS } from '#contract/quotas.ts';

export const Id = z.uuid();
export const Timestamp = z.iso.datetime();

export const CreatorParams = z.object({ creatorId: Id });

/** A link to a page; one typed without https:// is completed. */
export const WebLink = z
  .string()
  .check(
    z.overwrite(completeLink),
    z.url({ protocol: /^https?$/, error: 'Enter a link that starts with https://' }),
    z.maxLength(2000, 'A link can have at most 2,000 characters.'),
  );

/** A list that is no page: it has at most so many. Further items are left out of an answer. */
export function atMost<S extends z.ZodMiniType>(most: number, item: S) {
  return z.array(item).check(
    z.overwrite((all) => all.slice(0, most)),
    z.maxLength(most),
  );
}

/** One for each automation that there may be. */
export function byAutomation<S extends z.ZodMiniType>(item: S) {
  return atMost(QUOTAS.automations.most, item);
}

/** Words of an automation, its Custom Keywords and its languages, as a screen shows them. */
export const ShownWords = atMost(1000, z.string());

/** A page of a list: pass `next` back as `after` to go on; null means the end. */
export function pageOf<S extends z.ZodMiniType>(item: S) {
  return z.object({ items: z.array(item), next: z.nullable(z.string()) });
}

export const PageQuery = {
  after: z.optional(z.string().check(z.maxLength(1000))),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100))),
};

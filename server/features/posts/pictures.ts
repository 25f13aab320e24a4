/** Keeps a small copy of each post's picture: the addresses that Instagram gives expire after some days. */
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { Id } from '#contract/shapes.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import { type QueuedJob, TryLater } from '#server/db/jobs.ts';
import type { GuardedFetch } from '#server/platforms/guarded-fetch.ts';
import { smallPicture } from './small-picture.ts';

export type PictureDeps = {
  db: Database;
  clock: Clock;
  pictureFetching: Pick<GuardedFetch, 'request'>;
  log: FastifyBaseLogger;
};

const TIMEOUT_MS = 15_000;
/** Far more than Instagram's largest. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Queued by the sync for posts whose picture we do not have; a post that is gone meanwhile needs none. */
export const keepPicture: QueuedJob<PictureDeps, { creatorId: string; postId: string }> = {
  name: 'keep-post-picture',
  payload: z.object({ creatorId: Id, postId: z.string() }),
  atOnce: 2,
  run: async ({ db, clock, pictureFetching, log }, { creatorId, postId }) => {
    const { rows } = await sql<{ url: string; source: string }>`
      select picture_url as url, ${sourceOf} as source from posts
      where creator_id = ${creatorId} and id = ${postId} and gone_at is null and picture_url is not null
    `.execute(db.engine);
    const [address] = rows;
    if (address === undefined) return;
    const answer = await pictureFetching.request({
      url: address.url,
      method: 'GET',
      headers: { accept: 'image/*', 'accept-encoding': 'identity' },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MOST_BYTES + 1,
    });
    if (answer.kind !== 'answer' || answer.status !== 200) {
      const problem = answer.kind === 'answer' ? `status ${answer.status}` : answer.says;
      log.info({ postId, problem }, 'a post picture could not be fetched');
      throw new TryLater(problem);
    }
    const contentType = (answer.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
    const picture =
      !/^image\/[\w.+-]{1,40}$/.test(contentType) || answer.bytes.length > MOST_BYTES
        ? { problem: `${answer.bytes.length} bytes of ${contentType || 'no type'}` }
        : await smallPicture({ contentType, bytes: answer.bytes });
    // The next sync asks again; until then the card shows Instagram's address.
    if ('problem' in picture) return log.warn({ postId, problem: picture.problem }, 'a post picture could not be kept');
    await sql`
      insert into post_pictures (creator_id, post_id, source, content_type, bytes, kept_at)
      select creator_id, id, ${address.source}, ${picture.contentType}, ${picture.bytes}, ${clock.now()} from posts
      where creator_id = ${creatorId} and id = ${postId} and gone_at is null
      on conflict (creator_id, post_id) do update set source = excluded.source, content_type = excluded.content_type,
        bytes = excluded.bytes, kept_at = excluded.kept_at
    `.execute(db.engine);
  },
};

/** The part of `posts.picture_url` that names the picture: its host and signature differ with every answer of Instagram's. */
const sourceOf = sql<string>`regexp_replace(posts.picture_url, '^[^/]*//[^/]*|[?].*$', '', 'g')`;

/** Of `posts`: it has a picture that we do not. */
export const lacksPicture = sql<boolean>`posts.picture_url is not null and not exists (
  select from post_pictures t
  where t.creator_id = posts.creator_id and t.post_id = posts.id and t.source = ${sourceOf}
)`;

export async function findPicture(trx: CreatorTransaction, creatorId: string, postId: string) {
  return trx
    .selectFrom('post_pictures')
    .select(['content_type', 'bytes'])
    .where('creator_id', '=', creatorId)
    .where('post_id', '=', postId)
    .executeTakeFirst();
}

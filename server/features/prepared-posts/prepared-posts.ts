/** Automations made before their post: what became of them, and the creator's word where several posts fit. */
import { normaliseText } from '#contract/matching/index.ts';
import type { PreparedPost } from '#contract/prepared-posts.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { captionHas } from './caption-fit.ts';
import * as queries from './queries.ts';

const ATTACHED_AT_MOST = 20;
const OLDER_AT_MOST = 5;
/** Each is a search through all captions. */
const SEARCHED_FOR_AT_MOST = 10;

export async function list(trx: CreatorTransaction, creatorId: string): Promise<{ items: PreparedPost[] }> {
  const rows = await queries.findPrepared(trx, creatorId);
  const ids = rows.map(({ id }) => id);
  const asked = Map.groupBy(await queries.findCandidates(trx, creatorId, ids), ({ automationId }) => automationId);
  const byCaption = Map.groupBy(
    await queries.findCaptionAttachments(trx, creatorId),
    ({ automationId }) => automationId,
  );
  const posts = await queries.findPosts(trx, creatorId, [
    ...rows.flatMap(({ postId }) => postId ?? []),
    ...[...asked.values()].flatMap((candidates) => candidates.map(({ id }) => id)),
  ]);
  const searched = new Set(ids.filter((_, place) => rows[place]!.scope === 'caption').slice(0, SEARCHED_FOR_AT_MOST));
  const items: PreparedPost[] = [];
  for (const row of rows) {
    const post = row.postId === null ? undefined : posts.get(row.postId);
    const attached =
      row.scope === 'caption'
        ? (byCaption.get(row.id) ?? [])
        : post === undefined
          ? []
          : [{ ...post, attachedAt: row.attachedAt! }];
    const candidates = row.scope === 'next' ? (asked.get(row.id) ?? []).flatMap(({ id }) => posts.get(id) ?? []) : [];
    items.push({
      automationId: row.id,
      name: row.name,
      connectionId: row.connectionId,
      preparedFor: row.scope === 'caption' ? 'caption' : 'next',
      state: stateOf(row, { attached: attached.length, candidates: candidates.length }),
      words: row.words,
      captionWords: row.captionWords,
      switchedOnAt: row.switchedOnAt?.toISOString() ?? null,
      attached: attached
        .slice(0, ATTACHED_AT_MOST)
        .map((one) => ({ ...postView(one), attachedAt: one.attachedAt.toISOString() })),
      candidates: candidates.map(postView),
      olderPosts: searched.has(row.id)
        ? await olderPosts(trx, creatorId, row, new Set(attached.map(({ id }) => id)))
        : [],
    });
  }
  return { items };
}

function stateOf(row: queries.PreparedRow, count: { attached: number; candidates: number }): PreparedPost['state'] {
  if (row.switchedOnAt === null) return 'off';
  if (count.candidates > 0) return 'asks';
  return count.attached > 0 ? 'attached' : 'waiting';
}

async function olderPosts(
  trx: CreatorTransaction,
  creatorId: string,
  row: queries.PreparedRow,
  attached: ReadonlySet<string>,
) {
  const keys = row.captionWords.map((word) => normaliseText(word).key).filter((key) => key !== '');
  if (keys.length === 0) return [];
  return (await queries.findByCaption(trx, creatorId, row.connectionId, keys))
    .filter(({ id, caption }) => !attached.has(id) && captionHas(caption, row.captionWords))
    .slice(0, OLDER_AT_MOST)
    .map(postView);
}

/** The creator says which post it is for; also one that was there before. @throws AppError not_found, not_possible_now */
export async function attach(
  { clock }: { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
  { automationId, postId }: { automationId: string; postId: string },
): Promise<{ message: string }> {
  const automation = await find(trx, creatorId, automationId);
  if ((await queries.findPost(trx, creatorId, automation.connectionId, postId)) === undefined) {
    throw new AppError('not_found', 'This post and the automation belong to different accounts.');
  }
  const now = clock.now();
  if (automation.scope === 'caption') {
    await queries.attachCaption(trx, creatorId, { automationId, postId }, now);
  } else if (
    !(await queries.attachNext(trx, creatorId, { automationId, postId }, now)) &&
    automation.postId !== postId
  ) {
    throw new AppError('not_possible_now', 'This automation already has a post. Detach it first.');
  }
  return { message: 'It replies to new comments from now on.' };
}

/** It waits on; what it did on the post stays. @throws AppError not_found, not_possible_now */
export async function detach(
  { clock }: { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
  { automationId, postId }: { automationId: string; postId?: string | undefined },
): Promise<{ message: string }> {
  const automation = await find(trx, creatorId, automationId);
  if (automation.scope === 'caption') {
    if (postId === undefined) throw new AppError('not_possible_now', 'Choose which post to detach it from.');
    if (!(await queries.detachCaption(trx, creatorId, { automationId, postId }))) {
      throw new AppError('not_found', 'It isn’t attached to this post.');
    }
    return { message: 'It no longer replies on this post.' };
  }
  if (automation.scope === 'one') await queries.detachNext(trx, creatorId, automationId, clock.now());
  else await queries.forgetCandidates(trx, creatorId, automationId);
  return { message: 'It waits for your next post.' };
}

async function find(trx: CreatorTransaction, creatorId: string, id: string): Promise<queries.PreparedRow> {
  const [row] = await queries.findPrepared(trx, creatorId, id);
  if (row === undefined) {
    throw new AppError('not_found', 'This automation doesn’t exist, or was deleted.');
  }
  return row;
}

export type PostRow = queries.PostRow;

export function postView(row: PostRow) {
  return {
    id: row.id,
    caption: row.caption,
    pictureUrl: row.pictureUrl,
    permalink: row.permalink,
    postedAt: row.posted_at.toISOString(),
  };
}

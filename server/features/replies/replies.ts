/** Custom Replies: libraries of public replies and of messages. */
import { type Selectable, sql } from 'kysely';
import { checkReply, type ReplyInput } from '#contract/replies.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { RepliesTable } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { Library, refuseWhileOn } from '#server/features/libraries/library.ts';

type ReplyRow = Selectable<RepliesTable>;

const GONE = 'These Custom Replies were deleted. Remove them and save again.';

export const replies = new Library<ReplyInput, ReplyRow, ReplyInput>({
  table: 'replies',
  order: 'by_name',
  missing: 'These Custom Replies don’t exist, or were deleted.',
  changed: 'Someone else saved these replies while you were editing. Your version is still here: compare and choose.',
  problemsOf: checkReply,
  columnsOf: ({ name, kind, texts, translations }) => ({
    name,
    kind,
    texts,
    translations: JSON.stringify(translations),
  }),
  contentOf: ({ name, kind, texts, translations }) => ({
    name,
    kind: kind as ReplyInput['kind'],
    texts,
    translations: translations as ReplyInput['translations'],
  }),
  unique: {
    field: 'name',
    constraint: 'replies_by_name',
    sameAs: ({ name, kind }) => sql`kind = ${kind} and lower(name) = lower(${name})`,
    message: ({ name }) => `You already have Custom Replies named “${name}”. Choose another name.`,
  },
  usesOf: (creatorId, ids) => sql`
    select reply_id as id, id as "automationId", name, switched_on_at is not null as "on",
      case when trigger = 'comment' then post_id end as "postId"
    from automations
    where creator_id = ${creatorId} and reply_id = any(${ids}::uuid[]) and archived_at is null
    order by lower(name), automations.id
  `,
  refuseRemoval: refuseWhileOn,
  forget: (trx, creatorId, id, now) =>
    sql`
      update automations set reply_id = null, version = version + 1, updated_at = ${now}
      where creator_id = ${creatorId} and reply_id = ${id} and archived_at is null
    `.execute(trx),
});

/** Public replies do not become messages under an automation that is on. @throws AppError not_possible_now */
export function mayChange(trx: CreatorTransaction, creatorId: string, input: ReplyInput) {
  return async (before: ReplyRow) => {
    if (input.kind !== before.kind) refuseWhileOn(before.name, await replies.usesOf(trx, creatorId, before.id));
  };
}

/** Holds it until the end of the transaction, so that it is not deleted meanwhile. @throws AppError not_found */
export async function requirePublicReplies(trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  const [library] = await replies.hold(trx, creatorId, [id], GONE);
  if (library?.kind !== 'public_reply') throw new AppError('not_found', GONE);
}

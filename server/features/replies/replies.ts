/** Custom Replies: libraries of public replies and of messages. */
import { checkReply, type Reply, type ReplyInput } from '#contract/replies.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { isSameName } from '#server/features/keywords/keywords.ts';
import { refuseWhileUsed } from '#server/features/keywords/library-use.ts';
import { pageFrom, readPosition } from '#server/http/paging.ts';
import * as queries from './queries.ts';

type Deps = { clock: Clock; ids: Ids };

const PAGE_SIZE = 100;

export async function list(
  trx: CreatorTransaction,
  creatorId: string,
  query: { after?: string | undefined; limit?: number | undefined },
): Promise<{ items: Reply[]; next: string | null }> {
  const limit = query.limit ?? PAGE_SIZE;
  const page = { after: readPosition(query.after, 'uuid', 'name'), limit: limit + 1 };
  const { items, next } = pageFrom(await queries.findPage(trx, creatorId, page), limit);
  const ids = items.map(({ id }) => id);
  const uses = Map.groupBy(await queries.findUses(trx, creatorId, ids), ({ replyId }) => replyId);
  return { items: items.map((row) => show(row, uses.get(row.id) ?? [])), next };
}

/** @throws AppError not_found */
export async function get(trx: CreatorTransaction, creatorId: string, id: string): Promise<Reply> {
  const row = await find(trx, creatorId, id);
  return show(row, await queries.findUses(trx, creatorId, [id]));
}

/** @throws AppError invalid_input, already_exists */
export async function create(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  input: ReplyInput,
): Promise<Reply> {
  checkContent(input);
  const now = deps.clock.now();
  const id = deps.ids.uuid(now);
  const row = { creator_id: creatorId, id, ...columnsOf(input), created_at: now, updated_at: now };
  if (!(await queries.insert(trx, row))) throw sameName(input.name);
  return get(trx, creatorId, id);
}

/** @throws AppError invalid_input, not_found, already_exists, changed_meanwhile, not_possible_now */
export async function change(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  input: ReplyInput & { version: number },
): Promise<Reply> {
  await queries.lock(trx, creatorId, id);
  const before = await find(trx, creatorId, id);
  if (before.version !== input.version) {
    throw new AppError(
      'changed_meanwhile',
      'Somebody else saved these replies while you were editing. Nothing of yours is lost: compare and choose.',
    );
  }
  checkContent(input);
  if (input.kind !== before.kind) refuseWhileUsed(before.name, await queries.findUses(trx, creatorId, [id]));
  await queries.update(trx, creatorId, id, columnsOf(input), deps.clock.now()).catch((error: unknown) => {
    throw isSameName(error) ? sameName(input.name) : error;
  });
  return get(trx, creatorId, id);
}

/** Automations that are off and use it forget it. @throws AppError not_found, not_possible_now */
export async function remove(deps: Deps, trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  await queries.lock(trx, creatorId, id);
  const { name } = await find(trx, creatorId, id);
  refuseWhileUsed(name, await queries.findUses(trx, creatorId, [id]));
  const now = deps.clock.now();
  await queries.takeOutOfAutomations(trx, creatorId, id, now);
  await queries.remove(trx, creatorId, id);
}

/** Holds it until the end of the transaction, so that it is not deleted meanwhile. @throws AppError not_found */
export async function requirePublicReplies(trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  if ((await queries.findUsable(trx, creatorId, id)) !== 'public_reply') {
    throw new AppError('not_found', 'The Custom Replies were deleted meanwhile. Take them out and save again.');
  }
}

function sameName(name: string): AppError {
  const message = `You have Custom Replies called “${name}” already. Choose another name.`;
  return new AppError('already_exists', message, { fields: [{ path: 'name', message }] });
}

function checkContent(input: ReplyInput): void {
  const fields = checkReply(input)
    .filter(({ severity }) => severity === 'error')
    .map(({ path, message }) => ({ path, message }));
  if (fields.length > 0) throw new AppError('invalid_input', fields[0]!.message, { fields });
}

async function find(trx: CreatorTransaction, creatorId: string, id: string): Promise<queries.ReplyRow> {
  const row = await queries.findById(trx, creatorId, id);
  if (row === undefined) throw new AppError('not_found', 'These Custom Replies do not exist, or were deleted.');
  return row;
}

function columnsOf({ name, kind, texts, translations }: ReplyInput): queries.ReplyContent {
  return { name, kind, texts, translations };
}

function show(row: queries.ReplyRow, uses: queries.Use[]): Reply {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind as Reply['kind'],
    texts: row.texts,
    translations: row.translations,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    usedBy: uses.map(({ automationId, name, on, postId }) => ({ automationId, name, on, postId })),
  };
}

/**
 * Deleting a creator: asked for by an owner, done after 14 days, undone until then. Sending stops at once, because the engine
 * answers nobody for a creator with a `delete_at` (server/engine/deciding/connections.ts).
 */

import type { Transaction } from 'kysely';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { MembershipEndWay } from '#contract/membership-end.ts';
import type { getDeletion } from '#contract/settings.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import { later } from '#server/db/jobs.ts';
import type { Tables } from '#server/db/types.ts';
import { callOff } from '#server/engine/outcomes/calling-off.ts';
import { AppError } from '#server/errors.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { endWithCreator, followDeletion } from '#server/features/billing/ending.ts';
import { disconnect } from '#server/features/connections/connections.ts';
import { beginEnd, countToEnd } from '#server/features/fans/membership-end.ts';
import { type Mail, mailLater } from '#server/platforms/email/mail-later.ts';
import * as queries from './deletion-queries.ts';
import { creatorDeleted, deletionCancelled, deletionRequested } from './mails.ts';

const GRACE_MS = 14 * 24 * 3_600_000;

type Deps = {
  config: Pick<Config, 'baseUrl'>;
  db: Database;
  clock: Clock;
  ids: Ids;
  automationsChanged(change: { creatorId: string }): Promise<void> | void;
};

export async function readDeletion(
  { db }: Pick<Deps, 'db'>,
  creatorId: string,
): Promise<ResponseOf<typeof getDeletion>> {
  const creator = await queries.findDeletion(db.engine, creatorId);
  const members = await countToEnd(db.engine, creatorId);
  if (creator?.delete_at == null) return { deleteAt: null, requestedBy: null, members };
  return { deleteAt: creator.delete_at.toISOString(), requestedBy: creator.requested_by, members };
}

/**
 * A second request changes nothing: the first one's date stands.
 *
 * @param request.handle as the person typed it, in any spelling of letters
 * @throws AppError invalid_input when it is not the creator's
 */
export async function requestDeletion(
  deps: Deps,
  request: { creatorId: string; userId: string; handle: string; members?: MembershipEndWay | undefined },
): Promise<{ deleteAt: string }> {
  const { db, clock, config } = deps;
  const { creatorId } = request;
  const deleteAt = await db.engine.transaction().execute(async (trx) => {
    const creator = await queries.lockCreator(trx, creatorId);
    if (creator === undefined) throw gone();
    refuseOtherHandle(request.handle, creator.handle);
    if (creator.delete_at !== null) return creator.delete_at;
    await endMembers(deps, trx, request);
    const now = clock.now();
    const at = new Date(now.getTime() + GRACE_MS);
    await queries.setDeletion(trx, creatorId, {
      delete_at: at,
      delete_requested_at: now,
      delete_requested_by: request.userId,
    });
    await callOff(trx, { creatorId }, 'being_deleted', now);
    await later(trx, deps, followDeletion, { creatorId });
    const by = await queries.findName(trx, request.userId);
    await mailOwners(deps, trx, creatorId, (owner) => ({
      ...deletionRequested(owner, config.baseUrl, { handle: creator.handle, by, at }),
      aboutCreatorId: creatorId,
    }));
    return at;
  });
  await deps.automationsChanged({ creatorId });
  return { deleteAt: deleteAt.toISOString() };
}

/** @throws AppError invalid_input: there are members, and it was not said what becomes of them */
async function endMembers(
  deps: Deps,
  trx: Transaction<Tables>,
  { creatorId, userId, members: way }: { creatorId: string; userId: string; members?: MembershipEndWay | undefined },
): Promise<void> {
  if ((await countToEnd(trx, creatorId)) === 0) return;
  if (way === undefined) {
    throw new AppError('invalid_input', 'Say what becomes of your members first.');
  }
  await beginEnd(trx, deps, { creatorId, userId, way });
}

/** @throws AppError invalid_input: it is not the creator's, in any spelling of letters */
export async function checkHandle(trx: Transaction<Tables>, creatorId: string, typed: string): Promise<void> {
  const creator = await queries.lockCreator(trx, creatorId);
  if (creator === undefined) throw gone();
  refuseOtherHandle(typed, creator.handle);
}

function refuseOtherHandle(typed: string, handle: string): void {
  if (isSameHandle(typed, handle)) return;
  const message = `Type the handle ${handle} to confirm.`;
  throw new AppError('invalid_input', message, { fields: [{ path: 'handle', message }] });
}

/**
 * Automations answer again from now on.
 *
 * @throws AppError not_possible_now once the 14 days are over: then parts may be gone already
 */
export async function cancelDeletion(deps: Deps, creatorId: string): Promise<void> {
  const { db, clock, config } = deps;
  await db.engine.transaction().execute(async (trx) => {
    const creator = await queries.lockCreator(trx, creatorId);
    if (creator === undefined) throw gone();
    if (creator.delete_at === null) return;
    if (creator.delete_at <= clock.now()) {
      throw new AppError('not_possible_now', 'The 14 days are over. This account is being deleted.');
    }
    const nothing = { delete_at: null, delete_requested_at: null, delete_requested_by: null };
    await queries.setDeletion(trx, creatorId, nothing);
    await later(trx, deps, followDeletion, { creatorId });
    await mailOwners(deps, trx, creatorId, (owner) => ({
      ...deletionCancelled(owner, config.baseUrl, creator.handle),
      aboutCreatorId: creatorId,
    }));
  });
  await deps.automationsChanged({ creatorId });
}

/**
 * In two turns: the first one disconnects, so that nothing of the accounts comes in any more, the next one deletes.
 * Each can stop anywhere and start again.
 */
async function deleteDueCreators(deps: AppDeps): Promise<void> {
  for (const creator of await queries.findDue(deps.db.engine, deps.clock.now())) {
    try {
      if ((await disconnectAll(deps, creator.id)) > 0) continue;
      // Nobody could end it once the creator is gone.
      if (deps.stripe !== null) await endWithCreator({ ...deps, stripe: deps.stripe }, creator.id);
      await deleteCreator(deps, creator);
    } catch (error) {
      deps.log.error({ err: error, creatorId: creator.id }, 'a creator could not be deleted; it is tried again');
    }
  }
}

/** @returns how many were connected */
async function disconnectAll(deps: AppDeps, creatorId: string): Promise<number> {
  const connectionIds = await queries.findConnected(deps.db.engine, creatorId);
  for (const id of connectionIds) await disconnect(deps, creatorId, id);
  return connectionIds.length;
}

async function deleteCreator(deps: AppDeps, creator: { id: string; handle: string }): Promise<void> {
  await queries.deleteLargeTables(deps.db.engine, deps.held, creator.id);
  await deps.db.engine.transaction().execute(async (trx) => {
    // Asked for before its membership is gone with it.
    await mailOwners(deps, trx, creator.id, (owner) => creatorDeleted(owner, creator.handle));
    await queries.deleteCreator(trx, deps.held, creator.id);
  });
  deps.log.info({ creatorId: creator.id }, 'a creator was deleted');
}

async function mailOwners(
  deps: Pick<Deps, 'clock' | 'ids'>,
  trx: Parameters<typeof mailLater>[0],
  creatorId: string,
  write: (owner: { name: string; email: string }) => Mail,
): Promise<void> {
  for (const owner of await queries.findOwners(trx, creatorId)) await mailLater(trx, deps, write(owner));
}

function isSameHandle(typed: string, handle: string): boolean {
  return typed.trim().replace(/^@/, '').toLowerCase() === handle.toLowerCase();
}

function gone(): AppError {
  return new AppError('not_found', 'This doesn’t exist, or you don’t have access to it.');
}

/** For the worker's list of repeated jobs. */
export const deletionJobs = [
  { name: 'delete-creators', everyMs: 10 * 60_000, deletesByAge: true, run: deleteDueCreators },
];

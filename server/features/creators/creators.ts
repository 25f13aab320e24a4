import type { Transaction } from 'kysely';
import { createCreator as createCreatorEndpoint } from '#contract/creators.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { startInHouse } from '#server/features/billing/in-house.ts';
import { setCurrentCreator } from '#server/features/people/sessions.ts';
import { withinQuotas } from '#server/http/quotas.ts';
import type { SignedIn } from '#server/http/sessions.ts';

type Deps = { db: Database; clock: Clock; ids: Ids };

/**
 * Starts a creator account owned by the person signed in and shows it in their session. A person may own several; the same
 * handle once more (a second click on the button) gives the account that is there.
 * @throws AppError quota_reached, already_exists when somebody else has the handle
 */
export async function createCreator(
  deps: Deps,
  signedIn: SignedIn,
  handle: string,
): Promise<{ id: string; handle: string }> {
  return deps.db.engine.transaction().execute(async (trx) => {
    const ownerId = signedIn.user.id;
    const whose = { creatorId: '', userId: ownerId, now: deps.clock.now() };
    // Two requests for the same handle go one after the other.
    const id = await withinQuotas(trx, whose, createCreatorEndpoint.quotas, () =>
      startCreator(trx, deps, { handle, ownerId }),
    );
    await setCurrentCreator(trx, signedIn.sessionId, id);
    return trx.selectFrom('creators').select(['id', 'handle']).where('id', '=', id).executeTakeFirstOrThrow();
  });
}

/**
 * A creator with its owner and its free subscription.
 * @returns its id
 * @throws AppError already_exists when somebody else has the handle
 */
export async function startCreator(
  trx: Transaction<Tables>,
  deps: { clock: Clock; ids: Ids },
  { handle, ownerId }: { handle: string; ownerId: string },
): Promise<string> {
  const now = deps.clock.now();
  const creator = await trx
    .insertInto('creators')
    .values({ id: deps.ids.uuid(now), handle, created_at: now, created_by: ownerId })
    // The unique index is on lower(handle); this waits for another transaction that takes it at the same moment.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (creator === undefined) return findOwn(trx, handle, ownerId);
  await trx
    .insertInto('memberships')
    .values({ creator_id: creator.id, id: deps.ids.uuid(now), user_id: ownerId, role: 'owner', created_at: now })
    .execute();
  await startInHouse(trx, deps, { creatorId: creator.id });
  return creator.id;
}

/** @throws AppError already_exists when somebody else has the handle */
export async function changeHandle(trx: CreatorTransaction, creatorId: string, handle: string): Promise<void> {
  try {
    await trx.updateTable('creators').set({ handle }).where('id', '=', creatorId).execute();
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    throw constraint === 'creators_by_handle' ? handleTaken() : error;
  }
}

const MOST_TRIED = 20;
const LONGEST_HANDLE = 30;

/**
 * Starts a creator account named after its account on Instagram; where somebody else has the handle, with a number
 * behind it.
 *
 * @throws AppError quota_reached, already_exists when so many numbers are taken
 */
export async function createCreatorNamed(deps: Deps, signedIn: SignedIn, username: string): Promise<string> {
  for (let place = 1; ; place++) {
    const ending = place === 1 ? '' : `.${place}`;
    try {
      const handle = username.slice(0, LONGEST_HANDLE - ending.length) + ending;
      return (await createCreator(deps, signedIn, handle)).id;
    } catch (error) {
      const isTaken = error instanceof AppError && error.code === 'already_exists';
      if (!isTaken || place === MOST_TRIED) throw error;
    }
  }
}

async function findOwn(trx: Transaction<Tables>, handle: string, ownerId: string): Promise<string> {
  const own = await trx
    .selectFrom('creators')
    .innerJoin('memberships', 'memberships.creator_id', 'creators.id')
    .select('creators.id')
    .where((eb) => eb(eb.fn<string>('lower', ['creators.handle']), '=', handle.toLowerCase()))
    .where('memberships.user_id', '=', ownerId)
    .where('memberships.role', '=', 'owner')
    .executeTakeFirst();
  if (own !== undefined) return own.id;
  throw handleTaken();
}

function handleTaken(): AppError {
  const message =
    'Someone else uses this handle here. Choose another one; you can still connect your Instagram account.';
  return new AppError('already_exists', message, { fields: [{ path: 'handle', message }] });
}

/**
 * A call with an `Idempotency-Key` happens once: the same call again gets the first one's answer, for a day
 * (https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header). A key is its caller's own, in one creator.
 *
 * The row of a key says how far its call came. `committed` is set in the transaction that makes the thing, so a call that failed
 * or died before that may be made again, and one that died after it is never repeated.
 */
import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { type SqlBool, sql, type Transaction } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { type Keys, open, seal } from '#server/secrets.ts';

export const KEPT_MS = 24 * 60 * 60_000;
/** No call takes so long (server/http/limits.ts): it died. */
const DEAD_AFTER_MS = 60_000;

export type Once = ReturnType<typeof createOnce>;

type Keyed = {
  key: string;
  creatorId: string;
  /** The id of a token, or of the person signed in. */
  callerId: string;
  method: string;
  url: string;
  body: unknown;
};
type Commit = (trx: Transaction<Tables>) => Promise<void>;

/**
 * @throws AppError malformed_request when the header is no structured string (RFC 9651) and no bare word either, as many
 * programs send it
 */
export function readKey(header: string): string {
  const key = /^"([\x20-\x21\x23-\x5b\x5d-\x7e]{1,255})"$|^([\x21\x23-\x7e]{1,255})$/.exec(header);
  if (key === null) {
    throw new AppError('malformed_request', 'Idempotency-Key must have 1 to 255 characters. Use a UUID in quotes.');
  }
  return key[1] ?? key[2]!;
}

export function createOnce(deps: { db: Database; clock: Clock; ids: Ids; keys: Keys; log: FastifyBaseLogger }) {
  const { db, clock, ids, keys, log } = deps;
  /** Calls of this process; those of others are known by their rows. */
  const underWay = new Map<string, Promise<unknown>>();

  /**
   * @param run makes the thing; calls `commit` in the transaction that does
   * @throws AppError key_used_before for another call, call_under_way
   */
  return async function once<T>(call: Keyed, run: (commit: Commit) => Promise<T>): Promise<T> {
    const name = [call.creatorId, call.callerId, call.key].join(' ');
    while (underWay.has(name)) await underWay.get(name)!.catch(() => {});
    const answer = claimAndRun(call, run);
    underWay.set(name, answer);
    try {
      return await answer;
    } finally {
      underWay.delete(name);
    }
  };

  async function claimAndRun<T>(call: Keyed, run: (commit: Commit) => Promise<T>): Promise<T> {
    const { creatorId } = call;
    const id = ids.uuid(clock.now());
    const found = await db.withCreator(creatorId, (trx) => claim(trx, id, call));
    if (found !== null) return answerOf(found, call) as T;
    const changeRow = (trx: Transaction<Tables>, to: { committed: true; answer?: string }) =>
      trx.updateTable('idempotency_keys').set(to).where('creator_id', '=', creatorId).where('id', '=', id).execute();

    let answer: T;
    try {
      answer = await run(async (trx) => void (await changeRow(trx, { committed: true })));
    } catch (error) {
      await db
        .withCreator(creatorId, (trx) =>
          trx
            .deleteFrom('idempotency_keys')
            .where('creator_id', '=', creatorId)
            .where('id', '=', id)
            .where('committed', '=', false)
            .execute(),
        )
        .catch((err) => log.warn({ err }, 'an Idempotency-Key stays taken for a minute'));
      throw error;
    }
    // It was made, whatever becomes of the note.
    const sealed = seal(keys.encryptionKeys, JSON.stringify(answer));
    await db
      .withCreator(creatorId, (trx) => changeRow(trx, { committed: true, answer: sealed }))
      .catch((err) => log.warn({ err }, 'an answer was not kept for its Idempotency-Key'));
    return answer;
  }

  /** Null: the key is this call's now. Else the row of the call that has it; undefined when that just failed. */
  async function claim(trx: Transaction<Tables>, id: string, { creatorId, callerId, ...call }: Keyed) {
    const now = clock.now();
    const before = (ms: number) => new Date(now.getTime() - ms);
    const whose = { creator_id: creatorId, caller_id: callerId, key_hash: hash(call.key) };
    const claimed = await trx
      .insertInto('idempotency_keys')
      .values({ ...whose, id, request_hash: requestHash(call), created_at: now })
      .onConflict((conflict) =>
        conflict
          .columns(['creator_id', 'caller_id', 'key_hash'])
          .doUpdateSet((is) => ({
            id: is.ref('excluded.id'),
            request_hash: is.ref('excluded.request_hash'),
            created_at: is.ref('excluded.created_at'),
            committed: false,
            answer: null,
          }))
          .where(
            sql<SqlBool>`idempotency_keys.created_at <= ${before(KEPT_MS)}
              or (not idempotency_keys.committed and idempotency_keys.created_at <= ${before(DEAD_AFTER_MS)})`,
          ),
      )
      .returning('id')
      .executeTakeFirst();
    if (claimed !== undefined) return null;
    let query = trx.selectFrom('idempotency_keys').select(['request_hash', 'answer', 'created_at']);
    for (const [column, value] of Object.entries(whose)) query = query.where(column as keyof typeof whose, '=', value);
    return query.executeTakeFirst();
  }

  function answerOf(row: { request_hash: string; answer: string | null; created_at: Date } | undefined, call: Keyed) {
    if (row !== undefined && row.request_hash !== requestHash(call)) {
      throw new AppError(
        'key_used_before',
        'This Idempotency-Key was used for another call. Use a new one for each call.',
      );
    }
    if (row !== undefined && row.answer !== null) return JSON.parse(open(keys.encryptionKeys, row.answer)) as unknown;
    if (row !== undefined && clock.now().getTime() - row.created_at.getTime() >= DEAD_AFTER_MS) {
      throw new AppError(
        'call_under_way',
        'This was created, but the response was lost. Check the list instead of creating it again.',
      );
    }
    throw new AppError(
      'call_under_way',
      'The first call with this Idempotency-Key isn’t finished yet. Try again soon.',
      {
        retryAfterSeconds: 1,
      },
    );
  }
}

function requestHash({ method, url, body }: Pick<Keyed, 'method' | 'url' | 'body'>): string {
  return hash(JSON.stringify([method, url, body ?? null]));
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

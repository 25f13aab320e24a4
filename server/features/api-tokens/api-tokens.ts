/** Tokens of other tools: made here, shown once, kept as a hash. */
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { ApiToken, makeToken, Scope } from '#contract/api-tokens.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import type { TokenCaller } from '#server/http/sessions.ts';

const TOKEN_STARTS = 'chqt_';
/** 238 bits: nobody guesses one, so a hash without salt keeps it as well as a slow one. */
const RANDOM_CHARACTERS = 40;
const PREFIX_CHARACTERS = TOKEN_STARTS.length + 4;
const DAY_MS = 24 * 3_600_000;
/** `lastUsedAt` is right to a minute: a busy tool must not write a row at every call. */
const NOTED_EVERY_MS = 60_000;

const COLUMNS = ['id', 'name', 'prefix', 'scopes', 'created_at', 'expires_at', 'last_used_at'] as const;

type Whose = { creatorId: string; userId: string };

/** The person's own ones that still work, newest first. */
export async function list(trx: CreatorTransaction, { creatorId, userId }: Whose, now: Date): Promise<ApiToken[]> {
  const rows = await trx
    .selectFrom('api_tokens')
    .select(COLUMNS)
    .where('creator_id', '=', creatorId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', now)]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(viewOf);
}

export async function make(
  { clock, ids }: { clock: Clock; ids: Ids },
  trx: CreatorTransaction,
  { name, scopes, days, ...whose }: BodyOf<typeof makeToken> & Whose,
): Promise<ApiToken & { token: string }> {
  const now = clock.now();
  const token = TOKEN_STARTS + ids.code(RANDOM_CHARACTERS);
  const row = await trx
    .insertInto('api_tokens')
    .values({
      creator_id: whose.creatorId,
      id: ids.uuid(now),
      user_id: whose.userId,
      name,
      token_hash: hash(token),
      prefix: token.slice(0, PREFIX_CHARACTERS),
      scopes: [...new Set(scopes)],
      created_at: now,
      expires_at: days === null ? null : new Date(now.getTime() + days * DAY_MS),
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return { ...viewOf(row), token };
}

/** @throws AppError not_found */
export async function revoke(
  trx: CreatorTransaction,
  { creatorId, userId, id }: Whose & { id: string },
  now: Date,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where('creator_id', '=', creatorId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('not_found', 'This is not among your tokens any more.');
}

/**
 * Who calls with this token; null for one that is wrong, ended or revoked. Looked up by its hash: how long that takes
 * tells nothing about a token. Whether the person still belongs to the creator is asked at each call, as for sessions.
 */
export async function readToken(db: Kysely<Tables>, token: string, now: Date): Promise<TokenCaller | null> {
  if (!token.startsWith(TOKEN_STARTS)) return null;
  const { rows } = await sql<{
    id: string;
    creator_id: string;
    scopes: Scope[];
    user_id: string;
    name: string;
    email: string;
    email_verified: boolean;
    image: string | null;
    two_factor_enabled: boolean;
  }>`
    with found as (
      select t.creator_id, t.id, t.scopes, t.last_used_at, u.id as user_id, u.name, u.email, u.email_verified, u.image,
        u.two_factor_enabled
      from api_tokens t join users u on u.id = t.user_id
      where t.token_hash = ${hash(token)} and t.revoked_at is null and (t.expires_at is null or t.expires_at > ${now})
    ), used as (
      update api_tokens t set last_used_at = ${now} from found f
      where t.creator_id = f.creator_id and t.id = f.id
        and (f.last_used_at is null or f.last_used_at < ${new Date(now.getTime() - NOTED_EVERY_MS)})
    )
    select * from found
  `.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    creatorId: row.creator_id,
    scopes: row.scopes,
    signedIn: {
      sessionId: row.id,
      user: {
        id: row.user_id,
        name: row.name,
        email: row.email,
        emailVerified: row.email_verified,
        // A token never opens the admin area.
        isAdmin: false,
        needsTwoStep: false,
        image: row.image,
        twoFactorEnabled: row.two_factor_enabled,
      },
      currentCreatorId: row.creator_id,
      adminVisit: null,
    },
  };
}

function viewOf(row: {
  id: string;
  name: string;
  prefix: string;
  scopes: string[];
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
}): ApiToken {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes as Scope[],
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Tokens of other tools: made here, shown once, kept as a hash. */
import { createHash } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { ApiToken, makeToken, Scope } from '#contract/api-tokens.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { mailNewAccess } from '#server/features/notices/new-access.ts';
import { lockMembership, nameInTeam } from '#server/features/people/memberships.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import type { TokenCaller } from '#server/http/sessions.ts';

const TOKEN_STARTS = 'chqt_';
/** 238 bits: nobody guesses one, so a hash without salt keeps it as well as a slow one. */
const RANDOM_CHARACTERS = 40;
const PREFIX_CHARACTERS = TOKEN_STARTS.length + 4;
const DAY_MS = 24 * 3_600_000;
/** `lastUsedAt` is right to a minute: a busy tool must not write a row at every call. */
const NOTED_EVERY_MS = 60_000;

const COLUMNS = ['id', 'user_id', 'name', 'prefix', 'scopes', 'created_at', 'expires_at', 'last_used_at'] as const;

const PAGE_SIZE = 100;

/** `ofTeam`: with those of everybody in the team. */
type Whose = { creatorId: string; userId: string; ofTeam: boolean };

/** Those that still work, newest first. */
export async function list(
  trx: CreatorTransaction,
  { creatorId, userId, ofTeam }: Whose,
  now: Date,
  query: { after?: string | undefined; limit?: number | undefined },
): Promise<{ items: ApiToken[]; next: string | null }> {
  const limit = query.limit ?? PAGE_SIZE;
  const after = readPosition(query.after, 'uuid');
  const rows = await trx
    .selectFrom('api_tokens')
    .select(COLUMNS)
    .select(nameInTeam('api_tokens.creator_id', 'api_tokens.user_id').as('made_by'))
    .where('creator_id', '=', creatorId)
    .$if(!ofTeam, (tokens) => tokens.where('user_id', '=', userId))
    .where('revoked_at', 'is', null)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', now)]))
    .$if(after !== null, (tokens) =>
      tokens.where(sql<boolean>`(created_at, id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`),
    )
    .select(sql<string>`created_at::text`.as('position'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { items, next } = pageFrom(rows, limit);
  return { items: items.map((row) => viewOf(row, userId)), next };
}

/**
 * The owners get a mail: the transaction must be the engine role's.
 * @throws AppError not_found when the person is not in the team any more
 */
export async function make(
  deps: { config: { baseUrl: string }; clock: Clock; ids: Ids },
  trx: Transaction<Tables>,
  { creatorId, user }: { creatorId: string; user: { id: string; name: string; email: string } },
  { name, scopes, days }: BodyOf<typeof makeToken>,
): Promise<ApiToken & { token: string }> {
  const { clock, ids } = deps;
  const now = clock.now();
  await lockMembership(trx, { creatorId, userId: user.id });
  const token = TOKEN_STARTS + ids.code(RANDOM_CHARACTERS);
  const row = await trx
    .insertInto('api_tokens')
    .values({
      creator_id: creatorId,
      id: ids.uuid(now),
      user_id: user.id,
      name,
      token_hash: hash(token),
      prefix: token.slice(0, PREFIX_CHARACTERS),
      scopes: [...new Set(scopes)],
      created_at: now,
      expires_at: days === null ? null : new Date(now.getTime() + days * DAY_MS),
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  await mailNewAccess(trx, deps, { creatorId, by: user, access: { kind: 'API token', name, scopes: row.scopes } });
  return { ...viewOf({ ...row, made_by: user.name }, user.id), token };
}

/** @throws AppError not_found */
export async function revoke(
  trx: CreatorTransaction,
  { creatorId, userId, ofTeam, id }: Whose & { id: string },
  now: Date,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where('creator_id', '=', creatorId)
    .$if(!ofTeam, (tokens) => tokens.where('user_id', '=', userId))
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('not_found', 'This token no longer exists.');
}

/** For good: also should the person come back. */
export async function revokeAllOf(
  trx: Transaction<Tables>,
  { creatorId, userId }: { creatorId: string; userId: string },
  now: Date,
): Promise<void> {
  await trx
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where('creator_id', '=', creatorId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute();
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
      ownCreatorId: row.creator_id,
      adminVisit: null,
    },
  };
}

function viewOf(
  row: {
    id: string;
    user_id: string;
    made_by: string | null;
    name: string;
    prefix: string;
    scopes: string[];
    created_at: Date;
    expires_at: Date | null;
    last_used_at: Date | null;
  },
  userId: string,
): ApiToken {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes as Scope[],
    createdAt: row.created_at.toISOString(),
    createdBy: row.made_by,
    yours: row.user_id === userId,
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

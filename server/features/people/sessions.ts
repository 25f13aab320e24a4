/** Who a request comes from. One query per question; signatures are checked before the database is asked. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { readApiKey } from '#server/features/api-keys/read-api-key.ts';
import { readToken } from '#server/features/api-tokens/api-tokens.ts';
import type { ServeDeps } from '#server/http/serve.ts';
import type { SignedIn } from '#server/http/sessions.ts';
import type { Auth } from './auth.ts';

/** Used or not, after so long they log in again: a cookie that was stolen once does not work for ever. */
export const SESSION_LASTS_MS = 90 * 24 * 60 * 60_000;

export function createSessions(deps: {
  auth: Pick<Auth, 'sessionCookie'>;
  secretKey: string;
  db: Database;
  clock: Clock;
  /** Admins have an admin's rights with two-step login only. */
  adminsNeedTwoStep: boolean;
}): ServeDeps['sessions'] {
  return {
    async read(request) {
      const token = signedCookie(request, deps.auth.sessionCookie, deps.secretKey);
      if (token === null) return null;
      const row = await findSignedIn(deps.db.engine, token, deps.clock.now());
      if (row === undefined) return null;
      const needsTwoStep = row.is_admin && deps.adminsNeedTwoStep && !row.two_factor_enabled;
      const visit = needsTwoStep ? null : visitOf(row);
      return {
        sessionId: row.session_id,
        user: {
          id: row.id,
          name: row.name,
          email: row.email,
          emailVerified: row.email_verified,
          isAdmin: row.is_admin && !needsTwoStep,
          needsTwoStep,
          image: row.image,
          twoFactorEnabled: row.two_factor_enabled,
        },
        currentCreatorId: visit?.creatorId ?? row.creator_id,
        ownCreatorId: row.creator_id,
        adminVisit: visit,
      };
    },
    readToken: (token) => readToken(deps.db.engine, token, deps.clock.now()),
    readApiKey: (key) => readApiKey(deps.db.engine, key, deps.clock.now()),
    async roleIn({ user, adminVisit }, creatorId) {
      if (adminVisit?.creatorId === creatorId) return 'admin';
      const row = await deps.db.engine
        .selectFrom('memberships')
        .select('role')
        .where('user_id', '=', user.id)
        .where('creator_id', '=', creatorId)
        .executeTakeFirst();
      return row?.role ?? null;
    },
  };
}

/** The value of a cookie that we signed: `value.signature`, HMAC-SHA256 in base64, as better-auth writes it. */
export function signedCookie(request: FastifyRequest, cookieName: string, secretKey: string): string | null {
  const value = request.cookies[cookieName] ?? '';
  const dot = value.lastIndexOf('.');
  if (dot < 1) return null;
  const token = value.slice(0, dot);
  const expected = createHmac('sha256', secretKey).update(token).digest();
  const given = Buffer.from(value.slice(dot + 1), 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null;
}

function visitOf(row: NonNullable<Awaited<ReturnType<typeof findSignedIn>>>): SignedIn['adminVisit'] {
  const { visit_id, visited_creator_id, until, reason } = row;
  if (visit_id === null || visited_creator_id === null || until === null || reason === null) return null;
  return { id: visit_id, creatorId: visited_creator_id, until, reason };
}

/**
 * The session's creator while the person still belongs to it, else the one they have belonged to the longest. And the
 * creator they visit as an admin: until the hour is over, while they still are one.
 */
function findSignedIn(db: Kysely<Tables>, token: string, now: Date) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoinLateral(
      (query) =>
        query
          .selectFrom('memberships')
          .select('memberships.creator_id')
          .whereRef('memberships.user_id', '=', 'users.id')
          .orderBy(sql`memberships.creator_id is not distinct from sessions.current_creator_id`, 'desc')
          .orderBy('memberships.created_at')
          .orderBy('memberships.id')
          .limit(1)
          .as('current'),
      (join) => join.onTrue(),
    )
    .leftJoin('admin_visits as visit', (join) =>
      join
        .onRef('visit.id', '=', 'sessions.admin_visit_id')
        .onRef('visit.admin_id', '=', 'users.id')
        .on('visit.ended_at', 'is', null)
        .on('visit.until', '>', now)
        .on('users.is_admin', '=', true),
    )
    .select([
      'sessions.id as session_id',
      'users.id',
      'users.name',
      'users.email',
      'users.email_verified',
      'users.is_admin',
      'users.image',
      'users.two_factor_enabled',
      'current.creator_id',
      'visit.id as visit_id',
      'visit.creator_id as visited_creator_id',
      'visit.until',
      'visit.reason',
    ])
    .where('sessions.token', '=', token)
    .where('sessions.expires_at', '>', now)
    .where('sessions.created_at', '>', new Date(now.getTime() - SESSION_LASTS_MS))
    .executeTakeFirst();
}

/** Shows another creator's screens in this session from now on. Whether they may is the caller's question. */
export async function setCurrentCreator(trx: Transaction<Tables>, sessionId: string, creatorId: string) {
  await trx.updateTable('sessions').set({ current_creator_id: creatorId }).where('id', '=', sessionId).execute();
}

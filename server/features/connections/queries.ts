import type { Insertable, Kysely, Selectable, Updateable } from 'kysely';
import { sql } from 'kysely';
import type { ConnectionsTable, OauthAttemptsTable, Tables, TokensTable } from '#server/db/types.ts';

/** A creator's transaction in requests, the engine's role in jobs: every query names the creator all the same. */
type Executor = Kysely<Tables>;

export type ConnectionRow = Selectable<ConnectionsTable>;
export type TokenRow = Selectable<TokensTable>;
export type TokenKind = 'FACEBOOK_BUSINESS_USER' | 'FACEBOOK_BUSINESS_PAGE' | 'INSTAGRAM_BUSINESS_USER';

// --- Sign-ins under way ---

export async function insertAttempt(db: Executor, row: Insertable<OauthAttemptsTable>): Promise<void> {
  await db
    .deleteFrom('oauth_attempts')
    .where('expires_at', '<', sql<Date>`${row.created_at}::timestamptz - interval '1 day'`)
    .execute();
  await db.insertInto('oauth_attempts').values(row).execute();
}

/** Finds and forgets in one: a state works once. */
export async function takeAttempt(db: Executor, stateHash: string) {
  return db.deleteFrom('oauth_attempts').where('state_hash', '=', stateHash).returningAll().executeTakeFirst();
}

// --- Connections ---

/** Whether any creator has this Instagram account connected. */
export async function isConnected(db: Executor, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('connections')
    .select('id')
    .where('platform', '=', 'instagram')
    .where('account_id', '=', accountId)
    .where('disconnected_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Shown ones: connected, or cut off by the person at Meta. Accounts the creator disconnected here are hidden. */
export async function findShown(db: Executor, creatorId: string): Promise<ConnectionRow[]> {
  return findShownOf(db, [creatorId]);
}

export async function findFacebookAddon(db: Executor, creatorId: string): Promise<boolean> {
  const row = await db.selectFrom('creators').select('facebook_addon').where('id', '=', creatorId).executeTakeFirst();
  return row?.facebook_addon ?? false;
}

export async function setFacebookAddon(db: Executor, creatorId: string, on: boolean): Promise<void> {
  await db.updateTable('creators').set({ facebook_addon: on }).where('id', '=', creatorId).execute();
}

/** The same of several creators. */
export async function findShownOf(db: Executor, creatorIds: string[]): Promise<ConnectionRow[]> {
  return db
    .selectFrom('connections')
    .selectAll()
    .where('creator_id', 'in', creatorIds)
    .where((is) => is.or([is('disconnected_at', 'is', null), is('disconnected_reason', '=', 'app_removed')]))
    .orderBy('connected_at')
    .orderBy('id')
    .execute();
}

export async function findById(db: Executor, creatorId: string, id: string): Promise<ConnectionRow | undefined> {
  return db
    .selectFrom('connections')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Connected or once connected; the connected one first. Locked until the transaction ends. */
export async function findByAccount(
  db: Executor,
  creatorId: string,
  account: { platform: 'instagram' | 'facebook'; accountId: string },
): Promise<ConnectionRow | undefined> {
  return db
    .selectFrom('connections')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('platform', '=', account.platform)
    .where('account_id', '=', account.accountId)
    .orderBy(sql`disconnected_at is null`, 'desc')
    .orderBy('connected_at', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
}

export async function insertConnection(db: Executor, row: Insertable<ConnectionsTable>): Promise<void> {
  await db.insertInto('connections').values(row).execute();
}

export async function updateConnection(
  db: Executor,
  { creator_id, id }: Pick<ConnectionRow, 'creator_id' | 'id'>,
  change: Updateable<ConnectionsTable>,
): Promise<void> {
  await db.updateTable('connections').set(change).where('creator_id', '=', creator_id).where('id', '=', id).execute();
}

/** Nothing goes out until the creator signs in again. @returns false: they have, since the row was read */
export async function requireSignIn(
  db: Executor,
  row: Pick<ConnectionRow, 'creator_id' | 'id' | 'connected_at'>,
  { at, reason }: { at: Date; reason: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('connections')
    .set({ requires_auth_at: at, requires_auth_reason: reason })
    .where('creator_id', '=', row.creator_id)
    .where('id', '=', row.id)
    // A Date has no microseconds.
    .where(sql`date_trunc('milliseconds', connected_at)`, '=', row.connected_at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Those whose last check is the longest ago, never checked ones first. */
export async function findToCheck(db: Executor, before: Date, limit: number): Promise<ConnectionRow[]> {
  return db
    .selectFrom('connections')
    .selectAll()
    .where('disconnected_at', 'is', null)
    .where((is) => is.or([is('checked_at', 'is', null), is('checked_at', '<', before)]))
    .orderBy('checked_at', (order) => order.asc().nullsFirst())
    .limit(limit)
    .execute();
}

/** Of all creators: connections that a person made who is known to Meta's app by this id. */
export async function findByPlatformUser(db: Executor, userId: string): Promise<ConnectionRow[]> {
  return db
    .selectFrom('connections')
    .selectAll()
    .where((is) =>
      is.or([is('app_scoped_id', '=', userId), is('facebook_user_id', '=', userId), is('account_id', '=', userId)]),
    )
    .execute();
}

// --- Tokens ---

export async function upsertToken(db: Executor, row: Insertable<TokensTable>): Promise<void> {
  await db
    .insertInto('tokens')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['creator_id', 'kind', 'subject_id']).doUpdateSet({
        secret: row.secret,
        scopes: row.scopes,
        issued_at: row.issued_at,
        expires_at: row.expires_at ?? null,
        refreshed_at: null,
        invalid_at: null,
        invalid_reason: null,
      }),
    )
    .execute();
}

/** Tokens that can speak for a connection, the account's own before its Page's, living before dead. */
export async function findSpeaking(db: Executor, connection: { creatorId: string; id: string }): Promise<TokenOf[]> {
  return tokensOf(db, [connection.creatorId]).where('connections.id', '=', connection.id).execute();
}

/** The same for all connections of a creator. */
export async function findAllSpeaking(db: Executor, creatorId: string): Promise<TokenOf[]> {
  return findAllSpeakingOf(db, [creatorId]);
}

/** The same of several creators. */
export async function findAllSpeakingOf(db: Executor, creatorIds: string[]): Promise<TokenOf[]> {
  return tokensOf(db, creatorIds).execute();
}

export type TokenOf = TokenRow & {
  connection_id: string;
  platform: string;
  account_id: string;
  page_id: string | null;
};

function tokensOf(db: Executor, creatorIds: string[]) {
  return db
    .selectFrom('connections')
    .innerJoin('tokens', (join) =>
      join
        .onRef('tokens.creator_id', '=', 'connections.creator_id')
        .on((is) =>
          is.or([
            is.and([
              is('tokens.kind', '=', 'INSTAGRAM_BUSINESS_USER'),
              is('connections.platform', '=', 'instagram'),
              is('tokens.subject_id', '=', is.ref('connections.account_id')),
            ]),
            is.and([
              is('tokens.kind', '=', 'FACEBOOK_BUSINESS_PAGE'),
              is('tokens.subject_id', '=', is.ref('connections.page_id')),
            ]),
          ]),
        ),
    )
    .selectAll('tokens')
    .select([
      'connections.id as connection_id',
      'connections.platform',
      'connections.account_id',
      'connections.page_id',
    ])
    .where('connections.creator_id', 'in', creatorIds)
    .orderBy(sql`tokens.invalid_at is null`, 'desc')
    .orderBy(sql`tokens.kind = 'INSTAGRAM_BUSINESS_USER'`, 'desc');
}

/** Facebook sign-ins of a creator that still live, newest first. */
export async function findFacebookUserTokens(db: Executor, creatorId: string, userId?: string): Promise<TokenRow[]> {
  let query = db
    .selectFrom('tokens')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('kind', '=', 'FACEBOOK_BUSINESS_USER')
    .where('invalid_at', 'is', null);
  if (userId !== undefined) query = query.where('subject_id', '=', userId);
  return query.orderBy('issued_at', 'desc').orderBy('id', 'desc').execute();
}

/** Whether Pages of this Facebook sign-in are connected. */
export async function servesConnections(db: Executor, login: Pick<TokenRow, 'creator_id' | 'subject_id'>) {
  const row = await db
    .selectFrom('connections')
    .select('id')
    .where('creator_id', '=', login.creator_id)
    .where('facebook_user_id', '=', login.subject_id)
    .where('disconnected_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Of all creators: Facebook sign-ins from which no Page was chosen. */
export async function deleteUnusedSignIns(db: Executor, issuedBefore: Date): Promise<void> {
  await sql`
    delete from tokens t
    where t.kind = 'FACEBOOK_BUSINESS_USER' and t.issued_at <= ${issuedBefore} and not exists (
      select from connections c
      where c.creator_id = t.creator_id and c.facebook_user_id = t.subject_id and c.disconnected_at is null
    )
  `.execute(db);
}

/** Of all creators. Page tokens have no date. */
export async function findExpiring(
  db: Executor,
  due: { expiresBefore: Date; issuedBefore: Date; limit: number },
): Promise<TokenRow[]> {
  return db
    .selectFrom('tokens')
    .selectAll()
    .where('invalid_at', 'is', null)
    .where('expires_at', '<', due.expiresBefore)
    .where('issued_at', '<=', due.issuedBefore)
    .orderBy('expires_at')
    .limit(due.limit)
    .execute();
}

/** A token as it was read: what is said of it does not count for another that was stored in its place since. */
type ReadToken = Pick<TokenRow, 'creator_id' | 'id' | 'secret'>;

/** @returns false: it was replaced meanwhile, and is left as it is */
async function updateToken(db: Executor, token: ReadToken, change: Updateable<TokensTable>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('tokens')
    .set(change)
    .where('creator_id', '=', token.creator_id)
    .where('id', '=', token.id)
    .where('secret', '=', token.secret)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @returns false: it was replaced meanwhile */
export async function renewToken(
  db: Executor,
  token: ReadToken,
  renewed: { secret: string; issued_at: Date; expires_at: Date | null; refreshed_at: Date },
): Promise<boolean> {
  return updateToken(db, token, renewed);
}

/** Its first end is kept. @returns false: it was replaced meanwhile */
export async function invalidateToken(
  db: Executor,
  token: ReadToken & Pick<TokenRow, 'invalid_at' | 'invalid_reason'>,
  reason: string,
  at: Date,
): Promise<boolean> {
  return updateToken(db, token, {
    invalid_at: token.invalid_at ?? at,
    invalid_reason: token.invalid_reason ?? reason,
  });
}

/** Works again, says Meta. */
export async function revalidateToken(db: Executor, token: ReadToken): Promise<void> {
  await updateToken(db, token, { invalid_at: null, invalid_reason: null });
}

export async function deleteTokens(
  db: Executor,
  creatorId: string,
  tokens: { kinds: TokenKind[]; subjectIds: string[] },
): Promise<void> {
  if (tokens.subjectIds.length === 0) return;
  await db
    .deleteFrom('tokens')
    .where('creator_id', '=', creatorId)
    .where('kind', 'in', tokens.kinds)
    .where('subject_id', 'in', tokens.subjectIds)
    .execute();
}

/** Account and Page tokens that no connected account needs any more: nothing is kept longer than it serves. */
export async function deleteUnusedTokens(db: Executor, creatorId: string): Promise<void> {
  await sql`
    delete from tokens t
    where t.creator_id = ${creatorId} and t.kind <> 'FACEBOOK_BUSINESS_USER'
      and not exists (
      select from connections c
      where c.creator_id = t.creator_id and c.disconnected_at is null
        and case t.kind
          when 'INSTAGRAM_BUSINESS_USER' then c.platform = 'instagram' and c.account_id = t.subject_id
          else c.page_id = t.subject_id
        end
    )
  `.execute(db);
}

/** The connected Instagram account of this id. */
export async function findConnected(
  db: Executor,
  creatorId: string,
  accountId: string,
): Promise<ConnectionRow | undefined> {
  return db
    .selectFrom('connections')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('platform', '=', 'instagram')
    .where('account_id', '=', accountId)
    .where('disconnected_at', 'is', null)
    .executeTakeFirst();
}

// --- Leaving ---

/** Of all creators. */
export async function deleteFacebookUserTokens(db: Executor, userId: string): Promise<void> {
  await db.deleteFrom('tokens').where('kind', '=', 'FACEBOOK_BUSINESS_USER').where('subject_id', '=', userId).execute();
}

/**
 * The engine's facts about each connection: whose it is, whether it may send, which automations listen. Kept in memory
 * and forgotten when the creator changes something (`forget…`), so that a comment costs no look-up.
 */
import type pg from 'pg';
import { type CompiledConnection, compileForConnection } from '#server/engine/deciding/choice.ts';
import { type EngineAutomation, findListening } from '#server/engine/deciding/listening-automations.ts';
import { LISTENED } from '#server/events/product-events.ts';

export type EngineConnection = {
  creatorId: string;
  id: string;
  platform: 'instagram' | 'facebook';
  accountId: string;
  pageId: string | null;
  username: string;
  /** Meta refuses the token: nothing goes out until the creator signs in again. */
  requiresAuth: boolean;
  barredUntil: Date | null;
  /** Decided as ever, sent afterwards. */
  paused: boolean;
  /** The creator paused the queue. */
  queuePaused: boolean;
  /** Its comments go before those of other posts. */
  firstPostId: string | null;
  /** The creator is to be deleted: nobody is answered any more. */
  beingDeleted: boolean;
  /** More followers than the plan is for: what has begun goes on, nothing new is answered. */
  overPlan: boolean;
  /** How long the creator's own answer keeps automations quiet; null until the creator hands back. */
  takeoverMinutes: number | null;
  /** Somebody wants to hear of what happens there. */
  listened: boolean;
  /** A Page whose creator has not switched the Facebook Addon on: heard, not answered. */
  addonOff: boolean;
  /** A link of theirs is broken, and the creator wants their messages to wait. */
  holding: ReadonlySet<string>;
  /** By post: until when its creator looks at its live test. */
  tested: ReadonlyMap<string, Date>;
  automations: CompiledConnection<EngineAutomation>;
};

const REMEMBERED_AT_MOST = 50_000;

export class EngineConnections {
  private readonly byAccount = new Map<string, EngineConnection | null>();
  private readonly byId = new Map<string, EngineConnection>();
  /** Creators to whom nobody listens, as far as their connections are remembered. */
  private readonly unheard = new Set<string>();
  /** Grows with every change: what was read before it must not be remembered after it. */
  private changes = 0;

  /**
   * Finds the connections of these accounts; what is not in memory is read in one go.
   *
   * @returns by `platform:accountId`; null for an account nobody connected
   */
  async ofAccounts(
    keys: Iterable<string>,
    client: pg.ClientBase | pg.Pool,
  ): Promise<Map<string, EngineConnection | null>> {
    const found = new Map<string, EngineConnection | null>();
    const missing: string[] = [];
    for (const key of new Set(keys)) {
      const known = this.byAccount.get(key);
      if (known === undefined) missing.push(key);
      else found.set(key, known);
    }
    if (missing.length === 0) return found;
    const changesBefore = this.changes;
    const read = await this.read(client, `c.platform || ':' || c.account_id = any($1)`, missing);
    const byKey = new Map(read.map((connection) => [accountKey(connection), connection]));
    for (const key of missing) {
      const connection = byKey.get(key) ?? null;
      found.set(key, connection);
      if (changesBefore === this.changes) this.remember(key, connection);
    }
    return found;
  }

  /** One connection by its id; null when it is disconnected or gone. */
  async withId(id: string, client: pg.ClientBase | pg.Pool): Promise<EngineConnection | null> {
    const known = this.byId.get(id);
    if (known !== undefined) return known;
    const changesBefore = this.changes;
    const [connection] = await this.read(client, 'c.id = any($1::uuid[])', [id]);
    if (connection === undefined) return null;
    if (changesBefore === this.changes) this.remember(accountKey(connection), connection);
    return connection;
  }

  /** False: nobody wants to hear of what happens to this creator. True also when it is not in memory. */
  mayBeListenedTo(creatorId: string): boolean {
    return !this.unheard.has(creatorId);
  }

  forgetCreator(creatorId: string): void {
    this.changes++;
    this.unheard.delete(creatorId);
    for (const [key, connection] of this.byAccount) {
      // Also what was unknown: it may just have been connected.
      if (connection !== null && connection.creatorId !== creatorId) continue;
      this.byAccount.delete(key);
      if (connection !== null) this.byId.delete(connection.id);
    }
  }

  forgetAll(): void {
    this.changes++;
    this.byAccount.clear();
    this.byId.clear();
    this.unheard.clear();
  }

  private remember(key: string, connection: EngineConnection | null): void {
    if (this.byAccount.size >= REMEMBERED_AT_MOST) this.forgetAll();
    this.byAccount.set(key, connection);
    if (connection === null) return;
    this.byId.set(connection.id, connection);
    if (!connection.listened) this.unheard.add(connection.creatorId);
  }

  private async read(client: pg.ClientBase | pg.Pool, where: string, values: string[]): Promise<EngineConnection[]> {
    const { rows: connections } = await client.query<Omit<EngineConnection, 'automations' | 'holding' | 'tested'>>(
      `select c.creator_id as "creatorId", c.id, c.platform, c.account_id as "accountId", c.page_id as "pageId",
              c.username, c.requires_auth_at is not null as "requiresAuth", c.barred_until as "barredUntil",
              c.webhooks_paused_at is not null as paused, q.paused_at is not null as "queuePaused",
              q.first_post_id as "firstPostId", cr.delete_at is not null as "beingDeleted",
              exists (
                select from follower_limits f where f.creator_id = cr.id and f.limited_since is not null
              ) as "overPlan", cr.takeover_minutes as "takeoverMinutes", cr.id in ${LISTENED} as listened,
              c.platform = 'facebook' and not cr.facebook_addon as "addonOff"
       from connections c join creators cr on cr.id = c.creator_id
       left join queue_controls q on q.creator_id = c.creator_id and q.connection_id = c.id
       where ${where} and c.disconnected_at is null`,
      [values],
    );
    if (connections.length === 0) return [];
    const automations = await findListening(
      client,
      connections.map((connection) => connection.id),
    );
    const ofConnection = Map.groupBy(automations, (automation) => automation.connectionId);
    const { rows: holding } = await client.query<{ connectionId: string; id: string }>(
      `select distinct a.connection_id as "connectionId", a.id
       from automations a
       join link_uses u on u.creator_id = a.creator_id and u.automation_id = a.id
       join watched_links w on w.creator_id = u.creator_id and w.id = u.link_id and w.state = 'broken'
       where a.connection_id = any($1::uuid[]) and a.when_link_breaks = 'hold'`,
      [connections.map((connection) => connection.id)],
    );
    const { rows: tested } = await client.query<{ connectionId: string; id: string; until: Date }>(
      `select connection_id as "connectionId", id, tested_until as until from posts
       where connection_id = any($1::uuid[]) and tested_until is not null`,
      [connections.map((connection) => connection.id)],
    );
    const testedOf = Map.groupBy(tested, ({ connectionId }) => connectionId);
    const holdingOf = Map.groupBy(holding, ({ connectionId }) => connectionId);
    return connections.map((connection) => ({
      ...connection,
      tested: new Map(testedOf.get(connection.id)?.map(({ id, until }) => [id, until])),
      holding: new Set(holdingOf.get(connection.id)?.map(({ id }) => id)),
      automations: compileForConnection(ofConnection.get(connection.id) ?? []),
    }));
  }
}

export function accountKey(account: { platform: string; accountId: string }): string {
  return `${account.platform}:${account.accountId}`;
}

/**
 * What the engine knows of each connection: whose it is, whether it may send, which automations listen. Kept in memory
 * and forgotten when the creator changes something (`forget…`), so that a comment costs no look-up.
 */
import type pg from 'pg';
import type { AutomationInput, Scope } from '#contract/automations.ts';
import {
  type ChoosableAutomation,
  type CompiledConnection,
  compileForConnection,
} from '#server/engine/deciding/choosing.ts';
import { loadLibraries, type ReplyLibrary } from '#server/engine/deciding/libraries.ts';
import { LISTENED } from '#server/events/product-events.ts';

/** What the engine needs of an automation; the steps and texts are those of the contract. */
export type EngineAutomation = Omit<ChoosableAutomation, 'translations'> &
  Pick<
    AutomationInput,
    | 'messageText'
    | 'publicReplies'
    | 'variants'
    | 'translations'
    | 'card'
    | 'opening'
    | 'followAsk'
    | 'emailAsk'
    | 'followUp'
    | 'repeatAfterMinutes'
  > & {
    name: string;
    buttons: { title: string; url: string; code: string }[];
    /** The wording that won the comparison; null while it runs. */
    variantWinner: string | null;
    switchedOnAt: Date;
    /** By post: when it found the post that it had been made for. Comments from before are not answered by themselves. */
    attachedAt: ReadonlyMap<string, Date>;
    /** Others of the connection that lead to the same places: who got one of them has the link already. */
    sameLink: string[];
  };

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
  /** How long the creator's own answer keeps automations quiet; null until she hands back. */
  takeoverMinutes: number | null;
  /** Somebody wants to hear of what happens there. */
  listened: boolean;
  /** A Page whose creator has not switched the Facebook Addon on: heard, not answered. */
  addonOff: boolean;
  /** A link of theirs is broken, and the creator wants their messages to wait. */
  holding: ReadonlySet<string>;
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
    const { rows: connections } = await client.query<Omit<EngineConnection, 'automations' | 'holding'>>(
      `select c.creator_id as "creatorId", c.id, c.platform, c.account_id as "accountId", c.page_id as "pageId",
              c.username, c.requires_auth_at is not null as "requiresAuth", c.barred_until as "barredUntil",
              c.webhooks_paused_at is not null as paused, q.paused_at is not null as "queuePaused",
              q.first_post_id as "firstPostId", cr.delete_at is not null as "beingDeleted",
              cr.takeover_minutes as "takeoverMinutes", cr.id in ${LISTENED} as listened,
              c.platform = 'facebook' and not cr.facebook_addon as "addonOff"
       from connections c join creators cr on cr.id = c.creator_id
       left join queue_controls q on q.creator_id = c.creator_id and q.connection_id = c.id
       where ${where} and c.disconnected_at is null`,
      [values],
    );
    if (connections.length === 0) return [];
    const { rows } = await client.query<AutomationRow>(
      `select connection_id as "connectionId", id, name, trigger, scope, words, mode,
              excluded_words as "excludedWords", typo_tolerance as "typoTolerance", priority,
              keyword_ids as "keywordIds", reply_id as "replyId",
              message_text as "messageText", buttons, public_replies as "publicReplies", variants,
              variant_winner as "variantWinner", translations, card, opening, follow_ask as "followAsk",
              email_ask as "emailAsk", follow_up as "followUp",
              repeat_after_minutes as "repeatAfterMinutes", created_at as "createdAt",
              switched_on_at as "switchedOnAt",
              case scope when 'caption' then coalesce((
                select jsonb_agg(jsonb_build_array(p.post_id, p.attached_at)) from automation_posts p
                where p.creator_id = a.creator_id and p.automation_id = a.id
              ), '[]')
              when 'one' then jsonb_build_array(jsonb_build_array(post_id, attached_at))
              else '[]' end as attachments
       from automations a
       where connection_id = any($1::uuid[]) and switched_on_at is not null and archived_at is null`,
      [connections.map((connection) => connection.id)],
    );
    const libraries = await loadLibraries(client, {
      keywordIds: rows.flatMap((row) => row.keywordIds),
      replyIds: rows.flatMap((row) => row.replyId ?? []),
    });
    const othersOf = new Map(
      [...Map.groupBy(rows, (row) => row.connectionId)].map(([id, neighbours]) => [id, othersByLink(neighbours)]),
    );
    const automations = rows.map(({ scope, attachments, keywordIds, replyId, ...row }) => ({
      ...row,
      translations: row.translations.map((translation) => ({
        ...translation,
        publicReplies: [...translation.publicReplies, ...repliesIn(libraries.replies.get(replyId ?? ''), translation)],
      })),
      postIds: scope === 'any' ? null : attachments.map(([postId]) => postId),
      attachedAt: new Map(attachments.flatMap(([postId, at]) => (at === null ? [] : [[postId, new Date(at)]]))),
      keywords: keywordIds.flatMap((id) => libraries.keywords.get(id) ?? []),
      publicReplies: [
        ...row.publicReplies,
        ...(replyId === null ? [] : (libraries.replies.get(replyId)?.publicReplies ?? [])),
      ],
      sameLink: othersOf.get(row.connectionId)!(row),
    }));
    const ofConnection = Map.groupBy(automations, (automation) => automation.connectionId);
    const { rows: holding } = await client.query<{ connectionId: string; id: string }>(
      `select distinct a.connection_id as "connectionId", a.id
       from automations a
       join link_uses u on u.creator_id = a.creator_id and u.automation_id = a.id
       join watched_links w on w.creator_id = u.creator_id and w.id = u.link_id and w.state = 'broken'
       where a.connection_id = any($1::uuid[]) and a.when_link_breaks = 'hold'`,
      [connections.map((connection) => connection.id)],
    );
    const holdingOf = Map.groupBy(holding, ({ connectionId }) => connectionId);
    return connections.map((connection) => ({
      ...connection,
      holding: new Set(holdingOf.get(connection.id)?.map(({ id }) => id)),
      automations: compileForConnection(ofConnection.get(connection.id) ?? []),
    }));
  }
}

type AutomationRow = Omit<EngineAutomation, 'postIds' | 'attachedAt' | 'keywords' | 'sameLink'> & {
  connectionId: string;
  scope: Scope;
  /** Posts it listens on, with when it was attached to them; null: it was made for this post. */
  attachments: [string, string | null][];
  keywordIds: string[];
  replyId: string | null;
};

function repliesIn(library: ReplyLibrary | undefined, { language }: { language: string }): string[] {
  return library?.translations.find((translation) => translation.language === language)?.texts ?? [];
}

/** A creator's shop may be behind every button: the newest few are enough to know that she has the link. */
const SAME_LINK_AT_MOST = 5;

type Linking = Pick<EngineAutomation, 'id' | 'buttons' | 'createdAt'>;

/**
 * Finds others of a connection that have every link of one of them, newest first. Without links nobody has anything
 * already. By link, as a creator with a thousand automations may have the same one behind all of them.
 */
function othersByLink(automations: readonly Linking[]): (own: Linking) => string[] {
  const newestFirst = automations.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  const withLink = new Map<string, Linking[]>();
  for (const automation of newestFirst) {
    for (const url of linksOf(automation)) {
      const there = withLink.get(url);
      if (there === undefined) withLink.set(url, [automation]);
      else there.push(automation);
    }
  }
  return (own) => {
    const [rarest, ...others] = [...linksOf(own)]
      .map((url) => ({ url, having: withLink.get(url)! }))
      .sort((one, other) => one.having.length - other.having.length);
    const same: string[] = [];
    for (const other of rarest?.having ?? []) {
      if (same.length === SAME_LINK_AT_MOST) break;
      if (other.id === own.id) continue;
      if (others.every(({ url }) => other.buttons.some((button) => button.url === url))) same.push(other.id);
    }
    return same;
  };
}

function linksOf({ buttons }: Linking): Set<string> {
  return new Set(buttons.map(({ url }) => url));
}

export function accountKey(account: { platform: string; accountId: string }): string {
  return `${account.platform}:${account.accountId}`;
}

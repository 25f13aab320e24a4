/** Which token speaks for a connection, and at which node. */
import type { Kysely } from 'kysely';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import type { Speaker } from '#server/platforms/meta/client.ts';
import { type Keys, openOrNull } from '#server/secrets.ts';
import * as queries from './queries.ts';

/**
 * The account's own sign-in is preferred to its Page's token: it needs no Page and ends only with itself.
 *
 * @returns null when no living token speaks for the connection
 */
export async function tokenFor(
  db: Kysely<Tables>,
  keys: Pick<Keys, 'encryptionKeys'>,
  connection: Connection,
): Promise<Speaker | null> {
  const [token] = await queries.findSpeaking(db, connection);
  return livingSpeaker(token, keys);
}

function livingSpeaker(token: queries.TokenOf | undefined, keys: Pick<Keys, 'encryptionKeys'>): Speaker | null {
  return token === undefined || token.invalid_at !== null ? null : speakerWith(token, keys);
}

/** Null when the token was sealed with a key that is gone. */
export function speakerWith(token: queries.TokenOf, keys: Pick<Keys, 'encryptionKeys'>): Speaker | null {
  const secret = openOrNull(keys.encryptionKeys, token.secret);
  if (secret === null) return null;
  const own = token.kind === 'INSTAGRAM_BUSINESS_USER';
  return {
    platform: token.platform === 'facebook' ? 'facebook' : 'instagram',
    via: own ? 'instagram' : 'page',
    // Through a Page everything goes to the Page's node; to the account's it broke in silence (reference 3.1).
    senderId: own ? token.account_id : (token.page_id ?? token.subject_id),
    token: secret,
  };
}

const REMEMBERED_FOR_MS = 10 * 60_000;
const REMEMBERED_AT_MOST = 50_000;

type Connection = { creatorId: string; id: string };

/**
 * `tokenFor` with a memory of ten minutes, for those who ask before every call. A token replaced meanwhile still works:
 * Meta does not end the old one. `forget` after a change of the connection, `forgetAll` when one may have been missed.
 * Those who ask at the same moment share one statement: after a start all connections of an installation are unknown.
 */
export function createSpeakers({
  db,
  keys,
  clock,
}: {
  db: Database;
  keys: Pick<Keys, 'encryptionKeys'>;
  clock: Clock;
}) {
  const remembered = new Map<string, { speaker: Speaker; until: number }>();
  /** Grows with every change: what was read before it must not be remembered after it. */
  let changes = 0;
  let asked: { connections: Map<string, Connection>; speakers: Promise<Map<string, Speaker | null>> } | null = null;

  function ask(connection: Connection): Promise<Speaker | null> {
    asked ??= gather();
    asked.connections.set(connection.id, connection);
    return asked.speakers.then((speakers) => speakers.get(connection.id)!);
  }

  function gather() {
    const connections = new Map<string, Connection>();
    const speakers = new Promise((resolve) => setImmediate(resolve)).then(() => {
      asked = null;
      return read([...connections.values()]);
    });
    return { connections, speakers };
  }

  async function read(connections: Connection[]): Promise<Map<string, Speaker | null>> {
    const changesBefore = changes;
    const tokens = await queries.findAllSpeakingOf(db.engine, [...new Set(connections.map((one) => one.creatorId))]);
    const tokensOf = Map.groupBy(tokens, (token) => token.connection_id);
    const speakers = new Map(connections.map(({ id }) => [id, livingSpeaker(tokensOf.get(id)?.[0], keys)]));
    if (changesBefore === changes) for (const [id, speaker] of speakers) remember(id, speaker);
    return speakers;
  }

  function remember(connectionId: string, speaker: Speaker | null): void {
    remembered.delete(connectionId);
    if (speaker === null) return;
    if (remembered.size >= REMEMBERED_AT_MOST) remembered.clear();
    remembered.set(connectionId, { speaker, until: clock.now().getTime() + REMEMBERED_FOR_MS });
  }

  function forget(connectionId: string): void {
    changes++;
    remembered.delete(connectionId);
  }

  return {
    /** `fresh`: Meta refused the remembered token. */
    async speakerOf(connection: Connection, { fresh = false } = {}): Promise<Speaker | null> {
      if (fresh) forget(connection.id);
      const known = remembered.get(connection.id);
      return known !== undefined && known.until > clock.now().getTime() ? known.speaker : ask(connection);
    },
    forget,
    forgetAll(): void {
      changes++;
      remembered.clear();
    },
  };
}

/** Which token speaks for a connection, and at which node. */
import type { Kysely } from 'kysely';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import type { Speaker } from '#server/platforms/meta/client.ts';
import { type Keys, openOrNull } from '#server/platforms/secrets.ts';
import * as queries from './queries.ts';

/**
 * The account's own sign-in is preferred to its Page's token: it needs no Page and ends only with itself.
 *
 * @returns null when no living token speaks for the connection
 */
export async function tokenFor(
  db: Kysely<Tables>,
  keys: Pick<Keys, 'encryptionKeys'>,
  connection: { creatorId: string; id: string },
): Promise<Speaker | null> {
  const [token] = await queries.findSpeaking(db, connection);
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

/**
 * `tokenFor` with a memory of ten minutes, for those who ask before every call. A token replaced meanwhile still works:
 * Meta does not end the old one. `forget` after a change of the connection, `forgetAll` when one may have been missed.
 */
export function createSpeakers(deps: { db: Database; keys: Pick<Keys, 'encryptionKeys'>; clock: Clock }) {
  const remembered = new Map<string, { speaker: Speaker; until: number }>();
  return {
    async speakerOf(connection: { creatorId: string; id: string }): Promise<Speaker | null> {
      const now = deps.clock.now().getTime();
      const known = remembered.get(connection.id);
      if (known !== undefined && known.until > now) return known.speaker;
      const speaker = await tokenFor(deps.db.engine, deps.keys, connection);
      if (speaker === null) remembered.delete(connection.id);
      else {
        if (remembered.size >= REMEMBERED_AT_MOST) remembered.clear();
        remembered.set(connection.id, { speaker, until: now + REMEMBERED_FOR_MS });
      }
      return speaker;
    },
    forget(connectionId: string): void {
      remembered.delete(connectionId);
    },
    forgetAll(): void {
      remembered.clear();
    },
  };
}

/** After Facebook's dialog: code → token → long token → who is it. Connecting follows when Pages are chosen (`pages.ts`). */
import { failureDetail } from '#server/platforms/meta/client.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import { readFacebookAddon } from './facebook-addon.ts';
import { type Connected, failed, failedRead, problemOfExchange } from './instagram-login.ts';
import { findGranted, problemOfAll } from './pages.ts';
import { storeToken } from './store-connection.ts';

export async function signInAtFacebook(
  deps: ConnectionDeps,
  attempt: { creatorId: string; userId: string; code: string; redirectUri: string; codeVerifier: string | null },
): Promise<Connected> {
  const { db, meta, log } = deps;
  const { creatorId } = attempt;
  const short = await meta.facebookCodeToToken(attempt);
  if (!short.ok) {
    log.warn({ creatorId, detail: failureDetail(short) }, 'Facebook refused the code of a sign-in');
    return failed(problemOfExchange(short));
  }
  const long = await meta.facebookLongToken(short.data.token);
  if (!long.ok) return failedRead(deps, creatorId, 'a long-lived token', long);
  const { token, expiresAt } = long.data;
  const [me, permissions] = await Promise.all([meta.facebookMe(token), meta.permissions(token)]);
  if (!me.ok) return failedRead(deps, creatorId, 'who signed in', me);
  if (!permissions.ok) return failedRead(deps, creatorId, 'the permissions granted', permissions);
  const scopes = permissions.data.filter(({ status }) => status === 'granted').map(({ permission }) => permission);
  if (!scopes.includes('pages_show_list')) return failed('missing_permissions');

  await db.withCreator(creatorId, (trx) =>
    storeToken(deps, trx, creatorId, {
      kind: 'FACEBOOK_BUSINESS_USER',
      subjectId: me.data.id,
      token,
      scopes,
      expiresAt,
    }),
  );
  const granted = await findGranted(deps, { token, scopes, addon: await readFacebookAddon(deps, creatorId) });
  if (!granted.ok) return failedRead(deps, creatorId, 'which Pages were granted', granted.failure);
  return { creatorId, connectionId: null, problem: problemOfAll(granted, scopes) };
}

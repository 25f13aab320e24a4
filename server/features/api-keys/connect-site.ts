/**
 * A site gets its key without anybody pasting it. WordPress leads the person here, they say yes, and their browser takes a code
 * back; the site itself fetches the key with it. The code is sealed: nothing is kept but that it was used.
 */
import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { BodyOf } from '#contract/endpoint.ts';
import type { letSiteConnect } from '#contract/sites.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { countsTooMany } from '#server/http/rate-limits.ts';
import { type Keys, openOrNull, seal } from '#server/secrets.ts';
import { type MakingDeps, makeKey } from './api-keys.ts';

const KIND = 'connect site';
const LIVES_MS = 60_000;
/** What WordPress calls when the browser is back; see wordpress-plugin/includes/Admin/Connect.php. */
const RETURN_ACTION = 'creator_hq_connected';

type Code = { kind: typeof KIND; id: string; creatorId: string; userId: string; challenge: string; until: number };
type Deps = { clock: Clock; ids: Ids; keys: Keys };

/** @throws AppError invalid_input */
export function letConnect(
  { clock, ids, keys }: Deps,
  { creatorId, userId }: { creatorId: string; userId: string },
  { adminUrl, state, challenge }: BodyOf<typeof letSiteConnect>,
): { returnTo: string } {
  const returnTo = adminOf(adminUrl);
  const now = clock.now();
  const code: Code = {
    ...{ kind: KIND, id: ids.uuid(now), until: now.getTime() + LIVES_MS },
    ...{ creatorId, userId, challenge },
  };
  returnTo.pathname += 'admin-post.php';
  returnTo.search = new URLSearchParams({
    action: RETURN_ACTION,
    code: seal(keys.encryptionKeys, JSON.stringify(code)),
    state,
  }).toString();
  return { returnTo: returnTo.href };
}

/**
 * The transaction must be the engine role's.
 *
 * @throws AppError not_possible_now for a code that is wrong, late, used or another site's; not_found for that of who left
 */
export async function connect(
  deps: Deps & MakingDeps,
  trx: Transaction<Tables>,
  { code: sealed, verifier }: { code: string; verifier: string },
): Promise<{ key: string; handle: string; creatorId: string }> {
  const now = deps.clock.now();
  const code = readCode(deps.keys, sealed);
  if (code === null) throw refused('This code is not from this Creator HQ.');
  if (code.until < now.getTime()) throw refused('That took longer than a minute.');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  if (challenge !== code.challenge) throw refused('This code was made for another site.');
  if (await countsTooMany(trx, now, 'connect_code', code.id)) throw refused('This code was already used.');
  const user = await trx
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('id', '=', code.userId)
    .executeTakeFirst();
  const creator = await trx.selectFrom('creators').select('handle').where('id', '=', code.creatorId).executeTakeFirst();
  if (user === undefined || creator === undefined) throw refused('The person who allowed it is gone.');
  const { key } = await makeKey(deps, trx, { creatorId: code.creatorId, user });
  return { key, handle: creator.handle, creatorId: code.creatorId };
}

function readCode({ encryptionKeys }: Keys, sealed: string): Code | null {
  const text = openOrNull(encryptionKeys, sealed);
  const code = text?.startsWith('{') ? (JSON.parse(text) as Partial<Code>) : null;
  return code?.kind === KIND ? (code as Code) : null;
}

/** A browser is led there with a code: only to a WordPress, as the person was shown. */
function adminOf(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isAdmin =
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.pathname.endsWith('/wp-admin/') &&
    `${url.origin}${url.pathname}` === url.href;
  if (!isAdmin)
    throw new AppError('invalid_input', 'This is not the address of a WordPress. Press Connect there again.');
  return url;
}

function refused(why: string): AppError {
  return new AppError('not_possible_now', `${why} Press Connect in WordPress again.`);
}

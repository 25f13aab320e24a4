/** The tokens of a creator's login at Kit. A refresh token works once, so whoever needs a new token waits for the one who renews it. */
import {
  endKitTokens,
  type KitApp,
  type KitTokens,
  kitTokens,
  SIGNED_OUT,
} from '#server/platforms/newsletter-tools/kit-login.ts';
import { ToolFailure } from '#server/platforms/newsletter-tools/tool.ts';
import { type Keys, open, openOrNull, seal } from '#server/secrets.ts';
import type { IntegrationRow, ToolDeps } from './tool-deps.ts';

const RENEWED_BEFORE_MS = 60_000;

/** @returns null: creators paste a key here */
export function kitAppOf({ config: { kit } }: Pick<ToolDeps, 'config'>): KitApp | null {
  return kit.app === null ? null : { url: kit.url, ...kit.app };
}

export function sealedTokens({ encryptionKeys }: Keys, { token, refreshToken, expiresAt }: KitTokens) {
  return {
    secret: seal(encryptionKeys, token),
    refresh_secret: seal(encryptionKeys, refreshToken),
    expires_at: expiresAt,
  };
}

/** @returns gives a token that Kit takes; throws ToolFailure `reconnect` when there is none any more */
export function kitTokenOf(deps: ToolDeps, row: IntegrationRow): (refused?: string) => Promise<string> {
  let known: Pick<IntegrationRow, 'secret' | 'expires_at'> = row;
  return async (refused) => {
    const token = freshToken(deps, known, refused);
    if (token !== null) return token;
    known = await renewed(deps, row, refused);
    return open(deps.keys.encryptionKeys, known.secret);
  };
}

function freshToken(
  { keys, clock }: ToolDeps,
  { secret, expires_at: endsAt }: Pick<IntegrationRow, 'secret' | 'expires_at'>,
  refused: string | undefined,
): string | null {
  if (endsAt === null || endsAt.getTime() - clock.now().getTime() < RENEWED_BEFORE_MS) return null;
  const token = openOrNull(keys.encryptionKeys, secret);
  return token === refused ? null : token;
}

/** Under the row's lock: the others find what the first one got. */
function renewed(deps: ToolDeps, { creator_id: creatorId, id }: IntegrationRow, refused: string | undefined) {
  return deps.db.engine.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('data_integrations')
      .select(['secret', 'refresh_secret', 'expires_at'])
      .where('creator_id', '=', creatorId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (row !== undefined && freshToken(deps, row, refused) !== null) return row;
    const refreshToken = row?.refresh_secret && openOrNull(deps.keys.encryptionKeys, row.refresh_secret);
    const app = kitAppOf(deps);
    if (!refreshToken || app === null) throw new ToolFailure('reconnect', SIGNED_OUT);
    const sealed = sealedTokens(deps.keys, await kitTokens(app, { refreshToken }, deps.clock.now()));
    await trx
      .updateTable('data_integrations')
      .set(sealed)
      .where('creator_id', '=', creatorId)
      .where('id', '=', id)
      .execute();
    return sealed;
  });
}

/** @throws ToolFailure */
export async function endLogin(deps: ToolDeps, row: IntegrationRow): Promise<void> {
  const app = kitAppOf(deps);
  if (app === null || row.refresh_secret === null) return;
  const tokens = [row.refresh_secret, row.secret].map((sealed) => openOrNull(deps.keys.encryptionKeys, sealed));
  await endKitTokens(
    app,
    tokens.filter((token) => token !== null),
  );
}

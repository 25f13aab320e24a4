/** Who goes takes nothing along: not a session, not a token, and what they set up for other programs is decided about. */
import type { Transaction } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import { mayDo } from '#contract/roles.ts';
import type { removeMember as removeMemberEndpoint } from '#contract/team.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import * as apiKeys from '#server/features/api-keys/api-keys.ts';
import * as apiTokens from '#server/features/api-tokens/api-tokens.ts';
import { mailLeftBehind } from '#server/features/notices/new-access.ts';
import * as webhooks from '#server/features/outgoing-webhooks/endpoints.ts';
import { type Caller, findMade, lockTeam, type Made, refuseLastOwner } from './members.ts';

type Deps = { config: Pick<Config, 'baseUrl' | 'plugin'>; db: Database; clock: Clock; ids: Ids };
type Choices = QueryOf<typeof removeMemberEndpoint>;

/**
 * Who is removed, or leaves, is out at once: sessions that show the creator show another one of theirs, or none.
 *
 * @returns the new API key, where `choices` ask for one
 * @throws AppError not_found
 * @throws AppError not_allowed when it is somebody else and the caller may not manage the team
 * @throws AppError not_possible_now when nobody would be an owner any more
 * @throws AppError invalid_input when the person leaves webhooks or the API key behind, and no choice is given
 */
export async function removeMember(
  deps: Deps,
  { creatorId, role, signedIn }: Caller,
  membershipId: string,
  choices: Choices,
): Promise<string | null> {
  return deps.db.engine.transaction().execute(async (trx) => {
    const member = await lockTeam(trx, creatorId, membershipId);
    const leaves = member.user_id === signedIn.user.id;
    if (!leaves && !mayDo(role, 'team'))
      throw new AppError('not_allowed', 'Only an owner of this account can remove other people. Ask an owner.');
    refuseLastOwner(member);
    const made = await findMade(trx, creatorId, membershipId);
    const whose = { creatorId, userId: member.user_id };
    await trx.deleteFrom('memberships').where('creator_id', '=', creatorId).where('id', '=', membershipId).execute();
    for (const table of ['notification_choices', 'notices_sent'] as const)
      await trx.deleteFrom(table).where('creator_id', '=', creatorId).where('user_id', '=', member.user_id).execute();
    await trx
      .updateTable('sessions')
      .set({ current_creator_id: null })
      .where('user_id', '=', member.user_id)
      .where('current_creator_id', '=', creatorId)
      .execute();
    await apiTokens.revokeAllOf(trx, whose, deps.clock.now());
    if (!leaves) return decide(deps, trx, { ...whose, made, remover: signedIn.user }, choices);
    // They would answer for themselves, and go on listening: the owners decide afterwards.
    const { name } = signedIn.user;
    const because = `${name}, who added it, left the team.`;
    const webhookHosts = await webhooks.turnOffAllOf(deps, trx, { ...whose, because });
    if (webhookHosts.length > 0 || made.api_key)
      await mailLeftBehind(trx, deps, { creatorId, name, webhookHosts, apiKey: made.api_key });
    return null;
  });
}

async function decide(
  deps: Deps,
  trx: Transaction<Tables>,
  {
    creatorId,
    userId,
    made,
    remover,
  }: { creatorId: string; userId: string; made: Made; remover: { id: string; name: string; email: string } },
  choices: Choices,
): Promise<string | null> {
  if (made.webhooks > 0 && choices.webhooks === undefined)
    throw undecided('webhooks', 'Choose what to do with the webhooks this person added.');
  if (made.api_key && choices.apiKey === undefined)
    throw undecided('apiKey', 'Choose what to do with the API key this person created.');
  if (choices.webhooks === 'remove') await webhooks.removeAllOf(trx, { creatorId, userId });
  else await webhooks.handOver(trx, { creatorId, from: userId, to: remover.id });
  if (made.api_key && choices.apiKey === 'replace')
    return (await apiKeys.makeKey(deps, trx, { creatorId, user: remover })).key;
  await apiKeys.handOver(trx, { creatorId, from: userId, to: remover.id });
  return null;
}

function undecided(path: string, message: string): AppError {
  return new AppError('invalid_input', message, { fields: [{ path, message }] });
}

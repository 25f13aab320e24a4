import type { Clock, Ids } from '#server/clock.ts';
import type { EngineTransaction } from '#server/db/transaction.ts';
import * as conversations from '#server/engine/conversations/conversation-store.ts';
import type { EngineConnection } from '#server/engine/deciding/connections.ts';
import type { Decision, Effects } from '#server/engine/deciding/decision.ts';
import type { NewInteraction } from '#server/engine/outcomes/rows.ts';
import * as people from '#server/engine/people-store.ts';

type WithEffects = { interaction: NewInteraction; effects: Effects };

/** Writes down what was decided besides: conversations, STOP and START, thank-yous, addresses. Answers who wrote STOP. */
export async function applyEffects(
  { clock, ids }: { clock: Clock; ids: Ids },
  trx: EngineTransaction,
  decisions: Decision[],
  connections: Iterable<EngineConnection | null>,
): Promise<people.PersonKey[]> {
  const now = clock.now();
  const having = decisions.flatMap(({ interaction, effects }) => (effects ? [{ interaction, effects }] : []));
  const moved = having.flatMap(({ effects: { conversation } }) => conversation ?? []);
  // A conversation that went on twice in this batch is saved as it stands at the end.
  await conversations.saveConversations(trx, [...new Map(moved.map((one) => [one.id, one])).values()], now);
  const changed = having.filter(({ effects: { stopped, started, thanked } }) => stopped || started || thanked);
  for (const one of changed) await people.savePeople(trx, [changeOf(one, now)]);
  const platforms = new Map([...connections].flatMap((known) => (known ? [[known.id, known.platform]] : [])));
  await people.saveConsents(
    trx,
    having.flatMap((one) => consentOf(one, platforms, ids.uuid(now)) ?? []),
    now,
  );
  return changed.filter(({ effects }) => effects.stopped).map(({ interaction }) => keyOf(interaction));
}

function changeOf({ interaction, effects: { stopped, started, thanked } }: WithEffects, now: Date) {
  return {
    ...keyOf(interaction),
    stopped_at: stopped ? now : null,
    started: started ?? false,
    thanked_at: thanked ? now : null,
  };
}

function consentOf(
  { interaction, effects: { email } }: WithEffects,
  platforms: Map<string, string>,
  id: string,
): people.Consent | null {
  if (email === undefined) return null;
  const { creator_id, connection_id, person_id, automation_id, occurred_at } = interaction;
  return {
    creator_id,
    id,
    connection_id,
    person_id,
    email: email.address,
    wording: email.wording,
    place: `${platforms.get(connection_id) ?? 'instagram'}_message`,
    language: email.language,
    automation_id: automation_id!,
    agreed_at: occurred_at,
  };
}

function keyOf({ creator_id, connection_id, person_id }: NewInteraction): people.PersonKey {
  return { creator_id, connection_id, id: person_id };
}

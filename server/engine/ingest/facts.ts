/** Facts about the people of a batch, kept true while one after the other is decided. */
import type { EngineTransaction } from '#server/db/transaction.ts';
import * as conversations from '#server/engine/conversations/conversation-store.ts';
import type { Choice } from '#server/engine/deciding/choice.ts';
import type { EngineConnection } from '#server/engine/deciding/connections.ts';
import type { DecidingContext, Decision, Standing, StoredConversation } from '#server/engine/deciding/decision.ts';
import type { EngineAutomation } from '#server/engine/deciding/listening-automations.ts';
import { readPayload } from '#server/engine/deciding/message-plan.ts';
import * as people from '#server/engine/people-store.ts';
import * as queries from '#server/engine/queries.ts';
import type { CommentEvent, MessageEvent } from '#server/platforms/meta/events.ts';
import { isComment, type Received } from './received.ts';

/** With the automation that a comment calls for; null for messages, whose choice needs these facts. */
export type Chosen = Received<CommentEvent | MessageEvent> & { choice: Choice<EngineAutomation> | null };

type FactsAsked = 'answeredAt' | 'standingOf' | 'conversationWithId' | 'askedForEmail';

const NOBODY_SEEN: Standing = {
  stopped: false,
  blocked: false,
  takenOverUntil: null,
  name: null,
  username: null,
  lastWroteAt: null,
  thankedAt: null,
};

export async function findFacts(trx: EngineTransaction, entries: Chosen[]): Promise<Facts> {
  const [answered, standings, open] = await Promise.all([
    queries.findAnswered(trx, uniquePeople(entries.flatMap(personToAnswer))),
    people.findStandings(trx, entries.flatMap(personToKnow)),
    findConversations(trx, entries),
  ]);
  return new Facts(answered, standings, open);
}

class Facts {
  /** When by `automationId personId`. */
  private readonly answered: Map<string, Date>;
  /** By `connectionId personId`. */
  private readonly standings: Map<string, Standing>;
  /** By id. */
  private readonly conversations: Map<string, StoredConversation>;

  constructor(answered: Map<string, Date>, standings: Map<string, Standing>, open: Map<string, StoredConversation>) {
    this.answered = answered;
    this.standings = standings;
    this.conversations = open;
  }

  context(): Pick<DecidingContext, FactsAsked> {
    return {
      answeredAt: (automationId, personId) => this.answered.get(`${automationId} ${personId}`) ?? null,
      standingOf: ({ id }, personId) => this.standings.get(`${id} ${personId}`) ?? NOBODY_SEEN,
      conversationWithId: (connection, id) => {
        const found = this.conversations.get(id);
        return found !== undefined && found.connectionId === connection.id ? found : null;
      },
      askedForEmail: (connection, personId) => this.askedForEmail(connection, personId),
    };
  }

  private askedForEmail(connection: EngineConnection, personId: string): StoredConversation | null {
    for (const found of this.conversations.values()) {
      const isTheirs = found.connectionId === connection.id && found.personId === personId;
      if (isTheirs && found.conversation.state === 'email') return found;
    }
    return null;
  }

  /** The same person twice in one batch is one person. */
  remember({ event, connection }: Chosen, { delivery, effects }: Decision, now: Date): void {
    if (delivery !== null && delivery.automation_id !== null) {
      this.answered.set(`${delivery.automation_id} ${event.personId}`, now);
    }
    if (effects?.conversation !== undefined) this.conversations.set(effects.conversation.id, effects.conversation);
    if (isComment(event) || event.self) return;
    const key = `${connection.id} ${event.personId}`;
    const before = this.standings.get(key) ?? NOBODY_SEEN;
    this.standings.set(key, {
      ...before,
      stopped: effects?.stopped ?? (effects?.started === true ? false : before.stopped),
      thankedAt: effects?.thanked === true ? now : before.thankedAt,
      lastWroteAt: before.lastWroteAt !== null && before.lastWroteAt > event.at ? before.lastWroteAt : event.at,
    });
  }
}

/** Conversations that these events may go on with, by id; locked. */
async function findConversations(trx: EngineTransaction, entries: Chosen[]): Promise<Map<string, StoredConversation>> {
  const ids = [];
  const writers = [];
  for (const { event, connection } of entries) {
    if (isComment(event)) continue;
    const payload = readPayload(event.payload);
    if (payload !== null) ids.push({ creator_id: connection.creatorId, id: payload.conversationId });
    else if (event.text !== '') writers.push({ connection_id: connection.id, person_id: event.personId });
  }
  return new Map((await conversations.findConversations(trx, ids, writers)).map((stored) => [stored.id, stored]));
}

/** Who may get a message, where it must be known what they got lately: see `answeredLately`. */
function personToAnswer({ event, connection, choice }: Chosen) {
  const choices = isComment(event) ? [choice] : choicesFor(event, connection);
  const asks = choices.some((each) => each?.automation != null && each.automation.repeatAfterMinutes !== null);
  return asks ? [{ creator_id: connection.creatorId, person_id: event.personId }] : [];
}

function choicesFor(event: MessageEvent, { automations }: EngineConnection): Choice<EngineAutomation>[] {
  if (event.kind === 'button_tap') return [];
  const door = { trigger: event.kind, postId: event.storyId };
  return [automations.choose(door, event.text), automations.chooseByWords(door, event.text)];
}

function uniquePeople(asked: { creator_id: string; person_id: string }[]) {
  return [...new Map(asked.map((person) => [`${person.creator_id} ${person.person_id}`, person])).values()];
}

/** Comments that nobody answers need no look at their writers. */
function personToKnow({ event, connection, choice }: Chosen): people.PersonKey[] {
  if (isComment(event) && choice?.automation == null) return [];
  return [{ creator_id: connection.creatorId, connection_id: connection.id, id: event.personId }];
}

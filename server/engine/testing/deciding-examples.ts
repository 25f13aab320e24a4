/** A connection, its automation, what a follower does and what is known of them: for tests of what is decided, without a database. */

import type { Conversation } from '#server/engine/conversations/conversation.ts';
import { compileForConnection } from '#server/engine/deciding/choice.ts';
import { decideComment } from '#server/engine/deciding/comments.ts';
import type { EngineConnection } from '#server/engine/deciding/connections.ts';
import type { DecidingContext, Decision, Standing, StoredConversation } from '#server/engine/deciding/decision.ts';
import type { EngineAutomation } from '#server/engine/deciding/listening-automations.ts';
import { decideMessage } from '#server/engine/deciding/messages.ts';
import type { CommentEvent, MessageEvent } from '#server/platforms/meta/events.ts';

export const NOW = new Date('2026-06-10T12:00:00Z');
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const ago = (ms: number) => new Date(NOW.getTime() - ms);
export const in_ = (ms: number) => new Date(NOW.getTime() + ms);

export function automation(more: Partial<EngineAutomation> = {}): EngineAutomation {
  return {
    id: 'automation',
    name: 'Pasta',
    trigger: 'comment',
    postIds: null,
    words: ['recipe'],
    mode: 'whole_word',
    excludedWords: [],
    typoTolerance: true,
    priority: 0,
    createdAt: new Date('2026-01-01'),
    keywords: [],
    translations: [],
    messageText: 'Hi {{username}}, {{word}}',
    buttons: [{ title: 'Open', url: 'https://example.com/pasta', code: 'abc1234' }],
    publicReplies: [],
    variants: [],
    variantWinner: null,
    card: null,
    opening: null,
    followAsk: null,
    emailAsk: null,
    followUp: null,
    repeatAfterMinutes: 60,
    switchedOnAt: new Date('2026-01-01'),
    attachedAt: new Map(),
    sameLink: [],
    ...more,
  };
}

export function connection(
  more: Partial<EngineConnection> = {},
  automations: EngineAutomation[] = [automation()],
): EngineConnection {
  return {
    creatorId: 'creator',
    id: 'connection',
    platform: 'instagram',
    accountId: 'account',
    pageId: null,
    username: 'cook',
    requiresAuth: false,
    barredUntil: null,
    paused: false,
    queuePaused: false,
    firstPostId: null,
    ...{ beingDeleted: false, overPlan: false },
    takeoverMinutes: null,
    listened: false,
    addonOff: false,
    holding: new Set(),
    tested: new Map(),
    automations: compileForConnection(automations),
    ...more,
  };
}

export function comment(more: Partial<CommentEvent> = {}): CommentEvent {
  return {
    platform: 'instagram',
    accountId: 'account',
    kind: 'comment',
    platformId: 'comment',
    postId: 'post',
    parentId: null,
    personId: 'person',
    username: 'ana',
    text: 'Recipe!',
    at: NOW,
    own: false,
    ...more,
  };
}

export function message(more: Partial<MessageEvent> = {}): MessageEvent {
  return {
    platform: 'instagram',
    accountId: 'account',
    kind: 'direct_message',
    platformId: 'mid',
    personId: 'person',
    text: 'recipe',
    payload: null,
    storyId: null,
    standby: false,
    self: false,
    at: NOW,
    ...more,
  };
}

/** `standing` is that of everybody; ids are `id-1`, `id-2`, …, in the order of their making. */
export function context(
  more: Partial<DecidingContext> & {
    standing?: Partial<Standing>;
    conversation?: StoredConversation | null;
    asked?: StoredConversation | null;
    /** By automation. */
    answered?: Record<string, Date>;
    turn?: Date | null;
  } = {},
): DecidingContext {
  const { standing, conversation = null, asked = null, answered = {}, turn = null, ...own } = more;
  let made = 0;
  return {
    now: NOW,
    ids: {
      uuid: () => {
        made++;
        return `id-${made}`;
      },
      code: () => 'code',
    },
    baseUrl: 'https://hq.example.com',
    answeredAt: (automationId) => answered[automationId] ?? null,
    standingOf: () => ({
      stopped: false,
      blocked: false,
      takenOverUntil: null,
      name: null,
      username: null,
      lastWroteAt: null,
      thankedAt: null,
      ...standing,
    }),
    conversationWithId: (_connection, id) => (conversation?.id === id ? conversation : null),
    askedForEmail: () => asked,
    pickPublicReply: (given) => given.publicReplies[0] ?? null,
    pickVariant: () => 'a',
    turnOf: () => turn,
    ...own,
  };
}

export type Given = Parameters<typeof context>[0];

export function onComment(
  event: Parameters<typeof comment>[0] = {},
  {
    of = {},
    by = [automation()],
    given = {},
  }: { of?: Partial<EngineConnection>; by?: EngineAutomation[]; given?: Given } = {},
): Decision {
  const made = comment(event);
  const its = connection(of, by);
  const trigger = made.kind;
  const choice = made.own ? null : its.automations.choose({ trigger, postId: made.postId }, made.text);
  return decideComment(made, ago(1), its, choice, context(given));
}

export function onMessage(
  event: Parameters<typeof message>[0] = {},
  {
    of = {},
    by = [automation({ trigger: 'direct_message' })],
    given = {},
  }: { of?: Partial<EngineConnection>; by?: EngineAutomation[]; given?: Given } = {},
): Decision {
  return decideMessage(message(event), ago(1), connection(of, by), context(given));
}

export const told = ({ interaction, delivery }: Decision) =>
  `${interaction.outcome}: ${interaction.reason}${delivery === null ? '' : ', a message'}`;
export const ANSWERED = 'waiting: queued, a message';

export const CONVERSATION = '01890000-1234-7000-8000-00000000abcd';
export const EMAIL_ASK = { text: 'Your address?', consent: 'I agree.' };

/** A conversation of an automation with all steps, in a state. */
export function going(
  state: Partial<Conversation> = {},
  emailAsk: typeof EMAIL_ASK | null = EMAIL_ASK,
): StoredConversation {
  return {
    creatorId: 'creator',
    id: CONVERSATION,
    connectionId: 'connection',
    automationId: 'its-automation',
    interactionId: 'first',
    isTest: false,
    personId: 'by-comment',
    plan: {
      opening: { text: 'Hi', buttonTitle: 'Go' },
      followAsk: null,
      emailAsk,
      followUp: null,
      card: null,
      username: 'ana',
      word: 'recipe',
      text: 'Hi {{first_name}}',
      buttons: [],
      variant: 'b',
      language: 'es',
    },
    conversation: {
      state: 'opening',
      endedBecause: null,
      pending: null,
      followAsks: 0,
      emailHints: 0,
      givenEmail: null,
      suggestedEmail: null,
      deliveredAt: null,
      expiresAt: in_(DAY_MS),
      ...state,
    },
  };
}

/** A connection, its automation, what a follower does and what is known of them: for tests of what is decided, without a database. */

import { compileForConnection } from '#server/engine/deciding/choosing.ts';
import type { EngineAutomation, EngineConnection } from '#server/engine/deciding/connections.ts';
import type { DecidingContext, Standing, StoredConversation } from '#server/engine/deciding/deciding.ts';
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
    beingDeleted: false,
    takeoverMinutes: null,
    listened: false,
    addonOff: false,
    holding: new Set(),
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

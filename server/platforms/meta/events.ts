/** Meta's events in the product's words. Made by `webhook.ts`; those we read ourselves by `found-events.ts`. */

/** Everything names the account (a connection's `account_id`) and the platform; ids are strings, never numbers. */
type Base = { platform: 'instagram' | 'facebook'; accountId: string };

export type CommentEvent = Base & {
  kind: 'comment' | 'live_comment';
  /** The comment's id. */
  platformId: string;
  postId: string | null;
  parentId: string | null;
  personId: string;
  username: string | null;
  text: string;
  /** `entry.time`: when Meta sent the webhook, the nearest to the comment's time that a webhook tells. */
  at: Date;
  /** Written by the account itself, by hand or by our public reply. */
  own: boolean;
  /** No webhook told of it: our reading of the post found it. */
  found?: true;
  /** The creator wants it answered although it came before its automation was on. */
  catchUp?: true;
};

export type MessageEvent = Base & {
  kind: 'direct_message' | 'story_reply' | 'story_mention' | 'button_tap';
  /** The message's `mid`; for a tap without one: sender, time and payload joined. */
  platformId: string;
  personId: string;
  text: string;
  /** Payload of the tapped button or quick reply; null for anything else. */
  payload: string | null;
  /** The story they replied to; null for anything else. */
  storyId: string | null;
  /** Another app owns the conversation: for the record, not to be answered. */
  standby: boolean;
  /** The account writing to itself. */
  self: boolean;
  at: Date;
};

/** There is a message, and its webhook tells neither its words nor, always, its writer: it has to be read. */
export type UnreadMessageEvent = Base & { kind: 'unread_message'; mid: string; standby: boolean };

/** The person took a message back: what is still to come for it must not. */
export type UnsentEvent = Base & { kind: 'unsent'; mid: string; personId: string; at: Date };

/** A comment that is no longer what it was: its waiting answer must not go out. */
export type CommentChangedEvent = Base & { kind: 'comment_changed'; platformId: string; removed: boolean };

/** Messages the account itself sent, through us, another tool or the app. It may come before the answer to our own call. */
export type EchoEvent = Base & {
  kind: 'echo';
  mid: string;
  personId: string;
  text: string;
  /** The app that sent it; null: typed in the platform's own app, or Meta does not say (Instagram never does [R]). */
  appId: string | null;
  /** The value our send put into `metadata` [C]. */
  metadata: string | null;
  at: Date;
};

/** The person read everything up to `at`; Instagram names the message, Messenger only the time. */
export type ReadEvent = Base & { kind: 'read'; personId: string; mid: string | null; at: Date };

/** Meta bars a Page because of its policies, or no longer does [D]. */
export type PolicyEvent = Base & { kind: 'policy'; blocked: boolean; reason: string | null; at: Date };

/**
 * Understood and not ours to answer: reactions, edits, test payloads, unknown fields. `malformed`: of a known kind, and without
 * what that kind must have.
 */
export type IgnoredEvent = { kind: 'ignored'; accountId: string | null; what: string; malformed?: true };

export type PlatformEvent =
  | CommentEvent
  | MessageEvent
  | UnreadMessageEvent
  | UnsentEvent
  | CommentChangedEvent
  | EchoEvent
  | ReadEvent
  | PolicyEvent
  | IgnoredEvent;

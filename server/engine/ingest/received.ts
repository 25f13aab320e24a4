/** Events as they come, sorted by what is to be done with them. */
import { accountKey, type EngineConnection } from '#server/engine/deciding/connections.ts';
import type {
  CommentChangedEvent,
  CommentEvent,
  EchoEvent,
  IgnoredEvent,
  MessageEvent,
  PlatformEvent,
  PolicyEvent,
  ReadEvent,
  UnreadMessageEvent,
  UnsentEvent,
} from '#server/platforms/meta/events.ts';
import { unknownWriterOf } from '#server/platforms/meta/webhook.ts';

export type ReceivedEvent = { event: PlatformEvent; receivedAt: Date };

/** An event of an account that is connected here. */
export type Received<E> = { event: E; receivedAt: Date; connection: EngineConnection };

export type Sorted = {
  interactions: Received<CommentEvent | MessageEvent>[];
  reads: Received<ReadEvent>[];
  echoes: Received<EchoEvent>[];
  policies: Received<PolicyEvent>[];
  unread: Received<UnreadMessageEvent>[];
  withdrawn: Received<UnsentEvent | CommentChangedEvent>[];
  /** How many are none of ours, by name. */
  ignored: Map<string, number>;
  /** How many lacked what their kind must have. */
  malformed: number;
};

/** @param connections by account: see `EngineConnections.ofAccounts` */
export function sortByKind(events: ReceivedEvent[], connections: Map<string, EngineConnection | null>): Sorted {
  const sorted: Sorted = {
    interactions: [],
    reads: [],
    echoes: [],
    policies: [],
    unread: [],
    withdrawn: [],
    ignored: new Map(),
    malformed: 0,
  };
  for (const { event, receivedAt } of events) {
    if (event.kind === 'ignored') {
      countIgnored(sorted, event.what);
      if (event.malformed === true) sorted.malformed++;
      continue;
    }
    const connection = connections.get(accountKey(event)) ?? null;
    if (connection === null) countIgnored(sorted, 'unknown account');
    else sortIn(sorted, event, { receivedAt, connection });
  }
  return sorted;
}

export function countIgnored({ ignored }: Sorted, what: string, count = 1): void {
  if (count > 0) ignored.set(what, (ignored.get(what) ?? 0) + count);
}

function sortIn(
  sorted: Sorted,
  event: Exclude<PlatformEvent, IgnoredEvent>,
  of: { receivedAt: Date; connection: EngineConnection },
): void {
  switch (event.kind) {
    case 'read':
      sorted.reads.push({ event, ...of });
      break;
    case 'echo':
      sorted.echoes.push({ event, ...of });
      break;
    case 'policy':
      sorted.policies.push({ event, ...of });
      break;
    case 'unread_message':
      sorted.unread.push({ event, ...of });
      break;
    case 'unsent':
    case 'comment_changed':
      sorted.withdrawn.push({ event, ...of });
      break;
    default:
      sorted.interactions.push({ event: isComment(event) ? ownByName(event, of.connection) : event, ...of });
  }
}

export function isComment(event: PlatformEvent): event is CommentEvent {
  return event.kind === 'comment' || event.kind === 'live_comment';
}

/** Our own public replies come back as comments; where Meta hides the writer's id only the name tells. */
function ownByName(event: CommentEvent, connection: EngineConnection): CommentEvent {
  const isUnknown = event.personId === unknownWriterOf(event.platformId);
  return isUnknown && event.username === connection.username ? { ...event, own: true } : event;
}

import { useCallback, useEffect, useRef, useState } from 'react';
import type {
  AccountView,
  CommentView,
  MessageView,
  PersonView,
  PostView,
  RelationPatch,
  SeedPostInput,
  StreamEvent,
  TapResult,
  ThreadView,
} from '../control/types.ts';

export type { AccountView, CommentView, MessageView, PersonView, PostView, StreamEvent, ThreadView };

/** Who holds the phone: a follower, or the creator. */
export type Player = { kind: 'follower'; person: PersonView } | { kind: 'owner' };

/** The part of the simulator's control API that a phone needs; every refusal throws an Error with the simulator's reason. */
export const control = {
  accounts: () => call<AccountView[]>('GET', '/accounts'),
  people: () => call<PersonView[]>('GET', '/people'),
  posts: (accountId: string) => call<PostView[]>('GET', `/accounts/${accountId}/posts`),
  comments: (mediaId: string) => call<CommentView[]>('GET', `/posts/${mediaId}/comments`),
  inbox: (personId: string) => call<ThreadView[]>('GET', `/people/${encodeURIComponent(personId)}/inbox`),
  thread: (personId: string, accountId: string) =>
    call<ThreadView>('GET', `/people/${encodeURIComponent(personId)}/threads/${accountId}`),
  comment: (input: { mediaId: string; personId: string; text: string; parentId?: string }) =>
    call<CommentView>('POST', '/comments', input),
  /** A post, story or live video of the creator. */
  publish: (input: SeedPostInput) => call<{ mediaId: string }>('POST', '/posts', input),
  deletePost: (mediaId: string) => call<void>('DELETE', `/posts/${mediaId}`),
  endLive: (mediaId: string) => call<void>('POST', `/posts/${mediaId}/end`),
  storyReply: (input: { storyId: string; personId: string; text: string }) =>
    call<MessageView>('POST', '/story-replies', input),
  storyMention: (input: { accountId: string; personId: string }) => call<MessageView>('POST', '/story-mentions', input),
  react: (input: { messageId: string; personId: string; reaction: string | null }) =>
    call<void>('POST', '/reactions', input),
  unsend: (messageId: string) => call<void>('POST', '/unsends', { messageId }),
  deleteComment: (commentId: string) => call<void>('DELETE', `/comments/${commentId}`),
  message: (input: { accountId: string; personId: string; text: string }) =>
    call<MessageView>('POST', '/messages', input),
  ownerMessage: (input: { accountId: string; personId: string; text: string }) =>
    call<MessageView>('POST', '/owner-messages', input),
  ownerPrivateReply: (input: { commentId: string; text: string }) =>
    call<MessageView>('POST', '/owner-private-replies', input),
  tap: (input: { personId: string; messageId: string; button: number }) => call<TapResult>('POST', '/taps', input),
  /** The creator removes the app in their settings. */
  deauthorize: (subjectId: string) => call<{ status: number | null }>('POST', '/deauthorize', { subjectId }),
  requestDataDeletion: (subjectId: string) =>
    call<{ status: number | null; body: string }>('POST', '/data-deletion', { subjectId }),
  read: (input: { accountId: string; personId: string }) => call<void>('POST', '/reads', input),
  setRelation: (personId: string, accountId: string, patch: RelationPatch) =>
    call<PersonView>('PATCH', `/people/${encodeURIComponent(personId)}/relations/${accountId}`, patch),
};

async function call<Result>(method: string, path: string, body?: unknown): Promise<Result> {
  const response = await fetch(`/control${path}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(reasonIn(text) ?? `The simulator answered ${response.status}.`);
  return (text === '' ? undefined : JSON.parse(text)) as Result;
}

function reasonIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: string }).error;
  } catch {
    return undefined;
  }
}

type Listener = (event: StreamEvent) => void;
const listeners = new Set<Listener>();
let source: EventSource | undefined;
/** Whether there was a stream before this one: something may have happened between the two. */
let missed = false;

function listen(listener: Listener): () => void {
  listeners.add(listener);
  if (listeners.size === 1) followWhileVisible();
  return () => {
    listeners.delete(listener);
  };
}

/**
 * One stream for the whole page, and none while nobody looks: a browser opens six connections to an address, all tabs together, and six
 * phones in the background would leave none for anything else. After a gap everything counts as changed.
 */
function followWhileVisible(): void {
  document.removeEventListener('visibilitychange', followWhileVisible);
  document.addEventListener('visibilitychange', followWhileVisible);
  if (document.visibilityState === 'hidden') {
    source?.close();
    source = undefined;
  } else if (!source) {
    source = new EventSource('/control/stream');
    source.onopen = () => {
      if (missed) tell({ type: 'reset', at: 0 });
      missed = true;
    };
    source.onmessage = (message) => tell(JSON.parse(message.data) as StreamEvent);
  }
}
function tell(event: StreamEvent): void {
  for (const listener of listeners) listener(event);
}

/** The last answer under each key, so that going back shows it at once while it is loaded again. */
const lastSeen = new Map<string, unknown>();

export interface Live<Value> {
  value: Value | undefined;
  error: string | undefined;
  reload: () => void;
}

/**
 * Loads something and loads it again whenever the stream tells of a change that concerns it. Changes that come while a load is under way
 * lead to one more load, not to one each, so a flood of comments does not become a flood of requests.
 * @param key names what is loaded; undefined loads nothing
 */
export function useLive<Value>(
  key: string | undefined,
  load: () => Promise<Value>,
  concerns: (event: StreamEvent) => boolean,
): Live<Value> {
  const [state, setState] = useState<{ key: string; value?: Value; error?: string }>();
  const latest = useRef({ load, concerns });
  useEffect(() => {
    latest.current = { load, concerns };
  });
  const reloadNow = useRef<() => void>(() => {});
  useEffect(() => {
    if (key === undefined) return;
    let stopped = false;
    let loading = false;
    let stale = false;
    const run = async () => {
      if (loading) {
        stale = true;
        return;
      }
      loading = true;
      do {
        stale = false;
        try {
          const value = await latest.current.load();
          lastSeen.set(key, value);
          if (!stopped) setState({ key, value });
        } catch (error) {
          const reason = (error as Error).message;
          if (!stopped)
            setState((before) => ({ key, value: before?.key === key ? before.value : undefined, error: reason }));
        }
      } while (stale && !stopped);
      loading = false;
    };
    reloadNow.current = () => void run();
    void run();
    const silence = listen((event) => {
      if (event.type === 'reset' || latest.current.concerns(event)) void run();
    });
    return () => {
      stopped = true;
      silence();
    };
  }, [key]);
  const reload = useCallback(() => reloadNow.current(), []);
  if (key === undefined) return { value: undefined, error: undefined, reload };
  const current = state?.key === key ? state : undefined;
  return { value: current?.value ?? (lastSeen.get(key) as Value | undefined), error: current?.error, reload };
}

/** The simulator gives absolute addresses of its own; the phone may have been opened under another name of the same machine. */
export function pictureAddress(url: string): string {
  try {
    const { pathname, search } = new URL(url);
    return pathname.startsWith('/pictures/') ? pathname + search : url;
  } catch {
    return url;
  }
}

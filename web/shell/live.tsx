/** Keeps what is on screen up to date over server-sent events. */
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { type LiveEvent, live } from '#contract/interactions.ts';
import { addressOf } from '#web/shell/client.ts';
import { whenEarlyTaken } from '#web/shell/early-calls.ts';
import { gatherEvents, isNewsOfCreator, refetchAffected } from '#web/shell/live-refresh.ts';
import { retryDelay } from '#web/shell/query-client.ts';
import { readCreator } from '#web/shell/session.ts';

/** `off`: changes do not arrive by themselves at the moment; we keep trying. */
export type LiveState = 'connecting' | 'live' | 'off';

/** A first attempt may take this long before we say that the page is not live. */
const QUIET_MS = 4000;

/** How many messages wait, in the banner, may be this old; the last change before silence is always caught up with. */
const CREATOR_EVERY_MS = 30_000;

/** Listens for changes of one creator and refetches what they touch. */
export function useLive(creatorId: string): LiveState {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');

  useEffect(() => {
    let source: EventSource | undefined;
    let retryTimer: ReturnType<typeof setTimeout> | undefined;
    let creatorTimer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let isFirstHello = true;
    const quietTimer = setTimeout(() => setState((now) => (now === 'live' ? now : 'off')), QUIET_MS);

    const push = gatherEvents((events) => {
      const news = new Set(events.map(isNewsOfCreator));
      if (news.has('now')) void readCreator(client, creatorId);
      else if (news.has('soon')) {
        creatorTimer ??= setTimeout(() => {
          creatorTimer = undefined;
          void readCreator(client, creatorId);
        }, CREATOR_EVERY_MS);
      }
      return refetchAffected(client, events);
    });
    const connect = () => {
      source = new EventSource(addressOf(live, { params: { creatorId } }));
      source.onopen = () => {
        setState('live');
        failures = 0;
      };
      source.onmessage = (message: MessageEvent<string>) => {
        const event = JSON.parse(message.data) as LiveEvent;
        // Changes before somebody listened are unknown. Of a page that has just asked for everything, only what
        // changes by the second is asked for again.
        if (event.what === 'hello' && isFirstHello) {
          push({ what: 'interactions' });
          // Nor of answers from before that have no taker yet.
          whenEarlyTaken(() => push({ what: 'interactions' }));
        } else push(event);
        isFirstHello = false;
      };
      // The browser's own reconnecting gives up on an error status and never slows down: ours does neither.
      source.onerror = () => {
        source?.close();
        isFirstHello = false;
        if (failures > 0) setState('off');
        retryTimer = setTimeout(connect, retryDelay(failures));
        failures += 1;
      };
    };
    connect();

    return () => {
      clearTimeout(quietTimer);
      clearTimeout(retryTimer);
      clearTimeout(creatorTimer);
      source?.close();
    };
  }, [client, creatorId]);

  return state;
}

const Live = createContext<LiveState>('connecting');

export function LiveProvider({ creatorId, children }: { creatorId: string; children: ReactNode }) {
  return <Live value={useLive(creatorId)}>{children}</Live>;
}

/** For a screen that shows whether its rows arrive by themselves. */
export function useLiveState(): LiveState {
  return useContext(Live);
}

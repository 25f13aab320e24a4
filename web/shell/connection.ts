/** Whether Creator HQ can be reached, as far as this browser knows. */
import { useSyncExternalStore } from 'react';

const ASK_AGAIN_MS = 3000;
const listeners = new Set<() => void>();
let waiting = 0;

/** True while the browser is offline or a screen waits for the network. */
export function useOffline(): boolean {
  return useSyncExternalStore(subscribe, () => !navigator.onLine || waiting > 0);
}

/** Resolves when the server answers. Asks every few seconds, and at once when the browser says it is back online. */
export async function untilReachable(): Promise<void> {
  waiting++;
  notify();
  while (!(await isReachable())) await nextTry();
  waiting--;
  notify();
}

export async function isReachable(): Promise<boolean> {
  const answer = await fetch('/healthz', { cache: 'no-store' }).catch(() => null);
  return answer?.ok ?? false;
}

function nextTry(): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      removeEventListener('online', go);
      resolve();
    };
    const timer = setTimeout(go, ASK_AGAIN_MS);
    addEventListener('online', go);
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

function notify(): void {
  for (const listener of listeners) listener();
}

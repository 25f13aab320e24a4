import { useSyncExternalStore } from 'react';

/**
 * Where the phone is, all of it in the address: who plays (`as`: a personId, or `owner`), whose posts (`account`: its id or handle), an open post
 * (`post`: media id or shortcode), an open story (`story`), the messages (`messages`: `inbox` or `requests`), an open conversation (`thread`: the account's id for
 * a follower, the person's id for the owner), the owner's settings (`settings`: `apps`).
 */
export interface Place {
  as?: string;
  account?: string;
  post?: string;
  story?: string;
  messages?: string;
  thread?: string;
  settings?: string;
}

const KEYS = ['as', 'account', 'post', 'story', 'messages', 'thread', 'settings'] as const;

export function usePlace(): Place {
  const search = useSyncExternalStore(subscribe, () => location.search);
  const query = new URLSearchParams(search);
  return Object.fromEntries(KEYS.flatMap((key) => (query.get(key) ? [[key, query.get(key)]] : []))) as Place;
}

export function addressOf(place: Place): string {
  const query = new URLSearchParams();
  for (const key of KEYS) if (place[key] !== undefined) query.set(key, place[key]);
  return `${location.pathname}?${query}`;
}

export function go(place: Place): void {
  history.pushState(null, '', addressOf(place));
  window.dispatchEvent(new PopStateEvent('popstate'));
}

function subscribe(changed: () => void): () => void {
  window.addEventListener('popstate', changed);
  return () => window.removeEventListener('popstate', changed);
}

import { startTransition, useEffect, useState } from 'react';

/** Longer than a frame takes on a busy phone. */
const GIVE_UP_MS = 250;

/** Resolves when what was drawn last is on screen. A page in a hidden tab draws nothing: there it resolves at once. */
export function painted(): Promise<void> {
  if (document.visibilityState === 'hidden') return Promise.resolve();
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    // It may be hidden meanwhile.
    setTimeout(resolve, GIVE_UP_MS);
  });
}

/**
 * False until what surrounds the caller is on screen: for what is below the fold, so that a slow phone does not lay out all of
 * a screen in one go.
 */
export function useIsPainted(): boolean {
  const [isPainted, setIsPainted] = useState(false);
  useEffect(() => void painted().then(() => startTransition(() => setIsPainted(true))), []);
  return isPainted;
}

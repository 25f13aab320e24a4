/** A screen's requests after its first paint go before; on a slow phone that takes a few seconds. */
const SETTLING_MS = 3000;

/** Runs `work` when the page has come and the browser has nothing better to do; returns how to call it off. */
export function whenIdle(work: () => void): () => void {
  let idleCallback: number | undefined;
  const timer = setTimeout(() => {
    // Safari has no idle callback.
    if (typeof requestIdleCallback === 'function') idleCallback = requestIdleCallback(work, { timeout: 5000 });
    else work();
  }, SETTLING_MS);
  return () => {
    clearTimeout(timer);
    if (idleCallback !== undefined) cancelIdleCallback(idleCallback);
  };
}

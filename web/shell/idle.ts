/** Runs `work` when the browser has nothing better to do, after the page has come; returns how to call it off. */
export function whenIdle(work: () => void): () => void {
  // Safari has no idle callback.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, 1500);
    return () => clearTimeout(timer);
  }
  const id = requestIdleCallback(work, { timeout: 5000 });
  return () => cancelIdleCallback(id);
}

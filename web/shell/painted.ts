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

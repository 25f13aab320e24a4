/** Code that is fetched when it is first shown, and again after a lost network or a deploy. */
import { type ComponentType, lazy } from 'react';
import { createPath, type Path } from 'react-router';
import { isReachable, untilReachable } from '#web/shell/connection.ts';

const RELOADED_AT = 'reloaded for lost code at';
const MOST_OFTEN_MS = 60_000;

/**
 * Without a network it waits for it, and the screen before stays meanwhile. Code that still does not come was lost in a moment
 * that is over, or a deploy took it away: the page is loaded again.
 *
 * @param place where the page goes if it must be reloaded
 * @throws the fetch's error, for the fallback screen, when a page that was just reloaded lacks it too
 */
export async function fetchCode<Code>(
  load: () => Promise<Code>,
  place: () => Partial<Path> = () => location,
): Promise<Code> {
  try {
    return await load();
  } catch (error) {
    const lost = !(await isReachable());
    if (lost) await untilReachable();
    return load().catch(() => {
      // Browsers remember that a file could not be fetched until the page is reloaded.
      if (!lost && !mayReload()) throw error;
      location.assign(createPath(place()));
      return new Promise(() => {});
    });
  }
}

/** A part of a screen with code of its own; show it in a `Suspense`. */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await fetchCode(load) }));
}

/** Whether it may be reloaded for code that does not come although the server answers: not for ever. */
function mayReload(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < MOST_OFTEN_MS) return false;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    return true;
  } catch {
    return false; // storage may be forbidden
  }
}

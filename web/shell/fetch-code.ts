/** Code that is fetched when it is first shown, and again after a lost network or a deploy. */
import { type ComponentType, lazy } from 'react';
import { createPath, type Path } from 'react-router';
import { paths } from '#web/paths.ts';
import { isReachable, untilReachable } from '#web/shell/connection.ts';
import { reloadAfterDeploy, thisBrowser } from '#web/shell/reload-after-deploy.ts';

/**
 * Without a network it waits for it, and the screen before stays meanwhile. With one, the code is of another version.
 *
 * @param place where the page goes if it must be reloaded
 * @throws the fetch's error, for the fallback screen, unless the page is on its way out
 */
export async function fetchCode<Code>(
  load: () => Promise<Code>,
  place: () => Partial<Path> = () => location,
): Promise<Code> {
  try {
    return await load();
  } catch (error) {
    if (!(await isReachable())) {
      await untilReachable();
      return load().catch(() => {
        // Browsers remember that a file could not be fetched until the page is reloaded.
        location.assign(createPath(place()));
        return new Promise(() => {});
      });
    }
    if (await reloadAfterDeploy(thisBrowser(paths.home))) return new Promise(() => {});
    throw error;
  }
}

/** A part of a screen with code of its own; show it in a `Suspense`. */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await fetchCode(load) }));
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface Picture {
  contentType: string;
  body: string;
}

/** Where a post's picture is served. */
export const scenePath = (scene: string): string => `/pictures/demo/${scene}.svg`;
export const facePath = (face: string): string => `/pictures/demo/face-${face}.svg`;
export const MARK_PATH = '/pictures/demo/mark.svg';
export const QUIET_MARK_PATH = '/pictures/demo/mark-blue.svg';

/**
 * The demo's pictures, for the simulator's `pictures` option: SVG, kept compressed beside this file.
 * @param path of the request, e.g. `/pictures/demo/focaccia.svg`; undefined for any path that is none of ours
 */
export function demoPicture(path: string): Picture | undefined {
  const name = /(?:^|\/)demo\/([a-z-]+)\.svg$/.exec(path)?.[1];
  if (name === undefined) return undefined;
  try {
    const file = readFileSync(join(import.meta.dirname, 'pictures', `${name}.svgz`));
    return { contentType: 'image/svg+xml', body: gunzipSync(file).toString() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

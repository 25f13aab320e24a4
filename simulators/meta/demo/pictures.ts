import { drawFace, drawSpoonMark } from './pictures/avatars.ts';
import { drawScene, type SceneName, sceneNames } from './pictures/scenes.ts';

export interface Picture {
  contentType: string;
  body: string;
}

const drawn = new Map<string, Picture>();

/** Where a post's picture is served. */
export const scenePath = (scene: SceneName): string => `/pictures/demo/${scene}.svg`;
export const facePath = (face: string): string => `/pictures/demo/face-${face}.svg`;
export const MARK_PATH = '/pictures/demo/mark.svg';
export const QUIET_MARK_PATH = '/pictures/demo/mark-blue.svg';

/**
 * The demo's pictures, for the simulator's `pictures` option: SVG drawn here when first asked for (a few milliseconds) and kept.
 * @param path of the request, e.g. `/pictures/demo/focaccia.svg`; undefined for any path that is none of ours
 */
export function drawPicture(path: string): Picture | undefined {
  const name = /(?:^|\/)demo\/([a-z-]+)\.svg$/.exec(path)?.[1];
  if (name === undefined) return undefined;
  const known = drawn.get(name);
  if (known) return known;
  const body = draw(name);
  if (body === undefined) return undefined;
  const picture = { contentType: 'image/svg+xml', body };
  drawn.set(name, picture);
  return picture;
}

function draw(name: string): string | undefined {
  if (name === 'mark') return drawSpoonMark();
  if (name === 'mark-blue') return drawSpoonMark('#34557a', '#f2f0e6');
  if (name.startsWith('face-')) return drawFace(name.slice('face-'.length));
  return sceneNames.includes(name as SceneName) ? drawScene(name as SceneName) : undefined;
}

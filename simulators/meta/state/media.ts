/** Facts about a post or story from its record alone. */
import type { Media } from './records.ts';
import { DAY_MS } from './settings.ts';
import type { World } from './world.ts';

/** Stories live 24 hours, lives until they end. */
export function closed(world: World, media: Media): boolean {
  if (media.product === 'STORY') return world.now() - media.createdAt >= DAY_MS;
  return media.endedAt !== null;
}

/** Where a story's picture is, for as long as the story is: the address says itself when it ends [D]. */
export function storyAddress(world: World, story: { picture: string; id: string; createdAt: number }): string {
  return world.absolute(`${story.picture}?story=${story.id}&until=${story.createdAt + DAY_MS}`);
}

/** Whether the address of a picture has died with its story. */
export function addressIsDead(world: World, query: URLSearchParams): boolean {
  const until = query.get('until');
  if (until === null) return false;
  return world.now() >= Number(until) || world.media.get(query.get('story') ?? '')?.deleted === true;
}

/** Under the simulator's own address, so that it can be opened. */
export function permalink(world: World, media: Media): string {
  const kind =
    media.product === 'REELS'
      ? 'reel'
      : media.product === 'STORY'
        ? 'stories'
        : media.product === 'LIVE'
          ? 'live'
          : 'p';
  return `${world.url}/${kind}/${media.shortcode}/`;
}

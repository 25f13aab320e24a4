/** Stories and lives in plain words. */
import type { Story } from '#contract/stories.ts';

const MINUTE_MS = 60_000;

/** "5 hours left", "12 minutes left". */
export function timeLeft(expiresAt: string, nowMs: number): string {
  const minutes = Math.max(0, Math.ceil((Date.parse(expiresAt) - nowMs) / MINUTE_MS));
  if (minutes >= 90) return `${Math.round(minutes / 60)} hours left`;
  return minutes <= 1 ? 'Ending now' : `${minutes} minutes left`;
}

/** A caption's first words, or what stands for one without. */
export function storyTitle({ kind, caption }: Pick<Story, 'kind' | 'caption'>): string {
  const [first = ''] = caption.trim().split('\n');
  if (first !== '') return first;
  return kind === 'story' ? 'Story' : 'Live video';
}

/** "Running", "Ended", "Taken down": how it stands. */
export function stateOf(story: Pick<Story, 'kind' | 'endedAt' | 'takenDown'>): string {
  if (story.endedAt === null) return story.kind === 'story' ? 'On Instagram now' : 'Live now';
  return story.takenDown ? 'Taken down' : 'Ended';
}

const FEWEST_FOR_A_COMPARISON = 5;

/**
 * A figure beside the account's median: "twice your usual". Null where that would say nothing: no median, or too few on
 * both sides.
 */
export function comparedWithUsual(value: number, median: number | undefined): string | null {
  if (median === undefined || Math.max(median, value) < FEWEST_FOR_A_COMPARISON) return null;
  if (median === 0) return 'more than your average';
  const times = value / median;
  if (times >= 1.9) return `${Math.round(times)} times your average`;
  if (times > 1.1) return `${Math.round((times - 1) * 100)}% more than usual`;
  if (times >= 0.9) return 'about your average';
  return `${Math.round((1 - times) * 100)}% less than usual`;
}

/** Instagram writes -1 for "fewer than five" of a story's figures. */
export function instagramFigure(value: number | null): number | string | null {
  return value === -1 ? 'under 5' : value;
}

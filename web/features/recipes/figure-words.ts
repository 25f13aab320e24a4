import type { ListFigures } from '#contract/list-figures.ts';

export const DOOR_WORDS: Record<ListFigures['doors'][number]['door'], string> = {
  comment: 'Comments on posts',
  live_comment: 'Comments on lives',
  story_reply: 'Story replies',
  story_mention: 'Story mentions',
  direct_message: 'DMs',
  other: 'Other',
};

/** What a shop does not say is not guessed. @param shop null for one that was removed since */
export function wentTo(shop: string | null, people: number): string {
  const count = people === 1 ? '1 person' : `${people.toLocaleString('en-US')} people`;
  if (shop === null) return `Went to a shop that you removed: ${count}.`;
  return `Went to ${shop}: ${count}. What they bought, ${shop} does not tell.`;
}

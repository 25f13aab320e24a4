import type { Post } from '#contract/posts.ts';

/** The caption of a post or story asks for a word, and nothing replies there. */
export function asksInVain({ asksFor, automation }: Pick<Post, 'asksFor' | 'automation'>): boolean {
  return asksFor !== null && automation !== 'on';
}

export function AsksFor({ word }: { word: string }) {
  return (
    <span className="min-w-0 font-medium text-warning-ink text-xs">
      Asks for <bdi className="break-words">{word}</bdi> · nothing replies yet
    </span>
  );
}

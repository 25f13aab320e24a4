import { MessageCircle, Radio, Send } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'react-router';
import type { Story } from '#contract/stories.ts';
import { AsksFor, asksInVain } from '#web/features/posts/AsksFor.tsx';
import { stateOf, storyTitle, timeLeft } from '#web/features/stories/words.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { compactNumerals } from '#web/ui/numerals.ts';
import { Picture } from '#web/ui/Picture.tsx';
import { RelativeTime, useNow } from '#web/ui/RelativeTime.tsx';

const AUTOMATION = {
  on: { label: 'On', tone: 'accent' },
  off: { label: 'Off', tone: 'neutral' },
  none: { label: 'No automation', tone: 'neutral' },
} as const;

/** Cards of stories stand upright, three beside each other on a phone. */
export const STORY_GRID =
  'grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-3 sm:grid-cols-[repeat(auto-fill,minmax(11rem,1fr))]';

type Props = { story: Story; to: string; compared?: string | undefined };

/** One story or live: its picture, how long it still runs, who answers and what came of it. */
export const StoryCard = memo(function StoryCard({ story, to, compared }: Props) {
  const { figures } = story;
  const state = AUTOMATION[story.automation];
  const running = story.endedAt === null;
  return (
    <li>
      <Link
        to={to}
        preventScrollReset
        className="flex h-full flex-col overflow-hidden rounded-lg border border-line bg-surface shadow-card transition-shadow hover:shadow-raised"
      >
        <span className="relative block">
          <StoryPicture story={story} />
          <span className="absolute top-2 left-2 flex flex-wrap gap-1">
            {running && story.expiresAt !== null ? (
              <TimeLeft until={story.expiresAt} />
            ) : (
              <Badge tone={running ? 'error' : story.takenDown ? 'warning' : 'neutral'}>{stateOf(story)}</Badge>
            )}
          </span>
        </span>
        <span className="flex flex-1 flex-col gap-1.5 p-2.5">
          <span className="line-clamp-3 font-medium text-sm">
            <bdi>{storyTitle(story)}</bdi>
          </span>
          <RelativeTime at={story.postedAt} className="text-faint text-xs" />
          {running && (
            <span className="flex min-w-0 flex-wrap items-center gap-1.5">
              {asksInVain(story) && <AsksFor word={story.asksFor!} />}
              {(!asksInVain(story) || story.automation === 'off') && <Badge tone={state.tone}>{state.label}</Badge>}
              <bdi className="line-clamp-2 min-w-0 text-muted text-xs">
                {story.automationWords.slice(0, 3).join(', ')}
              </bdi>
            </span>
          )}
          <span className="mt-auto flex flex-wrap gap-x-3 gap-y-1 text-muted text-xs tabular-nums">
            <span className="inline-flex items-center gap-1">
              <MessageCircle aria-hidden="true" className="size-3.5" />
              {compactNumerals(figures.replies)}
              <span className="sr-only">{story.kind === 'story' ? ' replies' : ' comments'}</span>
            </span>
            <span className="inline-flex items-center gap-1">
              <Send aria-hidden="true" className="size-3.5" />
              {compactNumerals(figures.sent)}
              <span className="sr-only"> sent</span>
            </span>
            {figures.waiting > 0 && <span className="text-info-ink">{compactNumerals(figures.waiting)} waiting</span>}
            {figures.missed > 0 && <span className="text-warning-ink">{compactNumerals(figures.missed)} missed</span>}
          </span>
          {compared && <span className="text-faint text-xs">{compared}</span>}
        </span>
      </Link>
    </li>
  );
});

function TimeLeft({ until }: { until: string }) {
  const now = useNow();
  return <Badge tone="accent">{timeLeft(until, now)}</Badge>;
}

/** Our copy of the picture; a live has none, and shows so. */
export function StoryPicture({ story, className }: { story: Story; className?: string }) {
  if (story.kind === 'story') {
    return <Picture src={story.pictureUrl} alt="" shape="story" className={className ?? 'rounded-none'} />;
  }
  return (
    <span
      aria-hidden="true"
      className={`grid aspect-9/16 place-items-center bg-gradient-to-br from-error-soft to-sunken text-error-ink ${className ?? ''}`}
    >
      <Radio className="size-1/3 max-w-10" strokeWidth={1.5} />
    </span>
  );
}

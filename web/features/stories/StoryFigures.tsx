import type { Story } from '#contract/stories.ts';
import { NOT_SENT, OUTCOMES } from '#web/features/activity/words.ts';
import { FIGURE_LABELS } from '#web/features/figures/words.ts';
import { instagramFigure } from '#web/features/stories/words.ts';
import { Card } from '#web/ui/Card.tsx';
import { Figure } from '#web/ui/Figure.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';

/** Results of a story or live: ours first, adding up, then Instagram's own figures. */
export function StoryFigures({ story }: { story: Story }) {
  const { figures, insights } = story;
  const parts = [
    { label: OUTCOMES.replied.label, value: figures.sent },
    { label: OUTCOMES.waiting.label, value: figures.waiting },
    { label: OUTCOMES.failed.label, value: figures.failed },
    { label: OUTCOMES.missed.label, value: figures.missed },
    { label: OUTCOMES.skipped.label, value: figures.noKeyword },
    { label: NOT_SENT, value: figures.notSent },
    { label: 'Your own', value: figures.own },
  ].filter(({ value, label }) => value > 0 || label === OUTCOMES.replied.label);
  return (
    <>
      <Card title={story.kind === 'story' ? 'Replies' : 'Comments'} level={3}>
        <dl className="grid grid-cols-2 gap-x-4 gap-y-4 sm:grid-cols-3">
          <Figure
            label={story.kind === 'story' ? 'Replies' : 'Comments'}
            value={figures.replies}
            hint={
              parts.length > 1 &&
              parts.map(({ label, value }) => `${label}\u00a0${value}`.replaceAll(' ', '\u00a0')).join(' · ')
            }
          />
          <Figure label={FIGURE_LABELS.matched} value={figures.matched} />
          <Figure label={FIGURE_LABELS.sent} value={figures.sent} />
          <Figure label={FIGURE_LABELS.opened} value={figures.opened} />
          <Figure label={FIGURE_LABELS.clicked} value={figures.clicked} />
          <Figure label={FIGURE_LABELS.addresses} value={figures.addresses} />
        </dl>
      </Card>
      {story.kind === 'story' && (
        <Card
          title="Instagram insights"
          level={3}
          description={
            insights ? (
              <>
                Read <RelativeTime at={insights.readAt} />. Instagram deletes these after a day; we keep them.
              </>
            ) : (
              'Instagram has no insights for this story. To get them, allow insights when you connect your account.'
            )
          }
        >
          {insights && (
            <dl className="grid grid-cols-2 gap-x-4 gap-y-4 sm:grid-cols-4">
              <Figure label="Views" value={instagramFigure(insights.views)} />
              <Figure label="Accounts reached" value={instagramFigure(insights.reach)} />
              <Figure label="Shares" value={instagramFigure(insights.shares)} />
              <Figure label="New followers" value={instagramFigure(insights.follows)} />
              <Figure label="Profile visits" value={instagramFigure(insights.profileVisits)} />
              <Figure label="Taps forward" value={instagramFigure(insights.tapsForward)} />
              <Figure label="Taps back" value={instagramFigure(insights.tapsBack)} />
              <Figure label="Exits" value={instagramFigure(insights.exits)} />
            </dl>
          )}
        </Card>
      )}
    </>
  );
}

import type { Story } from '#contract/stories.ts';
import { instagramFigure } from '#web/features/stories/story-words.ts';
import { Card } from '#web/ui/Card.tsx';
import { Figure } from '#web/ui/Figure.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';

/** What came of a story or live: ours first, adding up, then Instagram's own figures. */
export function StoryFigures({ story }: { story: Story }) {
  const { figures, insights } = story;
  const parts = [
    { label: 'Sent', value: figures.sent },
    { label: 'Waiting', value: figures.waiting },
    { label: 'Failed', value: figures.failed },
    { label: 'Missed', value: figures.missed },
    { label: 'No keyword', value: figures.skipped },
    { label: 'Your own', value: figures.own },
  ].filter(({ value, label }) => value > 0 || label === 'Sent');
  return (
    <>
      <Card title={story.kind === 'story' ? 'Replies' : 'Comments'} level={3}>
        <dl className="grid grid-cols-2 gap-x-4 gap-y-4 sm:grid-cols-3">
          <Figure
            label={story.kind === 'story' ? 'Replies' : 'Comments'}
            value={figures.replies}
            hint={parts.length > 1 && parts.map(({ label, value }) => `${label} ${value}`).join(' · ')}
          />
          <Figure label="Matched" value={figures.matched} />
          <Figure label="Sent" value={figures.sent} />
          <Figure label="Opened" value={figures.opened} />
          <Figure label="Link clicks" value={figures.clicked} />
          <Figure label="Email addresses" value={figures.addresses} />
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

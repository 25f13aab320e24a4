import { MessageCircle, Radio } from 'lucide-react';
import type { Story } from '#contract/stories.ts';
import { ActivityList } from '#web/features/activity/ActivityList.tsx';
import { OUTCOMES } from '#web/features/activity/words.ts';
import { FIGURE_LABELS } from '#web/features/figures/words.ts';
import { LiveIsOver } from '#web/features/stories/StoryPanel.tsx';
import { storyTitle } from '#web/features/stories/words.ts';
import { storyPath } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { Alert } from '#web/ui/Alert.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Figure } from '#web/ui/Figure.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const LINES = 8;

/** A live while it runs: comments and answers as they happen. Just after it: who was missed, and that it is too late. */
export function LiveConsole({ live }: { live: Story }) {
  const running = live.endedAt === null;
  const { figures } = live;
  return (
    <Card
      title={
        <span className="flex items-center gap-2">
          <Radio aria-hidden="true" className={`size-5 ${running ? 'text-error-ink' : 'text-faint'}`} />
          {running ? 'You are live' : 'Your last live'}
        </span>
      }
      description={
        <>
          <bdi>{storyTitle(live)}</bdi>, began <RelativeTime at={live.postedAt} />
        </>
      }
      aside={
        <ButtonLink
          size="small"
          variant={running && live.automation !== 'on' ? 'primary' : 'secondary'}
          to={running ? storyPath('live', live.id) : `${storyPath('live', live.id)}&tab=replies`}
        >
          {running ? (live.automation === 'on' ? 'See automation' : 'Reply to comments') : 'See details'}
        </ButtonLink>
      }
    >
      <div className="flex flex-col gap-4">
        {!running && <LiveIsOver story={live} />}
        {running && live.automation !== 'on' && (
          <Alert variant="warning" title="Comments on this live aren’t getting a reply">
            Instagram only allows replies while you’re live. Turn on an automation now to reply to new comments.
          </Alert>
        )}
        <dl className="grid grid-cols-2 gap-x-4 gap-y-4 sm:grid-cols-5">
          <Figure label={FIGURE_LABELS.comments} value={figures.replies} />
          <Figure label={FIGURE_LABELS.matched} value={figures.matched} />
          <Figure label={FIGURE_LABELS.sent} value={figures.sent} />
          {running ? (
            <Figure label={OUTCOMES.waiting.label} value={figures.waiting} />
          ) : (
            <Figure label={OUTCOMES.missed.label} value={figures.missed} />
          )}
          <Figure label={FIGURE_LABELS.clicked} value={figures.clicked} />
        </dl>
        {(running || figures.missed > 0) && (
          <ActivityList
            key={running ? 'all' : 'missed'}
            filter={{ postId: live.id, ...(!running && { outcome: 'missed' as const }) }}
            withPost={false}
            pageSize={LINES}
            empty={
              <EmptyState icon={<MessageCircle className="size-7" />} title="No comments yet">
                Comments and replies show up here as they come in.
              </EmptyState>
            }
          />
        )}
      </div>
    </Card>
  );
}

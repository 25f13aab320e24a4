import { ChartNoAxesColumn } from 'lucide-react';
import { useSearchParams } from 'react-router';
import type { ResponseOf } from '#contract/endpoint.ts';
import { getStoryAnalytics, type Story } from '#contract/stories.ts';
import { FIGURE_LABELS } from '#web/features/figures/words.ts';
import { STORY_GRID, StoryCard } from '#web/features/stories/StoryCard.tsx';
import { findingOf } from '#web/features/stories/trend.ts';
import { comparedWithUsual } from '#web/features/stories/words.ts';
import { paths, storyPath } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { BarChart, ChartLegend } from '#web/ui/BarChart.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Figure } from '#web/ui/Figure.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

type Analytics = ResponseOf<typeof getStoryAnalytics>;

const SPANS = [7, 28, 90];

/** Results of stories and lives, apart from posts: as a whole, by day, and each beside the usual. */
export function Component() {
  const { creatorId } = useCreator();
  const [params, setParams] = useSearchParams();
  const asked = Number(params.get('days'));
  const days = SPANS.includes(asked) ? asked : 28;
  const analytics = useEndpoint(getStoryAnalytics, { params: { creatorId }, query: { days } });
  return (
    <>
      <PageHeader
        title="Story analytics"
        description="Results from your stories and lives. Posts are counted separately."
        actions={
          <>
            <div className="w-40">
              <Select
                aria-label="Date range"
                value={days}
                onChange={(event) => setParams({ days: event.target.value }, { replace: true })}
              >
                {SPANS.map((span) => (
                  <option key={span} value={span}>
                    Last {span} days
                  </option>
                ))}
              </Select>
            </div>
            <ButtonLink variant="secondary" to={paths.storiesAndLives}>
              Stories & Lives
            </ButtonLink>
          </>
        }
      />
      <Loaded
        query={analytics}
        loading="Loading the results"
        failed="Couldn’t load the results"
        skeleton={
          <span className="flex flex-col gap-5">
            <Skeleton className="h-40" />
            <Skeleton className="h-48" />
          </span>
        }
      >
        {(data) =>
          data.total.stories === 0 ? (
            <EmptyState
              icon={<ChartNoAxesColumn className="size-7" />}
              title={`No story or live in the last ${days} days`}
              action={<ButtonLink to={paths.storiesAndLives}>Stories & Lives</ButtonLink>}
            >
              Replies, messages and link clicks are counted as soon as a story goes up.
            </EmptyState>
          ) : (
            <Figures analytics={data} />
          )
        }
      </Loaded>
    </>
  );
}

const FIGURES: { key: keyof Analytics['total']; label: string }[] = [
  { key: 'stories', label: 'Stories and lives' },
  { key: 'replies', label: 'Replies and comments' },
  { key: 'matched', label: FIGURE_LABELS.matched },
  { key: 'sent', label: FIGURE_LABELS.sent },
  { key: 'opened', label: FIGURE_LABELS.opened },
  { key: 'clicked', label: FIGURE_LABELS.clicked },
  { key: 'addresses', label: FIGURE_LABELS.addresses },
];

function Figures({ analytics }: { analytics: Analytics }) {
  const { days, total, before, median, items } = analytics;
  const compared = (story: Story): string | undefined => {
    const said = story.endedAt === null ? null : comparedWithUsual(story.figures.replies, median[story.kind]?.replies);
    return said === null ? undefined : `Replies: ${said}`;
  };
  const comparable = before.stories > 0;
  return (
    <div className="flex flex-col gap-5">
      <Card
        title={`Last ${days} days`}
        description={
          comparable ? `Compared with the ${days} days before` : `No stories or lives in the ${days} days before`
        }
      >
        <dl className="grid grid-cols-2 gap-x-4 gap-y-5 sm:grid-cols-4">
          {FIGURES.map(({ key, label }) => (
            <Figure
              key={key}
              label={label}
              value={total[key]}
              {...(comparable && { before: before[key], beforeLabel: `in the ${days} days before` })}
            />
          ))}
        </dl>
      </Card>
      <Trend trend={analytics.trend} />
      <section aria-labelledby="one-by-one">
        <h2 id="one-by-one" className="font-semibold text-lg">
          Story by story
        </h2>
        <p className="mb-3 text-muted text-sm">
          {median.story === null && median.live === null
            ? 'After three finished stories, we’ll compare each with your average.'
            : 'Your average is the median: half of your finished stories had fewer.'}
        </p>
        <ul className={STORY_GRID}>
          {items.map((story) => (
            <StoryCard
              key={story.id}
              story={story}
              to={`${storyPath(story.kind, story.id)}&tab=replies`}
              compared={compared(story)}
            />
          ))}
        </ul>
      </section>
    </div>
  );
}

const SERIES = ['Replies', 'Sent'] as const;

/** Replies and messages of what went up on each day. The title says what it shows. */
function Trend({ trend }: { trend: Analytics['trend'] }) {
  return (
    <Card title={findingOf(trend)} aside={<ChartLegend series={SERIES} />}>
      <BarChart
        name="Replies and messages by the day a story or live went up"
        series={SERIES}
        columns={trend.map(({ day, replies, sent }) => ({
          key: day,
          label: shortDay(day),
          short: shortDay(day),
          values: [replies, sent],
        }))}
      />
    </Card>
  );
}

const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

function shortDay(day: string): string {
  return DAY.format(Date.parse(day));
}

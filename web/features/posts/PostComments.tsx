import { MessageCircle } from 'lucide-react';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { OutcomeFilter } from '#contract/outcomes.ts';
import type { getPost } from '#contract/posts.ts';
import { ActivityList } from '#web/features/activity/ActivityList.tsx';
import { OUTCOME_FILTERS } from '#web/features/activity/words.ts';
import { MissesCard } from '#web/features/catch-up/MissesCard.tsx';
import { InteractionsCsv } from '#web/features/figures/CsvButtons.tsx';
import { ReconciliationFigure } from '#web/features/posts/ReconciliationFigure.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { EmptyState } from '#web/ui/states.tsx';

type Props = {
  post: ResponseOf<typeof getPost>;
  /** Only comments that ended this way; null: all. */
  outcome: OutcomeFilter | null;
  onOutcome: (outcome: OutcomeFilter | null) => void;
};

/** Where every comment of this post went, as numbers and one by one. */
export function PostComments({ post, outcome, onOutcome }: Props) {
  return (
    <div className="flex flex-col gap-5 pb-6">
      <ReconciliationFigure figure={post.reconciliation} />
      {post.automation === 'on' && <MissesCard postId={post.id} />}
      <Card
        title="All activity"
        level={3}
        aside={
          <div className="flex items-center gap-2">
            <InteractionsCsv query={{ postId: post.id, ...(outcome !== null && { outcome }) }} />
            <div className="w-40">
              <Select
                aria-label="Show"
                value={outcome ?? ''}
                onChange={(event) => onOutcome((event.target.value || null) as OutcomeFilter | null)}
              >
                <option value="">All</option>
                {OUTCOME_FILTERS.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            </div>
          </div>
        }
      >
        <ActivityList
          key={outcome}
          filter={{ postId: post.id, ...(outcome !== null && { outcome }) }}
          withPost={false}
          empty={
            <EmptyState icon={<MessageCircle className="size-7" />} title="No comments here">
              {outcome === null ? 'New comments show up here.' : 'No comments on this post match this filter.'}
            </EmptyState>
          }
        />
      </Card>
    </div>
  );
}

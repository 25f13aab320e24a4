import { Download } from 'lucide-react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { FIGURES_CSV_PATH, getFigures } from '#contract/figures.ts';
import { FIGURE_LABELS, shareWords } from '#web/features/figures/words.ts';
import { DayChart } from '#web/features/home/DayChart.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { LinkButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Figure } from '#web/ui/Figure.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type Figures = ResponseOf<typeof getFigures>;
type Props = { of: { postId: string } | { automationId: string } };

/** Results of a post or an automation in 30 days, beside the account's usual. */
export function FiguresPanel({ of }: Props) {
  const { creatorId } = useCreator();
  const figures = useEndpoint(getFigures, { params: { creatorId }, query: of });
  return (
    <Loaded
      query={figures}
      loading="Loading the results"
      failed="Couldn’t load the results"
      skeleton={
        <div className="flex flex-col gap-5">
          <Skeleton className="h-44" />
          <Skeleton className="h-56" />
        </div>
      }
    >
      {(data) => (
        <div className="flex flex-col gap-5 pb-6">
          <Totals figures={data} csv={`${FIGURES_CSV_PATH(creatorId)}?${new URLSearchParams(of)}`} />
          <DayChart days={data.days} level={3} />
        </div>
      )}
    </Loaded>
  );
}

function Totals({ figures: { total, usual }, csv }: { figures: Figures; csv: string }) {
  return (
    <Card
      level={3}
      title="Last 30 days"
      description="Counted by day of comment. Each person’s tap counts once; bots are left out."
      aside={
        <LinkButton variant="secondary" size="small" href={csv} download>
          <Download aria-hidden="true" className="size-4" />
          CSV
        </LinkButton>
      }
    >
      <dl className="grid grid-cols-2 gap-x-4 gap-y-5 sm:grid-cols-3">
        <Figure label={FIGURE_LABELS.comments} value={total.comments} />
        <Figure label={FIGURE_LABELS.matched} value={total.matched} />
        <Figure label={FIGURE_LABELS.sent} value={total.sent} />
        <Figure
          label={FIGURE_LABELS.opened}
          value={total.opened}
          hint={shareWords(total.opened, total.sent, { part: usual.opened, sent: usual.sent })}
        />
        <Figure
          label={FIGURE_LABELS.clicked}
          value={total.clicked}
          hint={shareWords(total.clicked, total.sent, { part: usual.clicked, sent: usual.sent })}
        />
        <Figure label={FIGURE_LABELS.addresses} value={total.addresses} />
      </dl>
    </Card>
  );
}

import type { ResponseOf } from '#contract/endpoint.ts';
import type { getHome } from '#contract/home.ts';
import { FIGURE_LABELS } from '#web/features/figures/words.ts';
import { Card } from '#web/ui/Card.tsx';
import { Figure } from '#web/ui/Figure.tsx';

type Home = ResponseOf<typeof getHome>;

const FIGURES: { key: keyof Home['figures']; label: string }[] = [
  { key: 'comments', label: FIGURE_LABELS.comments },
  { key: 'matched', label: FIGURE_LABELS.matched },
  { key: 'sent', label: FIGURE_LABELS.sent },
  { key: 'opened', label: FIGURE_LABELS.opened },
  { key: 'clicked', label: FIGURE_LABELS.clicked },
];

/** The last seven days beside the seven before. */
export function WeekFigures({ figures, before }: Pick<Home, 'figures' | 'before'>) {
  return (
    <Card title="Last 7 days" description="Compared with the 7 days before">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-5 sm:grid-cols-3">
        {FIGURES.map(({ key, label }) => (
          <Figure
            key={key}
            label={label}
            value={figures[key]}
            before={before[key]}
            beforeLabel="in the 7 days before"
          />
        ))}
      </dl>
    </Card>
  );
}

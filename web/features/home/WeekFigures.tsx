import type { ResponseOf } from '#contract/endpoint.ts';
import type { getHome } from '#contract/figures.ts';
import { Card } from '#web/ui/Card.tsx';
import { Figure } from '#web/ui/Figure.tsx';

type Home = ResponseOf<typeof getHome>;

const FIGURES: { key: keyof Home['week']; label: string }[] = [
  { key: 'comments', label: 'Comments' },
  { key: 'matched', label: 'Matched' },
  { key: 'sent', label: 'Sent' },
  { key: 'opened', label: 'Opened' },
  { key: 'clicked', label: 'Link clicks' },
];

/** The last seven days beside the seven before. */
export function WeekFigures({ week, weekBefore }: Pick<Home, 'week' | 'weekBefore'>) {
  return (
    <Card title="Last 7 days" description="Compared with the 7 days before">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-5 sm:grid-cols-3">
        {FIGURES.map(({ key, label }) => (
          <Figure
            key={key}
            label={label}
            value={week[key]}
            before={weekBefore[key]}
            beforeLabel="in the 7 days before"
          />
        ))}
      </dl>
    </Card>
  );
}

import { type Day, dayLabel, findingOf, shortLabel } from '#web/features/home/day-chart.ts';
import { BarChart, ChartLegend } from '#web/ui/BarChart.tsx';
import { Card } from '#web/ui/Card.tsx';

const SERIES = ['Comments', 'Sent'] as const;

/** Comments and messages of some days. The title says what it shows. */
export function DayChart({ days, level = 2 }: { days: readonly Day[]; level?: 2 | 3 }) {
  if (days.every(({ comments, sent }) => comments + sent === 0)) {
    return (
      <Card title={findingOf(days)} level={level}>
        <p className="text-muted">Each day’s comments and messages show up here.</p>
      </Card>
    );
  }
  return (
    <Card title={findingOf(days)} level={level} aside={<ChartLegend series={SERIES} />}>
      <BarChart
        name="Comments and messages sent per day"
        series={SERIES}
        columns={days.map(({ day, comments, sent }) => ({
          key: day,
          label: dayLabel(day),
          short: shortLabel(day, days.length),
          values: [comments, sent],
        }))}
      />
    </Card>
  );
}

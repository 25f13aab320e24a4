import type { ResponseOf } from '#contract/endpoint.ts';
import { type getHome, HOME_DAYS } from '#contract/home.ts';
import { DayChart } from '#web/features/home/DayChart.tsx';
import { Funnel } from '#web/features/home/Funnel.tsx';
import { TopPosts } from '#web/features/home/TopPosts.tsx';
import { Select } from '#web/ui/inputs.tsx';

type Props = { home: ResponseOf<typeof getHome>; days: number; onDays: (days: number) => void };

/** Figures of some days. */
export function HomeFigures({ home, days, onDays }: Props) {
  return (
    <>
      <div className="flex items-center justify-between gap-3">
        <h2 className="font-semibold text-lg">Results</h2>
        <span className="w-40 shrink-0">
          <Select aria-label="Period" value={days} onChange={(event) => onDays(Number(event.target.value))}>
            {HOME_DAYS.map((count) => (
              <option key={count} value={count}>
                Last {count} days
              </option>
            ))}
          </Select>
        </span>
      </div>
      <div className="grid gap-5 lg:grid-cols-[3fr_2fr]">
        <Funnel figures={home.figures} before={home.before} days={home.days.length} />
        <DayChart days={home.days} />
      </div>
      <TopPosts posts={home.topPosts} />
    </>
  );
}

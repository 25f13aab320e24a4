import { barsOf, type Day, findingOf, shortWeekdayOf, weekdayOf } from '#web/features/home/day-chart.ts';
import { Card } from '#web/ui/Card.tsx';

const HEIGHT = 96;
const SLOT = 44;
const BAR = 14;

/** Comments and messages of seven days. The title says what it shows; a table says it to those who read. */
export function DayChart({ days }: { days: readonly Day[] }) {
  const bars = barsOf(days);
  const width = SLOT * bars.length;
  return (
    <Card title={findingOf(days)} className="flex flex-col" aside={<Legend />}>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT + 24}`}
        aria-hidden="true"
        className="mt-auto w-full max-w-2xl text-faint"
        preserveAspectRatio="xMidYMax meet"
      >
        <line x1="0" x2={width} y1={HEIGHT} y2={HEIGHT} className="stroke-line" />
        {bars.map((bar, place) => {
          const left = place * SLOT + SLOT / 2;
          return (
            <g key={bar.day}>
              <Bar x={left - BAR - 1} part={bar.comments} className="fill-surface stroke-edge" />
              <Bar x={left + 1} part={bar.sent} className="fill-accent stroke-accent" />
              <text x={left} y={HEIGHT + 17} textAnchor="middle" className="fill-current text-[11px]">
                {shortWeekdayOf(bar.day)}
              </text>
            </g>
          );
        })}
      </svg>
      <table className="sr-only">
        <caption>Comments and messages sent per day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Comments</th>
            <th scope="col">Sent</th>
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.day}>
              <th scope="row">{weekdayOf(day.day)}</th>
              <td>{day.comments}</td>
              <td>{day.sent}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function Bar({ x, part, className }: { x: number; part: number; className: string }) {
  if (part === 0) return null;
  const height = Math.max(2, part * (HEIGHT - 8));
  return <rect x={x} y={HEIGHT - height} width={BAR} height={height} rx="3" className={className} />;
}

/** Outline against full: the two are told apart without colour. */
function Legend() {
  return (
    <ul aria-hidden="true" className="flex gap-4 text-muted text-sm">
      <li className="flex items-center gap-1.5">
        <span className="size-3 rounded-[3px] border border-edge bg-surface" />
        Comments
      </li>
      <li className="flex items-center gap-1.5">
        <span className="size-3 rounded-[3px] bg-accent" />
        Sent
      </li>
    </ul>
  );
}

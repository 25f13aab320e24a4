import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { axisTop, isDense, isNamed } from '#web/ui/bar-chart.ts';
import { cx } from '#web/ui/class-names.ts';
import { numerals } from '#web/ui/numerals.ts';

type Series = readonly [string, string];

type Props = {
  /** The chart's subject: the name of its table. */
  name: string;
  series: Series;
  /** `short` stands below the column, where there is room. */
  columns: readonly { key: string; label: string; short: string; values: readonly [number, number] }[];
};

/** Outline against full: the two are told apart without color, also in forced colors. */
const LOOKS = [
  'border border-edge bg-surface forced-colors:border-[CanvasText] forced-colors:bg-[Canvas]',
  'bg-accent forced-colors:bg-[CanvasText]',
];
/** Bars of a pixel or two have no room for an outline. */
const DENSE_LOOKS = ['bg-edge/60 forced-colors:bg-[GrayText]', 'bg-accent forced-colors:bg-[CanvasText]'];

/**
 * Two numbers per column beside each other. The values of a column are told when it is pointed at, tapped, or reached with
 * the arrow keys; a table has them all for those who listen.
 */
export function BarChart({ name, series, columns }: Props) {
  const [chosen, setChosen] = useState<number | null>(null);
  const last = columns.length - 1;
  const dense = isDense(columns.length);
  const active = chosen === null ? null : Math.min(chosen, last);
  const top = axisTop(Math.max(0, ...columns.flatMap(({ values }) => values)));
  const told = (place: number) => {
    const { label, values } = columns[place]!;
    return `${label}: ${series.map((one, at) => `${numerals(values[at]!)} ${one.toLowerCase()}`).join(', ')}`;
  };
  const choose = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const place = Math.floor(((clientX - left) / width) * columns.length);
    setChosen(Math.max(0, Math.min(last, place)));
  };
  const move = (event: KeyboardEvent) => {
    const from = active ?? last;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(last, to)));
  };
  return (
    <div className="flex flex-col text-muted text-xs tabular-nums">
      <p aria-hidden="true" className="mb-2 min-h-5 text-ink text-sm">
        {active === null ? `${columns[0]!.label} – ${columns[last]!.label}` : told(active)}
      </p>
      <div className="flex gap-2">
        <div aria-hidden="true" className="flex h-32 shrink-0 flex-col justify-between text-right leading-none">
          {[top, top / 2, 0].map((tick) => (
            <span key={tick} className="-my-1.5">
              {numerals(tick)}
            </span>
          ))}
        </div>
        <div
          role="slider"
          aria-label={`${name}: values`}
          aria-readonly="true"
          aria-valuemin={1}
          aria-valuemax={columns.length}
          aria-valuenow={(active ?? last) + 1}
          aria-valuetext={told(active ?? last)}
          tabIndex={0}
          className="relative flex h-32 min-w-0 flex-1 touch-pan-y border-line border-b"
          onPointerDown={choose}
          onPointerMove={choose}
          onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setChosen(null)}
          onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && setChosen(active ?? last)}
          onBlur={() => setChosen(null)}
          onKeyDown={move}
        >
          <span className="absolute inset-x-0 top-0 border-line border-t" />
          <span className="absolute inset-x-0 top-1/2 border-line border-t" />
          {columns.map(({ key, values }, place) => (
            <span
              key={key}
              className={cx(
                'relative flex min-w-0 flex-1 items-end justify-center',
                !dense && 'gap-px px-px',
                place === active && 'bg-sunken/70 outline outline-line',
              )}
            >
              {values.map((value, at) => (
                <span
                  // biome-ignore lint/suspicious/noArrayIndexKey: always the same two
                  key={at}
                  className={cx(
                    'forced-color-adjust-none',
                    dense ? 'absolute inset-x-[0.4px] bottom-0' : 'max-w-3.5 flex-1 rounded-t-sm',
                    value > 0 && (dense ? DENSE_LOOKS : LOOKS)[at],
                  )}
                  style={{ height: value === 0 ? 0 : `max(2px, ${(value / top) * 100}%)` }}
                />
              ))}
            </span>
          ))}
        </div>
      </div>
      <div aria-hidden="true" className="mt-1.5 flex gap-2">
        <span className="invisible">{numerals(top)}</span>
        <div className="@container flex h-4 min-w-0 flex-1">
          {columns.map(({ key, short }, place) => {
            const [fits, fitsNarrow] = [isNamed(place, columns.length), isNamed(place, columns.length, 3)];
            return (
              <span key={key} className="relative min-w-0 flex-1">
                {(fits || fitsNarrow) && (
                  <span
                    className={cx(
                      'absolute whitespace-nowrap',
                      !fitsNarrow && 'hidden @md:inline',
                      !fits && '@md:hidden',
                      columns.length > 7 && place === last ? 'right-0' : 'left-1/2 -translate-x-1/2',
                    )}
                  >
                    {short}
                  </span>
                )}
              </span>
            );
          })}
        </div>
      </div>
      {/* A table cannot be cut to a point itself: its columns would widen the page. */}
      <div className="sr-only">
        <table>
          <caption>{name}</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {series.map((one) => (
                <th key={one} scope="col">
                  {one}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {columns.map(({ key, label, values }) => (
              <tr key={key}>
                <th scope="row">{label}</th>
                <td>{values[0]}</td>
                <td>{values[1]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

export function ChartLegend({ series }: { series: Series }) {
  return (
    <ul aria-hidden="true" className="flex gap-4 text-muted text-sm">
      {series.map((one, at) => (
        <li key={one} className="flex items-center gap-1.5">
          <span className={cx('size-3 rounded-[3px] forced-color-adjust-none', LOOKS[at])} />
          {one}
        </li>
      ))}
    </ul>
  );
}

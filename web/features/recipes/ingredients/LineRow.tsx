import { memo } from 'react';
import { isWaiting } from '#contract/ingredients/corrected.ts';
import { amountWords } from '#contract/ingredients/reading-words.ts';
import { ColoredLine } from '#web/features/recipes/ingredients/ColoredLine.tsx';
import { LineFields } from '#web/features/recipes/ingredients/LineFields.tsx';
import type { LineEdits } from '#web/features/recipes/ingredients/line-edits.ts';
import type { ReadLine } from '#web/features/recipes/ingredients/readings.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { cx } from '#web/ui/class-names.ts';

type Props = { read: ReadLine; isOpen: boolean; edits: LineEdits };

/** A line as its author wrote it beside what we read; open, its fields. */
export const LineRow = memo(function LineRow({ read, isOpen, edits }: Props) {
  const { line, reading, state } = read;
  return (
    <li className={cx('border-line border-b last:border-b-0', isOpen && 'bg-sunken')}>
      <button
        type="button"
        id={lineButtonId(line.id)}
        data-line={line.id}
        aria-expanded={isOpen}
        className="grid min-h-11 w-full gap-x-4 gap-y-1 px-3 py-2 text-left hover:bg-sunken focus-visible:-outline-offset-2 sm:grid-cols-2"
        onClick={() => edits.open(isOpen ? null : line.id)}
      >
        <span className={cx('min-w-0', reading.kind === 'heading' && 'font-semibold')}>
          <ColoredLine reading={reading} />
        </span>
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          {reading.kind !== 'ingredient' ? (
            <span className="text-muted">{reading.kind === 'heading' ? 'Heading' : 'Not an ingredient'}</span>
          ) : (
            <>
              {reading.amounts.length > 0 && <span className="tabular-nums">{amountWords(reading)}</span>}
              <bdi className="min-w-0 break-words font-medium">{reading.food?.name ?? 'No food'}</bdi>
              {reading.optional && <span className="text-muted">optional</span>}
            </>
          )}
          {isWaiting(line) && <Badge tone="warning">The page changed</Badge>}
          {state === 'to_check' && <Badge tone="warning">Please check</Badge>}
          {Object.keys(line.fixes).length > 0 && <Badge>Corrected</Badge>}
        </span>
      </button>
      {isOpen && <LineFields read={read} edits={edits} />}
    </li>
  );
});

export function lineButtonId(id: string): string {
  return `line-${id}`;
}

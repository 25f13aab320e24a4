import type { Reading } from '#contract/ingredients/reading.ts';
import { cx } from '#web/ui/class-names.ts';

type Role = Reading['spans'][number]['role'];

const LOOK: Partial<Record<Role, string>> = {
  amount: 'rounded-sm bg-info-soft font-medium text-info-ink',
  food: 'rounded-sm bg-accent-soft font-medium text-accent-ink',
  alternative: 'rounded-sm bg-info-secondary-soft text-info-secondary-ink',
  preparation: 'text-muted italic',
  note: 'text-muted italic',
};

/** The author's words, each colored by what we took it for. */
export function ColoredLine({ reading: { text, spans } }: { reading: Pick<Reading, 'text' | 'spans'> }) {
  let done = 0;
  return (
    <bdi className="break-words">
      {spans.map(({ start, end, role }) => {
        const between = text.slice(done, start);
        done = end;
        return (
          <span key={start}>
            {between}
            <span className={LOOK[role]}>{text.slice(start, end)}</span>
          </span>
        );
      })}
      {text.slice(done)}
    </bdi>
  );
}

const LEGEND: [role: Role, name: string][] = [
  ['amount', 'Amount'],
  ['food', 'Food'],
  ['alternative', 'Instead of it'],
  ['preparation', 'Not bought'],
];

export function Legend() {
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-1 text-sm">
      {LEGEND.map(([role, name]) => (
        <span key={role} className={cx('px-1', LOOK[role])}>
          {name}
        </span>
      ))}
    </p>
  );
}

import { ChevronDown } from 'lucide-react';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { getHome } from '#contract/home.ts';
import { numerals } from '#web/ui/numerals.ts';

const SHOWN = 4;

type Outcomes = ResponseOf<typeof getHome>['outcomes'];

/** Outcomes of the comments of these days: equal reasons together, the most frequent first. */
export function Reasons({ outcomes, days }: { outcomes: Outcomes; days: number }) {
  if (outcomes.length === 0) return null;
  const [shown, others] = [outcomes.slice(0, SHOWN), outcomes.slice(SHOWN)];
  return (
    <div className="mb-3 rounded-md bg-sunken px-3 py-2.5 text-sm">
      <p className="mb-1 font-medium">Comments of the last {days} days</p>
      <List outcomes={shown} />
      {others.length > 0 && (
        <details className="group">
          <summary className="inline-flex min-h-11 cursor-pointer items-center gap-1.5 text-muted hover:text-ink md:min-h-8">
            {others.length === 1 ? '1 more reason' : `${others.length} more reasons`}
            <ChevronDown aria-hidden="true" className="size-4 transition-transform group-open:rotate-180" />
          </summary>
          <List outcomes={others} />
        </details>
      )}
    </div>
  );
}

function List({ outcomes }: { outcomes: Outcomes }) {
  return (
    <ul>
      {outcomes.map(({ outcome, reason, says, count }) => (
        <li key={`${outcome} ${reason}`} className="flex gap-3 py-0.5">
          <span className="w-12 shrink-0 text-right font-semibold tabular-nums">{numerals(count)}</span>
          <span className="min-w-0">{says}</span>
        </li>
      ))}
    </ul>
  );
}

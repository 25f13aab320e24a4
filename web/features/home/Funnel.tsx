import type { ResponseOf } from '#contract/endpoint.ts';
import type { getHome } from '#contract/home.ts';
import { FIGURE_LABELS } from '#web/features/figures/words.ts';
import { rateOf } from '#web/features/home/words.ts';
import { Card } from '#web/ui/Card.tsx';
import { Figure } from '#web/ui/Figure.tsx';

type Home = ResponseOf<typeof getHome>;
type Name = keyof Home['figures'];

/** Each step, and what its rate is a share of. */
const STEPS: { name: Name; of: { name: Name; says: string } | null }[] = [
  { name: 'comments', of: null },
  { name: 'matched', of: { name: 'comments', says: 'of comments' } },
  { name: 'sent', of: { name: 'matched', says: 'of matched' } },
  { name: 'opened', of: { name: 'sent', says: 'of sent' } },
  { name: 'clicked', of: { name: 'sent', says: 'of sent' } },
];

/** From comments to link clicks, beside as many days before. */
export function Funnel({ figures, before, days }: Pick<Home, 'figures' | 'before'> & { days: number }) {
  return (
    <Card
      title={`Last ${days} days`}
      description={
        before.comments === 0 ? `No comments in the ${days} days before` : `Compared with the ${days} days before`
      }
    >
      <dl className="grid grid-cols-2 gap-x-4 gap-y-5 sm:grid-cols-3">
        {STEPS.map(({ name, of }) => {
          const rate = of && rateOf(figures[name], figures[of.name]);
          return (
            <Figure
              key={name}
              label={FIGURE_LABELS[name]}
              value={figures[name]}
              {...(before.comments > 0 && { before: before[name], beforeLabel: `in the ${days} days before` })}
              hint={
                <>
                  <span aria-hidden="true" className="mt-1 mb-1 block h-2 rounded-full bg-sunken">
                    <span
                      className="block h-full rounded-full bg-accent"
                      style={{ width: `${widthOf(figures[name], figures.comments)}%` }}
                    />
                  </span>
                  {rate ? `${rate} ${of!.says}` : '\u00a0'}
                </>
              }
            />
          );
        })}
      </dl>
    </Card>
  );
}

function widthOf(value: number, comments: number): number {
  return comments === 0 ? 0 : Math.min(100, (value / comments) * 100);
}

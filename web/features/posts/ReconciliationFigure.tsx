import { comparison, foundWords, type Part, partsOf, type Reconciliation } from '#web/features/posts/reconciliation.ts';
import { Card } from '#web/ui/Card.tsx';
import { cx } from '#web/ui/class-names.ts';
import { momentOf } from '#web/ui/moment.ts';
import { numerals } from '#web/ui/numerals.ts';
import { RelativeTime, useNow } from '#web/ui/RelativeTime.tsx';

/** Each part has a look of its own: a bar of two equal greys tells nothing. */
const BAR: Record<Part['key'], string> = {
  sent: 'bg-accent',
  waiting: 'bg-info-ink',
  failed: 'bg-error',
  expired: 'bg-warning-ink',
  missed: 'bg-info-secondary-ink',
  noKeyword: 'border border-edge bg-surface',
  notSent: 'bg-edge',
};

/** Every comment accounted for: Instagram's number, ours, and where each one went. The sum is shown. */
export function ReconciliationFigure({ figure }: { figure: Reconciliation }) {
  const now = useNow();
  const parts = partsOf(figure);
  const says = comparison(figure);
  const found = foundWords(figure.found);
  return (
    <Card title="All comments" level={3}>
      <p>
        {figure.comments === 0 ? (
          'No comments since the account was connected. '
        ) : (
          <>
            People wrote <Count of={figure.comments} /> since the account was connected.{' '}
          </>
        )}
        {found && <span>{found} </span>}
        {figure.instagramCounts !== null && figure.instagramCounts + figure.comments > 0 && (
          <span className="text-muted">
            Instagram counted {numerals(figure.instagramCounts)}
            {figure.countedAt && (
              <>
                {' ('}
                <RelativeTime at={figure.countedAt} />)
              </>
            )}
            , {says}
          </span>
        )}
      </p>
      {figure.comments > 0 && (
        <>
          <div aria-hidden="true" className="mt-4 flex h-3 gap-0.5">
            {parts
              .filter((part) => part.count > 0)
              .map((part) => (
                <span
                  key={part.key}
                  className={cx('min-w-1 first:rounded-l-sm last:rounded-r-sm', BAR[part.key])}
                  style={{ flexGrow: part.count }}
                />
              ))}
          </div>
          <table className="mt-3 w-full text-sm">
            <caption className="sr-only">What happened to them</caption>
            <tbody>
              {parts.map((part) => (
                <tr key={part.key}>
                  <th scope="row" className="py-1 pr-3 text-left font-normal">
                    <span
                      aria-hidden="true"
                      className={cx('mr-2 inline-block size-2.5 rounded-[3px]', BAR[part.key])}
                    />
                    {part.label}
                    {part.key === 'waiting' && figure.waitingUntil && (
                      <span className="text-muted">, done by {momentOf(figure.waitingUntil, now)}</span>
                    )}
                  </th>
                  <td className="py-1 text-right">{numerals(part.count)}</td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr className="border-line border-t font-semibold">
                <th scope="row" className="py-1 text-left">
                  Comments
                </th>
                <td className="py-1 text-right">{numerals(figure.comments)}</td>
              </tr>
            </tfoot>
          </table>
          <p className="mt-2 text-muted text-sm">
            {figure.matched === 0 ? 'None matched a keyword.' : `${numerals(figure.matched)} matched.`}
            {figure.sent > 0 &&
              ` Of the messages sent, ${numerals(figure.opened)} ${figure.opened === 1 ? 'was' : 'were'} opened and ${numerals(figure.clicked)} led to a link click.`}
          </p>
          {figure.failures.length > 0 && (
            <div className="mt-3">
              <h4 className="font-medium text-sm">Why some weren’t sent</h4>
              <ul className="mt-1 flex flex-col gap-1 text-sm">
                {figure.failures.map((failure) => (
                  <li key={failure.reason} className="flex gap-3">
                    <span className="w-10 shrink-0 text-right font-medium tabular-nums">{numerals(failure.count)}</span>
                    <span>{failure.says}</span>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </>
      )}
    </Card>
  );
}

function Count({ of: count }: { of: number }) {
  return (
    <>
      <b className="font-semibold tabular-nums">{numerals(count)}</b> {count === 1 ? 'comment' : 'comments'}
    </>
  );
}

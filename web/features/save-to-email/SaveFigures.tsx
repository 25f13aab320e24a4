import { getFormFigures } from '#contract/forms.ts';
import { SAVE_FIGURES } from '#web/features/save-to-email/words.ts';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { Figure } from '#web/ui/Figure.tsx';

/** What came of all forms, once something did. */
export function SaveFigures() {
  const { creatorId } = useCreator();
  const { data } = useEndpoint(getFormFigures, { params: { creatorId } });
  if (data === undefined || (data.saves === 0 && data.subscribers === 0)) return null;
  return (
    <Card title={SAVE_FIGURES.title}>
      <div className="grid gap-6 md:grid-cols-2">
        <dl className="grid grid-cols-3 gap-4">
          <Figure label={SAVE_FIGURES.saves} value={data.saves} />
          <Figure label={SAVE_FIGURES.readers} value={data.readers} />
          <Figure label={SAVE_FIGURES.subscribers} value={data.subscribers} />
        </dl>
        {data.mostSaved.length > 0 && (
          <section aria-labelledby="most-saved" className="min-w-0">
            <h3 id="most-saved" className="text-muted text-sm">
              {SAVE_FIGURES.mostSaved}
            </h3>
            <ol className="mt-1 flex flex-col">
              {data.mostSaved.map(({ title, url, readers }) => (
                <li key={url} className="flex min-h-9 items-baseline justify-between gap-3 max-md:min-h-11">
                  <a href={url} target="_blank" rel="noopener" className="min-w-0 break-words hover:underline">
                    <bdi>{title}</bdi>
                  </a>
                  <span className="shrink-0 text-muted text-sm tabular-nums">{SAVE_FIGURES.by(readers)}</span>
                </li>
              ))}
            </ol>
          </section>
        )}
      </div>
    </Card>
  );
}

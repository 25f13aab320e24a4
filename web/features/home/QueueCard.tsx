import { Hourglass } from 'lucide-react';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { getHome } from '#contract/figures.ts';
import { queueWords } from '#web/features/home/queue-words.ts';
import { useNow } from '#web/ui/RelativeTime.tsx';

/** Only while something waits. */
export function QueueCard({ queue }: { queue: ResponseOf<typeof getHome>['queue'] }) {
  const now = useNow();
  if (queue.waiting === 0) return null;
  const { title, detail } = queueWords(queue, now);
  return (
    <section className="flex items-start gap-3 rounded-lg border border-info-line bg-info-soft p-4 sm:p-5">
      <Hourglass aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-info-ink" />
      <div className="min-w-0">
        <h2 className="font-semibold text-info-ink">{title}</h2>
        <p className="mt-0.5 text-sm">{detail}</p>
      </div>
    </section>
  );
}

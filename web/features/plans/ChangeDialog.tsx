import { changePlan, type previewPlanChange } from '#contract/billing.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { dollars } from '#contract/plans.ts';
import { getMe } from '#contract/session.ts';
import { CHANGE } from '#web/features/plans/words.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { cx } from '#web/ui/class-names.ts';
import { dayOf } from '#web/ui/moment.ts';
import { Question } from '#web/ui/Question.tsx';

type Props = { plan: string; preview: ResponseOf<typeof previewPlanChange>; onClose: () => void };

/** What a change costs, to the cent, before it is made. */
export function ChangeDialog({ plan, preview, onClose }: Props) {
  const { creatorId, subscription } = useCreator();
  const { when, lines, dueCents, taxCents, nextPayment, token } = preview;
  const change = useEndpointMutation(changePlan, {
    refreshes: [getMe],
    onSuccess: ({ url }) => {
      if (url === null) onClose();
      else window.location.assign(url);
    },
    onError: onClose,
  });
  const day = dayOf(nextPayment.at);
  const rows = [
    ...lines.map(({ says, cents }) => ({ name: says, says: dollars(cents) })),
    ...(taxCents === 0 ? [] : [{ name: CHANGE.tax, says: dollars(taxCents) }]),
    ...(when === 'now' ? [{ name: CHANGE.due, says: dollars(dueCents), isSum: true }] : []),
    { name: CHANGE.next, says: CHANGE.nextSays(dollars(nextPayment.cents), day) },
  ];
  return (
    <Question
      open
      onOpenChange={(open) => !open && onClose()}
      title={CHANGE.title(plan)}
      description={when === 'now' ? CHANGE.now : CHANGE.later(subscription?.plan.name ?? '', day)}
      keep={CHANGE.notNow}
      act={dueCents > 0 ? CHANGE.pay(dollars(dueCents)) : CHANGE.act}
      busy={change.isPending || change.isSuccess}
      onAct={() => change.mutate({ params: { creatorId }, body: { token } })}
    >
      <dl className="flex flex-col gap-2">
        {rows.map(({ name, says, isSum }: { name: string; says: string; isSum?: boolean }) => (
          <div
            key={name}
            className={cx(
              'flex flex-wrap justify-between gap-x-4 border-line border-b pb-2 last:border-b-0',
              isSum && 'font-semibold',
            )}
          >
            <dt>{name}</dt>
            <dd className="tabular-nums">{says}</dd>
          </div>
        ))}
      </dl>
    </Question>
  );
}

import { Check } from 'lucide-react';
import { mayDo } from '#contract/roles.ts';
import { ConnectButtons } from '#web/features/connections/ConnectButtons.tsx';
import { AskingPosts } from '#web/features/home/AskingPosts.tsx';
import { nextStep, STEP_WORDS, type Step } from '#web/features/home/first-steps.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { cx } from '#web/ui/class-names.ts';

/** The way to the first reply, until it is done. The step to do now has its button; the others wait quietly. */
export function FirstSteps({ steps, onTurnOn }: { steps: readonly Step[]; onTurnOn: () => void }) {
  const { creatorId, role } = useCreator();
  const next = nextStep(steps);
  if (next === null) return null;
  const done = steps.filter((step) => step.done).length;
  return (
    <Card title="First steps" aside={<span className="text-muted text-sm">{`${done} of ${steps.length} done`}</span>}>
      <ol className="flex flex-col">
        {steps.map((step, place) => {
          const words = STEP_WORDS[step.id];
          const isNext = step.id === next.id;
          return (
            <li key={step.id} className="flex gap-3 pb-4 last:pb-0">
              <span
                aria-hidden="true"
                className={cx(
                  'grid size-7 shrink-0 place-items-center rounded-full font-semibold text-sm',
                  step.done && 'bg-accent text-on-accent',
                  !step.done && isNext && 'bg-accent-soft text-accent-ink ring-2 ring-accent',
                  !step.done && !isNext && 'bg-sunken text-muted',
                )}
              >
                {step.done ? <Check className="size-4" /> : place + 1}
              </span>
              <div className="flex min-w-0 flex-1 flex-col gap-x-4 gap-y-2 sm:flex-row sm:items-start sm:justify-between">
                <div className="min-w-0">
                  <p className={cx('font-medium', step.done && 'text-muted')}>
                    {words.title}
                    {step.done && <span className="sr-only"> (done)</span>}
                  </p>
                  {!step.done && <p className="text-muted text-sm">{words.says}</p>}
                  {isNext && step.id === 'automation' && <AskingPosts inSteps onTurnOn={onTurnOn} />}
                  {isNext && step.id === 'connect' && role !== null && mayDo(role, 'connect') && (
                    <div className="mt-3 max-w-xl max-sm:-ml-10">
                      <ConnectButtons creatorId={creatorId} />
                    </div>
                  )}
                </div>
                {isNext && step.id !== 'connect' && (
                  <ButtonLink to={words.to} variant={step.id === 'first_reply' ? 'secondary' : 'primary'}>
                    {words.action}
                  </ButtonLink>
                )}
              </div>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

import { mayDo } from '#contract/roles.ts';
import { ConnectButtons } from '#web/features/connections/ConnectButtons.tsx';
import { AskingPosts } from '#web/features/home/AskingPosts.tsx';
import { nextStep, STEP_WORDS, type Step } from '#web/features/home/first-steps.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { StepList } from '#web/ui/StepList.tsx';

/** The way to the first reply, until it is done. */
export function FirstSteps({ steps, onTurnOn }: { steps: readonly Step[]; onTurnOn: () => void }) {
  const { creatorId, role } = useCreator();
  if (nextStep(steps) === null) return null;
  const done = steps.filter((step) => step.done).length;
  const more: Partial<Record<Step['id'], React.ReactNode>> = {
    automation: <AskingPosts inSteps onTurnOn={onTurnOn} />,
    connect: role !== null && mayDo(role, 'connect') && (
      <div className="mt-3 max-w-xl max-sm:-ml-10">
        <ConnectButtons creatorId={creatorId} />
      </div>
    ),
  };
  return (
    <Card title="First steps" aside={<span className="text-muted text-sm">{`${done} of ${steps.length} done`}</span>}>
      <StepList
        steps={steps.map(({ id, done: isDone }) => {
          const { title, says, to, action } = STEP_WORDS[id];
          return {
            id,
            done: isDone,
            title,
            says,
            more: more[id],
            action: id !== 'connect' && (
              <ButtonLink to={to} variant={id === 'first_reply' ? 'secondary' : 'primary'}>
                {action}
              </ButtonLink>
            ),
          };
        })}
      />
    </Card>
  );
}

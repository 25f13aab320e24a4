import { changeAnsweringSettings, getAnsweringSettings } from '#contract/contacts.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useChangeAtOnce, useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { Radio } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

const CHOICES: { minutes: number | null; label: string }[] = [
  { minutes: 60, label: '1 hour' },
  { minutes: 12 * 60, label: '12 hours' },
  { minutes: 24 * 60, label: '1 day' },
  { minutes: 3 * 24 * 60, label: '3 days' },
  { minutes: null, label: 'Until I resume them' },
];

/** How long automations keep quiet for somebody whom the creator answered by hand; counts at once. */
export function AnsweringPanel() {
  const { creatorId } = useCreator();
  const request = { params: { creatorId } };
  const settings = useEndpoint(getAnsweringSettings, request);
  const choose = useChangeAtOnce(getAnsweringSettings, request, changeAnsweringSettings, (body) => ({
    ...request,
    body,
  }));
  return (
    <Card
      title="When you reply yourself"
      description="When you reply here or in the Instagram app, automations pause for that person so they don’t interrupt you."
    >
      <Loaded
        query={settings}
        loading="Loading your choice"
        failed="Couldn’t load your choice"
        skeleton={<Skeleton className="h-48" />}
      >
        {({ takeoverMinutes }) => (
          <fieldset className="flex flex-col gap-2">
            <legend className="sr-only">Pause automations for</legend>
            {CHOICES.map(({ minutes, label }) => (
              <Radio
                key={label}
                name="takeover"
                label={label}
                checked={takeoverMinutes === minutes}
                onChange={() => choose({ takeoverMinutes: minutes })}
              />
            ))}
          </fieldset>
        )}
      </Loaded>
    </Card>
  );
}

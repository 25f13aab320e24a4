import { changeAnsweringSettings, getAnsweringSettings } from '#contract/contacts.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useChangeAtOnce, useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { Radio } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

const CHOICES: { minutes: number | null; label: string }[] = [
  { minutes: 60, label: 'An hour' },
  { minutes: 12 * 60, label: '12 hours' },
  { minutes: 24 * 60, label: 'A day' },
  { minutes: 3 * 24 * 60, label: 'Three days' },
  { minutes: null, label: 'Until I hand back' },
];

/** How long automations keep quiet for somebody whom the creator answered herself; counts at once. */
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
      title="When you answer somebody yourself"
      description="Here or in the Instagram app: automations then keep quiet for this person, so that nobody talks over you."
    >
      <Loaded
        query={settings}
        loading="Loading your choice"
        failed="Your choice could not be loaded"
        skeleton={<Skeleton className="h-48" />}
      >
        {({ takeoverMinutes }) => (
          <fieldset className="flex flex-col gap-2">
            <legend className="sr-only">Automations keep quiet for</legend>
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

import { changeAnsweringSettings, getAnsweringSettings } from '#contract/contacts.ts';
import { ANSWERING_PANEL } from '#web/features/settings/words.ts';
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
  { minutes: null, label: ANSWERING_PANEL.untilIResumeThem },
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
    <Card title={ANSWERING_PANEL.whenYouReplyYourself} description={ANSWERING_PANEL.whenYouReplyHere}>
      <Loaded
        query={settings}
        loading={ANSWERING_PANEL.loadingYourChoice}
        failed={ANSWERING_PANEL.couldntLoadYourChoice}
        skeleton={<Skeleton className="h-48" />}
      >
        {({ takeoverMinutes }) => (
          <fieldset className="flex flex-col gap-2">
            <legend className="sr-only">{ANSWERING_PANEL.pauseAutomationsFor}</legend>
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

import { mayDo } from '#contract/roles.ts';
import { changeTimeZone, getTimeZone } from '#contract/settings.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

/** Where the creator's days begin and end. */
export function TimeZoneCard() {
  const { creatorId, role } = useCreator();
  const params = { creatorId };
  const zone = useEndpoint(getTimeZone, { params });
  const change = useEndpointMutation(changeTimeZone, {
    refreshes: [getTimeZone],
    successToast: { title: 'Time zone saved' },
  });
  return (
    <Card title="Time zone" description="A day in your results starts at midnight here. Past days stay as counted.">
      <Loaded
        query={zone}
        loading="Loading the time zone"
        failed="Couldn’t load the time zone"
        skeleton={<Skeleton className="h-11" />}
      >
        {({ timeZone }) => (
          <Field label="Time zone">
            {(wiring) => (
              <Select
                {...wiring}
                value={timeZone ?? 'UTC'}
                disabled={change.isPending || role === null || !mayDo(role, 'connect')}
                onChange={(event) => change.mutate({ params, body: { timeZone: event.target.value } })}
              >
                {zonesWith(timeZone ?? 'UTC').map((name) => (
                  <option key={name} value={name}>
                    {name.replaceAll('_', ' ')}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
      </Loaded>
    </Card>
  );
}

/** Browsers list zones without UTC, and some by their older names. */
function zonesWith(chosen: string): string[] {
  return [...new Set(['UTC', chosen, ...Intl.supportedValuesOf('timeZone')])].sort();
}

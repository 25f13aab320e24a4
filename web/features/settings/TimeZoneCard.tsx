import { mayDo } from '#contract/roles.ts';
import { changeTimeZone, getTimeZone } from '#contract/settings.ts';
import { TIME_ZONE_CARD } from '#web/features/settings/words.ts';
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
    successToast: { title: TIME_ZONE_CARD.timeZoneSaved },
  });
  return (
    <Card title={TIME_ZONE_CARD.timeZone} description={TIME_ZONE_CARD.aDayInYour}>
      <Loaded
        query={zone}
        loading={TIME_ZONE_CARD.loadingTheTimeZone}
        failed={TIME_ZONE_CARD.couldntLoadTheTime}
        skeleton={<Skeleton className="h-11" />}
      >
        {({ timeZone }) => (
          <Field label={TIME_ZONE_CARD.timeZone}>
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

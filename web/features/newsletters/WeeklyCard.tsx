import { changeWeeklyRecipes, getNewsletter, type Newsletter, WeeklyMode } from '#contract/newsletters.ts';
import { mayDo } from '#contract/roles.ts';
import { HOURS, hourWords, nextWeeklyWords, WEEKDAYS, WEEKLY, WRITER } from '#web/features/newsletters/words.ts';
import { settingsPath } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Radio, Select } from '#web/ui/inputs.tsx';

/** New recipes once a week: whether, when, and the next time in words. Each choice counts at once. */
export function WeeklyCard({ newsletter }: { newsletter: Newsletter }) {
  const { creatorId, creatorAccount, role } = useCreator();
  const mayChange = role !== null && mayDo(role, 'newsletter');
  const change = useEndpointMutation(changeWeeklyRecipes, {
    successToast: false,
    pendingUntilRead: [getNewsletter],
  });
  const { mode, day, hour } = change.isPending ? change.variables.body : newsletter.weekly;
  const changeTo = (chosen: Partial<Omit<Newsletter['weekly'], 'nextAt'>>) =>
    change.mutate({ params: { creatorId }, body: { mode, day, hour, ...chosen } });
  const timeZone = creatorAccount.timeZone ?? 'UTC';
  return (
    <Card title={WEEKLY.title} description={mayChange ? WEEKLY.says : `${WEEKLY.says} ${WRITER.ownersOnly}`}>
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">{WEEKLY.title}</legend>
        {WeeklyMode.options.map((one) => (
          <Radio
            key={one}
            name="weekly"
            {...WEEKLY.modes[one]}
            checked={mode === one}
            disabled={!mayChange}
            onChange={() => changeTo({ mode: one })}
          />
        ))}
      </fieldset>
      {mode !== 'off' && (
        <>
          <div className="mt-4 grid grid-cols-2 gap-3">
            <Field label={WEEKLY.day}>
              {(wiring) => (
                <Select
                  {...wiring}
                  value={day}
                  disabled={!mayChange}
                  onChange={({ target }) => changeTo({ day: Number(target.value) })}
                >
                  {WEEKDAYS.map((name, index) => (
                    <option key={name} value={index + 1}>
                      {name}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field label={WEEKLY.hour}>
              {(wiring) => (
                <Select
                  {...wiring}
                  value={hour}
                  disabled={!mayChange}
                  onChange={({ target }) => changeTo({ hour: Number(target.value) })}
                >
                  {HOURS.map((one) => (
                    <option key={one} value={one}>
                      {hourWords(one)}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          </div>
          <p className="mt-1 text-muted text-sm">
            {WEEKLY.zone(timeZone)} <TextLink to={settingsPath('profile')}>{WEEKLY.changeZone}</TextLink>
          </p>
          <p role="status" className="mt-3 rounded-md bg-sunken p-3 font-medium">
            {change.isPending ? WEEKLY.saving : nextWeeklyWords(newsletter, timeZone)}
          </p>
        </>
      )}
    </Card>
  );
}

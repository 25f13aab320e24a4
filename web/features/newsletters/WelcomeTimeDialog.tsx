import { useState } from 'react';
import { changeWelcomeMail, getWelcomeSeries, type WelcomeMail, type WelcomeSeries } from '#contract/welcome-series.ts';
import { EDITOR } from '#web/features/email-templates/words.ts';
import { daysWords, HOURS, hourWords, WEEKLY, WELCOME, welcomeTimeWords } from '#web/features/newsletters/words.ts';
import { FormProblem } from '#web/shell/form.tsx';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Differences } from '#web/ui/Differences.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { Question } from '#web/ui/Question.tsx';

const MOST_DAYS = 90;
const DAYS = Array.from({ length: MOST_DAYS + 1 }, (_, days) => days);

type Props = {
  /** As the server has it now. */
  mail: WelcomeMail;
  place: number;
  onSaved: (answer: WelcomeSeries) => Promise<void>;
  onClose: () => void;
};

/** When an email of the series comes. */
export function WelcomeTimeDialog({ mail, place, onSaved, onClose }: Props) {
  const { creatorId, creatorAccount } = useCreator();
  const [began] = useState(mail);
  const [{ days, hour }, choose] = useState({ days: mail.days, hour: mail.hour });
  const save = useEndpointMutation(changeWelcomeMail, {
    successToast: false,
    errorToast: false,
    pendingUntilRead: [getWelcomeSeries],
    onSuccess: async (answer) => {
      await onSaved(answer);
      onClose();
    },
  });
  const mine = welcomeTimeWords({ days, hour }, place);
  const theirs = welcomeTimeWords(mail, place);
  const isOtherNow = theirs !== welcomeTimeWords(began, place) && theirs !== mine;
  return (
    <Question
      open
      onOpenChange={onClose}
      title={WELCOME.timeOf(place)}
      description={WEEKLY.zone(creatorAccount.timeZone ?? 'UTC')}
      keep={isOtherNow ? EDITOR.useTheirs : WELCOME.cancel}
      act={isOtherNow ? EDITOR.keepMine : WELCOME.save}
      busy={save.isPending}
      onAct={() =>
        save.mutate({
          params: { creatorId, welcomeMailId: mail.id },
          body: { version: mail.version, design: mail.design, days, hour },
        })
      }
    >
      <FormProblem problem={save.error} />
      {isOtherNow && (
        <Differences
          differences={[{ field: 'when', label: WELCOME.when, mine, theirs }]}
          labels={[EDITOR.yours, EDITOR.theirs]}
        />
      )}
      <Field label={WELCOME.when}>
        {(wiring) => (
          <Select {...wiring} value={days} onChange={({ target }) => choose({ days: Number(target.value), hour })}>
            {DAYS.map((one) => (
              <option key={one} value={one}>
                {daysWords(one, place)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {days > 0 && (
        <Field label={WEEKLY.hour}>
          {(wiring) => (
            <Select {...wiring} value={hour} onChange={({ target }) => choose({ days, hour: Number(target.value) })}>
              {HOURS.map((one) => (
                <option key={one} value={one}>
                  {hourWords(one)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </Question>
  );
}

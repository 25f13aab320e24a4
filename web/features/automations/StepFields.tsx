import type { TapStep } from '#contract/automations.ts';
import { MAX_BUTTON_TITLE_CHARACTERS } from '#contract/message-text.ts';
import type { FieldsProps } from '#web/features/automations/editor-fields.ts';
import { Folded } from '#web/features/automations/Folded.tsx';
import { MessageTextField } from '#web/features/automations/MessageTextField.tsx';
import { afterWords, FOLLOW_UP_CHOICES } from '#web/features/automations/trigger-words.ts';
import { inWords } from '#web/features/automations/variable-chips.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Input, Select, Switch, Textarea } from '#web/ui/inputs.tsx';

const OPENING: TapStep = { text: 'Hey {{username|there}}! Want me to send it over?', buttonTitle: 'Yes please!' };
const FOLLOW_ASK: TapStep = {
  text: "Quick thing: follow me so you don't miss the next one, then tap below.",
  buttonTitle: "I'm following!",
};
const EMAIL_ASK = {
  text: 'Want it in your inbox too? Reply with your email.',
  consent: 'You agree to get my recipes by email.',
};
const FOLLOW_UP = { text: 'Did you get a chance to look? The link is right above.', afterMinutes: 60 };

type Props = FieldsProps & { values: { username: string; word: string } };

/** Optional steps before and after the link. Each is one line until it is wanted. */
export function StepFields(props: Props) {
  const { input, set, errorOf, values } = props;
  const { emailAsk, followUp } = input;
  return (
    <>
      <TapStepFields
        {...props}
        field="opening"
        title="Ask before the link"
        label="Ask with a button before sending the link"
        hint="Their tap shows they want it, and lets you message them for 24 hours."
        fresh={OPENING}
      />
      <TapStepFields
        {...props}
        field="followAsk"
        title="Ask for a follow"
        label="Ask people who don’t follow you yet"
        hint="We check when they tap. We only ask once; then they get the link either way."
        fresh={FOLLOW_ASK}
      />
      <Folded
        title="Ask for an email"
        summary={emailAsk === null ? 'Off' : inWords(emailAsk.text)}
        active={emailAsk !== null}
        hasError={errorOf('emailAsk.text') !== undefined || errorOf('emailAsk.consent') !== undefined}
      >
        <Switch
          label="Ask for their email address"
          hint="Asked once per person. If the reply isn’t an email, we nudge once, then send the link."
          checked={emailAsk !== null}
          onChange={(event) => set('emailAsk', event.target.checked ? EMAIL_ASK : null)}
        />
        {emailAsk && (
          <>
            <MessageTextField
              label="Question"
              kind="plain"
              values={values}
              value={emailAsk.text}
              onChange={(text) => set('emailAsk', { ...emailAsk, text })}
              error={errorOf('emailAsk.text')}
            />
            <Field
              label="What they agree to"
              hint="Saved with their email, the date and where they agreed."
              error={errorOf('emailAsk.consent')}
              aside={`${emailAsk.consent.length} of 500`}
            >
              {(wiring) => (
                <Textarea
                  {...wiring}
                  rows={2}
                  dir="auto"
                  value={emailAsk.consent}
                  onChange={(event) => set('emailAsk', { ...emailAsk, consent: event.target.value })}
                />
              )}
            </Field>
          </>
        )}
      </Folded>
      <Folded
        title="Follow-up"
        summary={followUp === null ? 'Off' : `${afterWords(followUp.afterMinutes)} if they haven’t tapped`}
        active={followUp !== null}
        hasError={errorOf('followUp.text') !== undefined}
      >
        <Switch
          label="Send a reminder if they don’t tap the link"
          hint="Sent once, within 24 hours of their last tap or message."
          checked={followUp !== null}
          onChange={(event) => set('followUp', event.target.checked ? FOLLOW_UP : null)}
        />
        {followUp && (
          <>
            {needsTap(input) && (
              <Alert
                variant="warning"
                title="Instagram allows only one message after a comment"
                action={
                  <Button size="small" onClick={() => set('opening', OPENING)}>
                    Ask with a button first
                  </Button>
                }
              >
                To send a reminder, ask with a button first. Their tap lets you send more.
              </Alert>
            )}
            <Field label="When">
              {(wiring) => (
                <Select
                  {...wiring}
                  value={followUp.afterMinutes}
                  onChange={(event) => set('followUp', { ...followUp, afterMinutes: Number(event.target.value) })}
                >
                  {[...new Set([...FOLLOW_UP_CHOICES, followUp.afterMinutes])]
                    .sort((a, b) => a - b)
                    .map((minutes) => (
                      <option key={minutes} value={minutes}>
                        {afterWords(minutes)}
                      </option>
                    ))}
                </Select>
              )}
            </Field>
            <MessageTextField
              label="Message"
              kind="plain"
              values={values}
              value={followUp.text}
              onChange={(text) => set('followUp', { ...followUp, text })}
              error={errorOf('followUp.text')}
            />
          </>
        )}
      </Folded>
    </>
  );
}

/** A comment opens no 24 hours; a message or story reply does. */
function needsTap({ trigger, opening, followAsk, emailAsk }: FieldsProps['input']): boolean {
  const isComment = trigger === 'comment' || trigger === 'live_comment';
  return isComment && opening === null && followAsk === null && emailAsk === null;
}

type TapProps = Props & {
  field: 'opening' | 'followAsk';
  title: string;
  label: string;
  hint: string;
  fresh: TapStep;
};

function TapStepFields({ input, set, errorOf, values, field, title, label, hint, fresh }: TapProps) {
  const step = input[field];
  return (
    <Folded
      title={title}
      summary={step === null ? 'Off' : `${inWords(step.text)} [${step.buttonTitle}]`}
      active={step !== null}
      hasError={errorOf(`${field}.text`) !== undefined || errorOf(`${field}.buttonTitle`) !== undefined}
    >
      <Switch
        label={label}
        hint={hint}
        checked={step !== null}
        onChange={(event) => set(field, event.target.checked ? fresh : null)}
      />
      {step && (
        <>
          <MessageTextField
            label="Message"
            kind="with_buttons"
            values={values}
            value={step.text}
            onChange={(text) => set(field, { ...step, text })}
            error={errorOf(`${field}.text`)}
          />
          <Field
            label="Button text"
            error={errorOf(`${field}.buttonTitle`)}
            aside={`${step.buttonTitle.length} of ${MAX_BUTTON_TITLE_CHARACTERS}`}
          >
            {(wiring) => (
              <Input
                {...wiring}
                dir="auto"
                value={step.buttonTitle}
                onChange={(event) => set(field, { ...step, buttonTitle: event.target.value })}
              />
            )}
          </Field>
        </>
      )}
    </Folded>
  );
}

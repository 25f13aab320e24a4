import { ArrowLeft, Send } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { checkEmailDesign } from '#contract/email-template-problems.ts';
import {
  askToSend,
  type Broadcast,
  changeBroadcast,
  getBroadcast,
  getNewsletter,
  listBroadcasts,
  readAudience,
  sendBroadcast,
} from '#contract/newsletters.ts';
import { mayDo } from '#contract/roles.ts';
import { listSegments, readSegment } from '#contract/segments.ts';
import { segmentWords } from '#web/features/contacts/segment-words.ts';
import { useSegmentChoices } from '#web/features/contacts/use-segment-choices.ts';
import { inWords } from '#web/features/email-templates/design-words.ts';
import { TestDialog } from '#web/features/email-templates/EmailDialogs.tsx';
import { EVERYDAY } from '#web/features/email-templates/EmailPreview.tsx';
import { Missing } from '#web/features/newsletters/Missing.tsx';
import { NEWSLETTERS, SENDING_STEP, WRITING } from '#web/features/newsletters/words.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { FormProblem } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Input, Radio, Select } from '#web/ui/inputs.tsx';
import { numerals } from '#web/ui/numerals.ts';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

/** A draft that is written: who gets it, and when. */
export function SendStep({ broadcast }: { broadcast: Broadcast }) {
  const { creatorId, role } = useCreator();
  const newsletter = useEndpoint(getNewsletter, { params: { creatorId } });
  const audience = useEndpoint(readAudience, { params: { creatorId, broadcastId: broadcast.id } });
  const problems = checkEmailDesign(broadcast.kind, broadcast.design);
  // They asked for the recipe: a correction of it goes out beside a tool, too.
  const settings =
    newsletter.data && broadcast.kind === 'correction'
      ? { ...newsletter.data, writer: 'here' as const }
      : newsletter.data;
  const isReady = settings?.writer === 'here' && settings.missing.length === 0 && problems.length === 0;
  const count = audience.data?.count ?? null;
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <TextLink to="?" className="inline-flex min-h-11 items-center gap-1.5 self-start text-sm md:min-h-8">
        <ArrowLeft aria-hidden="true" className="size-4" />
        {SENDING_STEP.back}
      </TextLink>
      {settings && <Missing newsletter={settings} />}
      {problems.length > 0 && (
        <Alert
          variant="error"
          title={WRITING.fix(problems.length)}
          action={
            <ButtonLink to="?" variant="secondary" size="small">
              {SENDING_STEP.edit}
            </ButtonLink>
          }
        >
          {problems.map(({ message }) => message).join(' ')}
        </Alert>
      )}
      <Audience broadcast={broadcast} audience={audience} />
      <What broadcast={broadcast} />
      {role !== null && mayDo(role, 'newsletter') ? (
        <When broadcast={broadcast} count={count} disabled={!isReady || count === 0} />
      ) : (
        <Ask broadcast={broadcast} disabled={problems.length > 0} />
      )}
    </div>
  );
}

type AudienceProps = { broadcast: Broadcast; audience: ReturnType<typeof useEndpoint<typeof readAudience>> };

function Audience({ broadcast, audience }: AudienceProps) {
  const { creatorId } = useCreator();
  const { id, kind, version, design, segment } = broadcast;
  const segments = useEndpoint(listSegments, { params: { creatorId } });
  const choices = useSegmentChoices();
  const change = useEndpointMutation(changeBroadcast, {
    successToast: false,
    refreshes: [listBroadcasts],
    pendingUntilRead: [getBroadcast, readAudience],
  });
  const chosen = change.isPending ? change.variables.body.segment : segment;
  const items = segments.data?.items ?? [];
  const isOther = chosen !== null && items.every((one) => one.segment !== chosen);
  const read = chosen === null ? null : readSegment(chosen);
  const choose = (to: string) =>
    change.mutate({
      params: { creatorId, broadcastId: id },
      body: { version, design, segment: to === '' ? null : to },
    });
  return (
    <Card title={SENDING_STEP.whoTitle}>
      <div className="flex flex-col gap-4">
        {kind === 'correction' ? (
          <p>{NEWSLETTERS.savers}</p>
        ) : (
          <Field
            label={SENDING_STEP.who}
            hint={SENDING_STEP.whoSays}
            aside={<TextLink to={`${paths.contacts}?manage=segments&edit=new`}>{SENDING_STEP.newSegment}</TextLink>}
          >
            {(wiring) => (
              <Select
                {...wiring}
                value={chosen ?? ''}
                disabled={change.isPending}
                onChange={({ target }) => choose(target.value)}
              >
                <option value="">{NEWSLETTERS.everyone}</option>
                {(items.length > 0 || isOther) && (
                  <optgroup label={SENDING_STEP.segments}>
                    {isOther && <option value={chosen}>{SENDING_STEP.otherSegment}</option>}
                    {items.map((one) => (
                      <option key={one.id} value={one.segment}>
                        {one.name}
                      </option>
                    ))}
                  </optgroup>
                )}
              </Select>
            )}
          </Field>
        )}
        {read && choices && <p className="break-words text-muted text-sm">{segmentWords(read, choices)}</p>}
        <Loaded
          query={audience}
          shown={change.isPending ? null : (audience.data ?? null)}
          loading={SENDING_STEP.counting}
          failed={SENDING_STEP.countFailed}
          skeleton={<Skeleton className="h-16" />}
        >
          {({ count, leftOut }) => (
            <div role="status" className="rounded-md bg-sunken p-3">
              <p className="font-medium">
                {count === null ? SENDING_STEP.tooMany : count === 0 ? SENDING_STEP.nobody : SENDING_STEP.gets(count)}
              </p>
              {leftOut.length > 0 && (
                <>
                  <p className="mt-2 text-muted text-sm">{SENDING_STEP.leftOut}</p>
                  <ul className="text-sm">
                    {leftOut.map((one) => (
                      <li key={one.why}>
                        {numerals(one.count)} · {one.why}
                      </li>
                    ))}
                  </ul>
                </>
              )}
            </div>
          )}
        </Loaded>
      </div>
    </Card>
  );
}

function What({ broadcast: { kind, design } }: { broadcast: Broadcast }) {
  const [testing, setTesting] = useState(false);
  return (
    <Card title={SENDING_STEP.what}>
      <bdi className="block break-words font-semibold">{inWords(design.subject) || NEWSLETTERS.noSubject}</bdi>
      <bdi className="block break-words text-muted">{inWords(design.preheader)}</bdi>
      <div className="mt-3 flex flex-wrap gap-2">
        <ButtonLink to="?" variant="secondary" size="small">
          {SENDING_STEP.edit}
        </ButtonLink>
        <Button variant="secondary" size="small" onClick={() => setTesting(true)}>
          {SENDING_STEP.test}
        </Button>
      </div>
      {testing && <TestDialog type={kind} design={design} filled={EVERYDAY} onClose={() => setTesting(false)} />}
    </Card>
  );
}

type WhenProps = { broadcast: Broadcast; count: number | null; disabled: boolean };

function When({ broadcast, count, disabled }: WhenProps) {
  const { creatorId } = useCreator();
  const navigate = useNavigate();
  const [isLater, setLater] = useState(false);
  const [at, setAt] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const send = useEndpointMutation(sendBroadcast, {
    errorToast: false,
    successToast: { title: SENDING_STEP.scheduled },
    refreshes: [listBroadcasts],
    pendingUntilRead: [getBroadcast],
    onSuccess: () => navigate('?', { replace: true }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const chosen = isLater ? Date.parse(at) : null;
    if (chosen !== null && Number.isNaN(chosen)) return setProblem(SENDING_STEP.noTime);
    if (chosen !== null && chosen < Date.now()) return setProblem(SENDING_STEP.past);
    send.mutate({
      params: { creatorId, broadcastId: broadcast.id },
      body: { version: broadcast.version, sendAt: chosen === null ? null : new Date(chosen).toISOString() },
    });
  };
  return (
    <Card title={SENDING_STEP.when}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <FormProblem problem={send.error} />
        <fieldset className="flex flex-col gap-2">
          <legend className="sr-only">{SENDING_STEP.when}</legend>
          <Radio
            name="when"
            label={SENDING_STEP.now}
            hint={SENDING_STEP.nowSays}
            checked={!isLater}
            onChange={() => setLater(false)}
          />
          <Radio
            name="when"
            label={SENDING_STEP.later}
            hint={SENDING_STEP.laterSays(Intl.DateTimeFormat().resolvedOptions().timeZone)}
            checked={isLater}
            onChange={() => setLater(true)}
          />
        </fieldset>
        {isLater && (
          <Field label={SENDING_STEP.at} error={problem ?? undefined}>
            {(wiring) => (
              <Input
                {...wiring}
                type="datetime-local"
                value={at}
                onChange={({ target }) => {
                  setAt(target.value);
                  setProblem(null);
                }}
              />
            )}
          </Field>
        )}
        <Button type="submit" busy={send.isPending} disabled={disabled} className="self-start">
          <Send aria-hidden="true" className="size-4" />
          {isLater ? SENDING_STEP.schedule(count) : SENDING_STEP.send(count)}
        </Button>
      </form>
    </Card>
  );
}

/** For whoever may write newsletters and not send them. */
function Ask({ broadcast: { id, asked }, disabled }: { broadcast: Broadcast; disabled: boolean }) {
  const { creatorId } = useCreator();
  const ask = useEndpointMutation(askToSend, {
    successToast: { title: SENDING_STEP.asked },
    refreshes: [listBroadcasts],
    pendingUntilRead: [getBroadcast],
  });
  return (
    <Card title={SENDING_STEP.when} description={SENDING_STEP.askSays}>
      {asked === null ? (
        <Button
          busy={ask.isPending}
          disabled={disabled}
          onClick={() => ask.mutate({ params: { creatorId, broadcastId: id } })}
        >
          {SENDING_STEP.ask}
        </Button>
      ) : (
        <p role="status">
          {NEWSLETTERS.asked(asked.by)} <RelativeTime at={asked.at} className="text-muted text-sm" />
        </p>
      )}
    </Card>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { Clock, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { checkEmailDesign } from '#contract/email-template-problems.ts';
import type { Newsletter } from '#contract/newsletters.ts';
import { QUOTAS } from '#contract/quotas.ts';
import { mayDo } from '#contract/roles.ts';
import {
  addWelcomeMail,
  getWelcomeSeries,
  switchWelcomeSeries,
  type WelcomeMail,
  type WelcomeSeries,
} from '#contract/welcome-series.ts';
import { inWords } from '#web/features/email-templates/design-words.ts';
import { WelcomeTimeDialog } from '#web/features/newsletters/WelcomeTimeDialog.tsx';
import {
  missingForWelcome,
  NEWSLETTERS,
  WELCOME,
  WRITER,
  WRITING,
  welcomeFiguresWords,
  welcomeTimeWords,
} from '#web/features/newsletters/words.ts';
import { paths } from '#web/paths.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { setAnswer, useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Question } from '#web/ui/Question.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

/** Emails one after the other to new readers: which, when, how far readers are in it, and whether it is on. */
export function WelcomeCard({ newsletter }: { newsletter: Newsletter }) {
  const { creatorId, role } = useCreator();
  const mayChange = role !== null && mayDo(role, 'newsletter');
  const series = useEndpoint(getWelcomeSeries, { params: { creatorId } });
  return (
    <Card
      title={WELCOME.title}
      description={mayChange ? WELCOME.says : `${WELCOME.says} ${WRITER.ownersOnly}`}
      aside={
        series.data && (
          <Badge tone={series.data.isOn ? 'accent' : 'neutral'}>{series.data.isOn ? WELCOME.on : WELCOME.off}</Badge>
        )
      }
    >
      <Loaded query={series} loading={WELCOME.loading} failed={WELCOME.failed} skeleton={<Skeleton className="h-24" />}>
        {(data) => <Series series={data} newsletter={newsletter} mayChange={mayChange} />}
      </Loaded>
    </Card>
  );
}

type SeriesProps = { series: WelcomeSeries; newsletter: Newsletter; mayChange: boolean };

function Series({ series, newsletter, mayChange }: SeriesProps) {
  const { creatorId } = useCreator();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [timing, setTiming] = useState<string | null>(null);
  const params = { creatorId };
  const read = (answer: WelcomeSeries) => setAnswer(client, getWelcomeSeries, { params }, answer);
  const add = useEndpointMutation(addWelcomeMail, {
    successToast: false,
    onSuccess: async (answer) => {
      await read(answer);
      await navigate(paths.welcomeMail(answer.mails.at(-1)!.id));
    },
  });
  const { isOn, mails } = series;
  const missing = missingForWelcome(newsletter, series);
  const timed = mails.find(({ id }) => id === timing);
  return (
    <div className="flex flex-col gap-4">
      {mails.length === 0 ? (
        <p className="text-muted">{WELCOME.none}</p>
      ) : (
        <ol className="flex flex-col divide-y divide-line rounded-md border border-line">
          {mails.map((mail, place) => (
            <Mail key={mail.id} mail={mail} place={place} onTime={mayChange ? () => setTiming(mail.id) : null} />
          ))}
        </ol>
      )}
      <p className="text-muted text-sm empty:hidden">{WELCOME.figures(series)}</p>
      {missing.length > 0 && (isOn || mails.length > 0) && (
        <Alert variant="warning" title={isOn ? WELCOME.waits : WELCOME.missing}>
          <ul className="list-disc ps-4">
            {missing.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </Alert>
      )}
      {mayChange && (
        <div className="flex flex-wrap items-center gap-2">
          {mails.length < QUOTAS.welcome_mails.most ? (
            <Button variant="secondary" busy={add.isPending} onClick={() => add.mutate({ params })}>
              <Plus aria-hidden="true" className="size-4" />
              {WELCOME.add}
            </Button>
          ) : (
            <p className="text-muted text-sm">{WELCOME.full(mails.length)}</p>
          )}
          {(isOn || mails.length > 0) && <Switching series={series} disabled={missing.length > 0} onDone={read} />}
        </div>
      )}
      {timed && (
        <WelcomeTimeDialog
          key={timed.id}
          mail={timed}
          place={mails.indexOf(timed)}
          onSaved={read}
          onClose={() => setTiming(null)}
        />
      )}
    </div>
  );
}

function Mail({ mail, place, onTime }: { mail: WelcomeMail; place: number; onTime: (() => void) | null }) {
  const problems = checkEmailDesign('welcome', mail.design);
  return (
    <li className="flex items-center justify-between gap-2 p-3">
      <div className="flex min-w-0 flex-col">
        <span className="text-muted text-sm">{welcomeTimeWords(mail, place)}</span>
        <Link
          to={paths.welcomeMail(mail.id)}
          className="flex min-h-11 items-center break-words font-medium hover:underline md:min-h-8"
        >
          <bdi className="min-w-0 break-words">{inWords(mail.design.subject) || NEWSLETTERS.noSubject}</bdi>
        </Link>
        <span className="text-muted text-sm empty:hidden">{welcomeFiguresWords(mail.figures)}</span>
        {problems.length > 0 && <span className="text-sm text-warning-ink">{WRITING.fix(problems.length)}</span>}
      </div>
      {onTime && (
        <IconButton label={WELCOME.timeOf(place)} onClick={onTime}>
          <Clock aria-hidden="true" className="size-4" />
        </IconButton>
      )}
    </li>
  );
}

type SwitchingProps = { series: WelcomeSeries; disabled: boolean; onDone: (answer: WelcomeSeries) => Promise<void> };

/** Off only after a question while somebody is in it: for them it ends. */
function Switching({ series: { isOn, underWay }, disabled, onDone }: SwitchingProps) {
  const { creatorId } = useCreator();
  const [asking, setAsking] = useState(false);
  const change = useEndpointMutation(switchWelcomeSeries, {
    successToast: { title: isOn ? WELCOME.turnedOff : WELCOME.turnedOn },
    onSuccess: (answer) => {
      setAsking(false);
      return onDone(answer);
    },
  });
  const turn = (to: boolean) => change.mutate({ params: { creatorId }, body: { isOn: to } });
  if (!isOn) {
    return (
      <Button disabled={disabled} busy={change.isPending} onClick={() => turn(true)}>
        {WELCOME.turnOn}
      </Button>
    );
  }
  return (
    <>
      <Button variant="quiet" busy={change.isPending} onClick={() => (underWay > 0 ? setAsking(true) : turn(false))}>
        {WELCOME.turnOff}
      </Button>
      <Question
        open={asking}
        onOpenChange={setAsking}
        title={WELCOME.offAsk}
        description={WELCOME.offSays(underWay)}
        keep={WELCOME.keepOn}
        act={WELCOME.turnOff}
        danger
        busy={change.isPending}
        onAct={() => turn(false)}
      />
    </>
  );
}

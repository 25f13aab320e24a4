import { useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { mayDo } from '#contract/roles.ts';
import {
  changeWelcomeMail,
  deleteWelcomeMail,
  getWelcomeSeries,
  type WelcomeMail,
  type WelcomeSeries,
} from '#contract/welcome-series.ts';
import { DesignAction, DesignEditor } from '#web/features/email-templates/DesignEditor.tsx';
import { inWords } from '#web/features/email-templates/design-words.ts';
import { useDesign } from '#web/features/email-templates/use-design.ts';
import { Looks } from '#web/features/newsletters/Looks.tsx';
import { NEWSLETTERS, WELCOME, WRITER, WRITING, welcomeTimeWords } from '#web/features/newsletters/words.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { setAnswer, useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Question } from '#web/ui/Question.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** One email of the welcome series: written by owners, looked at by everyone else. */
export function WelcomeMailPage({ mailId }: { mailId: string }) {
  const { creatorId } = useCreator();
  const series = useEndpoint(getWelcomeSeries, { params: { creatorId } });
  return (
    <>
      <TextLink to={paths.newsletter} className="mb-2 inline-flex min-h-11 items-center gap-1.5 text-sm md:min-h-8">
        <ArrowLeft aria-hidden="true" className="size-4" />
        {NEWSLETTERS.back}
      </TextLink>
      <Loaded query={series} loading={WELCOME.loading} failed={WELCOME.failed} skeleton={<Skeleton className="h-96" />}>
        {(data) => <One series={data} mailId={mailId} refetch={series.refetch} />}
      </Loaded>
    </>
  );
}

type OneProps = { series: WelcomeSeries; mailId: string; refetch: () => unknown };

function One({ series, mailId, refetch }: OneProps) {
  const { role } = useCreator();
  const has = series.mails.some(({ id }) => id === mailId);
  // Deleted by someone else meanwhile: unsaved text stays on the screen.
  const [last, setLast] = useState(series);
  if (has && last !== series) setLast(series);
  const shown = has ? series : last;
  const place = shown.mails.findIndex(({ id }) => id === mailId);
  const mail = shown.mails[place];
  if (mail === undefined) {
    return (
      <>
        <PageHeader title={WELCOME.title} />
        <EmptyState title={WELCOME.gone}>
          <ButtonLink to={paths.newsletter} variant="secondary">
            {WELCOME.toSeries}
          </ButtonLink>
        </EmptyState>
      </>
    );
  }
  const mayChange = role !== null && mayDo(role, 'newsletter');
  return (
    <>
      <PageHeader
        compact
        title={inWords(mail.design.subject) || NEWSLETTERS.noSubject}
        description={welcomeTimeWords(mail, place)}
      />
      {!has && (
        <Alert variant="warning" announce className="mb-4" title={WELCOME.gone}>
          {WELCOME.goneSays}
        </Alert>
      )}
      {mayChange ? (
        <Editor series={shown} mail={mail} refetch={refetch} />
      ) : (
        <div className="flex max-w-3xl flex-col gap-4">
          <Alert variant="infoSecondary">{WRITER.ownersOnly}</Alert>
          <Looks type="welcome" design={mail.design} />
        </div>
      )}
    </>
  );
}

type EditorProps = { series: WelcomeSeries; mail: WelcomeMail; refetch: () => unknown };

function Editor({ series, mail, refetch }: EditorProps) {
  const { creatorId } = useCreator();
  const [removing, setRemoving] = useState(false);
  const saving = useEndpointMutation(changeWelcomeMail, {
    errorToast: false,
    successToast: { title: WELCOME.saved },
  });
  const editor = useDesign({
    type: 'welcome',
    draftKey: `welcome:${mail.id}`,
    ...{ answer: series, read: getWelcomeSeries, request: { params: { creatorId } }, refetch },
    savedOf: (answer: WelcomeSeries) => {
      const { design, version } = answer.mails.find(({ id }) => id === mail.id) ?? mail;
      return { design, versions: { version } };
    },
  });
  const save = () =>
    editor.attempt(() =>
      saving.mutateAsync({
        params: { creatorId, welcomeMailId: mail.id },
        body: { version: editor.versions.version, days: mail.days, hour: mail.hour, design: editor.design },
      }),
    );
  return (
    <>
      <DesignEditor
        editor={{ ...editor, saving: saving.isPending, saveDraft: save }}
        theirs={editor.isChangedMeanwhile ? mail.design : null}
        fix={editor.dirty || series.isOn ? WRITING.fix : null}
        actions={
          <DesignAction label={WELCOME.remove} icon={<Trash2 className="size-4" />} onPress={() => setRemoving(true)} />
        }
        says={editor.dirty ? WRITING.unsaved : series.isOn ? WELCOME.isSent : WELCOME.isSaved}
        footer={
          <Button
            size="small"
            className="max-md:min-w-0"
            disabled={!editor.dirty}
            busy={saving.isPending}
            onClick={() => void save()}
          >
            {WELCOME.save}
          </Button>
        }
      />
      {removing && <Remove mail={mail} onClose={() => setRemoving(false)} onGone={editor.startOver} />}
    </>
  );
}

function Remove({ mail, onClose, onGone }: { mail: WelcomeMail; onClose: () => void; onGone: () => void }) {
  const { creatorId } = useCreator();
  const navigate = useNavigate();
  const client = useQueryClient();
  const remove = useEndpointMutation(deleteWelcomeMail, {
    successToast: { title: WELCOME.removed },
    onSuccess: async (answer) => {
      onGone();
      await navigate(paths.newsletter);
      await setAnswer(client, getWelcomeSeries, { params: { creatorId } }, answer);
    },
  });
  return (
    <Question
      open
      onOpenChange={onClose}
      title={WELCOME.removeAsk}
      description={WELCOME.removeSays}
      keep={WELCOME.keep}
      act={WELCOME.remove}
      danger
      busy={remove.isPending}
      onAct={() => remove.mutate({ params: { creatorId, welcomeMailId: mail.id } })}
    />
  );
}

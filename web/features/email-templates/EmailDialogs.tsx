import { useState } from 'react';
import {
  type EmailDesign,
  type EmailType,
  listEmailSamples,
  listEmailVersions,
  testEmail,
} from '#contract/email-templates.ts';
import type { FilledWith } from '#web/features/email-templates/EmailPreview.tsx';
import type { EmailEditorState } from '#web/features/email-templates/use-email-editor.ts';
import { EDITOR } from '#web/features/email-templates/words.ts';
import { FormProblem } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { Question } from '#web/ui/Question.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type Props = { editor: EmailEditorState; onClose: () => void };

/** Restoring only puts it in the editor, where it can be undone. */
export function VersionsDialog({ editor, onClose }: Props) {
  const { creatorId } = useCreator();
  const versions = useEndpoint(listEmailVersions, { params: { creatorId, type: editor.type } });
  return (
    <Dialog open onOpenChange={onClose} title={EDITOR.versions} description={EDITOR.versionsSay}>
      <Loaded query={versions} failed={EDITOR.versionsFailed} skeleton={<Skeleton className="h-32" />}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-muted">{EDITOR.noVersions}</p>
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {items.map(({ version, publishedAt, publishedBy, design }) => (
                <li key={version} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
                  <span className="min-w-0">
                    <RelativeTime at={publishedAt} className="block font-medium" />
                    <bdi className="block truncate text-muted text-sm">{publishedBy}</bdi>
                  </span>
                  <Button
                    size="small"
                    variant="secondary"
                    onClick={() => {
                      editor.edit(() => design);
                      onClose();
                    }}
                  >
                    {EDITOR.restore}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  );
}

type TestProps = { type: EmailType; design: EmailDesign; filled: FilledWith; onClose: () => void };

/** The design, saved or not, to someone on the team. */
export function TestDialog({ type, design, filled, onClose }: TestProps) {
  const { creatorId } = useCreator();
  const samples = useEndpoint(listEmailSamples, { params: { creatorId } });
  const [chosen, setChosen] = useState('');
  const send = useEndpointMutation(testEmail, { errorToast: false, onSuccess: onClose });
  const to = chosen || samples.data?.team[0] || '';
  return (
    <Question
      open
      onOpenChange={onClose}
      title={EDITOR.test}
      description={EDITOR.testSays}
      keep={EDITOR.cancel}
      act={EDITOR.testSend}
      busy={send.isPending}
      disabled={to === ''}
      onAct={() => send.mutate({ params: { creatorId, type }, body: { design, ...filled, to } })}
    >
      <FormProblem problem={send.error} />
      <Loaded query={samples} failed={EDITOR.testFailed} skeleton={<Skeleton className="h-16" />}>
        {({ team }) => (
          <Field label={EDITOR.testTo}>
            {(wiring) => (
              <Select {...wiring} value={to} onChange={({ target }) => setChosen(target.value)}>
                {team.map((address) => (
                  <option key={address}>{address}</option>
                ))}
              </Select>
            )}
          </Field>
        )}
      </Loaded>
    </Question>
  );
}

export function ResetDialog({ editor, onClose }: Props) {
  return (
    <Question
      open
      onOpenChange={onClose}
      title={EDITOR.resetAsk}
      description={EDITOR.resetSays}
      keep={EDITOR.keep}
      act={EDITOR.reset}
      danger
      busy={editor.resetting}
      onAct={() => void editor.reset().then(onClose)}
    />
  );
}

export function DiscardDialog({ editor, onClose }: Props) {
  return (
    <Question
      open
      onOpenChange={onClose}
      title={EDITOR.discardAsk}
      description={EDITOR.discardSays}
      keep={EDITOR.keep}
      act={EDITOR.discard}
      danger
      busy={editor.discarding}
      onAct={() => void editor.discard().then(onClose)}
    />
  );
}

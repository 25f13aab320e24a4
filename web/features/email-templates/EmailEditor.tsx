import { History, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { EmailTemplate } from '#contract/email-templates.ts';
import { DesignAction, DesignEditor } from '#web/features/email-templates/DesignEditor.tsx';
import { differencesOf, sameDesign } from '#web/features/email-templates/design-words.ts';
import { DiscardDialog, ResetDialog, VersionsDialog } from '#web/features/email-templates/EmailDialogs.tsx';
import { type EmailEditorState, useEmailEditor } from '#web/features/email-templates/use-email-editor.ts';
import { EDITOR } from '#web/features/email-templates/words.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Differences } from '#web/ui/Differences.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';

type Opened = 'versions' | 'reset' | 'discard';

/** One kind of email: its draft, what is live, and its versions. */
export function EmailEditor({ saved, refetch }: { saved: EmailTemplate; refetch: () => unknown }) {
  const editor = useEmailEditor(saved, refetch);
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const { dirty, saving } = editor;
  const hasDraft = saved.draft !== null;
  return (
    <>
      <DesignEditor
        editor={editor}
        theirs={editor.isChangedMeanwhile ? (saved.draft?.design ?? saved.live) : null}
        notice={<DraftNotice editor={editor} onDiscard={() => setOpened('discard')} />}
        fix={dirty || hasDraft ? EDITOR.fix : null}
        actions={
          <>
            <DesignAction
              label={EDITOR.versions}
              icon={<History className="size-4" />}
              onPress={() => setOpened('versions')}
            />
            <DesignAction
              label={EDITOR.reset}
              icon={<RotateCcw className="size-4" />}
              onPress={() => setOpened('reset')}
            />
          </>
        }
        says={dirty ? EDITOR.unsaved : hasDraft ? EDITOR.savedDraft : EDITOR.allLive}
        footer={
          <>
            {dirty && (
              <Button
                variant="secondary"
                size="small"
                className="max-md:min-w-0"
                busy={saving}
                onClick={() => void editor.saveDraft()}
              >
                {EDITOR.saveDraft}
              </Button>
            )}
            {(dirty || hasDraft) && (
              <Button size="small" className="max-md:min-w-0" busy={saving} onClick={() => void editor.publish()}>
                {EDITOR.publish}
              </Button>
            )}
          </>
        }
      />
      {opened === 'versions' && <VersionsDialog editor={editor} onClose={close} />}
      {opened === 'reset' && <ResetDialog editor={editor} onClose={close} />}
      {opened === 'discard' && <DiscardDialog editor={editor} onClose={close} />}
    </>
  );
}

function DraftNotice({ editor, onDiscard }: { editor: EmailEditorState; onDiscard: () => void }) {
  const { saved, design } = editor;
  const [shown, setShown] = useState(false);
  if (saved.draft === null) return null;
  return (
    <Alert
      variant="infoSecondary"
      title={EDITOR.isDraft}
      action={
        <Button variant="secondary" size="small" onClick={onDiscard}>
          <Trash2 aria-hidden="true" className="size-4" />
          {EDITOR.discard}
        </Button>
      }
    >
      <p>
        Saved <RelativeTime at={saved.draft.savedAt} /> by <bdi>{saved.draft.savedBy}</bdi>. {EDITOR.draftStays}
      </p>
      {saved.draft.base !== saved.version && <p className="mt-1 font-medium">{EDITOR.liveChanged}</p>}
      {sameDesign(design, saved.live) ? (
        <p className="mt-1">{EDITOR.sameAsLive}</p>
      ) : (
        <>
          <Button
            variant="quiet"
            size="small"
            className="-ml-2 mt-1"
            aria-expanded={shown}
            onClick={() => setShown(!shown)}
          >
            {shown ? EDITOR.hideChanges : EDITOR.showChanges}
          </Button>
          {shown && <Differences differences={differencesOf(design, saved.live)} labels={['Draft', 'Live']} />}
        </>
      )}
    </Alert>
  );
}

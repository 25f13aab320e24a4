import { ChevronUp } from 'lucide-react';
import { useState } from 'react';
import { LivePreview, type PreviewProps } from '#web/features/automations/LivePreview.tsx';
import { type AutomationEditorState, useIsDirty, useOfInput } from '#web/features/automations/use-automation-editor.ts';
import { inWords } from '#web/features/automations/variable-chips.ts';
import { Button } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';

type Props = {
  editor: AutomationEditorState;
  preview: PreviewProps /** On a phone; null on its last step. */;
  onNext: (() => void) | null;
};

/** Stays at the bottom: on a phone a look at the message, what is saved, and the buttons. */
export function EditorFooter({ editor, preview, onNext }: Props) {
  const { saved } = editor;
  const dirty = useIsDirty(editor);
  const isOn = saved?.switchedOnAt != null;
  const hasDraft = saved?.draft != null;
  const savedAs = saved === null ? 'New, not saved yet' : hasDraft ? 'Saved as a draft' : 'All changes saved';
  const isLive = isOn || hasDraft;
  /** The primary button; none while nothing is unsaved. */
  const [saving, turningOn] = [dirty && isLive, saved === null || (dirty && !hasDraft)];
  return (
    <div className="sticky bottom-0 z-10 -mx-4 mt-6 border-line border-t bg-surface sm:-mx-6">
      <PreviewPeek {...preview} />
      {dirty && isLive && (
        <div className="flex items-center justify-end gap-x-3 px-4 pt-1 sm:px-6">
          <span className="text-muted text-sm">
            {hasDraft ? 'Publishing makes it live.' : 'Saving makes it live right away.'}
          </span>
          <Button variant="quiet" size="small" busy={editor.savingDraft} onClick={editor.saveAsDraft}>
            {hasDraft ? 'Save draft' : 'Save as draft'}
          </Button>
        </div>
      )}
      <div className="flex items-center justify-end gap-2 px-4 pt-1 pb-[max(0.5rem,env(safe-area-inset-bottom))] sm:px-6 md:py-3">
        <span role="status" className="mr-auto text-muted text-sm max-md:text-xs">
          {dirty ? 'Not saved yet' : savedAs}
        </span>
        {(dirty || hasDraft) && (
          <Button
            type="submit"
            variant={saving ? 'primary' : 'secondary'}
            className="whitespace-nowrap"
            busy={editor.saving}
          >
            {hasDraft ? (
              <>
                Publish<span className="max-sm:sr-only"> changes</span>
              </>
            ) : (
              'Save'
            )}
          </Button>
        )}
        {saved === null && onNext && (
          <Button className="md:hidden" onClick={onNext}>
            Next
          </Button>
        )}
        {isOn ? (
          <Button
            variant="secondary"
            className="whitespace-nowrap"
            busy={editor.switching}
            onClick={() => void editor.switchOff()}
          >
            Turn off
          </Button>
        ) : (
          <Button
            variant={turningOn ? 'primary' : 'secondary'}
            className={cx('whitespace-nowrap', saved === null && onNext !== null && 'max-md:hidden')}
            busy={editor.switching}
            onClick={() => void editor.switchOn()}
          >
            Turn on
          </Button>
        )}
      </div>
    </div>
  );
}

/** On a phone the preview looks out from below: its first line, and all of it with a tap. */
function PreviewPeek(props: PreviewProps) {
  const [open, setOpen] = useState(false);
  const message = useOfInput(props.editor, ({ messageText }) => inWords(messageText));
  return (
    <div className="md:hidden">
      {open && (
        <div className="max-h-[50dvh] overflow-y-auto border-line border-b bg-canvas p-4">
          <LivePreview {...props} />
        </div>
      )}
      <button
        type="button"
        aria-expanded={open}
        className="flex min-h-11 w-full items-center gap-3 border-line border-b bg-canvas px-4 text-left text-sm focus-visible:-outline-offset-2"
        onClick={() => setOpen(!open)}
      >
        <span className="shrink-0 font-medium">Preview</span>
        <bdi className="min-w-0 flex-1 truncate rounded-xl bg-sunken px-3 py-1.5 text-muted">{message}</bdi>
        <ChevronUp aria-hidden="true" className={cx('size-4 shrink-0 transition-transform', open && 'rotate-180')} />
      </button>
    </div>
  );
}

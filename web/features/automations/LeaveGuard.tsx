import { useBlocker } from 'react-router';
import { type AutomationEditorState, useIsDirty } from '#web/features/automations/use-automation-editor.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';

/** Leaving the automation with unsaved text asks first; going between the tabs of its post does not. */
export function LeaveGuard({ editor }: { editor: AutomationEditorState }) {
  const dirty = useIsDirty(editor);
  const blocker = useBlocker(({ currentLocation: here, nextLocation: there }) => {
    if (!dirty) return false;
    if (here.pathname !== there.pathname) return true;
    const [from, to] = [new URLSearchParams(here.search), new URLSearchParams(there.search)];
    return from.get('post') !== to.get('post') || from.get('edit') !== to.get('edit');
  });
  const stay = () => blocker.state === 'blocked' && blocker.reset();
  const leave = () => blocker.state === 'blocked' && blocker.proceed();
  // A new automation's text stays in this tab, and is there when somebody comes back to it. What cannot be kept says why.
  const keep = async () => (editor.saved === null || (await editor.saveAsDraft()) !== null ? leave() : stay());
  return (
    <Dialog
      open={blocker.state === 'blocked'}
      onOpenChange={(open) => !open && stay()}
      title="Leave without saving?"
      description="You have unsaved changes."
      footer={
        <>
          <Button
            variant="danger"
            onClick={() => {
              editor.startOver();
              leave();
            }}
          >
            Discard changes
          </Button>
          <Button variant="secondary" busy={editor.savingDraft} onClick={keep}>
            Keep as draft
          </Button>
          <Button onClick={stay}>Keep editing</Button>
        </>
      }
    />
  );
}

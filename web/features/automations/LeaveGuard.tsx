import { useBlocker } from 'react-router';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';

type LeaveGuardProps = {
  dirty: boolean;
  keeping: boolean;
  /** False: it could not be kept, the editor says why. */
  onKeep: () => Promise<boolean>;
  onDiscard: () => void;
};

/** Leaving the automation with unsaved text asks first; going between the tabs of its post does not. */
export function LeaveGuard({ dirty, keeping, onKeep, onDiscard }: LeaveGuardProps) {
  const blocker = useBlocker(({ currentLocation: here, nextLocation: there }) => {
    if (!dirty) return false;
    if (here.pathname !== there.pathname) return true;
    const [from, to] = [new URLSearchParams(here.search), new URLSearchParams(there.search)];
    return from.get('post') !== to.get('post') || from.get('edit') !== to.get('edit');
  });
  const stay = () => blocker.state === 'blocked' && blocker.reset();
  const leave = () => blocker.state === 'blocked' && blocker.proceed();
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
              onDiscard();
              leave();
            }}
          >
            Discard changes
          </Button>
          <Button variant="secondary" busy={keeping} onClick={async () => ((await onKeep()) ? leave() : stay())}>
            Keep as draft
          </Button>
          <Button onClick={stay}>Keep editing</Button>
        </>
      }
    />
  );
}

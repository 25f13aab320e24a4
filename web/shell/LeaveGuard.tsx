import { useBlocker } from 'react-router';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';

type Address = { pathname: string; search: string };

type Props = {
  /** There is unsaved work. */
  dirty: boolean;
  /** Whether going from one address to the other leaves it; another page always does. */
  leaves?: (here: Address, there: Address) => boolean;
  keeping: boolean;
  /** @returns false: it could not be kept, and the screen says why */
  onKeep: () => Promise<boolean>;
  onDiscard: () => void;
};

/** Leaving unsaved work asks first. */
export function LeaveGuard({ dirty, leaves = () => false, keeping, onKeep, onDiscard }: Props) {
  const blocker = useBlocker(
    ({ currentLocation: here, nextLocation: there }) =>
      dirty && (here.pathname !== there.pathname || leaves(here, there)),
  );
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

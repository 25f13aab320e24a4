import type { ComponentProps } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';

type Props = Omit<ComponentProps<typeof Dialog>, 'footer'> & {
  /** What the button says that does nothing. */
  keep: string;
  act: string;
  onAct: () => void;
  busy?: boolean;
  disabled?: boolean;
  /** What is done is lost. */
  danger?: boolean;
};

/** Asks before something is done. */
export function Question({ keep, act, onAct, busy, disabled, danger = false, ...dialog }: Props) {
  return (
    <Dialog
      {...dialog}
      footer={
        <>
          <Button variant="secondary" onClick={() => dialog.onOpenChange(false)}>
            {keep}
          </Button>
          <Button variant={danger ? 'danger' : 'primary'} busy={busy} disabled={disabled} onClick={onAct}>
            {act}
          </Button>
        </>
      }
    />
  );
}

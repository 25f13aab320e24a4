import type { ReactNode } from 'react';
import { Sheet } from '#web/ui/Dialog.tsx';

type Props = { open: boolean; onOpenChange: (open: boolean) => void; children: ReactNode };

/** The sidebar where there is no room beside the page: it slides over it. */
export function PhoneSidebar({ open, onOpenChange, children }: Props) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange} side="left" width="narrow" title="Menu" bare>
      {children}
    </Sheet>
  );
}

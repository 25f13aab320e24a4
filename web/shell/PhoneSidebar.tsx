import { Sidebar } from '#web/shell/Sidebar.tsx';
import { Sheet } from '#web/ui/Dialog.tsx';

/** The sidebar where there is no room beside the page: it slides over it. */
export function PhoneSidebar({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange} side="left" width="narrow" title="Menu" bare>
      <Sidebar onNavigate={() => onOpenChange(false)} />
    </Sheet>
  );
}

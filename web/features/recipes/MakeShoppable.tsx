import { ShoppingBasket } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { ShoppablePost } from '#web/features/recipes/shoppable.ts';
import { lazyPart } from '#web/shell/fetch-code.ts';
import { Button } from '#web/ui/Button.tsx';

const ShoppableDialog = lazyPart(
  async () => (await import('#web/features/recipes/ShoppableDialog.tsx')).ShoppableDialog,
);

type Props = { post: ShoppablePost; onOpenAutomation: (automationId: string) => void };

/** From a post's caption to a shopping list behind the word that it asks for. */
export function MakeShoppable({ post, onOpenAutomation }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" size="small" onClick={() => setOpen(true)}>
        <ShoppingBasket aria-hidden="true" className="size-4" />
        Make it shoppable
      </Button>
      {open && (
        <Suspense>
          <ShoppableDialog
            post={post}
            onClose={() => setOpen(false)}
            onOpenAutomation={(automationId) => {
              setOpen(false);
              onOpenAutomation(automationId);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

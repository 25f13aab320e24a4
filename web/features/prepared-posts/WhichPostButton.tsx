import { Suspense, useState } from 'react';
import type { PreparedPost } from '#contract/prepared-posts.ts';
import { lazyPart } from '#web/shell/fetch-code.ts';
import { Button } from '#web/ui/Button.tsx';

const WhichPostDialog = lazyPart(
  async () => (await import('#web/features/prepared-posts/WhichPostDialog.tsx')).WhichPostDialog,
);

/** Several new posts fit: asks the creator which it is. */
export function WhichPostButton({ item }: { item: PreparedPost }) {
  const [open, setOpen] = useState(false);
  const [everOpen, setEverOpen] = useState(false);
  const show = () => {
    setEverOpen(true);
    setOpen(true);
  };
  return (
    <>
      <Button size="small" onClick={show}>
        Choose post
      </Button>
      <Suspense>{everOpen && <WhichPostDialog item={item} open={open} onOpenChange={setOpen} />}</Suspense>
    </>
  );
}

import { lazy, Suspense, useState } from 'react';
import { listPosts } from '#contract/posts.ts';
import { ASKING } from '#web/features/home/asking.ts';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { numerals } from '#web/ui/numerals.ts';

// Brings the preview of a phone along, and is opened now and then.
const TurnOnDialog = lazy(async () => ({
  default: (await import('#web/features/prepared-posts/TurnOnDialog.tsx')).TurnOnDialog,
}));

/** "12 posts already ask for a word": each is turned on with one tap. Silent when there are none. */
export function AskingPosts({ inSteps = false }: { inSteps?: boolean }) {
  const { creatorId } = useCreator();
  const asking = useEndpoint(listPosts, { params: { creatorId }, query: ASKING });
  const [open, setOpen] = useState(false);
  const total = asking.data?.total ?? 0;
  // What is turned on in the dialog leaves the list; the dialog stays until it is closed.
  if (total === 0 && !open) return null;
  const title = total === 1 ? '1 post already asks for a word' : `${numerals(total)} posts already ask for a word`;
  const action = (
    <Button size="small" variant={inSteps ? 'secondary' : 'primary'} onClick={() => setOpen(true)}>
      {total === 1 ? 'Turn it on' : 'Turn them on'}
    </Button>
  );
  return (
    <>
      {inSteps ? (
        <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
          {title}. {action}
        </p>
      ) : (
        total > 0 && (
          <Alert variant="info" title={title} action={action}>
            Nothing replies to the followers who write it.
          </Alert>
        )
      )}
      {open && (
        <Suspense>
          <TurnOnDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

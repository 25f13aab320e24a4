import { listPosts } from '#contract/posts.ts';
import { ASKING } from '#web/features/home/asking-filter.ts';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { numerals } from '#web/ui/numerals.ts';

/** "12 posts already ask for a word", with the way to turn them on. Silent when there are none. */
export function AskingPosts({ inSteps = false, onTurnOn }: { inSteps?: boolean; onTurnOn: () => void }) {
  const { creatorId } = useCreator();
  const asking = useEndpoint(listPosts, { params: { creatorId }, query: ASKING });
  const total = asking.data?.total ?? 0;
  if (total === 0) return null;
  const title = total === 1 ? '1 post already asks for a word' : `${numerals(total)} posts already ask for a word`;
  const action = (
    <Button size="small" variant={inSteps ? 'secondary' : 'primary'} onClick={onTurnOn}>
      {total === 1 ? 'Turn it on' : 'Turn them on'}
    </Button>
  );
  if (inSteps) {
    return (
      <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
        {title}. {action}
      </p>
    );
  }
  return (
    <Alert variant="info" title={title} action={action}>
      Nothing replies to the followers who write it.
    </Alert>
  );
}

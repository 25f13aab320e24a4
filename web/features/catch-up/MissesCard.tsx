import { Plus } from 'lucide-react';
import { useState } from 'react';
import { getAutomation, listAutomations, updateAutomation } from '#contract/automations.ts';
import { listMisses, previewPostCatchUp } from '#contract/catch-up.ts';
import { getPost } from '#contract/posts.ts';
import { peopleOf } from '#web/features/catch-up/words.ts';
import { useEndpoint, useEndpointMutation, useWholeList } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';

/** Words that people wrote and the post's automation does not know: one tap adds one, and the catch-up names its people. */
export function MissesCard({ postId }: { postId: string }) {
  const { creatorId } = useCreator();
  const misses = useEndpoint(listMisses, { params: { creatorId, postId } });
  const automations = useWholeList(listAutomations, { params: { creatorId }, query: { postId } });
  const change = useEndpointMutation(updateAutomation, {
    successToast: false,
    refreshes: [previewPostCatchUp, getPost],
    // Undoing, and the editor beside it, work on the automation as it is then: from an older version they would be refused.
    pendingUntilRead: [listMisses, listAutomations, getAutomation],
  });
  const automation = automations.data?.items.find((one) => one.switchedOnAt !== null && one.mode !== 'any_comment');
  const [added, setAdded] = useState<string | null>(null);
  if (misses.data === undefined || (misses.data.items.length === 0 && added === null)) return null;
  const listenFor = (words: string[], then: string | null) => {
    if (automation === undefined) return;
    const { id, ...content } = automation;
    change.mutate(
      { params: { creatorId, automationId: id }, body: { ...content, words } },
      { onSuccess: () => setAdded(then) },
    );
  };
  const add = (word: string) => listenFor([...(automation?.words ?? []), word], word);
  const undo = () =>
    listenFor(
      (automation?.words ?? []).filter((word) => word !== added),
      null,
    );
  return (
    <Card
      title="Words you don’t listen for"
      level={3}
      description="Like one of your keywords, or a word of your caption. Written in the last 7 days without getting a reply."
    >
      <div role="status" className="flex flex-wrap items-center justify-between gap-x-3 text-sm empty:hidden">
        {added !== null && (
          <>
            <span>
              Added <bdi className="font-medium">{added}</bdi>. You can now send to the people who wrote it.
            </span>
            <Button variant="secondary" size="small" busy={change.isPending} onClick={undo}>
              Undo
            </Button>
          </>
        )}
      </div>
      <ul className="flex flex-col gap-1">
        {misses.data.items.map((miss) => (
          <li key={miss.word} className="flex flex-wrap items-center justify-between gap-x-3">
            <span className="min-w-0 text-sm">
              <bdi className="font-medium">{miss.word}</bdi>{' '}
              <span className="text-muted">
                {peopleOf(miss.people)}
                {miss.resembles !== null && `, looks like ${miss.resembles}`}
              </span>
            </span>
            {automation !== undefined && (
              <Button variant="secondary" size="small" busy={change.isPending} onClick={() => add(miss.word)}>
                <Plus aria-hidden="true" className="size-4" />
                Add <span className="sr-only">{miss.word}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

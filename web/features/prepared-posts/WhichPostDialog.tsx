import { useState } from 'react';
import type { PreparedPost } from '#contract/prepared-posts.ts';
import { PostLine } from '#web/features/prepared-posts/PostLine.tsx';
import { useAttach, useDetach } from '#web/features/prepared-posts/use-prepared.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';

type Props = { item: PreparedPost; open: boolean; onOpenChange: (open: boolean) => void };

/** Several new posts fit: the creator says which it is, or none of them. */
export function WhichPostDialog({ item, open, onOpenChange }: Props) {
  const { creatorId } = useCreator();
  const [chosen, setChosen] = useState<string | null>(null);
  const attach = useAttach();
  const detach = useDetach();
  const params = { creatorId, automationId: item.automationId };
  const close = () => onOpenChange(false);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Which post is “${item.name}” for?`}
      description="It replies to new comments from then on."
      footer={
        <>
          <Button
            variant="secondary"
            busy={detach.isPending}
            onClick={() => detach.mutate({ params, body: {} }, { onSuccess: close })}
          >
            {item.candidates.length === 1 ? 'Not this one' : 'None of these'}
          </Button>
          <Button
            disabled={chosen === null}
            busy={attach.isPending}
            onClick={() => chosen !== null && attach.mutate({ params, body: { postId: chosen } }, { onSuccess: close })}
          >
            Attach
          </Button>
        </>
      }
    >
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">New posts</legend>
        {item.candidates.map((post) => (
          <label
            key={post.id}
            className="flex min-h-11 cursor-pointer items-center gap-3 rounded-md border border-line p-2 has-checked:border-accent-line has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name={`post of ${item.automationId}`}
              className="size-5 shrink-0 accent-accent"
              checked={chosen === post.id}
              onChange={() => setChosen(post.id)}
            />
            <PostLine post={post} />
          </label>
        ))}
      </fieldset>
    </Dialog>
  );
}

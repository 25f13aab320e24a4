import { MessagesSquare } from 'lucide-react';
import { listReplies } from '#contract/replies.ts';
import { inWords } from '#web/features/automations/variable-chips.ts';
import { LibraryPage } from '#web/features/libraries/LibraryPage.tsx';
import { KIND_WORDS, ReplySheet } from '#web/features/libraries/ReplySheet.tsx';
import { repliesPath } from '#web/paths.ts';
import { useWholeList } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';

/** Public replies and messages to be used again. */
export function Component() {
  const { creatorId } = useCreator();
  const replies = useWholeList(listReplies, { params: { creatorId } });
  return (
    <LibraryPage
      title="Custom Replies"
      description="Public replies and messages to use in your automations."
      what="Custom Replies"
      query={replies}
      pathOf={repliesPath}
      textsOf={(reply) => reply.texts.map(inWords)}
      badgeOf={(reply) => <Badge tone="info">{KIND_WORDS[reply.kind].label}</Badge>}
      empty={{
        icon: <MessagesSquare className="size-7" />,
        children: 'Write a few friendly replies once. Your automations rotate them so they don’t sound automated.',
      }}
      editor={(editing, onClose) => <ReplySheet key={editing} editing={editing} onClose={onClose} />}
    />
  );
}

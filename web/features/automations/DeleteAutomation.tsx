import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type Automation, deleteAutomation, listAutomations } from '#contract/automations.ts';
import { listPosts } from '#contract/posts.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Question } from '#web/ui/Question.tsx';

export function DeleteAutomation({ automation, onDeleted }: { automation: Automation; onDeleted: () => void }) {
  const { creatorId } = useCreator();
  const [asking, setAsking] = useState(false);
  const deleting = useEndpointMutation(deleteAutomation, {
    successToast: { title: 'Automation deleted' },
    refreshes: [listAutomations, listPosts],
    onSuccess: onDeleted,
  });
  return (
    <div className="mt-6 border-line border-t pt-4">
      <Button variant="quiet" size="small" className="text-error-ink" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" className="size-4" />
        Delete automation
      </Button>
      <Question
        open={asking}
        onOpenChange={setAsking}
        title={`Delete “${automation.name}”?`}
        description="It stops right away. Your activity stays, and links in sent messages keep working. This can’t be undone."
        keep="Keep it"
        act="Delete"
        danger
        busy={deleting.isPending}
        onAct={() => deleting.mutate({ params: { creatorId, automationId: automation.id } })}
      />
    </div>
  );
}

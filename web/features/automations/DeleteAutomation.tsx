import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type Automation, deleteAutomation, listAutomations } from '#contract/automations.ts';
import { listPosts } from '#contract/posts.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';

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
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={`Delete “${automation.name}”?`}
        description="It stops right away. Your activity stays, and links in sent messages keep working. This can’t be undone."
        footer={
          <>
            <Button variant="secondary" onClick={() => setAsking(false)}>
              Keep it
            </Button>
            <Button
              variant="danger"
              busy={deleting.isPending}
              onClick={() => deleting.mutate({ params: { creatorId, automationId: automation.id } })}
            >
              Delete
            </Button>
          </>
        }
      />
    </div>
  );
}

import { Send } from 'lucide-react';
import type * as z from 'zod/mini';
import { getContact, getContactTimeline } from '#contract/contacts.ts';
import { type Help, listInteractions, resend } from '#contract/interactions.ts';
import { handleOf } from '#web/features/activity/words.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';

type Props = { interactionId: string; username: string | null; help: z.infer<typeof Help> };

/** The likely fate of their link, and the one thing to do now. */
export function HelpBox({ interactionId, username, help }: Props) {
  const { creatorId } = useCreator();
  const sending = useEndpointMutation(resend, {
    successToast: { title: 'On its way', detail: `It’ll be sent to ${handleOf(username)} in a moment.` },
    refreshes: [listInteractions, getContact, getContactTimeline],
  });
  const canSend = help.action === 'resend_private_reply' || help.action === 'send_message';
  return (
    <div className="rounded-md bg-sunken p-3">
      <p className="font-medium text-sm">{help.likely}</p>
      <p className="mt-0.5 text-muted text-sm">{help.advice}</p>
      {canSend && (
        <Button
          size="small"
          className="mt-3"
          busy={sending.isPending}
          onClick={() => sending.mutate({ params: { creatorId, interactionId } })}
        >
          <Send aria-hidden="true" className="size-4" />
          Send again
        </Button>
      )}
    </div>
  );
}

import { sendVerification } from '#contract/session.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { Button } from '#web/ui/Button.tsx';

/** Sends the confirmation mail again. */
export function ResendConfirmation({ email }: { email: string }) {
  const send = useEndpointMutation(sendVerification);
  return (
    <Button variant="secondary" busy={send.isPending} onClick={() => send.mutate({ body: { email } })}>
      Resend email
    </Button>
  );
}

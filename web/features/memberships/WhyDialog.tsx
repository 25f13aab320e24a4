import { useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import {
  getMember,
  listMembers,
  REASONS,
  sendMemberCode,
  signMemberOut,
  unblockMember,
  whyNotIn,
} from '#contract/members.ts';
import { mayDo } from '#contract/roles.ts';
import { WHY } from '#web/features/memberships/words.ts';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';

type Found = ResponseOf<typeof whyNotIn>;

type Props = {
  onClose: () => void;
  onOpen: (memberId: string) => void;
  onGive: (email: string, tierId?: string) => void;
};

/** "They can’t get in": the reason, and the button that helps. */
export function WhyDialog({ onClose, onOpen, onGive }: Props) {
  const { creatorId } = useCreator();
  const [found, setFound] = useState<{ answer: Found; email: string } | null>(null);
  const form = useApiForm({
    endpoint: whyNotIn,
    schema: whyNotIn.body,
    defaultValues: { email: '' },
    request: (body) => ({ params: { creatorId }, body }),
    ...{ refreshes: [], successToast: false },
    onSuccess: (answer: Found, { email }: { email: string }) => setFound({ answer, email }),
  });
  const again = useEndpointMutation(whyNotIn, { successToast: false });
  const look = async (email: string) => {
    form.setValue('email', email);
    const answer = await again.mutateAsync({ params: { creatorId }, body: { email } }).catch(() => null);
    setFound(answer && { answer, email });
  };
  const typed = form.watch('email').trim();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={WHY.title} description={WHY.says}>
      <FormFrame form={form} submitLabel={WHY.act}>
        <TextField form={form} name="email" label={WHY.email} type="email" autoComplete="off" maxLength={300} />
      </FormFrame>
      {found?.email === typed && (
        <div role="status" className="flex flex-col gap-3">
          <Alert variant={found.answer.reason === 'all_right' ? 'info' : 'warning'}>
            {[REASONS[found.answer.reason].says, found.answer.detail].filter(Boolean).join(' ')}
          </Alert>
          {found.answer.nearest !== null && (
            <p className="flex flex-wrap items-center gap-3">
              <bdi className="wrap-anywhere">{WHY.nearest(found.answer.nearest)}</bdi>
              <Button size="small" variant="secondary" onClick={() => look(found.answer.nearest!)}>
                {WHY.look}
              </Button>
            </p>
          )}
          <div className="flex flex-wrap gap-3">
            <Remedy {...found} onGive={onGive} onDone={() => look(found.email)} />
            {found.answer.contactId !== null && (
              <Button variant="secondary" onClick={() => onOpen(found.answer.contactId!)}>
                {WHY.open}
              </Button>
            )}
          </div>
        </div>
      )}
    </Dialog>
  );
}

function Remedy({
  answer,
  email,
  onGive,
  onDone,
}: { answer: Found; email: string; onDone: () => void } & Pick<Props, 'onGive'>) {
  const { creatorId, role } = useCreator();
  const refreshes = [getMember, listMembers];
  const sendCode = useEndpointMutation(sendMemberCode, { refreshes });
  const signOut = useEndpointMutation(signMemberOut, { refreshes, onSuccess: onDone });
  const unblock = useEndpointMutation(unblockMember, { refreshes, onSuccess: onDone });
  const { remedy } = REASONS[answer.reason];
  if (remedy === 'give_days') return <Button onClick={() => onGive(email)}>{WHY.remedy.give_days}</Button>;
  if (remedy === 'give_tier') {
    return <Button onClick={() => onGive(email, answer.higherTierId ?? undefined)}>{WHY.remedy.give_tier}</Button>;
  }
  if (answer.contactId === null) return null;
  const params = { creatorId, memberId: answer.contactId };
  if (remedy === 'sign_out_all') {
    return (
      <Button busy={signOut.isPending} onClick={() => signOut.mutate({ params })}>
        {WHY.signOutAll}
      </Button>
    );
  }
  if (remedy === 'unblock') {
    return role !== null && mayDo(role, 'money') ? (
      <Button busy={unblock.isPending} onClick={() => unblock.mutate({ params })}>
        {WHY.remedy.unblock}
      </Button>
    ) : null;
  }
  if (remedy !== 'send_code' && remedy !== 'send_pay_link') return null;
  return (
    <Button busy={sendCode.isPending} onClick={() => sendCode.mutate({ params })}>
      {WHY.remedy[remedy]}
    </Button>
  );
}

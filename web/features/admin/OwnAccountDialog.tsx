import { adminListCreators } from '#contract/admin.ts';
import { adminGiveOwnAccount } from '#contract/stripe-account.ts';
import type { AdminCreator } from '#web/features/admin/creator-words.ts';
import { OWN_ACCOUNT_DIALOG } from '#web/features/admin/words.ts';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';

/** For a creator who runs this install: its Stripe account is theirs. */
export function OwnAccountDialog({ creator, onClose }: { creator: AdminCreator; onClose: () => void }) {
  const form = useApiForm({
    endpoint: adminGiveOwnAccount,
    schema: adminGiveOwnAccount.body,
    defaultValues: { reason: '' },
    request: (body) => ({ params: { adminCreatorId: creator.creatorId }, body }),
    ...{ refreshes: [adminListCreators], successToast: true, onSuccess: onClose },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={OWN_ACCOUNT_DIALOG.title(creator.handle)}
      description={OWN_ACCOUNT_DIALOG.says}
    >
      <FormFrame
        form={form}
        submitLabel={OWN_ACCOUNT_DIALOG.act}
        actions={
          <Button variant="quiet" onClick={onClose}>
            {OWN_ACCOUNT_DIALOG.cancel}
          </Button>
        }
      >
        <TextField form={form} name="reason" label={OWN_ACCOUNT_DIALOG.reason} maxLength={500} autoComplete="off" />
      </FormFrame>
    </Dialog>
  );
}

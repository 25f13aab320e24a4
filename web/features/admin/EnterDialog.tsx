import { useLocation } from 'react-router';
import { adminEnterCreator } from '#contract/admin.ts';
import type { AdminCreator } from '#web/features/admin/creator-words.ts';
import { ENTER_DIALOG } from '#web/features/admin/words.ts';
import { paths } from '#web/paths.ts';
import { FormFrame, useApiForm, useFieldError } from '#web/shell/form.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Textarea } from '#web/ui/inputs.tsx';

/** Of the contract; a longer way back leads to the list without its filters. */
const LONGEST_RETURN = 200;

/** Asks why before an admin goes into somebody's account; the creator reads the answer. */
export function EnterDialog({ creator, onClose }: { creator: AdminCreator; onClose: () => void }) {
  const { pathname, search } = useLocation();
  const here = pathname + search;
  const form = useApiForm({
    endpoint: adminEnterCreator,
    schema: adminEnterCreator.body,
    defaultValues: { reason: '', returnTo: here.length <= LONGEST_RETURN ? here : pathname },
    request: (values) => ({ params: { adminCreatorId: creator.creatorId }, body: values }),
    // Reloads the whole page: nothing of the admin area may mix with the creator's data.
    onSuccess: () => location.assign(paths.home),
  });
  const error = useFieldError(form.control, 'reason');
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Enter @${creator.handle}`}
      description={ENTER_DIALOG.for1HourAt}
    >
      <FormFrame
        form={form}
        submitLabel={ENTER_DIALOG.enter}
        actions={
          <Button variant="quiet" onClick={onClose}>
            {ENTER_DIALOG.cancel}
          </Button>
        }
      >
        <Field label={ENTER_DIALOG.reason} hint={`@${creator.handle} reads this in Settings.`} error={error}>
          {(wiring) => <Textarea {...wiring} rows={3} maxLength={500} {...form.register('reason')} />}
        </Field>
      </FormFrame>
    </Dialog>
  );
}

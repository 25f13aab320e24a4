import * as z from 'zod/mini';
import { getMemberFigures, givePass, listMembers } from '#contract/members.ts';
import { listTiers } from '#contract/tiers.ts';
import { GIVE } from '#web/features/memberships/words.ts';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';

const Typed = z.object({
  ...{ email: z.string().check(z.trim(), z.minLength(1, 'Enter an address.')), tierId: z.string(), note: z.string() },
  days: z.string().check(z.regex(/^\d{0,4}$/, 'Enter a number of days.')),
});

type Props = { email: string; tierId: string; onClose: () => void };

/** @param props.email that was looked for before @param props.tierId to begin with; '': the lowest */
export function GiveDialog({ email, tierId, onClose }: Props) {
  const { creatorId } = useCreator();
  const tiers = useEndpoint(listTiers, { params: { creatorId } });
  const items = tiers.data?.items ?? [];
  const form = useApiForm({
    endpoint: givePass,
    schema: Typed,
    defaultValues: { email, tierId, days: '', note: '' },
    request: ({ days, tierId: chosen, ...rest }) => ({
      params: { creatorId },
      body: { ...rest, tierId: chosen || (items[0]?.id ?? ''), days: days === '' ? null : Number(days) },
    }),
    ...{ refreshes: [listMembers, getMemberFigures], successToast: false, onSuccess: onClose },
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={GIVE.title} description={GIVE.says}>
      {tiers.data && items.length === 0 ? (
        <p>{GIVE.noTiers}</p>
      ) : (
        <FormFrame
          form={form}
          submitLabel={GIVE.act}
          actions={
            <Button variant="quiet" onClick={onClose}>
              {GIVE.cancel}
            </Button>
          }
        >
          <TextField form={form} name="email" label={GIVE.email} type="email" autoComplete="off" maxLength={300} />
          {items.length > 1 && (
            <Field label={GIVE.tier}>
              {(wiring) => (
                <Select {...wiring} {...form.register('tierId')}>
                  {items.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          )}
          <TextField
            form={form}
            name="days"
            label={GIVE.days}
            hint={GIVE.daysHint}
            inputMode="numeric"
            autoComplete="off"
          />
          <TextField
            form={form}
            name="note"
            label={GIVE.note}
            hint={GIVE.noteHint}
            maxLength={300}
            autoComplete="off"
          />
        </FormFrame>
      )}
    </Dialog>
  );
}

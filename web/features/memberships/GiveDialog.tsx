import * as z from 'zod/mini';
import { getMemberFigures, givePass, listMembers } from '#contract/members.ts';
import { listTiers, type Tier } from '#contract/tiers.ts';
import { GIVE, TIERS } from '#web/features/memberships/words.ts';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

const Typed = z.object({
  ...{ email: z.string().check(z.trim(), z.minLength(1, 'Enter an address.')), tierId: z.string(), note: z.string() },
  days: z.string().check(z.regex(/^\d{0,4}$/, 'Enter a number of days.')),
});

type Props = { email: string; tierId: string; onClose: () => void };

/** @param props.email that was looked for before @param props.tierId to begin with; '': the lowest that is open */
export function GiveDialog({ onClose, ...given }: Props) {
  const { creatorId } = useCreator();
  const tiers = useEndpoint(listTiers, { params: { creatorId } });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={GIVE.title} description={GIVE.says}>
      <Loaded query={tiers} loading={TIERS.loading} failed={TIERS.failed} skeleton={<Skeleton className="h-64" />}>
        {({ items }) => {
          const offered = items.filter(({ id, isArchived }) => !isArchived || id === given.tierId);
          return offered.length === 0 ? (
            <p>{GIVE.noTiers}</p>
          ) : (
            <GiveForm {...given} onClose={onClose} tiers={offered} />
          );
        }}
      </Loaded>
    </Dialog>
  );
}

function GiveForm({ email, tierId, tiers, onClose }: Props & { tiers: Tier[] }) {
  const { creatorId } = useCreator();
  const form = useApiForm({
    endpoint: givePass,
    schema: Typed,
    defaultValues: { email, tierId: tierId || tiers[0]!.id, days: '', note: '' },
    request: ({ days, ...rest }) => ({
      params: { creatorId },
      body: { ...rest, days: days === '' ? null : Number(days) },
    }),
    ...{ refreshes: [listMembers, getMemberFigures], successToast: false, onSuccess: onClose },
  });
  return (
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
      {tiers.length > 1 && (
        <Field label={GIVE.tier}>
          {(wiring) => (
            <Select {...wiring} {...form.register('tierId')}>
              {tiers.map(({ id, name }) => (
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
        optional
        inputMode="numeric"
        autoComplete="off"
      />
      <TextField
        form={form}
        name="note"
        label={GIVE.note}
        hint={GIVE.noteHint}
        optional
        maxLength={300}
        autoComplete="off"
      />
    </FormFrame>
  );
}

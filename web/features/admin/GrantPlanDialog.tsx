import * as z from 'zod/mini';
import { adminGrantPlan, adminListCreators } from '#contract/admin.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { priceLabel } from '#contract/plans.ts';
import { listPlans } from '#contract/settings.ts';
import type { AdminCreator } from '#web/features/admin/creator-words.ts';
import { GRANT_PLAN_DIALOG } from '#web/features/admin/words.ts';
import { FormFrame, TextField, useApiForm, useFieldError } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

const Form = z.extend(adminGrantPlan.body, { until: z.string() });

type Plan = ResponseOf<typeof listPlans>['items'][number];
type Props = { creator: AdminCreator; onClose: () => void };

/** Gives a creator a plan that nobody pays for (an in-house subscription). */
export function GrantPlanDialog({ creator, onClose }: Props) {
  const plans = useEndpoint(listPlans, {});
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Give @${creator.handle} a plan`}
      description={GRANT_PLAN_DIALOG.freeOfChargeInstead}
    >
      <Loaded
        query={plans}
        loading={GRANT_PLAN_DIALOG.loadingThePlans}
        failed={GRANT_PLAN_DIALOG.couldntLoadThePlans}
        skeleton={<Skeleton className="h-48" />}
      >
        {({ items }) => <GrantForm creator={creator} plans={items} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

function GrantForm({ creator, plans, onClose }: Props & { plans: Plan[] }) {
  const form = useApiForm({
    endpoint: adminGrantPlan,
    schema: Form,
    defaultValues: { productId: plans.at(1)?.productId ?? plans.at(0)?.productId ?? '', until: '', reason: '' },
    request: (values) => ({
      params: { adminCreatorId: creator.creatorId },
      body: { ...values, until: values.until === '' ? null : values.until },
    }),
    refreshes: [adminListCreators],
    successToast: true,
    onSuccess: onClose,
  });
  const error = useFieldError(form.control, 'productId');
  return (
    <FormFrame
      form={form}
      submitLabel={GRANT_PLAN_DIALOG.givePlan}
      actions={
        <Button variant="quiet" onClick={onClose}>
          {GRANT_PLAN_DIALOG.cancel}
        </Button>
      }
    >
      <Field label={GRANT_PLAN_DIALOG.plan} error={error}>
        {(wiring) => (
          <Select {...wiring} {...form.register('productId')}>
            {plans.map(({ productId, name, price }) => (
              <option key={productId} value={productId}>
                {name} ({priceLabel(price, 'month')})
              </option>
            ))}
          </Select>
        )}
      </Field>
      <TextField
        form={form}
        name="until"
        type="date"
        label={GRANT_PLAN_DIALOG.until}
        hint={GRANT_PLAN_DIALOG.untilHint}
      />
      <TextField form={form} name="reason" label={GRANT_PLAN_DIALOG.reason} maxLength={500} autoComplete="off" />
    </FormFrame>
  );
}

import * as z from 'zod/mini';
import { amountIn, amountLabel, amountText } from '#contract/amounts.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { getMember, getMemberPayment, giveBackPayment, listMembers } from '#contract/members.ts';
import { REFUND } from '#web/features/memberships/words.ts';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Checkbox } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type Props = { memberId: string; paymentId: string; hasPaid: boolean; onClose: () => void };

/** Gives back a payment, in part or in full. */
export function RefundDialog({ memberId, paymentId, hasPaid, onClose }: Props) {
  const { creatorId } = useCreator();
  const payment = useEndpoint(getMemberPayment, { params: { creatorId, memberId, paymentId } });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={REFUND.title} description={REFUND.says}>
      <Loaded query={payment} loading={REFUND.loading} failed={REFUND.failed} skeleton={<Skeleton className="h-32" />}>
        {(data) =>
          data.left === 0 ? (
            <p>{REFUND.nothing}</p>
          ) : (
            <RefundForm key={data.left} {...{ memberId, paymentId, hasPaid, onClose }} payment={data} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

function RefundForm({
  memberId,
  paymentId,
  hasPaid,
  payment,
  onClose,
}: Props & { payment: ResponseOf<typeof getMemberPayment> }) {
  const { creatorId } = useCreator();
  const { left, currency } = payment;
  const typed = z.string().check(
    z.refine(
      (text) => {
        const amount = amountIn(text, currency);
        return amount !== null && amount > 0 && amount <= left;
      },
      REFUND.wrong(amountLabel(left, currency)),
    ),
  );
  const form = useApiForm({
    endpoint: giveBackPayment,
    schema: z.object({ amount: typed, ends: z.boolean() }),
    defaultValues: { amount: amountText(left, currency), ends: false },
    request: ({ amount, ends }) => ({
      params: { creatorId, memberId, paymentId },
      body: { amount: amountIn(amount, currency)!, left, ends },
    }),
    ...{ refreshes: [getMember, listMembers, getMemberPayment], onSuccess: onClose },
  });
  return (
    <FormFrame
      form={form}
      submitLabel={REFUND.act}
      actions={
        <Button variant="quiet" onClick={onClose}>
          {REFUND.cancel}
        </Button>
      }
    >
      <TextField
        form={form}
        name="amount"
        label={REFUND.amount(currency.toUpperCase())}
        hint={REFUND.hint(amountLabel(left, currency))}
        inputMode="decimal"
        autoComplete="off"
      />
      {hasPaid && <Checkbox label={REFUND.ends} hint={REFUND.endsHint} {...form.register('ends')} />}
    </FormFrame>
  );
}

import { useState } from 'react';
import * as z from 'zod/mini';
import { amountIn, CURRENCIES } from '#contract/amounts.ts';
import {
  closeDiscountCode,
  createDiscountCode,
  type DiscountCode,
  DiscountCodeInput,
  DURATIONS,
  type Duration,
  listDiscountCodes,
} from '#contract/discount-codes.ts';
import type { Tier } from '#contract/tiers.ts';
import { CODES } from '#web/features/memberships/words.ts';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Checkbox, Select } from '#web/ui/inputs.tsx';
import { Question } from '#web/ui/Question.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

const refreshes = [listDiscountCodes];

/** @param props.tiers there is one at least */
export function CodesCard({ tiers, mayChange }: { tiers: Tier[]; mayChange: boolean }) {
  const { creatorId } = useCreator();
  const codes = useEndpoint(listDiscountCodes, { params: { creatorId } });
  const [isNew, setIsNew] = useState(false);
  return (
    <Card
      title={CODES.title}
      description={CODES.says}
      aside={
        mayChange && (
          <Button variant="secondary" size="small" onClick={() => setIsNew(true)}>
            {CODES.add}
          </Button>
        )
      }
    >
      <Loaded query={codes} loading={CODES.loading} failed={CODES.failed} skeleton={<Skeleton className="h-16" />}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-muted">{CODES.none}</p>
          ) : (
            <ul className="flex flex-col gap-4">
              {items.map((code) => (
                <CodeRow key={code.id} code={code} tiers={tiers} mayChange={mayChange} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {isNew && <CodeDialog tiers={tiers} onClose={() => setIsNew(false)} />}
    </Card>
  );
}

function CodeRow({ code, tiers, mayChange }: { code: DiscountCode; tiers: Tier[]; mayChange: boolean }) {
  const { creatorId } = useCreator();
  const [asks, setAsks] = useState(false);
  const close = useEndpointMutation(closeDiscountCode, { refreshes, onSuccess: () => setAsks(false) });
  const tier = tiers.find(({ id }) => id === code.tierId)?.name;
  return (
    <li>
      <p className="flex flex-wrap items-center gap-2">
        <b className="wrap-anywhere">{code.code}</b>
        {code.state !== 'open' && <Badge tone="neutral">{CODES.states[code.state]}</Badge>}
      </p>
      <p className="text-muted text-sm">
        {[
          code.says,
          tier,
          code.newOnly && CODES.newOnlySays,
          code.lastDay && CODES.until(code.lastDay),
          CODES.used(code),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {code.state !== 'closed' && (
        <div className="mt-2 flex flex-wrap gap-3">
          <CopyButton text={code.joinUrl} label={CODES.copy} />
          {mayChange && (
            <Button variant="quiet" size="small" onClick={() => setAsks(true)}>
              {CODES.close}
              <span className="sr-only"> {code.code}</span>
            </Button>
          )}
          <Question
            open={asks}
            onOpenChange={setAsks}
            title={CODES.closeTitle(code.code)}
            description={CODES.closeSays}
            keep={CODES.cancel}
            act={CODES.close}
            onAct={() => close.mutate({ params: { creatorId, codeId: code.id } })}
            busy={close.isPending}
            danger
          />
        </div>
      )}
    </li>
  );
}

const PERCENT = '%';

const Typed = z
  .object({
    ...{ code: DiscountCodeInput.shape.code, off: z.string(), unit: z.string(), lastDay: z.string() },
    ...{ duration: DiscountCodeInput.shape.duration, months: z.string() },
    mostUses: z.string().check(z.regex(/^(|[1-9]\d{0,4}|100000)$/, CODES.wrongUses)),
    ...{ tierId: z.string(), newOnly: z.boolean() },
  })
  .check(({ value, issues }) => {
    if (offIn(value) === null)
      issues.push({ code: 'custom', path: ['off'], message: CODES.wrongOff, input: value.off });
    if (value.duration === 'months' && !/^([1-9]|1[0-2])$/.test(value.months)) {
      issues.push({ code: 'custom', path: ['months'], message: CODES.wrongMonths, input: value.months });
    }
  });

/** @returns null: it is neither a percentage nor an amount */
function offIn({ off, unit }: { off: string; unit: string }) {
  if (unit !== PERCENT) {
    const currency = CURRENCIES.find((one) => one === unit) ?? null;
    const amountOff = currency === null ? null : amountIn(off, currency);
    return amountOff === null || amountOff === 0 ? null : { percentOff: null, amountOff, currency };
  }
  const percentOff = /^\d{1,3}$/.test(off.trim()) ? Number(off) : 0;
  return percentOff >= 1 && percentOff <= 100 ? { percentOff, amountOff: null, currency: null } : null;
}

function CodeDialog({ tiers, onClose }: { tiers: Tier[]; onClose: () => void }) {
  const { creatorId } = useCreator();
  const form = useApiForm({
    endpoint: createDiscountCode,
    schema: Typed,
    defaultValues: {
      ...{ code: '', off: '', unit: PERCENT, duration: 'once' as Duration, months: '', mostUses: '', lastDay: '' },
      ...{ tierId: '', newOnly: false },
    },
    request: ({ off, unit, months, mostUses, lastDay, tierId, ...rest }) => ({
      params: { creatorId },
      body: {
        ...{ ...rest, ...offIn({ off, unit })!, lastDay: lastDay || null, tierId: tierId || null },
        months: rest.duration === 'months' ? Number(months) : null,
        mostUses: mostUses === '' ? null : Number(mostUses),
      },
    }),
    ...{ refreshes, successToast: false, onSuccess: onClose },
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={CODES.newTitle} description={CODES.newSays}>
      <FormFrame
        form={form}
        submitLabel={CODES.make}
        actions={
          <Button variant="quiet" onClick={onClose}>
            {CODES.cancel}
          </Button>
        }
      >
        <TextField form={form} name="code" label={CODES.code} hint={CODES.codeHint} maxLength={30} autoComplete="off" />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField form={form} name="off" label={CODES.off} inputMode="decimal" autoComplete="off" />
          <Field label={CODES.unit}>
            {(wiring) => (
              <Select {...wiring} {...form.register('unit')}>
                <option value={PERCENT}>{CODES.percent}</option>
                {[...new Set(tiers.map(({ currency }) => currency))].map((one) => (
                  <option key={one} value={one}>
                    {one.toUpperCase()}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <Field label={CODES.duration}>
          {(wiring) => (
            <Select {...wiring} {...form.register('duration')}>
              {Object.entries(DURATIONS).map(([one, says]) => (
                <option key={one} value={one}>
                  {says}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {form.watch('duration') === 'months' && (
          <TextField form={form} name="months" label={CODES.months} inputMode="numeric" autoComplete="off" />
        )}
        {tiers.length > 1 && (
          <Field label={CODES.tier}>
            {(wiring) => (
              <Select {...wiring} {...form.register('tierId')}>
                <option value="">{CODES.anyTier}</option>
                {tiers.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            form={form}
            name="mostUses"
            label={CODES.mostUses}
            optional
            inputMode="numeric"
            autoComplete="off"
          />
          <TextField form={form} name="lastDay" label={CODES.lastDay} optional type="date" />
        </div>
        <Checkbox label={CODES.newOnly} {...form.register('newOnly')} />
      </FormFrame>
    </Dialog>
  );
}

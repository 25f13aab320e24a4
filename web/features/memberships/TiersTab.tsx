import { ArrowDown, ArrowUp, Layers } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod/mini';
import { amountIn, amountLabel, amountText, CURRENCIES } from '#contract/amounts.ts';
import { HttpsLink } from '#contract/forms.ts';
import { mayDo } from '#contract/roles.ts';
import {
  archiveTier,
  changeTier,
  createTier,
  listTiers,
  movePayers,
  moveTier,
  reopenTier,
  setFreeReaders,
  type Tier,
  TierInput,
} from '#contract/tiers.ts';
import { AdFreeCost } from '#web/features/memberships/AdFreeCost.tsx';
import { CodesCard } from '#web/features/memberships/CodesCard.tsx';
import { pricesOf, READERS, TIERS } from '#web/features/memberships/words.ts';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select, Textarea } from '#web/ui/inputs.tsx';
import { Picture } from '#web/ui/Picture.tsx';
import { Question } from '#web/ui/Question.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const refreshes = [listTiers];

export function TiersTab() {
  const { creatorId, role } = useCreator();
  const tiers = useEndpoint(listTiers, { params: { creatorId } });
  const [editing, setEditing] = useState<Tier | 'new' | null>(null);
  const mayChange = role !== null && mayDo(role, 'money');
  const add = mayChange && <Button onClick={() => setEditing('new')}>{TIERS.add}</Button>;
  return (
    <>
      <Loaded query={tiers} loading={TIERS.loading} failed={TIERS.failed} skeleton={<Skeleton className="h-48" />}>
        {({ items, hasFreeReaders }) => (
          <div className="flex flex-col gap-4">
            {items.length === 0 ? (
              <Card>
                <EmptyState icon={<Layers className="size-7" />} title={TIERS.none} action={add}>
                  {TIERS.noneSays}
                </EmptyState>
              </Card>
            ) : (
              <>
                <div className="flex flex-wrap items-center justify-between gap-3">
                  <p className="text-muted text-sm">{items.length > 1 && TIERS.order}</p>
                  {add}
                </div>
                <ul className="flex flex-col gap-3">
                  {items.toReversed().map((tier, at) => (
                    <li key={tier.id}>
                      <TierCard
                        tier={tier}
                        onEdit={mayChange ? () => setEditing(tier) : null}
                        isHighest={at === 0}
                        isLowest={at === items.length - 1}
                      />
                    </li>
                  ))}
                </ul>
                <CodesCard tiers={items} mayChange={mayChange} />
              </>
            )}
            <ReadersCard isOpen={hasFreeReaders} mayChange={mayChange} />
          </div>
        )}
      </Loaded>
      {editing !== null && <TierDialog tier={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
    </>
  );
}

function ReadersCard({ isOpen, mayChange }: { isOpen: boolean; mayChange: boolean }) {
  const { creatorId } = useCreator();
  const set = useEndpointMutation(setFreeReaders, { refreshes });
  return (
    <Card
      title={READERS.title}
      description={READERS.price}
      aside={isOpen ? undefined : <Badge tone="neutral">{READERS.off}</Badge>}
    >
      <p>{READERS.says}</p>
      {mayChange && (
        <Button
          className="mt-4"
          variant="secondary"
          busy={set.isPending}
          onClick={() => set.mutate({ params: { creatorId }, body: { isOpen: !isOpen } })}
        >
          {isOpen ? READERS.turnOff : READERS.turnOn}
        </Button>
      )}
    </Card>
  );
}

type TierCardProps = { tier: Tier; onEdit: (() => void) | null; isHighest: boolean; isLowest: boolean };

function TierCard({ tier, onEdit, isHighest, isLowest }: TierCardProps) {
  const { creatorId } = useCreator();
  const move = useEndpointMutation(moveTier, { pendingUntilRead: refreshes, successToast: false });
  const close = useEndpointMutation(archiveTier, { refreshes });
  const reopen = useEndpointMutation(reopenTier, { refreshes });
  const act = tier.isArchived ? reopen : close;
  return (
    <Card
      title={tier.name}
      description={pricesOf(tier)}
      aside={tier.isArchived ? <Badge tone="neutral">{TIERS.closed}</Badge> : undefined}
    >
      {tier.description !== '' && <p className="wrap-anywhere">{tier.description}</p>}
      <p className="mt-2 text-muted text-sm">{TIERS.members(tier.members)}</p>
      {tier.earlier.map((earlier) => (
        <EarlierPayers
          key={`${earlier.interval} ${earlier.amount}`}
          {...{ tier, earlier }}
          mayChange={onEdit !== null && !tier.isArchived}
        />
      ))}
      {onEdit !== null && (
        <div className="mt-4 flex flex-wrap gap-3">
          <Button variant="secondary" onClick={onEdit}>
            {TIERS.edit}
            <span className="sr-only"> {tier.name}</span>
          </Button>
          <Button
            variant="quiet"
            busy={act.isPending}
            onClick={() => act.mutate({ params: { creatorId, tierId: tier.id } })}
          >
            {tier.isArchived ? TIERS.reopen : TIERS.close}
            <span className="sr-only"> {tier.name}</span>
          </Button>
          {[true, false].map(
            (up) =>
              !(up ? isHighest : isLowest) && (
                <IconButton
                  key={String(up)}
                  label={TIERS.move(tier.name, up)}
                  busy={move.isPending}
                  onClick={() => move.mutate({ params: { creatorId, tierId: tier.id }, body: { up } })}
                >
                  {up ? <ArrowUp className="size-5" /> : <ArrowDown className="size-5" />}
                </IconButton>
              ),
          )}
        </div>
      )}
    </Card>
  );
}

type Earlier = { tier: Tier; earlier: Tier['earlier'][number]; mayChange: boolean };

function EarlierPayers({ tier, earlier, mayChange }: Earlier) {
  const { creatorId } = useCreator();
  const [asks, setAsks] = useState(false);
  const move = useEndpointMutation(movePayers, { refreshes, onSuccess: () => setAsks(false) });
  const { interval, amount, members, told } = earlier;
  const toAmount = tier[interval];
  if (toAmount === null) return null;
  const price = (one: number) => `${amountLabel(one, tier.currency)} a ${interval}`;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-3">
      <p className="text-muted text-sm">{TIERS.earlier(earlier, price(amount))}</p>
      {mayChange && told < members && (
        <Button variant="secondary" size="small" onClick={() => setAsks(true)}>
          {TIERS.moveTo(price(toAmount))}
        </Button>
      )}
      <Question
        {...{ open: asks, onOpenChange: setAsks, keep: TIERS.moveKeep, act: TIERS.moveAct, busy: move.isPending }}
        title={TIERS.moveTitle(members - told, price(toAmount))}
        description={TIERS.moveSays(price(amount), price(toAmount))}
        onAct={() => move.mutate({ params: { creatorId, tierId: tier.id }, body: { interval, amount, toAmount } })}
      />
    </div>
  );
}

function isPictureOrNone(link: string): boolean {
  return link === '' || HttpsLink.safeParse(link).success;
}

const Typed = z
  .object({
    ...{ name: TierInput.shape.name, description: TierInput.shape.description, currency: TierInput.shape.currency },
    ...{
      pictureUrl: z.string().check(z.refine(isPictureOrNone, TIERS.wrongPicture)),
      month: z.string(),
      year: z.string(),
    },
    trialDays: z.coerce.number().check(z.int(), z.minimum(0), z.maximum(30, 'At most 30 days.')),
  })
  .check(({ value, issues }) => {
    for (const name of ['month', 'year'] as const) {
      if (value[name].trim() === '' || amountIn(value[name], value.currency) !== null) continue;
      issues.push({ code: 'custom', path: [name], message: TIERS.wrongAmount, input: value[name] });
    }
  });

function TierDialog({ tier, onClose }: { tier: Tier | null; onClose: () => void }) {
  const { creatorId } = useCreator();
  const typed = (amount: number | null) => (amount === null ? '' : amountText(amount, tier?.currency ?? 'usd'));
  const form = useApiForm({
    endpoint: (tier === null ? createTier : changeTier) as typeof changeTier,
    schema: Typed,
    defaultValues: {
      ...{ name: tier?.name ?? '', description: tier?.description ?? '', currency: tier?.currency ?? 'usd' },
      pictureUrl: tier?.pictureUrl ?? '',
      ...{ month: typed(tier?.month ?? null), year: typed(tier?.year ?? null), trialDays: tier?.trialDays ?? 0 },
    },
    request: ({ month, year, pictureUrl, ...rest }) => ({
      params: { creatorId, tierId: tier?.id ?? '' },
      body: {
        ...{ ...rest, pictureUrl: pictureUrl || null },
        ...{ month: amountIn(month, rest.currency), year: amountIn(year, rest.currency) },
      },
    }),
    ...{ refreshes, successToast: false, onSuccess: onClose },
  });
  const picture = form.watch('pictureUrl');
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={tier === null ? TIERS.newTitle : TIERS.editTitle(tier.name)}
      description={tier?.isPaidFor ? TIERS.keeps : undefined}
    >
      <FormFrame
        form={form}
        submitLabel={TIERS.save}
        actions={
          <Button variant="quiet" onClick={onClose}>
            {TIERS.cancel}
          </Button>
        }
      >
        <TextField form={form} name="name" label={TIERS.name} maxLength={60} autoComplete="off" />
        <Field label={TIERS.description} hint={TIERS.descriptionHint}>
          {(wiring) => <Textarea {...wiring} rows={3} maxLength={500} {...form.register('description')} />}
        </Field>
        <TextField
          form={form}
          name="pictureUrl"
          label={TIERS.picture}
          hint={TIERS.pictureHint}
          optional
          inputMode="url"
          autoComplete="off"
        />
        {HttpsLink.safeParse(picture).success && <Picture src={picture} alt={TIERS.pictureShown} className="w-32" />}
        <Field label={TIERS.currency} hint={tier?.isPaidFor ? TIERS.currencyStays : undefined}>
          {(wiring) => (
            <Select {...wiring} disabled={tier?.isPaidFor === true} {...form.register('currency')}>
              {CURRENCIES.map((one) => (
                <option key={one} value={one}>
                  {one.toUpperCase()}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField form={form} name="month" label={TIERS.month} optional inputMode="decimal" autoComplete="off" />
          <TextField form={form} name="year" label={TIERS.year} optional inputMode="decimal" autoComplete="off" />
        </div>
        <p className="text-muted text-sm">{TIERS.priceHint}</p>
        <AdFreeCost {...form.watch()} />
        <TextField form={form} name="trialDays" label={TIERS.trial} inputMode="numeric" />
      </FormFrame>
    </Dialog>
  );
}

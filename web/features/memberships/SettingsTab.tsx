import { useState } from 'react';
import { useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import { endMemberships, getMembershipEnd, keepMemberships, type MembershipEnd } from '#contract/membership-end.ts';
import { getStripeAccount } from '#contract/stripe-account.ts';
import { listTiers, MOST_LATE_DAYS, setFreeOpens, setLateDays } from '#contract/tiers.ts';
import { MembersCsv } from '#web/features/figures/CsvButtons.tsx';
import { MoveCard, OneMove } from '#web/features/memberships/MoveIn.tsx';
import { END, FREE_OPENS, LATE } from '#web/features/memberships/words.ts';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

/** Members come with a file, leave with their creator, or end. The file that is open is in the address. */
export function SettingsTab() {
  const { creatorId } = useCreator();
  const [params] = useSearchParams();
  const end = useEndpoint(
    getMembershipEnd,
    { params: { creatorId } },
    { refetchInterval: ({ state }) => (state.data && isAtWork(state.data) ? 2000 : false) },
  );
  const moveId = params.get('move');
  if (moveId !== null) return <OneMove moveId={moveId} />;
  return (
    <div className="flex flex-col gap-5">
      <Choices />
      <MoveCard />
      <Card title={END.file} description={END.fileSays}>
        <MembersCsv />
      </Card>
      <Loaded query={end} loading={END.loading} failed={END.failed} skeleton={<Skeleton className="h-64" />}>
        {(data) => (data.way === null ? <Ways members={data.members} /> : <Ending {...data} way={data.way} />)}
      </Loaded>
    </div>
  );
}

/** What holds for all tiers. */
function Choices() {
  const { creatorId } = useCreator();
  const tiers = useEndpoint(listTiers, { params: { creatorId } });
  return (
    <Loaded query={tiers} loading={LATE.loading} failed={LATE.failed} skeleton={<Skeleton className="h-64" />}>
      {({ lateDays, freeOpens, hasFreeReaders }) => (
        <>
          <Card title={LATE.title} description={LATE.says}>
            <LateForm lateDays={lateDays} />
          </Card>
          <Card title={FREE_OPENS.title} description={FREE_OPENS.says}>
            <FreeOpensForm freeOpens={freeOpens} hasFreeReaders={hasFreeReaders} />
          </Card>
        </>
      )}
    </Loaded>
  );
}

const DAYS = [...Array(MOST_LATE_DAYS + 1).keys()];

function LateForm({ lateDays }: { lateDays: number }) {
  const { creatorId } = useCreator();
  const form = useApiForm({
    endpoint: setLateDays,
    schema: z.object({ days: z.string() }),
    defaultValues: { days: String(lateDays) },
    request: ({ days }) => ({ params: { creatorId }, body: { days: Number(days) } }),
    ...{ refreshes: [listTiers], successToast: true },
  });
  return (
    <FormFrame form={form} submitLabel={LATE.save}>
      <Field label={LATE.days}>
        {(wiring) => (
          <Select {...wiring} {...form.register('days')}>
            {DAYS.map((days) => (
              <option key={days} value={days}>
                {LATE.option(days)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </FormFrame>
  );
}

function FreeOpensForm({ freeOpens, hasFreeReaders }: { freeOpens: number; hasFreeReaders: boolean }) {
  const { creatorId } = useCreator();
  const form = useApiForm({
    endpoint: setFreeOpens,
    schema: z.object({ many: z.string() }),
    defaultValues: { many: String(freeOpens) },
    request: ({ many }) => ({ params: { creatorId }, body: { many: Number(many) } }),
    ...{ refreshes: [listTiers], successToast: true },
  });
  return (
    <FormFrame form={form} submitLabel={LATE.save}>
      <Field label={FREE_OPENS.label} hint={hasFreeReaders ? undefined : FREE_OPENS.off}>
        {(wiring) => (
          <Select {...wiring} {...form.register('many')}>
            {FREE_OPENS.choices.map((label, many) => (
              <option key={label} value={many}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </FormFrame>
  );
}

function isAtWork({ way, isDone, isCalledOff }: MembershipEnd): boolean {
  return way !== null && (!isDone || isCalledOff);
}

const WAYS = ['leave', 'close'] as const;
type Way = (typeof WAYS)[number];

function Ways({ members }: { members: number }) {
  const [asking, setAsking] = useState<Way | null>(null);
  return (
    <>
      {WAYS.map((way) => (
        <Card key={way} title={END.ways[way].title} description={END.ways[way].says}>
          <Button variant="secondary" onClick={() => setAsking(way)}>
            {END.ways[way].ask}
          </Button>
        </Card>
      ))}
      {asking !== null && <EndDialog way={asking} members={members} onClose={() => setAsking(null)} />}
    </>
  );
}

function EndDialog({ way, members, onClose }: { way: Way; members: number; onClose: () => void }) {
  const { creatorId, creatorAccount } = useCreator();
  const form = useApiForm({
    endpoint: endMemberships,
    schema: endMemberships.body,
    defaultValues: { way, handle: '' },
    request: (body) => ({ params: { creatorId }, body }),
    ...{ refreshes: [getMembershipEnd, getStripeAccount], successToast: false, onSuccess: onClose },
  });
  const words = END.ways[way];
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={words.question(members)} description={words.means}>
      <FormFrame
        form={form}
        submitLabel={words.act}
        actions={
          <Button variant="quiet" onClick={onClose}>
            {END.cancel}
          </Button>
        }
      >
        <TextField
          form={form}
          name="handle"
          label={END.type(creatorAccount.handle)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </FormFrame>
    </Dialog>
  );
}

function Ending({ way, isDone, isCalledOff, many, done, members, lastEndsAt }: MembershipEnd & { way: Way }) {
  const { creatorId } = useCreator();
  const keep = useEndpointMutation(keepMemberships, {
    refreshes: [getMembershipEnd, getStripeAccount],
    successToast: false,
  });
  const words = END.ways[way];
  const isWorking = !isDone || isCalledOff;
  return (
    <Card title={isCalledOff ? END.keeping : isDone ? words.done : words.doing}>
      <p role="status">
        {isCalledOff ? END.keepingSays : isDone ? words.doneSays(members, lastEndsAt) : END.progress(done, many)}
      </p>
      {isWorking && (
        <progress
          aria-label={words.doing}
          className="mt-3 w-full accent-accent"
          {...(!isCalledOff && { value: done, max: Math.max(many, 1) })}
        />
      )}
      {!isCalledOff && (isDone || way === 'close') && (
        <Button
          variant="secondary"
          className="mt-4"
          busy={keep.isPending}
          onClick={() => keep.mutate({ params: { creatorId } })}
        >
          {words.keep}
        </Button>
      )}
    </Card>
  );
}

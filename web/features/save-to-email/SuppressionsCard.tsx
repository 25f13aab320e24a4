import { type FormEvent, useState } from 'react';
import { parseEmailAddress } from '#contract/email-address.ts';
import {
  addSuppression,
  listSuppressions,
  type Suppression,
  TAKING_BACK,
  takeBackSuppression,
} from '#contract/suppressions.ts';
import { SUPPRESSIONS } from '#web/features/save-to-email/words.ts';
import { FormProblem } from '#web/shell/form.tsx';
import { PagedList } from '#web/shell/PagedList.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Input, Textarea } from '#web/ui/inputs.tsx';
import { Question } from '#web/ui/Question.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

/** Addresses that are not written to: found by the whole address, added, taken back. */
export function SuppressionsCard({ mayChange }: { mayChange: boolean }) {
  const { creatorId } = useCreator();
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState<string | null>(null);
  const [isWrong, setWrong] = useState(false);
  const [taking, setTaking] = useState<Suppression | null>(null);
  const found = useEndpointPages(
    listSuppressions,
    { params: { creatorId }, query: asked === null ? {} : { address: asked } },
    { keepPrevious: true },
  );
  const find = (event: FormEvent) => {
    event.preventDefault();
    const address = typed.trim();
    const isAddress = address === '' || parseEmailAddress(address) !== null;
    setWrong(!isAddress);
    if (isAddress) setAsked(address === '' ? null : address);
  };
  return (
    <Card title={SUPPRESSIONS.title} description={SUPPRESSIONS.says}>
      <form className="mb-4 flex flex-col items-start gap-3" noValidate onSubmit={find}>
        <Field
          label={SUPPRESSIONS.address}
          hint={SUPPRESSIONS.addressHint}
          error={isWrong ? SUPPRESSIONS.wrong : undefined}
          className="w-full"
        >
          {(wiring) => (
            <Input
              {...wiring}
              type="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="secondary">
          {SUPPRESSIONS.find}
        </Button>
      </form>
      <PagedList
        query={found}
        loading={SUPPRESSIONS.loading}
        failed={SUPPRESSIONS.failed}
        skeleton={<Skeleton className="h-24" />}
        empty={
          asked === null ? (
            <p className="text-muted">{SUPPRESSIONS.none}</p>
          ) : (
            <NotThere address={asked} mayChange={mayChange} />
          )
        }
      >
        {(items) => (
          <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
            {items.map((one) => (
              <Row key={one.id} one={one} asked={asked} onTakeBack={mayChange ? () => setTaking(one) : null} />
            ))}
          </ul>
        )}
      </PagedList>
      {taking && <TakeBack key={taking.id} one={taking} asked={asked} onClose={() => setTaking(null)} />}
    </Card>
  );
}

function NotThere({ address, mayChange }: { address: string; mayChange: boolean }) {
  const { creatorId } = useCreator();
  const add = useEndpointMutation(addSuppression, {
    refreshes: [listSuppressions],
    successToast: { title: SUPPRESSIONS.added },
  });
  return (
    <div role="status" className="flex flex-col items-start gap-3">
      <p className="break-words">{SUPPRESSIONS.notThere(address)}</p>
      {mayChange && (
        <Button busy={add.isPending} onClick={() => add.mutate({ params: { creatorId }, body: { address } })}>
          {SUPPRESSIONS.add}
        </Button>
      )}
    </div>
  );
}

type RowProps = { one: Suppression; asked: string | null; onTakeBack: (() => void) | null };

function Row({ one: { reason, since, note, email }, asked, onTakeBack }: RowProps) {
  const address = email ?? asked;
  const { label, says } = SUPPRESSIONS.reasons[reason];
  return (
    <li className="flex flex-col items-start gap-1 p-3">
      <p className="flex flex-wrap items-center gap-2">
        {address === null ? (
          <span className="text-muted">{SUPPRESSIONS.onlyHash}</span>
        ) : (
          <bdi className="min-w-0 break-all font-medium">{address}</bdi>
        )}
        <Badge tone="neutral">{label}</Badge>
      </p>
      <p className="text-muted text-sm">{says}</p>
      {note !== null && (
        <p className="break-words text-sm">
          {SUPPRESSIONS.tookBack} <bdi>{note}</bdi>
        </p>
      )}
      <p className="text-faint text-sm">
        <RelativeTime at={since} />
      </p>
      {onTakeBack && TAKING_BACK[reason] !== 'by_them' && (
        <Button variant="quiet" size="small" className="-ms-3 min-w-0 px-3" onClick={onTakeBack}>
          {SUPPRESSIONS.takeBack}
        </Button>
      )}
    </li>
  );
}

type TakeBackProps = { one: Suppression; asked: string | null; onClose: () => void };

function TakeBack({ one: { id, reason, email }, asked, onClose }: TakeBackProps) {
  const { creatorId } = useCreator();
  const [note, setNote] = useState('');
  const address = email ?? asked;
  const take = useEndpointMutation(takeBackSuppression, {
    errorToast: false,
    refreshes: [listSuppressions],
    successToast: { title: SUPPRESSIONS.taken },
    onSuccess: onClose,
  });
  const error = take.error?.fields.find(({ path }) => path === 'note')?.message;
  return (
    <Question
      open
      onOpenChange={onClose}
      title={SUPPRESSIONS.takeBackAsk}
      description={SUPPRESSIONS.takeBackSays}
      keep={SUPPRESSIONS.keep}
      act={SUPPRESSIONS.takeBack}
      busy={take.isPending}
      onAct={() => take.mutate({ params: { creatorId, suppressionId: id }, body: { note } })}
    >
      {address !== null && <bdi className="break-all font-medium">{address}</bdi>}
      {error === undefined && <FormProblem problem={take.error} />}
      {TAKING_BACK[reason] === 'with_note' && (
        <Field label={SUPPRESSIONS.note} hint={SUPPRESSIONS.noteHint} error={error}>
          {(wiring) => (
            <Textarea
              {...wiring}
              rows={2}
              maxLength={300}
              value={note}
              onChange={({ target }) => setNote(target.value)}
            />
          )}
        </Field>
      )}
    </Question>
  );
}

import { useState } from 'react';
import { amountLabel } from '#contract/amounts.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import {
  blockMember,
  cancelMember,
  endGivenPass,
  endPassedRecipes,
  getMember,
  listMembers,
  sendMemberCode,
  signMemberOut,
  unblockMember,
} from '#contract/members.ts';
import { mayDo } from '#contract/roles.ts';
import { RefundDialog } from '#web/features/memberships/RefundDialog.tsx';
import { MEMBER, MEMBER_TONES, memberWords, REFUND, stateLabel } from '#web/features/memberships/words.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, Sheet } from '#web/ui/Dialog.tsx';
import { dayOf } from '#web/ui/moment.ts';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

const refreshes = [getMember, listMembers];
type One = ResponseOf<typeof getMember>;
const FATE_TONES = { under_way: 'neutral', came_back: 'error' } as const;

/** One member with their story, and what can be done for them. */
export function MemberSheet({ memberId, onClose }: { memberId: string; onClose: () => void }) {
  const { creatorId } = useCreator();
  const member = useEndpoint(getMember, { params: { creatorId, memberId } });
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={<bdi className="wrap-anywhere">{member.data?.email ?? '…'}</bdi>}
      description={member.data?.name ?? undefined}
    >
      <Loaded query={member} loading={MEMBER.loading} failed={MEMBER.failed} skeleton={<Skeleton className="h-64" />}>
        {(data) => <Story member={data} />}
      </Loaded>
    </Sheet>
  );
}

function Story({ member }: { member: One }) {
  return (
    <div className="flex flex-col gap-6">
      <div>
        <p className="flex flex-wrap gap-2">
          <Badge tone={MEMBER_TONES[member.state]}>{stateLabel(member)}</Badge>
          {member.isBlocked && <Badge tone="error">{MEMBER.blocked}</Badge>}
        </p>
        <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
          <dt className="text-muted">{MEMBER.tier}</dt>
          <dd>{member.tier}</dd>
          {memberWords(member) !== '' && (
            <>
              <dt className="text-muted">{member.amount === null ? MEMBER.reads : MEMBER.pays}</dt>
              <dd>{memberWords(member)}</dd>
            </>
          )}
          <dt className="text-muted">{MEMBER.joined}</dt>
          <dd>{dayOf(member.joinedAt)}</dd>
          <dt className="text-muted">{MEMBER.seen}</dt>
          <dd>{member.lastSeenAt === null ? MEMBER.never : <RelativeTime at={member.lastSeenAt} />}</dd>
          {member.note !== null && (
            <>
              <dt className="text-muted">{MEMBER.note}</dt>
              <dd className="wrap-anywhere">{member.note}</dd>
            </>
          )}
        </dl>
      </div>
      <Acts member={member} />
      <section>
        <h3 className="mb-2 font-semibold">{MEMBER.story}</h3>
        <ol className="flex flex-col gap-2">
          {member.changes.map(({ id, at, what }) => (
            <li key={id} className="flex flex-wrap justify-between gap-x-4">
              <span className="wrap-anywhere min-w-0">{what}</span>
              <span className="text-muted text-sm">
                <RelativeTime at={at} />
              </span>
            </li>
          ))}
        </ol>
      </section>
      <Payments member={member} />
      <section>
        <h3 className="mb-2 font-semibold">{MEMBER.mails}</h3>
        {member.mails.length === 0 && <p className="text-muted">{MEMBER.noMails}</p>}
        <ul className="flex flex-col gap-2">
          {member.mails.map(({ id, at, subject, fate }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4">
              <span className="wrap-anywhere min-w-0">
                {subject} {fate !== 'sent' && <Badge tone={FATE_TONES[fate]}>{MEMBER.fates[fate]}</Badge>}
              </span>
              <span className="text-muted text-sm">
                <RelativeTime at={at} />
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h3 className="mb-2 font-semibold">{MEMBER.devices}</h3>
        {member.devices.length === 0 && <p className="text-muted">{MEMBER.noDevices}</p>}
        <ul className="flex flex-col gap-2">
          {member.devices.map(({ id, enteredAt, seenAt, isSignedIn }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4">
              <span>{MEMBER.device(dayOf(enteredAt), dayOf(seenAt))}</span>
              {!isSignedIn && <Badge tone="neutral">{MEMBER.signedOut}</Badge>}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function Payments({ member }: { member: One }) {
  const mayGiveBack = useMayMoveMoney();
  const [givesBack, setGivesBack] = useState<string | null>(null);
  return (
    <section>
      <h3 className="mb-2 font-semibold">{MEMBER.payments}</h3>
      {member.payments.length === 0 && <p className="text-muted">{MEMBER.noPayments}</p>}
      <ul className="flex flex-col gap-2">
        {member.payments.map(({ id, at, kind, amount, currency }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4">
            <span className="flex-1">
              {MEMBER.payment[kind]} {amountLabel(Math.abs(amount), currency)}
            </span>
            {kind === 'paid' && mayGiveBack && (
              <Button
                variant="quiet"
                size="small"
                aria-label={REFUND.of(amountLabel(amount, currency))}
                onClick={() => setGivesBack(id)}
              >
                {REFUND.open}
              </Button>
            )}
            <span className="text-muted text-sm">{dayOf(at)}</span>
          </li>
        ))}
      </ul>
      {givesBack !== null && (
        <RefundDialog
          memberId={member.id}
          paymentId={givesBack}
          hasPaid={member.paysNow}
          onClose={() => setGivesBack(null)}
        />
      )}
    </section>
  );
}

function useMayMoveMoney(): boolean {
  const { role } = useCreator();
  return role !== null && mayDo(role, 'money');
}

function Acts({ member }: { member: One }) {
  const { creatorId } = useCreator();
  const [asks, setAsks] = useState<keyof typeof ENDPOINTS | null>(null);
  const params = { creatorId, memberId: member.id };
  const sendCode = useEndpointMutation(sendMemberCode, { refreshes });
  const signOut = useEndpointMutation(signMemberOut, { refreshes });
  const endGiven = useEndpointMutation(endGivenPass, { refreshes });
  const endPassed = useEndpointMutation(endPassedRecipes, { refreshes });
  const unblock = useEndpointMutation(unblockMember, { refreshes });
  const mayEnd = useMayMoveMoney();
  return (
    <div className="flex flex-wrap gap-3">
      {!member.isBlocked && (
        <Button variant="secondary" busy={sendCode.isPending} onClick={() => sendCode.mutate({ params })}>
          {MEMBER.sendCode}
        </Button>
      )}
      {member.devices.some(({ isSignedIn }) => isSignedIn) && (
        <Button variant="secondary" busy={signOut.isPending} onClick={() => signOut.mutate({ params })}>
          {MEMBER.signOut}
        </Button>
      )}
      {member.state === 'given' && (
        <Button variant="quiet" busy={endGiven.isPending} onClick={() => endGiven.mutate({ params })}>
          {MEMBER.endGiven}
        </Button>
      )}
      {member.passed > 0 && (
        <Button variant="quiet" busy={endPassed.isPending} onClick={() => endPassed.mutate({ params })}>
          {MEMBER.endPassed(member.passed)}
        </Button>
      )}
      {member.paysNow && member.state !== 'ending' && mayEnd && (
        <Button variant="quiet" onClick={() => setAsks('cancel')}>
          {MEMBER.ends.cancel.act}
        </Button>
      )}
      {mayEnd && !member.isBlocked && (
        <Button variant="quiet" onClick={() => setAsks('block')}>
          {MEMBER.ends.block.act}
        </Button>
      )}
      {mayEnd && member.isBlocked && (
        <Button variant="secondary" busy={unblock.isPending} onClick={() => unblock.mutate({ params })}>
          {MEMBER.unblock}
        </Button>
      )}
      {member.stripeUrl !== null && (
        <a className="inline-flex min-h-11 items-center underline" href={member.stripeUrl}>
          {MEMBER.stripe}
        </a>
      )}
      {asks !== null && (
        <EndDialog memberId={member.id} end={asks} hasPaid={member.paysNow} onClose={() => setAsks(null)} />
      )}
    </div>
  );
}

const ENDPOINTS = { cancel: cancelMember, block: blockMember };
type EndProps = { memberId: string; end: keyof typeof ENDPOINTS; hasPaid: boolean; onClose: () => void };

/** Asks whether to give back what they paid. */
function EndDialog({ memberId, end, hasPaid, onClose }: EndProps) {
  const { creatorId } = useCreator();
  const words = MEMBER.ends[end];
  const send = useEndpointMutation(ENDPOINTS[end], { refreshes, onSuccess: onClose });
  const act = (refund: boolean) => send.mutate({ params: { creatorId, memberId }, body: { refund } });
  const isBusy = (refund: boolean) => send.isPending && send.variables.body.refund === refund;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={words.title}
      description={words.says(hasPaid)}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {words.keep}
          </Button>
          {hasPaid && (
            <Button variant="danger" busy={isBusy(true)} disabled={send.isPending} onClick={() => act(true)}>
              {words.refund}
            </Button>
          )}
          <Button
            variant={end === 'block' ? 'danger' : 'primary'}
            busy={isBusy(false)}
            disabled={send.isPending}
            onClick={() => act(false)}
          >
            {words.plain}
          </Button>
        </>
      }
    />
  );
}

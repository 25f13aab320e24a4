import { useState } from 'react';
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
import { MEMBER, MEMBER_TONES, memberWords, stateLabel } from '#web/features/memberships/words.ts';
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
      <Loaded query={member} loading={MEMBER.story} failed={MEMBER.story} skeleton={<Skeleton className="h-64" />}>
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
              <dt className="text-muted">{MEMBER.pays}</dt>
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

function Acts({ member }: { member: One }) {
  const { creatorId, role } = useCreator();
  const [asks, setAsks] = useState<'cancel' | 'block' | null>(null);
  const params = { creatorId, memberId: member.id };
  const sendCode = useEndpointMutation(sendMemberCode, { refreshes });
  const signOut = useEndpointMutation(signMemberOut, { refreshes });
  const endGiven = useEndpointMutation(endGivenPass, { refreshes });
  const endPassed = useEndpointMutation(endPassedRecipes, { refreshes });
  const unblock = useEndpointMutation(unblockMember, { refreshes });
  const hasPaid = member.amount !== null && member.state !== 'over';
  const mayEnd = role !== null && mayDo(role, 'money');
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
      {hasPaid && member.state !== 'ending' && mayEnd && (
        <Button variant="quiet" onClick={() => setAsks('cancel')}>
          {MEMBER.cancel}
        </Button>
      )}
      {mayEnd && !member.isBlocked && (
        <Button variant="quiet" onClick={() => setAsks('block')}>
          {MEMBER.block}
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
      {asks === 'cancel' && <CancelDialog memberId={member.id} onClose={() => setAsks(null)} />}
      {asks === 'block' && <BlockDialog memberId={member.id} hasPaid={hasPaid} onClose={() => setAsks(null)} />}
    </div>
  );
}

function CancelDialog({ memberId, onClose }: { memberId: string; onClose: () => void }) {
  const { creatorId } = useCreator();
  const cancel = useEndpointMutation(cancelMember, { refreshes, onSuccess: onClose });
  const act = (refund: boolean) => cancel.mutate({ params: { creatorId, memberId }, body: { refund } });
  const isBusy = (refund: boolean) => cancel.isPending && cancel.variables.body.refund === refund;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={MEMBER.cancelTitle}
      description={MEMBER.cancelSays}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {MEMBER.keep}
          </Button>
          <Button variant="danger" busy={isBusy(true)} onClick={() => act(true)}>
            {MEMBER.refund}
          </Button>
          <Button busy={isBusy(false)} onClick={() => act(false)}>
            {MEMBER.atTheEnd}
          </Button>
        </>
      }
    />
  );
}

function BlockDialog({ memberId, hasPaid, onClose }: { memberId: string; hasPaid: boolean; onClose: () => void }) {
  const { creatorId } = useCreator();
  const block = useEndpointMutation(blockMember, { refreshes, onSuccess: onClose });
  const act = (refund: boolean) => block.mutate({ params: { creatorId, memberId }, body: { refund } });
  const isBusy = (refund: boolean) => block.isPending && block.variables.body.refund === refund;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={MEMBER.blockTitle}
      description={[MEMBER.blockSays, hasPaid && MEMBER.blockPaid].filter(Boolean).join(' ')}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {MEMBER.dontBlock}
          </Button>
          {hasPaid && (
            <Button variant="danger" busy={isBusy(true)} onClick={() => act(true)}>
              {MEMBER.blockRefund}
            </Button>
          )}
          <Button variant="danger" busy={isBusy(false)} onClick={() => act(false)}>
            {MEMBER.block}
          </Button>
        </>
      }
    />
  );
}

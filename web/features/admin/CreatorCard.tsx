import type { ReactNode } from 'react';
import { type AdminCreator, planWords } from '#web/features/admin/creator-words.ts';
import { CREATOR_CARD } from '#web/features/admin/words.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { useEnv } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { numerals } from '#web/ui/numerals.ts';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';

type Props = { creator: AdminCreator; onEnter: () => void; onGrant: () => void; onOwnAccount: () => void };

/** A creator as support sees them: plan, accounts and their health, what waits, and the ways in. */
export function CreatorCard({ creator, onEnter, onGrant, onOwnAccount }: Props) {
  const { hasPlans = false, hasFans = false } = useEnv().data ?? {};
  const { handle, creatorId, owners, connections, followers, waiting, deleteAt, hasOwnAccount } = creator;
  return (
    <Card
      title={<span className="break-words">@{handle}</span>}
      description={owners.length > 0 ? <span className="break-words">{owners.join(', ')}</span> : CREATOR_CARD.noOwner}
      aside={
        deleteAt && (
          <Badge tone="error">
            Deleted <RelativeTime at={deleteAt} />
          </Badge>
        )
      }
    >
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 text-sm sm:grid-cols-4">
        {hasPlans && <Fact name="Plan">{planWords(creator)}</Fact>}
        <Fact name="Followers">{numerals(followers)}</Fact>
        <Fact name="In the queue">
          {waiting > 0 ? <Badge tone="warning">{numerals(waiting)}</Badge> : CREATOR_CARD.none}
        </Fact>
        <Fact name="Joined">
          <RelativeTime at={creator.createdAt} />
        </Fact>
      </dl>
      {connections.length === 0 ? (
        <p className="mt-3 text-muted text-sm">{CREATOR_CARD.noAccountsConnected}</p>
      ) : (
        <ul className="mt-3 flex flex-col gap-1 text-sm">
          {connections.map(({ platform, username, working, health }) => (
            <li key={`${platform} ${username}`} className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
              <span className="min-w-0 break-words">{platform === 'instagram' ? `@${username}` : username}</span>
              <span className="text-muted">
                {platform === 'instagram' ? CREATOR_CARD.instagram : CREATOR_CARD.facebook}
              </span>
              {working ? (
                <Badge tone="accent">{CREATOR_CARD.working}</Badge>
              ) : (
                <Badge tone="error">{CREATOR_CARD.problems}</Badge>
              )}
              {!working && <span className="basis-full break-words text-muted">{health}</span>}
            </li>
          ))}
        </ul>
      )}
      {hasOwnAccount && <p className="mt-3 text-muted text-sm">{CREATOR_CARD.hasOwnAccount}</p>}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button size="small" variant="secondary" aria-label={`Enter @${handle}`} onClick={onEnter}>
          {CREATOR_CARD.enter}
        </Button>
        {hasPlans && (
          <Button size="small" variant="quiet" aria-label={`Give plan to @${handle}`} onClick={onGrant}>
            {CREATOR_CARD.givePlan}
          </Button>
        )}
        {hasFans && !hasOwnAccount && (
          <Button size="small" variant="quiet" aria-label={`Own Stripe account for @${handle}`} onClick={onOwnAccount}>
            {CREATOR_CARD.ownAccount}
          </Button>
        )}
        <ButtonLink
          size="small"
          variant="quiet"
          aria-label={`Audit log of @${handle}`}
          to={`${paths.adminAudit}?${new URLSearchParams({ creatorId })}`}
        >
          {CREATOR_CARD.auditLog}
        </ButtonLink>
      </div>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted">{name}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}
